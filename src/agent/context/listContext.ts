// Lists what the next request holds, item by item with estimated tokens, and gives back the text of one: what `/context`
// shows. Pure; it changes nothing of the request.

import type { ModelRequest } from "../../ports/model.ts";
import type { ContextItem } from "../../session/contextItems.ts";
import type { ContributionRef, ModelConfig } from "../../session/events.ts";
import { checkpointOf, itemIdOf, type SpokenItem, viewEntries } from "../../session/modelView.ts";
import { accountOf, type HistoryItem, originOf, type SessionState } from "../../session/state.ts";
import { estimateSize, type TokenSize } from "../../session/tokenAccount.ts";
import { noticeOf, renderHistory, renderResult, resultRoom } from "./assemble.ts";
import { contributionsOf } from "./contributions.ts";
import { estimateTokens, sizeOfMessage, sizeOfRequest, sumOfSizes } from "./tokenEstimator.ts";

/** Letters of an item's first line. */
const SOURCE_LETTERS = 72;

/** What is listed: the session, the request it would send now, and to which model. */
export interface Listed {
	state: SessionState;
	request: ModelRequest;
	model: ModelConfig;
	/** In tokens. */
	window: number;
	/** SHA-256 in hex. */
	digest(text: string): string;
}

/** The items of that request: what stands before the conversation, the summary, then the conversation. */
export function listContext(listed: Listed): ContextItem[] {
	const { state } = listed;
	const checkpoint = checkpointOf(state.history);
	const calls = new Map(
		state.history.flatMap((item) =>
			item.kind === "assistant" ? item.calls.map((call) => [call.callId, call.args] as const) : [],
		),
	);
	const entries = viewEntries(state.history, state.masked);
	const seen = checkpoint
		? [{ item: checkpoint, index: state.history.indexOf(checkpoint) }, ...entries]
		: entries;
	return inProportion(listed, [
		...partsOf(listed).map(({ kind, source, tokens }, i) => ({ ref: `p${i + 1}`, kind, source, tokens })),
		...seen.map(({ item, index }) => itemOfView(listed, item, index, calls)),
	]);
}

/** Items that are together what the whole request is: of that the server's last count knows more than of its parts. */
function inProportion({ state, request, model }: Listed, items: readonly ContextItem[]): ContextItem[] {
	const whole = estimateSize(accountOf(state, model), sizeOfRequest(request));
	const share =
		whole /
		Math.max(
			1,
			items.reduce((sum, { tokens }) => sum + tokens, 0),
		);
	return items.map((item) => ({ ...item, tokens: Math.ceil(item.tokens * share) }));
}

/** The text of the item that `ref` names; undefined where there is none. What is masked is given as it is. */
export function contextText(listed: Listed, ref: string): string | undefined {
	const { state, request } = listed;
	const part = /^p(\d+)$/.exec(ref);
	if (part) {
		const found = partsOf(listed)[Number(part[1]) - 1];
		if (!found) return undefined;
		if (found.kind === "tools") return JSON.stringify(request.tools, undefined, 1);
		return state.documents.find(({ path }) => path === found.source)?.text ?? request.system;
	}
	const item = /^\d+$/.test(ref) ? state.history[Number(ref) - 1] : undefined;
	return item && textOf(item);
}

/** Tokens that the mark of a masked item tells: by rule of thumb, because it must never change by itself. */
export function markedTokens(item: SpokenItem): number {
	return estimateTokens(item.kind === "user" ? textOf(item) : item.text);
}

/** Parts that are listed item by item. */
const IN_CONVERSATION = new Set(["history", "checkpoint", "skill", "attachment"]);

function partsOf({ state, request, model, digest }: Listed): ContributionRef[] {
	return contributionsOf(state, request, digest, model).filter(({ kind }) => !IN_CONVERSATION.has(kind));
}

function itemOfView(
	{ state, model, window }: Listed,
	item: HistoryItem,
	index: number,
	calls: ReadonlyMap<string, Record<string, unknown>>,
): ContextItem {
	const itemId = itemIdOf(item);
	const masked = itemId === undefined ? undefined : state.masked.get(itemId);
	const { weights } = accountOf(state, model);
	const origin = state.step ? originOf(state.step.model) : "";
	return {
		ref: String(index + 1),
		...(itemId === undefined ? {} : { itemId }),
		kind: KINDS[item.kind] ?? "notice",
		// What is masked is told by what it was.
		source: oneLine(sourceOf(state.history[index] ?? item, calls)),
		tokens: estimateSize({ weights }, sizeOfItem(item, origin, resultRoom(window))),
		...(masked === undefined ? {} : { masked }),
		...(itemId !== undefined && state.pinned.has(itemId) ? { pinned: true as const } : {}),
	};
}

/** A result counts by itself and not with its message. */
function sizeOfItem(item: HistoryItem, origin: string, room: number): TokenSize {
	if (item.kind === "tool")
		return sizeOfMessage({ role: "user", text: renderResult(item.name, item.text, room) });
	const messages = renderHistory([item], origin).filter(({ role }) => role !== "tool");
	return sumOfSizes(messages.map(sizeOfMessage));
}

const KINDS: Partial<Record<HistoryItem["kind"], string>> = {
	user: "user",
	assistant: "answer",
	tool: "result",
	checkpoint: "checkpoint",
};

function sourceOf(item: HistoryItem, calls: ReadonlyMap<string, Record<string, unknown>>): string {
	switch (item.kind) {
		case "tool":
			return callLine(item.name, calls.get(item.callId));
		case "assistant":
			return item.text.trim() === ""
				? `calls ${item.calls.map(({ name, args }) => callLine(name, args)).join(", ")}`
				: item.text;
		case "user": {
			const names = (item.attachments ?? []).map(({ source }) => source);
			return names.length === 0 ? item.text : `[with ${names.join(", ")}] ${item.text}`;
		}
		case "checkpoint":
			return "summary of older parts";
		default:
			return noticeOf(item);
	}
}

/** A call by its first argument, which says most of it. */
function callLine(name: string, args: Record<string, unknown> = {}): string {
	const first = Object.values(args).find((value) => typeof value === "string");
	return first === undefined ? name : `${name} ${first}`;
}

function oneLine(text: string): string {
	const line = text.trim().split("\n", 1)[0] ?? "";
	const letters = [...line];
	return letters.length > SOURCE_LETTERS ? `${letters.slice(0, SOURCE_LETTERS - 1).join("")}…` : line;
}

/** Everything an item says, its calls and attachments included. */
function textOf(item: HistoryItem): string {
	switch (item.kind) {
		case "assistant": {
			const calls = item.calls.map((call) => `${call.name} ${JSON.stringify(call.args)}`);
			return [item.text, ...calls].filter((text) => text !== "").join("\n");
		}
		case "user":
			return [item.text, ...(item.attachments ?? []).map(({ source, text }) => `${source}:\n${text}`)].join(
				"\n\n",
			);
		case "tool":
			return item.text;
		default:
			return noticeOf(item);
	}
}
