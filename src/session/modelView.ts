// The part of the history that a request carries: the last checkpoint, what it left word for word, and all that came after,
// with marks in place of what the person masked. The history itself is never shortened, so that a checkpoint can be undone
// and gone back behind. Pure.

import type { HistoryItem } from "./state.ts";

type Checkpoint = HistoryItem & { kind: "checkpoint" };

/** An item that somebody said or a tool gave; only these can be masked and pinned. */
export type SpokenItem = HistoryItem & { kind: "user" | "assistant" | "tool" };

/** Tokens of what is masked, by item id. */
export type Masks = ReadonlyMap<string, number>;

/** An item of the view and its index in the history. */
export interface ViewEntry {
	item: HistoryItem;
	index: number;
}

const NO_MASKS: Masks = new Map();

/** The checkpoint in force; undefined where there is none. */
export function checkpointOf(history: readonly HistoryItem[]): Checkpoint | undefined {
	return history.findLast((item): item is Checkpoint => item.kind === "checkpoint" && !item.undone);
}

/** The history with that checkpoint taken back. */
export function withoutCheckpoint(history: readonly HistoryItem[], checkpointId: string): HistoryItem[] {
	return history.map((item) =>
		item.kind === "checkpoint" && item.checkpointId === checkpointId ? { ...item, undone: true } : item,
	);
}

/** What the model sees of a history, the checkpoint first. */
export function modelView(history: readonly HistoryItem[], masks: Masks = NO_MASKS): HistoryItem[] {
	const checkpoint = checkpointOf(history);
	const seen = viewEntries(history, masks).map(({ item }) => item);
	return checkpoint ? [checkpoint, ...seen] : seen;
}

/** The view's items without the checkpoint itself. */
export function viewEntries(history: readonly HistoryItem[], masks: Masks = NO_MASKS): ViewEntry[] {
	const checkpoint = checkpointOf(history);
	const entries: ViewEntry[] = [];
	const add = (index: number) => {
		const item = history[index];
		if (item && item.kind !== "checkpoint") entries.push({ item: withMask(item, masks), index });
	};
	for (const index of checkpoint?.kept ?? []) add(index);
	for (let index = checkpoint?.upTo ?? 0; index < history.length; index++) add(index);
	return entries;
}

/** Items with marks in place of what is masked. */
export function withMasks(items: readonly HistoryItem[], masks: Masks): HistoryItem[] {
	return items.map((item) => withMask(item, masks));
}

/** The id by which an item is masked and pinned; undefined for what agi says itself. */
export function itemIdOf(item: HistoryItem): string | undefined {
	if (!isSpoken(item)) return undefined;
	return item.kind === "tool" ? item.callId : item.messageId;
}

/** The item of that id; undefined where the history has none. */
export function itemOf(history: readonly HistoryItem[], itemId: string): SpokenItem | undefined {
	return history.find((item): item is SpokenItem => itemIdOf(item) === itemId);
}

/** Who said an item's text, in words. */
function speakerOf(item: SpokenItem): string {
	if (item.kind === "tool") return `result of ${item.name}`;
	return item.kind === "user" ? "message of the user" : "answer of the model";
}

/** A call stays with its arguments, so that its result still has its place. */
function withMask(item: HistoryItem, masks: Masks): HistoryItem {
	const id = masks.size === 0 ? undefined : itemIdOf(item);
	const tokens = id === undefined ? undefined : masks.get(id);
	if (tokens === undefined || !isSpoken(item)) return item;
	const masked = { ...item, text: `[masked: ${speakerOf(item)}, ${tokens} tokens]` };
	// What came with a message goes with it.
	if (masked.kind === "user") delete masked.attachments;
	if (masked.kind === "assistant") masked.reasoning = "";
	return masked;
}

function isSpoken(item: HistoryItem): item is SpokenItem {
	return item.kind === "user" || item.kind === "assistant" || item.kind === "tool";
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
