// The state of a text field and its one way to change: `replaceRange` keeps cursor, undo and folded pastes true to the
// text. Pure. What keys do is in `editor.ts`.

import { type FoldedPaste, foldedRanges, type TextRange } from "./foldedPastes.ts";
import { nearestPlace } from "./textBoundaries.ts";

/** What undo brings back. */
export interface EditorSnapshot {
	text: string;
	cursor: number;
	pastes: readonly FoldedPaste[];
}

/** What the last edit was; equal neighbours are undone as one, kills are joined. */
export type EditKind = "type" | "erase" | "kill" | "yank" | "move" | "other";

export interface EditorState extends EditorSnapshot {
	/** UTF-16 index, always at the edge of a visible character and never inside a folded paste's mark. */
	cursor: number;
	/** Columns of the field: what a row is for up and down. */
	width: number;
	undo: readonly EditorSnapshot[];
	redo: readonly EditorSnapshot[];
	/** Killed texts, newest first. */
	kills: readonly string[];
	/** What the last yank put in, and which kill it was. */
	yanked?: { from: number; index: number };
	lastEdit: EditKind;
	/** The column that up and down aim at. */
	goalColumn?: number;
	/** Earlier messages, newest first. */
	history: readonly string[];
	/** Which of them is shown; -1: the draft. */
	recalled: number;
	/** The draft, while an earlier message is shown. */
	draft?: EditorSnapshot;
}

const MOST_UNDO = 200;

/** An empty field of `width` columns; `history` newest first. */
export function createEditor(width = 80, history: readonly string[] = []): EditorState {
	return {
		text: "",
		cursor: 0,
		pastes: [],
		width,
		undo: [],
		redo: [],
		kills: [],
		lastEdit: "other",
		history,
		recalled: -1,
	};
}

/** Where folded pastes stand in the text. */
export function foldedIn(state: EditorSnapshot): TextRange[] {
	return foldedRanges(state.text, state.pastes);
}

/**
 * The state with `insertion` in the place of `range` and the cursor behind it. The edit can be undone; it joins the
 * one before where both are of the kind `type` (within a word) or `erase`.
 */
export function replaceRange(
	state: EditorState,
	range: TextRange,
	insertion: string,
	kind: EditKind,
	pastes: readonly FoldedPaste[] = state.pastes,
): EditorState {
	const text = state.text.slice(0, range.from) + insertion + state.text.slice(range.to);
	if (text === state.text) return { ...rest(state), lastEdit: kind };
	const joins = state.lastEdit === kind && (kind === "erase" || (kind === "type" && !/^\s/.test(insertion)));
	return {
		...rest(state),
		text,
		pastes,
		cursor: nearestPlace(text, range.from + insertion.length, foldedRanges(text, pastes)),
		undo: joins && state.undo.length > 0 ? state.undo : remember(state.undo, state),
		redo: [],
		lastEdit: kind,
	};
}

/** The state with the cursor at `place`, or at the next place after it where none may stand there. */
export function moveTo(state: EditorState, place: number): EditorState {
	return { ...rest(state), cursor: nearestPlace(state.text, place, foldedIn(state)), lastEdit: "move" };
}

/** The state before the last undoable edit; the same where there is none. */
export function undoEdit(state: EditorState): EditorState {
	const last = state.undo.at(-1);
	if (!last) return state;
	return {
		...rest(state),
		...last,
		undo: state.undo.slice(0, -1),
		redo: remember(state.redo, state),
		lastEdit: "other",
	};
}

/** The state before the last undo. */
export function redoEdit(state: EditorState): EditorState {
	const last = state.redo.at(-1);
	if (!last) return state;
	return {
		...rest(state),
		...last,
		redo: state.redo.slice(0, -1),
		undo: remember(state.undo, state),
		lastEdit: "other",
	};
}

/** Text, cursor and pastes of a state. */
export function snapshotOf({ text, cursor, pastes }: EditorSnapshot): EditorSnapshot {
	return { text, cursor, pastes };
}

function remember(stack: readonly EditorSnapshot[], state: EditorState): EditorSnapshot[] {
	return [...stack.slice(-MOST_UNDO + 1), snapshotOf(state)];
}

/** The state without what lives only from one key to the next. */
function rest({ yanked: _yanked, goalColumn: _goalColumn, ...state }: EditorState): EditorState {
	return state;
}
