// Builds a request out of the session's state: pure, and the only place where history takes the model's form.
// Whatever the state holds, the result keeps the rules that strict servers enforce: every call is answered once and
// directly after its message, no result without its call, no empty message, ids never empty, the person speaks last.

import type { ModelRequest, PromptImage, PromptMessage } from "../../ports/model.ts";
import { messageText } from "../../session/attachments.ts";
import type { Attachment } from "../../session/events.ts";
import { modelView } from "../../session/modelView.ts";
import type { HistoryItem, OpenStep, SessionState } from "../../session/state.ts";
import { originOf } from "../../session/state.ts";
import type { ToolSchema } from "../../types.ts";
import { PLAN_MODE_PROMPT } from "../system/prompt.ts";
import { truncateResult } from "../toolResults.ts";
import { documentNotice } from "./documents.ts";
import { estimateTokens } from "./tokenEstimator.ts";

/** Part of the window that one tool result may take. */
const RESULT_SHARE = 0.4;

/** How many paths a notice names. */
const MAX_NAMED = 40;

/** What a request is made of, besides the session's state. */
export interface Ingredients {
	system: string;
	tools: ToolSchema[];
	maxOutputTokens?: number;
	/** In tokens; a single result takes at most a part of it. Absent: results are as they are. */
	contextWindow?: number;
}

/** Tokens that one result may take of a window. */
export function resultRoom(contextWindow = Infinity): number {
	return contextWindow * RESULT_SHARE;
}

/** The request that the open Step of `state` owes now. */
export function assemble(state: SessionState, ingredients: Ingredients): ModelRequest {
	const { step } = state;
	const origin = step ? originOf(step.model) : "";
	const maxResultTokens = resultRoom(ingredients.contextWindow);
	const seen = [...modelView(state.history, state.masked), ...claimedMessages(state)];
	const messages = renderHistory(seen, origin, maxResultTokens);
	if (step?.cut) messages.push(...askToGoOn(step.cut));
	const last = messages.at(-1)?.role;
	if (last !== "user" && last !== "tool") messages.push({ role: "user", text: markNotice("Go on.") });
	return {
		system: ingredients.system,
		messages,
		tools: ingredients.tools,
		...(ingredients.maxOutputTokens === undefined ? {} : { maxOutputTokens: ingredients.maxOutputTokens }),
	};
}

/**
 * Items as a request would carry them. A result of more than `maxResultTokens` (estimated) loses its middle: one alone
 * must not fill the window.
 */
export function renderHistory(
	history: readonly HistoryItem[],
	origin: string,
	maxResultTokens = Infinity,
): PromptMessage[] {
	const messages: PromptMessage[] = [];
	for (let i = 0; i < history.length; i++) {
		const item = history[i]!;
		if (item.kind === "assistant")
			for (const message of answerMessages(history, i, origin, maxResultTokens)) messages.push(message);
		else if (item.kind !== "tool") messages.push(userMessage(item));
	}
	return messages;
}

type Answer = HistoryItem & { kind: "assistant" };
type Result = HistoryItem & { kind: "tool" };

/** An answer's messages, and what they depend on beside itself. */
interface Rendered {
	messages: PromptMessage[];
	results: readonly Result[];
	origin: string;
	maxResultTokens: number;
}

/** Nearly all of a request is as it was a step ago, so items keep their messages; they never change. */
const userMessages = new WeakMap<HistoryItem, PromptMessage>();
const answers = new WeakMap<Answer, Rendered>();

function userMessage(item: Exclude<HistoryItem, Answer | Result>): PromptMessage {
	const known = userMessages.get(item);
	if (known) return known;
	const message: PromptMessage =
		item.kind === "user"
			? { role: "user", text: messageText(item), ...imagesOf(item.attachments) }
			: { role: "user", text: markNotice(noticeOf(item)) };
	userMessages.set(item, message);
	return message;
}

function imagesOf(attachments: readonly Attachment[] = []): { images?: PromptImage[] } {
	const images = attachments.flatMap(({ source, digest, image }) =>
		image ? [{ source, digest, ...image }] : [],
	);
	return images.length > 0 ? { images } : {};
}

function answerMessages(
	history: readonly HistoryItem[],
	index: number,
	origin: string,
	maxResultTokens: number,
): PromptMessage[] {
	const item = history[index] as Answer;
	const known = answers.get(item);
	const isKnown = known?.origin === origin && known.maxResultTokens === maxResultTokens;
	if (known && isKnown && isFollowedBy(history, index, known.results)) return known.messages;
	const results = resultsAfter(history, index);
	const messages = renderAssistant(item, [...results], origin, maxResultTokens);
	answers.set(item, { messages, results, origin, maxResultTokens });
	return messages;
}

/** Whether the results after an answer are these. Makes nothing on its way: it looks at every item of each request. */
function isFollowedBy(history: readonly HistoryItem[], index: number, results: readonly Result[]): boolean {
	let found = 0;
	for (let i = index + 1; i < history.length; i++) {
		const item = history[i]!;
		if (item.kind === "assistant") break;
		if (item.kind === "tool" && item !== results[found++]) return false;
	}
	return found === results.length;
}

/** What agi itself says to the model: a change of mode or document, a recovery, an undo. */
export function noticeOf(item: Exclude<HistoryItem, { kind: "user" | "assistant" | "tool" }>): string {
	if (item.kind === "checkpoint") return item.summary;
	if (item.kind === "document") return documentNotice(item.document);
	if (item.kind === "rewind") return rewindNotice(item.paths, item.redo);
	if (item.kind === "recovery")
		return ["agi was interrupted and has been started again.", ...item.notes].join("\n");
	return item.mode === "plan"
		? PLAN_MODE_PROMPT
		: `Plan mode is off; the permission mode is now ${item.mode}.`;
}

function rewindNotice(paths: readonly string[], redo: boolean): string {
	const shown =
		paths.length > MAX_NAMED ? [...paths.slice(0, MAX_NAMED), `and ${paths.length - MAX_NAMED} more`] : paths;
	const what = redo ? "brought back the changes that had been undone" : "undid changes";
	return `The user ${what} in these files; read them before you rely on them: ${shown.join(", ")}`;
}

/** A text of agi inside the conversation, marked so that nobody takes it for the person's words. */
export function markNotice(text: string): string {
	return `<agi_notice>\n${text.replaceAll("</agi_notice", "<\\/agi_notice")}\n</agi_notice>`;
}

/** A tool's text as the model reads it; a closing tag inside it cannot end the frame. */
export function wrapToolResult(name: string, text: string): string {
	return `<tool_result name="${name}">\n${text.replaceAll("</tool_result", "<\\/tool_result")}\n</tool_result>`;
}

/** A result as a request carries it. One of more than `maxTokens` (estimated) loses its middle. */
export function renderResult(name: string, text: string, maxTokens: number): string {
	return wrapToolResult(name, nonEmpty(boundResult(text, maxTokens)));
}

/** Messages that the open Step claimed and that are not yet part of the history. */
function claimedMessages(state: SessionState): HistoryItem[] {
	return state.inbox
		.filter((m) => m.stepId !== undefined && m.stepId === state.step?.stepId)
		.map(({ messageId, text, attachments }) => ({
			kind: "user",
			messageId,
			text,
			...(attachments ? { attachments } : {}),
		}));
}

/** The results that follow an assistant message, up to the next one; notices between them move behind. */
function resultsAfter(history: readonly HistoryItem[], index: number): Result[] {
	const results: Result[] = [];
	for (let i = index + 1; i < history.length; i++) {
		const item = history[i]!;
		if (item.kind === "assistant") break;
		if (item.kind === "tool") results.push(item);
	}
	return results;
}

function renderAssistant(
	item: Answer,
	results: Result[],
	origin: string,
	maxResultTokens: number,
): PromptMessage[] {
	if (item.text.trim() === "" && item.calls.length === 0) return [];
	const ids = wireIds(item.calls);
	const calls = item.calls.map((call, i) => ({ id: ids[i]!, name: call.name, args: call.args }));
	const reasoning = calls.length > 0 && item.origin === origin ? sentBack(item) : {};
	return [
		{ role: "assistant", text: item.text, ...reasoning, calls },
		...item.calls.map((call, i): PromptMessage => {
			const at = results.findIndex((r) => r.callId === call.callId);
			// Taken out, so that a second call of the same id in a brought conversation gets the second result.
			const text =
				results.splice(at, at < 0 ? 0 : 1)[0]?.text ??
				"This call has no recorded result; it may not have run.";
			return {
				role: "tool",
				id: ids[i]!,
				name: call.name,
				text: renderResult(call.name, text, maxResultTokens),
			};
		}),
	];
}

/** Reasoning in the field it came in; what stood in the text itself has none that its server knows. */
function sentBack({ reasoning, reasoningPlace }: Answer): {
	reasoning?: string;
	reasoningField?: "reasoning";
} {
	if (reasoning === "" || reasoningPlace === "content") return {};
	return reasoningPlace === "reasoning" ? { reasoning, reasoningField: "reasoning" } : { reasoning };
}

/** The server's own ids; where one is empty or stands twice in one message, the session's, else one made here. */
function wireIds(calls: readonly { providerId: string; callId: string }[]): string[] {
	const taken = new Set<string>([""]);
	return calls.map(({ providerId, callId }) => {
		let id = taken.has(providerId) ? callId : providerId;
		for (let n = 2; taken.has(id); n++) id = `${callId || "call"}~${n}`;
		taken.add(id);
		return id;
	});
}

/** No letter is more than about one token, so most texts need not be measured. */
function boundResult(text: string, maxTokens: number): string {
	if (text.length <= maxTokens) return text;
	const tokens = estimateTokens(text);
	if (tokens <= maxTokens) return text;
	const cut = truncateResult(text, Math.floor((text.length * maxTokens) / tokens));
	return `${cut}\n[Cut to fit the model's window. Ask for a smaller part to see the rest.]`;
}

function nonEmpty(text: string): string {
	return text.trim() === "" ? "(empty)" : text;
}

function askToGoOn(cut: NonNullable<OpenStep["cut"]>): PromptMessage[] {
	const said: PromptMessage[] =
		cut.text.trim() === "" ? [] : [{ role: "assistant", text: cut.text, calls: [] }];
	const notice = cut.insideCall
		? "Your output hit the token limit inside a tool call, so that call was not run. Go on with smaller calls: write a large file in several parts."
		: "Your output hit the token limit and was cut. Go on exactly where it ends, without repeating anything.";
	return [...said, { role: "user", text: markNotice(notice) }];
}
