// Chooses what a checkpoint stands for and what stays word for word: the newest items within a budget, results that the
// model has not read, the user's last request, what the person pinned, a fresh error, plan mode. Never parts a call from
// its result. Pure.

import { isSafeCut, itemIdOf, type ViewEntry, viewEntries } from "../../session/modelView.ts";
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

/** Tokens that may stay beside what always stays. */
export interface TailRoom {
	/** Of the newest items. */
	tail: number;
	/** Of the newest calls and their results, where the model has not read them yet. */
	unread: number;
}

/** An error among so many of the newest items is fresh. */
const FRESH_ITEMS = 12;

/** The plan within that room; undefined where nothing would leave the view. `tokensOf` tells the tokens of an item. */
export function planCompaction(
	state: SessionState,
	room: TailRoom,
	tokensOf: (item: HistoryItem) => number,
): CompactionPlan | undefined {
	const { history } = state;
	const entries = viewEntries(history, state.masked);
	const unreadFrom = firstUnread(history);
	let upTo = history.length;
	let tail = 0;
	for (const { item, index } of entries.toReversed()) {
		tail += tokensOf(item);
		if (tail > room.tail && (index < unreadFrom || tail > room.unread)) break;
		upTo = Math.min(upTo, index);
	}
	while (upTo < history.length && !isSafeCut(history, upTo)) upTo++;
	const before = entries.filter(({ index }) => index < upTo);
	const kept = keptOf(state, before);
	for (const index of freshError(entries, before, room.tail, tokensOf)) kept.add(index);
	const leaving = before.filter(({ index }) => !kept.has(index)).map(({ item }) => item);
	return leaving.length > 0 ? { upTo, kept: [...kept].sort((a, b) => a - b), leaving } : undefined;
}

/** The index from which on everything answers the newest message with calls; past the end where all was read. */
function firstUnread(history: readonly HistoryItem[]): number {
	const last = history.findLastIndex((item) => item.kind === "assistant");
	return last >= 0 && history.slice(last).some((item) => item.kind === "tool") ? last : history.length;
}

/** The user's last request, what the open Step claimed, what is pinned, and what says that plan mode is on. */
function keptOf(state: SessionState, before: readonly ViewEntry[]): Set<number> {
	const lastUser = state.history.findLastIndex((item) => item.kind === "user");
	const lastMode = before.findLast(({ item }) => item.kind === "modeChange");
	const claimed = new Set(state.step?.claimed);
	const isKept = ({ item, index }: ViewEntry) => {
		const id = itemIdOf(item) ?? "";
		if (index === lastUser || claimed.has(id) || state.pinned.has(id)) return true;
		return state.mode === "plan" && index === lastMode?.index;
	};
	return new Set(before.filter(isKept).flatMap((entry) => batchOf(before, entry)));
}

/** The newest failed call with its message and results, where it would leave though it fits the room. */
function freshError(
	entries: readonly ViewEntry[],
	before: readonly ViewEntry[],
	room: number,
	tokensOf: (item: HistoryItem) => number,
): number[] {
	const newest = entries.slice(-FRESH_ITEMS);
	const failed = newest.findLast(({ item }) => item.kind === "tool" && item.status !== "result");
	if (!failed || !before.includes(failed)) return [];
	const batch = batchOf(before, failed);
	const tokens = before.reduce(
		(sum, { item, index }) => sum + (batch.includes(index) ? tokensOf(item) : 0),
		0,
	);
	return tokens <= room ? batch : [];
}

/** The indices of an item and of all that it is never parted from: a message's results, a result's message. */
function batchOf(entries: readonly ViewEntry[], { item, index }: ViewEntry): number[] {
	if (item.kind !== "assistant" && item.kind !== "tool") return [index];
	const from = entries.findLastIndex((entry) => entry.index <= index && entry.item.kind === "assistant");
	const next = entries.findIndex((entry, at) => at > from && entry.item.kind === "assistant");
	const batch = entries.slice(Math.max(0, from), next < 0 ? entries.length : next);
	return batch
		.filter((entry) => entry.item.kind === "assistant" || entry.item.kind === "tool")
		.map((entry) => entry.index);
}
