// A session's past as the transcript shows it, made from its state: what a client gets when it enters a session that was
// there before.

import { attachedLine, inlineImages } from "../../session/attachments.ts";
import type { HistoryItem, SessionState } from "../../session/state.ts";
import { visibleText } from "../visibleText.ts";
import { diffField, newCall, pushResult } from "./calls.ts";
import { countOf } from "./format.ts";
import { firstWords, oneLine } from "./oneLine.ts";
import { type CallView, inLeavingOrder, type ViewState } from "./state.ts";
import { DIM, type StyledLine, WARN } from "./style.ts";
import {
	keepFolded,
	markdownRows,
	pushBlock,
	pushNote,
	pushPersonText,
	textColumns,
	textRows,
} from "./transcript.ts";

/** Messages that are shown; a longer past would only scroll by. */
const SHOWN_MESSAGES = 300;
/** How the output of a person's own command stands in the history. */
const SHELL_OUTPUT = /^The user ran `/;
const SHELL_LINES = 6;

/** The view with the session's past in its transcript, its plan, its queue and its title. */
export function showPast(view: ViewState, state: SessionState): ViewState {
	const history = withoutOwed(state);
	const shown = history.slice(-SHOWN_MESSAGES);
	const before = history.length - shown.length;
	const calls = new Map(
		history
			.flatMap((item) => (item.kind === "assistant" ? item.calls : []))
			.map((call) => [call.callId, call]),
	);
	let next = before > 0 ? pushNote(view, `… ${countOf(before, "earlier message")}`) : view;
	for (const item of shown) {
		const call = item.kind === "tool" ? calls.get(item.callId) : undefined;
		next = showItem(
			next,
			item,
			newCall("", item.kind === "tool" ? item.name : "", call?.args ?? {}, view.now),
		);
	}
	const waiting = state.inbox.filter(({ origin }) => origin !== "program");
	return {
		...next,
		calls: openCalls(state, view.now),
		title: oneLine(state.title),
		turnTexts: new Map(
			state.timeline.flatMap((entry) =>
				entry.kind === "turn" && entry.text !== "" ? [[entry.turnId, firstWords(entry.text)]] : [],
			),
		),
		plan: state.plan,
		queue: inLeavingOrder(
			waiting.map(({ messageId, text, attachments, target }) => ({
				messageId,
				rawText: text,
				attached: attachedLine(attachments),
				images: inlineImages(text, attachments),
				target,
			})),
		),
	};
}

/** An interruption whose work waits to be gone on with is told by the start itself, and not twice. */
function withoutOwed({ history, continuation }: SessionState): readonly HistoryItem[] {
	return continuation && history.at(-1)?.kind === "recovery" ? history.slice(0, -1) : history;
}

/** Calls that a killed process left open: what becomes of them is shown like the end of any other. */
function openCalls(state: SessionState, now: number): CallView[] {
	const open = (state.step?.calls ?? []).filter((call) => call.status === undefined);
	return open.map(({ callId, name, args, approval }) => ({
		...newCall(callId, name, args, now),
		...diffField(approval?.preview),
		phase: approval && approval.answer === undefined ? "asking" : "checked",
	}));
}

function showItem(view: ViewState, item: HistoryItem, call: CallView): ViewState {
	switch (item.kind) {
		case "user":
			return SHELL_OUTPUT.test(item.text)
				? showShellOutput(view, item.text)
				: pushPersonText(view, item.text, attachedLine(item.attachments));
		case "modeChange":
			return pushNote(view, `[mode: ${item.mode}]`);
		case "recovery":
			return pushNote(view, ["This turn was interrupted.", ...item.notes].join("\n"), WARN);
		case "rewind":
			return pushNote(
				view,
				`[${item.redo ? "redone" : "rewound"}: ${countOf(item.paths.length, "file")} put back]`,
			);
		case "checkpoint":
			return pushNote(view, item.undone ? "[a summary was taken back]" : "[older parts summed up]");
		case "document":
			return pushNote(view, `[${item.document.path} ${item.document.text === null ? "is gone" : "changed"}]`);
		case "assistant":
			return pushBlock(
				foldReasoning(view, item.reasoning),
				"answer",
				markdownRows(item.text, textColumns(view)),
			);
		case "tool": {
			const { callId, status, text } = item;
			return pushResult(view, call, { type: "tool/result", callId, status, text, durationMs: 0 });
		}
		default: {
			const unknown: never = item;
			void unknown;
			return view;
		}
	}
}

function foldReasoning(view: ViewState, reasoning: string): ViewState {
	const text = visibleText(reasoning).trim();
	return text === "" ? view : keepFolded(view, { title: "reasoning", text, kind: "reasoning" });
}

function showShellOutput(view: ViewState, text: string): ViewState {
	const rows = textRows(visibleText(text), textColumns(view), DIM);
	const left = rows.length - SHELL_LINES;
	const more: StyledLine[] = left > 0 ? [[{ text: `… ${countOf(left, "more line")}`, style: DIM }]] : [];
	return pushBlock(view, "call", [...rows.slice(0, SHELL_LINES), ...more]);
}
