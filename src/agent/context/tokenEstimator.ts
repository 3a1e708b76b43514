// Estimates tokens where no server has told them: about four letters of Latin script a token, one of CJK.

import type { PromptMessage } from "../../ports/model.ts";

/** Scripts whose letters cost about one token each: CJK, kana, hangul, full-width forms, emoji. */
const WIDE =
	/[\u1100-\u11ff\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]|[\ud800-\udbff][\udc00-\udfff]/g;

/** Estimated tokens of a text; 0 for an empty one. */
export function estimateTokens(text: string): number {
	const wide = text.match(WIDE) ?? [];
	const wideUnits = wide.reduce((sum, letter) => sum + letter.length, 0);
	return wide.length + Math.ceil((text.length - wideUnits) / 4);
}

/** Everything a message says, as one text: its words, its calls with their arguments. */
export function extractMessageText(message: PromptMessage): string {
	if (message.role !== "assistant") return message.text;
	const calls = message.calls.map((call) => `${call.name} ${JSON.stringify(call.args)}`);
	return [message.text, message.reasoning ?? "", ...calls].filter((part) => part !== "").join("\n");
}

/** Estimated tokens of messages, four a message for its frame included. */
export function estimateMessagesTokens(messages: readonly PromptMessage[]): number {
	return messages.reduce((sum, message) => sum + 4 + estimateTokens(extractMessageText(message)), 0);
}
