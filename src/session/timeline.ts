// The part of the state that undo lives on: which turns and rewinds there were, what they made of files, and where the
// conversation stood before each. Written through `reduce.ts` only; the questions at the end are pure reading.

import type { FileStamp } from "../types.ts";
import type { EventOf, FileChange, FileImage } from "./events.ts";
import { decodeChanges, encodeChanges, joinChanges } from "./fileChanges.ts";
import { newestNumber } from "./made.ts";
import type { RewindEntry, SessionState, TurnEntry } from "./state.ts";

/** Adds a Turn at its start. */
export function openTurnEntry(state: SessionState, turnId: string, messageIds: string[]): void {
	state.timeline.push({
		kind: "turn",
		turnId,
		messageIds,
		text: state.inbox.find((m) => messageIds.includes(m.messageId))?.text ?? "",
		historyLength: state.history.length,
		plan: state.plan,
		contextTokens: state.contextTokens,
		contextEstimated: state.contextEstimated,
		seenBefore: new Map(),
		images: [],
		inConversation: true,
	});
}

/** How a rewind tells what the conversation took of the window at the place to which it goes. */
export function contextOf(then: { contextTokens: number; contextEstimated: boolean }): {
	context: { tokens: number; estimated: boolean };
} {
	return { context: { tokens: then.contextTokens, estimated: then.contextEstimated } };
}

/** Sets a stamp so that a rewind can take it back. */
export function setSeen(state: SessionState, stamp: FileStamp): void {
	const turn = state.timeline.at(-1);
	if (turn?.kind === "turn" && !turn.seenBefore.has(stamp.path))
		turn.seenBefore.set(stamp.path, state.seen.get(stamp.path));
	state.seen.set(stamp.path, stamp);
}

/** Adds what was kept for a Turn. */
export function addImages(state: SessionState, event: EventOf<"file/snapshotted">): void {
	const turn = turnEntry(state, event.turnId);
	if (!turn) return;
	turn.images.push(...event.images);
	if (event.tree?.kept) turn.treeAfter ??= turn.images.length;
	else if (event.tree) turn.treeRefused = event.tree.why;
}

/** Adds what a Turn's files were after it. */
export function addChanges(state: SessionState, event: EventOf<"file/changed">): void {
	const turn = turnEntry(state, event.turnId);
	if (!turn) return;
	turn.changes = event.changes;
	if (event.why !== undefined) turn.treeRefused = event.why;
}

/** Adds a rewind and moves the conversation where it is part of it. */
export function addRewind(state: SessionState, event: EventOf<"session/rewound">): void {
	const { rewindId, toTurnId, changes, undoes, filesFollow } = event;
	const entry: RewindEntry = {
		kind: "rewind",
		rewindId,
		toTurnId,
		changes,
		...(undoes === undefined ? {} : { undoes }),
		...(filesFollow ? { filesFollow } : {}),
	};
	state.made.rewind = newestNumber(state.made.rewind, event.rewindId);
	if (event.conversation) {
		if (undoes === undefined) cutConversation(state, entry);
		else bringBackConversation(state, undoes);
	}
	state.timeline.push(entry);
	const paths = pathsOf(changes);
	// Without a word of it the model would trust files that are no longer what it made of them.
	if (paths.length > 0 && !event.conversation)
		state.history = [...state.history, { kind: "rewind", paths, redo: undoes !== undefined }];
}

function cutConversation(state: SessionState, entry: RewindEntry): void {
	const from = state.timeline.findIndex((e) => e.kind === "turn" && e.turnId === entry.toTurnId);
	const first = state.timeline[from];
	if (first?.kind !== "turn") return;
	const turns = state.timeline
		.slice(from)
		.filter((e) => e.kind === "turn" && e.inConversation) as TurnEntry[];
	const { history, plan, contextTokens, contextEstimated, seen } = state;
	entry.cut = {
		history,
		plan,
		contextTokens,
		contextEstimated,
		seen,
		turnIds: turns.map((turn) => turn.turnId),
	};
	state.history = history.slice(0, first.historyLength);
	state.plan = first.plan;
	state.contextTokens = first.contextTokens;
	state.contextEstimated = first.contextEstimated;
	state.seen = new Map(seen);
	for (const turn of turns.toReversed()) {
		turn.inConversation = false;
		for (const [path, stamp] of turn.seenBefore)
			if (stamp) state.seen.set(path, stamp);
			else state.seen.delete(path);
	}
	tellMode(state);
}

/** The mode is the person's and stays; what the model was told last of it may have gone with the cut. */
function tellMode(state: SessionState): void {
	const told = state.history.findLast((item) => item.kind === "modeChange")?.mode ?? "default";
	if ((told === "plan") !== (state.mode === "plan"))
		state.history = [...state.history, { kind: "modeChange", mode: state.mode }];
}

function bringBackConversation(state: SessionState, rewindId: string): void {
	const rewind = state.timeline.find((e) => e.kind === "rewind" && e.rewindId === rewindId);
	if (rewind?.kind !== "rewind" || !rewind.cut) return;
	const { turnIds, ...conversation } = rewind.cut;
	Object.assign(state, conversation);
	for (const entry of state.timeline)
		if (entry.kind === "turn" && turnIds.includes(entry.turnId)) entry.inConversation = true;
	tellMode(state);
}

/** The Turn of that id; undefined where there never was one. */
export function turnEntry(state: SessionState, turnId: string): TurnEntry | undefined {
	return state.timeline.find((e): e is TurnEntry => e.kind === "turn" && e.turnId === turnId);
}

/** What happened to files from the start of a Turn to now, and why parts of it may not be known. */
export function changesSince(state: SessionState, turnId: string): { changes: FileChange[]; gaps: string[] } {
	const from = state.timeline.findIndex((e) => e.kind === "turn" && e.turnId === turnId);
	const entries = from < 0 ? [] : state.timeline.slice(from);
	return {
		changes: joinChanges(entries.map((entry) => decodeChanges(entry.changes ?? ""))),
		gaps: [...new Set(entries.flatMap((entry) => (entry.kind === "turn" ? (entry.treeRefused ?? []) : [])))],
	};
}

/**
 * The rewind that a redo would take back: the last one that stands, as long as no Turn began after it. One that finished
 * what an earlier one had done in part counts as one with it.
 */
export function redoable(state: SessionState): RewindEntry | undefined {
	const undone = new Set<string>();
	for (let at = state.timeline.length - 1; at >= 0; at--) {
		const entry = state.timeline[at]!;
		if (entry.kind === "turn") return undefined;
		// A redo that did only a part can be asked for again.
		if (entry.isPartial && entry.undoes !== undefined) continue;
		if (entry.undoes !== undefined) {
			undone.add(entry.undoes);
			continue;
		}
		const parts = partsUpTo(state.timeline, at);
		if (!parts.some(({ rewindId }) => undone.has(rewindId))) return joinRewinds(parts);
		at -= parts.length - 1;
	}
	return undefined;
}

/** A rewind, and before it those directly before that had done a part of the same. */
function partsUpTo(timeline: SessionState["timeline"], at: number): RewindEntry[] {
	const entry = timeline[at];
	if (entry?.kind !== "rewind") return [];
	const before = timeline[at - 1];
	const isBegun =
		before?.kind === "rewind" &&
		before.isPartial === true &&
		before.undoes === undefined &&
		before.toTurnId === entry.toTurnId;
	return [...(isBegun ? partsUpTo(timeline, at - 1) : []), entry];
}

/** Named after the part that took the conversation back: a redo brings that back by this name. */
function joinRewinds(parts: readonly RewindEntry[]): RewindEntry | undefined {
	const named = parts.find(({ cut }) => cut !== undefined) ?? parts.at(-1);
	if (!named || parts.length === 1) return named;
	const changes = encodeChanges(joinChanges(parts.map((part) => decodeChanges(part.changes))));
	return { ...named, changes };
}

/** Takes over what became of a rewind's files. */
export function finishRewind(state: SessionState, event: EventOf<"rewind/finished">): void {
	const entry = state.timeline.find((e) => e.kind === "rewind" && e.rewindId === event.rewindId);
	if (entry?.kind !== "rewind") return;
	delete entry.filesFollow;
	if (event.changes === undefined) return;
	tellPart(state, entry, pathsOf(event.changes));
	entry.changes = event.changes;
	entry.isPartial = true;
}

/** What the conversation says of a rewind is what it did. */
function tellPart(state: SessionState, { changes, undoes }: RewindEntry, done: string[]): void {
	const planned = pathsOf(changes).join("\n");
	const at = state.history.findLastIndex(
		(item) =>
			item.kind === "rewind" && item.redo === (undoes !== undefined) && item.paths.join("\n") === planned,
	);
	const item = state.history[at];
	if (item?.kind !== "rewind") return;
	const told = done.length === 0 ? [] : [{ ...item, paths: done }];
	state.history = [...state.history.slice(0, at), ...told, ...state.history.slice(at + 1)];
}

function pathsOf(changes: string): string[] {
	return decodeChanges(changes).map(({ before }) => before.path);
}

/** The rewind whose files a dead process may not have put back; undefined where there is none. */
export function unfinishedRewind(state: SessionState): RewindEntry | undefined {
	const last = state.timeline.at(-1);
	return last?.kind === "rewind" && last.filesFollow ? last : undefined;
}

/** Ended Turns that kept images and whose files were never looked at afterwards: agi was ended in between. */
export function unsettledTurns(state: SessionState): TurnEntry[] {
	return state.timeline.filter(
		(entry): entry is TurnEntry =>
			entry.kind === "turn" &&
			entry.turnId !== state.turn?.turnId &&
			entry.changes === undefined &&
			(entry.images.length > 0 || entry.treeAfter !== undefined),
	);
}

/** What stood at each path when the Turn began: what was kept first wins, then the tree, then what was kept later. */
export function firstImages(
	turn: TurnEntry,
	tree: ReadonlyMap<string, FileImage> = new Map(),
): Map<string, FileImage> {
	const images = new Map<string, FileImage>();
	const early = turn.images.slice(0, turn.treeAfter ?? turn.images.length);
	for (const image of [...early, ...tree.values(), ...turn.images])
		if (!images.has(image.path)) images.set(image.path, image);
	return images;
}
