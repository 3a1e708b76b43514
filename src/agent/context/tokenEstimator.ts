// Measures texts, messages and requests by rule of thumb: about four letters of Latin script a token, one of CJK. What a
// server counted corrects it (`session/tokenAccount.ts`). Pure.

import type { ModelRequest, PromptMessage } from "../../ports/model.ts";
import type { TokenSize } from "../../session/tokenAccount.ts";
import type { ToolSchema } from "../../types.ts";

/** Tokens that the frame of a message costs. */
const FRAME = 4;

/** Pixels of an image that cost a token, and tokens of the smallest and the largest. */
const TILE = 784;
const LEAST_OF_IMAGE = 64;
const MOST_OF_IMAGE = 1_600;

/** A message in the AI SDK's form, as far as it is looked at. */
export interface ForeignMessage {
	role: string;
	content: string | readonly object[];
}

/** A message in agi's own form or in the AI SDK's. */
export type AnyMessage = PromptMessage | ForeignMessage;

/** The size of a text. One walk over its units, since every request is measured. */
export function sizeOfText(text: string): TokenSize {
	let signs = 0;
	let wide = 0;
	let halves = 0;
	for (let i = 0; i < text.length; i++) {
		const unit = text.charCodeAt(i);
		if (unit < 0x80) signs += isSign(unit) ? 1 : 0;
		else if (unit >= 0xd800 && unit < 0xe000) halves++;
		else if (isWide(unit)) wide++;
	}
	const letters = text.length - signs - wide - halves;
	return { letters: letters / 4, signs: signs / 4, wide: wide + halves / 2 };
}

/** Digits and punctuation of ASCII: tokenizers differ most in them. */
function isSign(unit: number): boolean {
	return (unit > 0x20 && unit < 0x41) || (unit > 0x5a && unit < 0x61) || (unit > 0x7a && unit < 0x7f);
}

/** Scripts whose letters cost about one token each: CJK, kana, hangul, full-width forms. */
function isWide(unit: number): boolean {
	return (
		(unit >= 0x1100 && unit <= 0x11ff) ||
		(unit >= 0x2e80 && unit <= 0x9fff) ||
		(unit >= 0xac00 && unit <= 0xd7af) ||
		(unit >= 0xf900 && unit <= 0xfaff) ||
		unit >= 0xff00
	);
}

/** The size of a request: instructions, tools and messages with their frames. */
export function sizeOfRequest(request: Pick<ModelRequest, "system" | "messages" | "tools">): TokenSize {
	const parts = [sizeOfText(request.system), sizeOfTools(request.tools)];
	return sumOfSizes([...parts, ...request.messages.map(sizeOfMessage)]);
}

/** Requests share most of their messages with the one before, so each is measured once; messages never change. */
const measuredMessages = new WeakMap<AnyMessage, TokenSize>();

/** The size of one message with its frame. */
export function sizeOfMessage(message: AnyMessage): TokenSize {
	const known = measuredMessages.get(message);
	if (known) return known;
	const plain = sizeOfText(extractMessageText(message));
	const images = "images" in message ? (message.images ?? []) : [];
	const size = sumOfSizes([plain, { letters: FRAME, signs: 0, wide: 0 }, ...images.map(sizeOfImage)]);
	measuredMessages.set(message, size);
	return size;
}

/**
 * The size of an image in pixels. Servers cut images into tiles of about 28 by 28 pixels a token and make larger ones
 * smaller. Counted among the wide letters, whose cost is in doubt as well.
 */
export function sizeOfImage({ width, height }: { width: number; height: number }): TokenSize {
	const tiles = Math.ceil((width * height) / TILE);
	return { letters: 0, signs: 0, wide: Math.min(MOST_OF_IMAGE, Math.max(LEAST_OF_IMAGE, tiles)) };
}

const measuredTools = new WeakMap<readonly ToolSchema[], TokenSize>();

/** The size of a tool list, which stays the same array for a session. */
export function sizeOfTools(tools: readonly ToolSchema[]): TokenSize {
	const known = measuredTools.get(tools);
	if (known) return known;
	const size = sizeOfText(tools.length === 0 ? "" : JSON.stringify(tools));
	measuredTools.set(tools, size);
	return size;
}

/** All sizes together. */
export function sumOfSizes(sizes: readonly TokenSize[]): TokenSize {
	const total = { letters: 0, signs: 0, wide: 0 };
	for (const size of sizes) {
		total.letters += size.letters;
		total.signs += size.signs;
		total.wide += size.wide;
	}
	return total;
}

/** Estimated tokens of a text, or of one message's text; 0 for an empty one. */
export function estimateTokens(text: string | AnyMessage): number {
	const size = sizeOfText(typeof text === "string" ? text : extractMessageText(text));
	return Math.ceil(size.wide + size.letters + size.signs);
}

/** Everything a message says, as one text: its words, its calls with their arguments, its results. */
export function extractMessageText(message: AnyMessage): string {
	if ("content" in message) return contentText(message.content);
	if (message.role !== "assistant") return message.text;
	const calls = message.calls.map((call) => `${call.name} ${JSON.stringify(call.args)}`);
	return [message.text, message.reasoning ?? "", ...calls].filter((part) => part !== "").join("\n");
}

/** Estimated tokens of messages, four a message for its frame included. */
export function estimateMessagesTokens(messages: readonly AnyMessage[]): number {
	return messages.reduce((sum, message) => sum + FRAME + estimateTokens(message), 0);
}

function contentText(content: ForeignMessage["content"]): string {
	if (typeof content === "string") return content;
	return content
		.map(partText)
		.filter((part) => part !== "")
		.join("\n");
}

/** The words of a part: text and reasoning, a call's name and input, a result's value. Files and images have none. */
function partText(part: object): string {
	const { type, text, toolName, input, output } = part as Record<string, unknown>;
	if (typeof text === "string") return text;
	if (type === "tool-call") return `${String(toolName)} ${JSON.stringify(input ?? {})}`;
	if (type !== "tool-result") return "";
	const value = typeof output === "object" && output !== null && "value" in output ? output.value : output;
	return typeof value === "string" ? value : JSON.stringify(value ?? "");
}
