// Sees before each request that it fits the window, and makes room where it does not: at a share of the window, and where
// a server said that the request was too long. At most a few checkpoints a Step; where none helps, it says what is in the way.

import { itemIdOf, viewEntries } from "../../session/modelView.ts";
import { accountOf, type SessionState } from "../../session/state.ts";
import { estimateSize } from "../../session/tokenAccount.ts";
import { toolSchemas } from "../tools/schemas.ts";
import type { Room, TurnContext } from "../turn.ts";
import { draftCheckpoint, requestTokens } from "./draftCheckpoint.ts";
import { DEFAULT_THRESHOLD } from "./modelLimits.ts";
import { sizeOfText, sizeOfTools } from "./tokenEstimator.ts";
import { unfitMessages } from "./unfitMessages.ts";

/** Checkpoints of one Step. */
const MAX_CHECKPOINTS = 2;

/** Part of the window that is kept free for results at most. */
const OBSERVED_SHARE = 0.1;

/** Part of a refused request that is taken for the window where the server named none. */
const REFUSED_SHARE = 0.9;

/** Growth of the request, as a part of the window, after which a summary that did not help is tried again. */
const TRY_AGAIN_AFTER = 0.1;

/** An estimate that no count has corrected yet may be so many times too high, as for CJK in a vocabulary made for it. */
const UNSURE = 1.5;

/** Part of the window from which on a document or message is worth shortening. */
const LARGE_PART = 0.1;

const MESSAGE = "your message";

const PINNED = "what you pinned";

/** Tokens at which a summary last did not help, by session. */
const triedAt = new WeakMap<object, number>();

/** Makes room for the request that the open Step owes. Rejects only where the log fails. */
export async function makeRoom(context: TurnContext): Promise<Room> {
	const { session } = context;
	const failure = session.state.step?.lastFailure;
	const overflow = failure?.kind === "context_overflow";
	const told = overflow ? (failure.contextWindow ?? refusedSize(context) * REFUSED_SHARE) : Infinity;
	const window = Math.min(context.limits.contextWindow, told);
	const threshold = context.compaction?.threshold ?? DEFAULT_THRESHOLD;
	const reserve = Math.min(context.limits.outputReserve, window / 8);
	let limit = Math.min(window * threshold, window - reserve - expectedObservations(context, window));
	let mustShrink = overflow;
	let withoutTail = false;
	for (;;) {
		const tokens = requestTokens(context);
		if (!mustShrink && tokens <= limit) return { kind: "fits" };
		const wasTried = tokens < (triedAt.get(session) ?? 0) + window * TRY_AGAIN_AFTER;
		const isSpent = (session.state.step?.checkpoints ?? 0) >= MAX_CHECKPOINTS;
		if (isSpent || (wasTried && !mustShrink)) return stand(context, { tokens, window, mustShrink });
		session.tell({ type: "waiting", for: "model", detail: "summing up older parts of the conversation" });
		const cause = overflow ? "overflow" : "threshold";
		const drafted = await draftCheckpoint(context, { cause, window, withoutTail });
		if (!drafted.ok) {
			if (drafted.why === "cancelled") return { kind: "cancelled" };
			const mayGive = drafted.why === "nothing" || (drafted.why === "no_gain" && tokens > window - reserve);
			if (mayGive && !withoutTail) {
				withoutTail = true;
				continue;
			}
			triedAt.set(session, tokens);
			return stand(context, { tokens, window, mustShrink });
		}
		// The person masked or pinned something meanwhile, which that summary does not know.
		if (drafted.draft.version !== session.state.viewVersion) continue;
		session.record(drafted.draft);
		withoutTail = true;
		mustShrink = false;
		// The share is where to begin; once room was made, what fits is sent.
		limit = window - reserve;
	}
}

/** What the next results will likely take: as much as the newest ones, up to a part of the window. */
function expectedObservations({ session: { state }, modelConfig }: TurnContext, window: number): number {
	const { weights } = accountOf(state, modelConfig);
	const from = state.history.findLastIndex((item) => item.kind === "assistant" && item.calls.length > 0);
	const tokens = state.history
		.slice(Math.max(0, from))
		.reduce(
			(sum, item) => (item.kind === "tool" ? sum + estimateSize({ weights }, sizeOfText(item.text)) : sum),
			0,
		);
	return Math.min(tokens, window * OBSERVED_SHARE);
}

/** A refusal says that the estimate may be far too low, so the rule of thumb counts too. */
function refusedSize(context: TurnContext): number {
	const { state } = context.session;
	const plain = requestTokens(context, { ...state, accounts: new Map() });
	return Math.max(plain, requestTokens(context));
}

/** No more room can be made: send it where it may fit all the same, else say why not. */
function stand(
	context: TurnContext,
	{ tokens, window, mustShrink }: { tokens: number; window: number; mustShrink: boolean },
): Room {
	const isMeasured = accountOf(context.session.state, context.modelConfig).last !== undefined;
	const isKnown = context.limits.assumed !== true || window < context.limits.contextWindow;
	const most = isMeasured ? window : window * UNSURE;
	if (!mustShrink && (tokens <= most || !isKnown)) return { kind: "fits" };
	const said = mustShrink ? context.session.state.step?.lastFailure?.message : undefined;
	const message = cannotFit(context, tokens, window);
	return { kind: "cannot", message: said === undefined ? message : `${said} ${message}` };
}

/** What fills the window, the largest first, and what to do. */
function cannotFit(context: TurnContext, tokens: number, window: number): string {
	const { state } = context.session;
	const parts = largestParts(context, state);
	const list = parts.map(([name, size]) => `${name} about ${format(size)}`).join(", ");
	const large = state.documents
		.filter(({ path, kind }) => kind !== "skills" && sizeIn(parts, path) > window * LARGE_PART)
		.map(({ path }) => path);
	const document = large.length > 0 ? `, shorten ${large.join(" and ")}` : "";
	const isLong = sizeIn(parts, MESSAGE) > window * LARGE_PART;
	const ask = whatToAsk(context, isLong);
	const pins = sizeIn(parts, PINNED) > 0 ? ", unpin what you no longer need (/context)" : "";
	return `The request of about ${format(tokens)} tokens does not fit the window of ${format(window)} of ${context.modelConfig.model}, and summing up older parts does not make room. It holds: ${list}. ${ask}${document}${pins}, or use a model with a larger window (${context.approver ? "/model" : "-m"}; contextWindow in the settings where the window is set too small).`;
}

/** A message that no request holds yet waits for a person to change it; without one it does not wait. */
function whatToAsk({ approver, session: { state } }: TurnContext, isLong: boolean): string {
	const isClaimed = state.inbox.some(({ stepId }) => stepId === state.step?.stepId);
	if (!approver && isClaimed)
		return `The message was taken back and no later turn carries it: ${isLong ? "send a shorter one" : "ask for less at once"}`;
	if (!approver && unfitMessages(state).length > 0)
		return "Later turns carry only a mark in the place of the message: send a shorter one";
	return isLong
		? "Your message waits for the next step: shorten or delete it (/queue)"
		: "Ask for less at once";
}

function largestParts(context: TurnContext, state: SessionState): [name: string, tokens: number][] {
	const { weights } = accountOf(state, context.modelConfig);
	const tokens = (text: string) => estimateSize({ weights }, sizeOfText(text));
	const documents = state.documents.map(({ path, text }): [string, number] => [path, tokens(text ?? "")]);
	const inDocuments = documents.reduce((sum, [, size]) => sum + size, 0);
	const claimed = state.inbox.filter((message) => message.stepId === state.step?.stepId);
	const parts: [string, number][] = [
		...documents,
		["agi's instructions", tokens(context.system) - inDocuments],
		["the tools", estimateSize({ weights }, sizeOfTools(toolSchemas(context.tools)))],
		[MESSAGE, claimed.reduce((sum, message) => sum + tokens(broughtText(message)), 0)],
	];
	const pinned = viewEntries(state.history, state.masked)
		.filter(({ item }) => state.pinned.has(itemIdOf(item) ?? ""))
		.reduce((sum, { item }) => sum + ("text" in item ? tokens(item.text) : 0), 0);
	parts.push([PINNED, pinned]);
	const told = parts.reduce((sum, [, size]) => sum + size, 0);
	parts.push(["the conversation", Math.max(0, requestTokens(context) - told)]);
	return parts.filter(([, size]) => size > 0).sort(([, a], [, b]) => b - a);
}

/** A message with what came along with it. */
function broughtText({ text, attachments = [] }: SessionState["inbox"][number]): string {
	return [text, ...attachments.map((attachment) => attachment.text)].join("\n");
}

function sizeIn(parts: readonly [name: string, tokens: number][], name: string): number {
	return parts.find(([one]) => one === name)?.[1] ?? 0;
}

function format(tokens: number): string {
	return Math.round(tokens).toLocaleString("en-US");
}
