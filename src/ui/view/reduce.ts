// Notifications and the person's own wishes become the view. Pure: the time comes in with each event. Nothing is asked of
// the session here.

import type {
	Notification,
	OpenPrompt,
	SessionGreeting,
	ShellChange,
	ShownSandbox,
} from "../../rpc/protocol.ts";
import { isDoubtQuestion } from "../../session/doubt.ts";
import type { LiveDelta } from "../../session/live.ts";
import { commandPlace } from "../commandPlace.ts";
import { escapedText, visibleText } from "../visibleText.ts";
import { diffOf, endShell, newShell, shellsOf } from "./calls.ts";
import { changeCall, reduceFact, showChild } from "./facts.ts";
import { showPast } from "./history.ts";
import { oneLine } from "./oneLine.ts";
import {
	emptyView,
	modelLabel,
	type OverlayName,
	type PromptView,
	type Size,
	type ViewState,
} from "./state.ts";
import {
	finishText,
	flush,
	gatherReasoning,
	gatherText,
	TAIL_LENGTH,
	withdraw,
	withdrawReasoning,
} from "./stream.ts";
import { BAD, DIM, type Style, type StyledLine, WARN } from "./style.ts";
import {
	markdownRows,
	printWhole,
	pushBlock,
	pushNote,
	pushPersonText,
	textColumns,
	textRows,
	unfold,
} from "./transcript.ts";

/** What the screen itself does to the view. */
export type UiEvent =
	/** Moves what was gathered; at most 20 times a second. */
	| { kind: "flush" }
	/** Time passed: elapsed times and notices change. */
	| { kind: "tick" }
	| { kind: "resize"; size: Size }
	/** Ctrl+O: prints the newest folded text whole. */
	| { kind: "unfold" }
	/** Ctrl+T. */
	| { kind: "togglePlan" }
	| { kind: "overlay"; overlay?: OverlayName }
	/** A line that goes away after `forMs` (default 6 s). */
	| { kind: "notice"; text: string; forMs?: number }
	/** Text for the transcript: a command as it was typed, its answer, a start-up notice. */
	| { kind: "print"; text: string; as?: "plain" | "dim" | "warning" | "error" | "markdown" | "command" }
	/** The person sent a message and no fact of it has come yet. */
	| { kind: "sent" }
	/** What was sent was refused: nothing is waited for. */
	| { kind: "refused"; message: string };

export type ViewEvent = Notification | UiEvent;

const NOTICE_MS = 6000;
const MAX_NOTICES = 3;

/** The view with which a client enters a session: its past is in the transcript. `now` in epoch milliseconds. */
export function openView(greeting: SessionGreeting, size: Size, now: number, threshold?: number): ViewState {
	return showPast(emptyView(greeting, size, now, threshold), greeting.state);
}

/** The view after `event`, which came at `now` (epoch milliseconds). */
export function reduceView(before: ViewState, event: ViewEvent, now: number): ViewState {
	const view = before.now === now ? before : { ...before, now };
	switch (event.kind) {
		case "facts":
			return event.events.reduce(reduceFact, view);
		case "live":
			return reduceDelta(view, event.delta);
		case "prompts":
			return openPrompts(view, event.open);
		case "turnEnded":
			return { ...view, costUsd: event.costUsd };
		case "idle":
			return { ...finishText(view), busy: false, wait: undefined, calls: shellsOf(view.calls) };
		case "fault":
			return pushNote({ ...finishText(view), busy: false, wait: undefined }, event.message, BAD);
		case "flush":
			return flush(view);
		case "tick":
			return view.notices.some((notice) => notice.untilMs <= now)
				? { ...view, notices: view.notices.filter((notice) => notice.untilMs > now) }
				: view;
		case "resize":
			return { ...view, size: event.size };
		case "unfold":
			return view.folded.length === 0 && view.prompts[0]?.kind !== "approval"
				? addNotice(view, "Nothing is folded.")
				: unfold(view);
		case "togglePlan":
			return view.plan.length === 0
				? addNotice(view, "There is no plan yet.")
				: { ...view, isPlanShown: !view.isPlanShown };
		case "overlay":
			return { ...view, overlay: event.overlay };
		case "notice":
			return addNotice(view, event.text, event.forMs);
		case "print":
			return print(view, event.text, event.as ?? "plain");
		case "sent":
			return view.busy ? view : { ...view, wait: { for: "queue", detail: "queueing", since: now } };
		case "refused":
			return pushNote({ ...view, wait: view.busy ? view.wait : undefined }, event.message, BAD);
		case "shell":
			return reduceShell(view, event.id, event.change);
		case "model":
			return {
				...view,
				model: modelLabel(event.model),
				meter: { ...view.meter, window: event.model.contextWindow },
			};
		case "branch":
			return { ...view, branch: oneLine(event.branch ?? "") };
		case "sandbox":
			return meetSandbox(view, event.sandbox);
		case "session":
			return enterSession(view, event.greeting, event.notices);
		default: {
			const unknown: never = event;
			void unknown;
			return view;
		}
	}
}

function reduceDelta(view: ViewState, delta: LiveDelta): ViewState {
	switch (delta.type) {
		case "text":
			return gatherText(view, delta.text);
		case "reasoning":
			return gatherReasoning(view, delta.text);
		case "withdrawn":
			return delta.why === "reasoning" ? withdrawReasoning(view) : withdraw(view);
		case "callNamed":
			return { ...view, stream: { ...view.stream, callNamed: oneLine(delta.name), lastAt: view.now } };
		case "output":
			return addOutput(view, delta.callId, delta.text);
		case "waiting": {
			const until = delta.untilMs === undefined ? {} : { untilMs: delta.untilMs };
			return { ...view, wait: { for: delta.for, detail: oneLine(delta.detail), since: view.now, ...until } };
		}
		case "notice":
			return pushNote(view, delta.text);
		case "subagent":
			return showChild(view, delta.callId, delta.agent, delta.event);
		default: {
			const unknown: never = delta;
			void unknown;
			return view;
		}
	}
}

/** Commands that run with less than a whole sandbox are never run so in silence. */
function meetSandbox(view: ViewState, sandbox: ShownSandbox): ViewState {
	const { notice } = sandbox;
	const next = { ...view, sandbox };
	return notice === undefined || notice === view.sandbox.notice ? next : pushNote(next, notice, WARN);
}

/** Takes the open questions over. A body that the dialog cannot hold whole is printed above it first. */
function openPrompts(view: ViewState, open: readonly OpenPrompt[]): ViewState {
	const known = new Map(view.prompts.map((prompt) => [prompt.callId, prompt]));
	const prompts = open.map((prompt) => known.get(prompt.prompt.callId) ?? promptView(prompt));
	const first = prompts[0];
	const next = prompts
		.filter((prompt) => !view.prompts.includes(prompt))
		.reduce(takePrompt, { ...view, prompts });
	if (first?.kind !== "approval" || first === view.prompts[0] || first.bodyKind !== "plain") return next;
	const rows = textRows(first.body, textColumns(view) - 2);
	if (rows.length <= bodyRoom(view.size)) return next;
	return printWhole(next, { title: first.toolName, text: first.body, kind: "plain" });
}

/** What the transcript will say of the call that asks: a change that is asked about anew may be another by now. */
function takePrompt(view: ViewState, prompt: PromptView): ViewState {
	return changeCall(view, prompt.callId, (call) => {
		if (prompt.kind === "approval") return prompt.bodyKind === "diff" ? { ...call, diff: prompt.body } : call;
		return isDoubtQuestion(prompt.question) ? { ...call, asked: prompt.question } : call;
	});
}

/** Rows of a command that a dialog with the keys always shows on a screen of this size; 0 where it may show none. */
function bodyRoom(size: Size): number {
	return Math.max(0, Math.floor(size.rows / 2) - 6);
}

function promptView(open: OpenPrompt): PromptView {
	if (open.kind === "question") {
		const { callId, question, options, secret } = open.prompt;
		return {
			kind: "question",
			callId,
			question: visibleText(question).trim(),
			options: options.map(oneLine),
			secret,
		};
	}
	const { callId, agent, toolName, reason, grantable, preview, args, sandbox } = open.prompt;
	const diff = diffOf(preview);
	const place = commandPlace(open.prompt);
	return {
		kind: "approval",
		callId,
		agent: oneLine(agent),
		toolName: oneLine(toolName),
		reason: oneLine(reason),
		grantable,
		body: diff ?? escapedText(preview ?? JSON.stringify(args, undefined, 2)),
		bodyKind: diff === undefined ? "plain" : "diff",
		...(place === undefined ? {} : { place: { text: oneLine(place), isFree: sandbox?.level === "none" } }),
	};
}

function addNotice(view: ViewState, text: string, forMs = NOTICE_MS): ViewState {
	const notice = { text: oneLine(text), untilMs: view.now + forMs };
	const others = view.notices.filter((other) => other.text !== notice.text);
	return { ...view, notices: [...others, notice].slice(-MAX_NOTICES) };
}

const PRINT_STYLES: Record<"plain" | "dim" | "warning" | "error", Style | undefined> = {
	plain: undefined,
	dim: DIM,
	warning: WARN,
	error: BAD,
};

function print(
	view: ViewState,
	text: string,
	as: NonNullable<(UiEvent & { kind: "print" })["as"]>,
): ViewState {
	if (as === "command") return pushPersonText(view, text);
	const width = textColumns(view);
	const rows: StyledLine[] =
		as === "markdown" ? markdownRows(text, width) : textRows(visibleText(text), width, PRINT_STYLES[as]);
	return pushBlock(view, "note", rows);
}

/** The person's own command looks like a call while it runs, and leaves its last lines. */
function reduceShell(view: ViewState, id: string, change: ShellChange): ViewState {
	switch (change.state) {
		case "started":
			return { ...view, calls: [...view.calls, newShell(id, change.command, view.now)] };
		case "output":
			return addOutput(view, id, change.text);
		case "ended":
			return endShell(view, id, change.failed, change.result);
		default: {
			const unknown: never = change;
			void unknown;
			return view;
		}
	}
}

function addOutput(view: ViewState, callId: string, text: string): ViewState {
	return changeCall(view, callId, (call) => ({
		...call,
		rawTail: (call.rawTail + text).slice(-TAIL_LENGTH),
	}));
}

/** Another session: what was printed stays where it is, all else begins anew. */
function enterSession(view: ViewState, greeting: SessionGreeting, notices: readonly string[]): ViewState {
	const { size, now, meter, blocks } = view;
	const entered = { ...emptyView(greeting, size, now, meter.threshold), blocks };
	const past = showPast(pushNote(entered, `── session ${greeting.sessionId}`), greeting.state);
	return notices.reduce((next, notice) => pushNote(next, notice, WARN), past);
}
