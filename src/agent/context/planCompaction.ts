// Chooses what a checkpoint stands for and what stays word for word: the newest items within a budget, the user's last
// request, plan mode. Never parts a call from its result. Pure.

import { isSafeCut, viewEntries } from "../../session/modelView.ts";
import type { HistoryItem, SessionState } from "../../session/state.ts";

/** What one checkpoint would stand for. */
export interface CompactionPlan {
	/** First index of the history that stays as it is. */
	upTo: number;
	/** Indices before it that stay word for word. */
	kept: number[];
	/** The items that leave the model's view, the oldest first. */
	leaving: HistoryItem[];
}

/**
 * The plan that keeps at most `tailTokens` of the newest items; undefined where nothing would leave the view. `tokensOf`
 * tells the tokens of an item.
 */
export function planCompaction(
	state: SessionState,
	tailTokens: number,
	tokensOf: (item: HistoryItem) => number,
): CompactionPlan | undefined {
	const { history } = state;
	const entries = viewEntries(history);
	let upTo = history.length;
	let tail = 0;
	for (const { item, index } of entries.toReversed()) {
		tail += tokensOf(item);
		if (tail > tailTokens) break;
		upTo = Math.min(upTo, index);
	}
	while (upTo < history.length && !isSafeCut(history, upTo)) upTo++;
	const before = entries.filter(({ index }) => index < upTo);
	const kept = keptOf(state, before);
	const leaving = before.filter(({ index }) => !kept.includes(index)).map(({ item }) => item);
	return leaving.length > 0 ? { upTo, kept, leaving } : undefined;
}

/** The user's last request where it would leave, and what says that plan mode is on. */
function keptOf(state: SessionState, before: readonly { item: HistoryItem; index: number }[]): number[] {
	const lastUser = state.history.findLastIndex((item) => item.kind === "user");
	const lastMode = before.findLast(({ item }) => item.kind === "modeChange");
	return before
		.filter(({ index }) => index === lastUser || (state.mode === "plan" && index === lastMode?.index))
		.map(({ index }) => index);
}
