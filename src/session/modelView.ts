// The part of the history that a request carries: the last checkpoint, what it left word for word, and all that came after.
// The history itself is never shortened, so that a checkpoint can be undone and gone back behind. Pure.

import type { HistoryItem } from "./state.ts";

type Checkpoint = HistoryItem & { kind: "checkpoint" };

/** An item of the view and its index in the history. */
export interface ViewEntry {
	item: HistoryItem;
	index: number;
}

/** The checkpoint in force; undefined where there is none. */
export function checkpointOf(history: readonly HistoryItem[]): Checkpoint | undefined {
	return history.findLast((item): item is Checkpoint => item.kind === "checkpoint" && !item.undone);
}

/** What the model sees of a history, the checkpoint first. */
export function modelView(history: readonly HistoryItem[]): HistoryItem[] {
	const checkpoint = checkpointOf(history);
	const seen = viewEntries(history).map(({ item }) => item);
	return checkpoint ? [checkpoint, ...seen] : seen;
}

/** The view's items without the checkpoint itself. */
export function viewEntries(history: readonly HistoryItem[]): ViewEntry[] {
	const checkpoint = checkpointOf(history);
	const entries: ViewEntry[] = [];
	const add = (index: number) => {
		const item = history[index];
		if (item && item.kind !== "checkpoint") entries.push({ item, index });
	};
	for (const index of checkpoint?.kept ?? []) add(index);
	for (let index = checkpoint?.upTo ?? 0; index < history.length; index++) add(index);
	return entries;
}

/** Whether a history may be cut before `index`: no call before it has its result behind it. */
export function isSafeCut(history: readonly HistoryItem[], index: number): boolean {
	if (index < 0 || index > history.length) return false;
	for (let i = index; i < history.length; i++) {
		const { kind } = history[i]!;
		if (kind === "assistant") return true;
		if (kind === "tool") return false;
	}
	return true;
}
