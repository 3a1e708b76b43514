// Which messages keep a conversation from going on once a server refused a request as too long: they stand in the history,
// so nobody can shorten them any more, and every later request would carry them. Pure.

import type { SessionState } from "../../session/state.ts";
import { markedTokens } from "./listContext.ts";

/** Smaller messages are not what fills a window. In tokens, by rule of thumb. */
const LARGE = 1000;

/** The large messages that no answer followed and that the model still sees, with the tokens of the mark for each. */
export function unfitMessages({
	history,
	masked,
}: Pick<SessionState, "history" | "masked">): { itemId: string; tokens: number }[] {
	const from = history.findLastIndex(({ kind }) => kind === "assistant" || kind === "tool") + 1;
	return history.slice(from).flatMap((item) => {
		if (item.kind !== "user" || masked.has(item.messageId) || item.text.trim() === "") return [];
		const tokens = markedTokens(item);
		return tokens > LARGE ? [{ itemId: item.messageId, tokens }] : [];
	});
}
