// What each fact changes on the screen. A fact never shows again what streamed already.

import { attachedLine, inlineImages } from "../../session/attachments.ts";
import { isDoubtQuestion } from "../../session/doubt.ts";
import type { EventOf, PlanItem, SessionEvent } from "../../session/events.ts";
import { placeBefore } from "../../session/inbox.ts";
import { visibleText } from "../visibleText.ts";
import { callTitle, diffField, newCall, pushResult, shellsOf } from "./calls.ts";
import { withParts } from "./diff.ts";
import { countOf, formatTokens } from "./format.ts";
import { firstWords, oneLine } from "./oneLine.ts";
import { planRows } from "./planRows.ts";
import { type CallView, inLeavingOrder, type QueuedView, type ViewState } from "./state.ts";
import { endAttempt, finishText, startAttempt } from "./stream.ts";
import { ACCENT, BAD, DIM, type StyledLine, WARN } from "./style.ts";
import { pushBlock, pushNote, pushPersonText, textColumns } from "./transcript.ts";

/** Letters of a title, as the session's own title is cut. */
const TITLE_LENGTH = 60;
/** Lines of a running subagent that are kept. */
const CHILDREN_KEPT = 20;

/** The view after one fact. */
export function reduceFact(view: ViewState, event: SessionEvent): ViewState {
	switch (event.type) {
		case "session/created":
			return { ...view, mode: event.mode };
		case "session/forked":
			return pushNote(
				view,
				event.gaps
					? `[copied from session ${event.from.sessionId}; its log was damaged, and ${countOf(event.gaps.length, "part")} could not be read]`
					: `[copied from session ${event.from.sessionId}]`,
			);
		case "session/renamed":
			return { ...view, title: oneLine(event.title) };
		case "user/message":
			return queueMessage(view, event);
		case "inbox/included":
			return includeMessages(view, event.messageIds);
		case "inbox/cancelled":
			return { ...view, queue: view.queue.filter((m) => !event.messageIds.includes(m.messageId)) };
		case "inbox/enqueued":
			// An answer is no message of the queue: it is shown once its call took it.
			return event.target === "question" ? view : aimMessages(view, [event.messageId], event.target);
		case "inbox/released":
			return aimMessages(view, event.messageIds, "next_step");
		case "inbox/moved":
			return { ...view, queue: placeBefore(view.queue, event.messageId, event.before) };
		case "turn/start":
			return { ...nameTurn(view, event), busy: true, turnSince: view.now };
		case "turn/end":
			return endTurn(view, event);
		case "step/start":
			return { ...view, meter: { ...view.meter, window: event.model.contextWindow } };
		case "attempt/start":
			if (event.owner) return view;
			return startAttempt({ ...view, wait: waitForModel(view) });
		case "attempt/end":
			if (event.owner) return view;
			return endAttempt(meterAfter(view, event), event);
		case "assistant/accepted":
			return { ...view, wait: undefined };
		case "tool/call":
			return {
				...view,
				calls: [...view.calls, newCall(event.callId, event.name, event.args, view.now)],
			};
		case "approval/requested":
			return changeCall(view, event.callId, (call) => ({
				...call,
				...diffField(event.preview),
				phase: "asking",
			}));
		case "approval/resolved":
			return changeCall(view, event.callId, (call) => ({
				...call,
				...revisedDiff(call.diff, event),
				phase: "checked",
			}));
		case "tool/start":
			return changeCall(view, event.callId, (call) => ({ ...call, phase: "running", since: view.now }));
		case "tool/result":
			return endCall(view, event);
		case "plan/replaced":
			return showPlan(view, event.items);
		case "mode/changed":
			return event.mode === view.mode
				? view
				: pushNote({ ...view, mode: event.mode }, `[mode: ${event.mode}]`);
		case "grant/added":
			return pushNote(view, `Not asked again in this session: ${event.tool}, ${oneLine(event.label)}`);
		case "question/asked":
			return isDoubtQuestion(event.question) ? view : pushNote(view, `? ${event.question}`, ACCENT);
		case "question/answered":
			return showAnswer(view, event);
		case "completion/rejected":
			return pushNote(view, event.reason, WARN);
		case "checkpoint/committed": {
			const [before, after] = [formatTokens(event.tokensBefore), formatTokens(event.tokensAfter)];
			const meter = { ...view.meter, tokens: event.tokensAfter, estimated: true };
			return pushNote({ ...view, meter }, `[older parts summed up: ≈${before} → ≈${after} tokens]`);
		}
		case "item/masked":
			if (event.contextTokens === undefined) return view;
			return { ...view, meter: { ...view.meter, tokens: event.contextTokens, estimated: true } };
		case "checkpoint/undone":
			if (event.tokens === undefined) return view;
			return { ...view, meter: { ...view.meter, tokens: event.tokens, estimated: true } };
		case "recovery/continuation":
			// That the turn was interrupted stands above, at its end.
			return event.notes.length === 0 ? view : pushNote(view, event.notes.join("\n"), WARN);
		case "session/rewound":
			return pushNote(
				event.context ? { ...view, meter: { ...view.meter, ...event.context } } : view,
				rewoundText(view, event),
			);
		case "rewind/finished":
		case "file/snapshotted":
		case "file/changed":
		case "request/prepared":
		case "step/end":
		case "policy/decided":
		case "subagent/changed":
		case "artifact/created":
		case "taint/set":
		case "document/observed":
		case "skill/loaded":
		case "memory/changed":
		case "item/pinned":
			return view;
		default: {
			const unknown: never = event;
			void unknown;
			return view;
		}
	}
}

/** What a subagent did, as a line under the call that runs it. */
export function showChild(view: ViewState, callId: string, agent: string, event: SessionEvent): ViewState {
	// It waited to send a request again, and waits no longer.
	if (event.type === "attempt/start" || event.type === "turn/end")
		return view.wait?.for === "retry" ? { ...view, wait: undefined } : view;
	if (event.type !== "tool/call") return view;
	const told = `${oneLine(agent)}.${oneLine(event.name)} ${callTitle(event.args)}`.trim();
	return changeCall(view, callId, (call) => {
		const children = [...call.children, told].slice(-CHILDREN_KEPT);
		const dropped = call.children.length + 1 - children.length;
		return { ...call, children, childrenBefore: call.childrenBefore + dropped };
	});
}

/** Changes one call; a call that is not there changes nothing. */
export function changeCall(view: ViewState, callId: string, change: (call: CallView) => CallView): ViewState {
	if (!view.calls.some((call) => call.callId === callId)) return view;
	return { ...view, calls: view.calls.map((call) => (call.callId === callId ? change(call) : call)) };
}

/** What a program adds by itself (the output of a person's own command) was shown when it happened. */
function queueMessage(view: ViewState, event: EventOf<"user/message">): ViewState {
	if (event.origin === "program" || view.queue.some((m) => m.messageId === event.messageId)) return view;
	const title = view.title === "" ? [...oneLine(event.text)].slice(0, TITLE_LENGTH).join("") : view.title;
	const { messageId, text, attachments } = event;
	const attached = attachedLine(attachments);
	const images = inlineImages(text, attachments);
	const message: QueuedView = { messageId, rawText: text, attached, images, target: "next_turn" };
	return { ...view, title, queue: [...view.queue, message] };
}

/** Keeps the first words of what a turn is begun for: its id means nothing to a person. */
function nameTurn(view: ViewState, { turnId, source }: EventOf<"turn/start">): ViewState {
	if (source.kind !== "inbox") return view;
	const asked = view.queue.find(({ messageId }) => source.messageIds.includes(messageId));
	if (!asked) return view;
	return { ...view, turnTexts: new Map(view.turnTexts).set(turnId, firstWords(asked.rawText)) };
}

function rewoundText(view: ViewState, { toTurnId, undoes }: EventOf<"session/rewound">): string {
	const text = view.turnTexts.get(toTurnId);
	const place = text === undefined ? "an earlier turn" : `"${text}"`;
	return undoes ? `[took back the rewind to before ${place}]` : `[rewound to before ${place}]`;
}

/** What messages wait for; they are shown in the order in which they leave. */
function aimMessages(
	view: ViewState,
	messageIds: readonly string[],
	target: QueuedView["target"],
): ViewState {
	const aimed = view.queue.map((m) => (messageIds.includes(m.messageId) ? { ...m, target } : m));
	return { ...view, queue: inLeavingOrder(aimed) };
}

/** A message enters the conversation with the request that carries it. */
function includeMessages(view: ViewState, messageIds: readonly string[]): ViewState {
	const included = view.queue.filter((m) => messageIds.includes(m.messageId));
	const rest = { ...view, queue: view.queue.filter((m) => !messageIds.includes(m.messageId)) };
	return included.reduce<ViewState>(
		(next, message) => pushPersonText(next, message.rawText, message.attached),
		rest,
	);
}

function waitForModel(view: ViewState): ViewState["wait"] {
	return { for: "model", detail: "", since: view.now };
}

function meterAfter(view: ViewState, event: EventOf<"attempt/end">): ViewState {
	const { usage, outcome, usageEstimated: estimated = false } = event;
	if (!usage || (outcome !== "accepted" && outcome !== "rejected")) return view;
	return { ...view, meter: { ...view.meter, tokens: usage.inputTokens + usage.outputTokens, estimated } };
}

function endCall(view: ViewState, event: EventOf<"tool/result">): ViewState {
	const call = view.calls.find((c) => c.callId === event.callId);
	if (!call) return view;
	const rest = { ...view, calls: view.calls.filter((c) => c !== call) };
	return pushResult(rest, call, event);
}

function showAnswer(view: ViewState, { callId, answer }: EventOf<"question/answered">): ViewState {
	const asked = view.calls.find((call) => call.callId === callId)?.asked;
	return pushPersonText(asked === undefined ? view : pushNote(view, `? ${asked}`, ACCENT), answer);
}

function showPlan(view: ViewState, items: readonly PlanItem[]): ViewState {
	const done = items.filter((item) => item.status === "completed").length;
	const head: StyledLine = [{ text: `Plan, ${done} of ${items.length} done`, style: DIM }];
	return pushBlock({ ...view, plan: items }, "plan", [head, ...planRows(items, textColumns(view))]);
}

function endTurn(view: ViewState, event: EventOf<"turn/end">): ViewState {
	const done: ViewState = { ...finishText(view), calls: shellsOf(view.calls), wait: undefined, busy: false };
	if (event.status === "completed") return done;
	const style = event.status === "cancelled" ? WARN : BAD;
	return pushNote(
		done,
		`■ ${event.reason ?? `The turn ${event.status}: ${event.code ?? "no reason told"}`}`,
		style,
	);
}

/** What is written where a person refused parts of the change, or wrote the text anew. */
function revisedDiff(
	diff: string | undefined,
	{ hunks, amended }: EventOf<"approval/resolved">,
): { diff?: string } {
	if (diff === undefined) return {};
	if (hunks) return { diff: withParts(diff, hunks) };
	if (amended === undefined) return {};
	const [, path = "+++"] = diff.split("\n", 2);
	const text = visibleText(amended).replace(/\n$/, "");
	return {
		diff: ["--- (your text instead)", path, "@@ -1 +1 @@", `+${text.replaceAll("\n", "\n+")}`].join("\n"),
	};
}
