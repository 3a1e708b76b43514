// What each edit does to a text field: letters, readline's keys, history, folded pastes. Pure: the same reducer serves
// the first frame, the prompt line and every text field of a dialog. It never decides what a key means.

import {
	type EditorState,
	foldedIn,
	moveTo,
	redoEdit,
	replaceRange,
	snapshotOf,
	undoEdit,
} from "./editorState.ts";
import { foldPaste, unfoldPastes } from "./foldedPastes.ts";
import { cursorColumnOf, placeInRow } from "./layoutEditor.ts";
import { lineEnd, lineStart, nextPlace, previousPlace, wordEnd, wordStart } from "./textBoundaries.ts";

/** Edits that need nothing but the state. */
export type PlainEdit =
	| "newline"
	/** A line break in the place of the backslash before the cursor. */
	| "continueLine"
	| "backspace"
	| "delete"
	| "left"
	| "right"
	/** By rows as drawn; on the first (last) row to the earlier (later) message of the history. */
	| "up"
	| "down"
	| "historyPrevious"
	| "historyNext"
	| "wordLeft"
	| "wordRight"
	| "home"
	| "end"
	| "killToEnd"
	| "killToStart"
	| "killWordLeft"
	| "killWordRight"
	/** Back to the last blank. */
	| "killToBlank"
	| "yank"
	/** After a yank: the kill before it instead. */
	| "yankPop"
	| "undo"
	| "redo"
	/** Empties the field; undo brings the text back. */
	| "clear"
	/** Empties the field after its text was sent, and puts it into the history. */
	| "submitted";

/** A change of a text field. Line ends of texts may be of any kind; positions are UTF-16 indexes. */
export type Edit =
	| { type: PlainEdit }
	/** Letters as typed. */
	| { type: "insert"; text: string }
	/** A whole paste; a big one is folded. */
	| { type: "paste"; text: string }
	| { type: "setText"; text: string }
	| { type: "replace"; from: number; to: number; text: string }
	| { type: "resize"; width: number }
	/** Newest first. */
	| { type: "loadHistory"; entries: readonly string[] };

const MOST_KILLS = 20;

/** The state after `edit`; the same state where it changes nothing. */
export function editEditor(state: EditorState, edit: Edit): EditorState {
	switch (edit.type) {
		case "insert":
			return insert(state, plainLines(edit.text), "type");
		case "paste":
			return insertPaste(state, plainLines(edit.text));
		case "setText":
			return replaceRange(state, { from: 0, to: state.text.length }, plainLines(edit.text), "other");
		case "replace":
			return replaceRange(state, edit, plainLines(edit.text), "other");
		case "resize":
			return { ...state, width: edit.width };
		case "loadHistory":
			return { ...state, history: edit.entries };
		default:
			return PLAIN_EDITS[edit.type](state);
	}
}

const PLAIN_EDITS: Record<PlainEdit, (state: EditorState) => EditorState> = {
	newline: (state) => insert(state, "\n", "other"),
	continueLine: (state) =>
		replaceRange(state, { from: Math.max(0, state.cursor - 1), to: state.cursor }, "\n", "other"),
	backspace: (state) => replaceRange(state, { from: placeBefore(state), to: state.cursor }, "", "erase"),
	delete: (state) => {
		const { cursor } = state;
		return replaceRange(state, { from: cursor, to: placeAfter(state) }, "", "erase");
	},
	left: (state) => moveTo(state, placeBefore(state)),
	right: (state) => moveTo(state, placeAfter(state)),
	up: (state) => moveByRow(state, -1) ?? recall(state, 1),
	down: (state) => moveByRow(state, 1) ?? recall(state, -1),
	historyPrevious: (state) => recall(state, 1),
	historyNext: (state) => recall(state, -1),
	wordLeft: (state) => moveTo(state, wordStart(state.text, state.cursor, foldedIn(state), "letters")),
	wordRight: (state) => moveTo(state, wordEnd(state.text, state.cursor, foldedIn(state), "letters")),
	home: (state) => moveTo(state, lineStart(state.text, state.cursor)),
	end: (state) => moveTo(state, lineEnd(state.text, state.cursor)),
	killToEnd: (state) => {
		const end = lineEnd(state.text, state.cursor);
		return killForward(state, end === state.cursor ? placeAfter(state) : end);
	},
	killToStart: (state) => {
		const start = lineStart(state.text, state.cursor);
		return killBackward(state, start === state.cursor ? placeBefore(state) : start);
	},
	killWordLeft: (state) =>
		killBackward(state, wordStart(state.text, state.cursor, foldedIn(state), "letters")),
	killWordRight: (state) => killForward(state, wordEnd(state.text, state.cursor, foldedIn(state), "letters")),
	killToBlank: (state) => killBackward(state, wordStart(state.text, state.cursor, foldedIn(state), "blanks")),
	yank: (state) => yank(state, state.cursor, 0),
	yankPop: (state) =>
		state.yanked ? yank(state, state.yanked.from, (state.yanked.index + 1) % state.kills.length) : state,
	undo: undoEdit,
	redo: redoEdit,
	clear: (state) => ({
		...replaceRange(state, { from: 0, to: state.text.length }, "", "other"),
		recalled: -1,
	}),
	submitted,
};

/** The message as it is sent: folded pastes whole. */
export function submitText(state: EditorState): string {
	return unfoldPastes(state.text, state.pastes);
}

/** Whether Enter goes on in the next line here: an odd number of backslashes stands before the cursor. */
export function continuesLine(state: EditorState): boolean {
	const slashes = /\\*$/.exec(state.text.slice(0, state.cursor))![0].length;
	return slashes % 2 === 1;
}

function plainLines(text: string): string {
	return text.includes("\r") ? text.replace(/\r\n?/g, "\n") : text;
}

function insert(state: EditorState, text: string, kind: "type" | "other"): EditorState {
	return replaceRange(state, { from: state.cursor, to: state.cursor }, text, kind);
}

function insertPaste(state: EditorState, text: string): EditorState {
	const { insertion, pastes } = foldPaste(text, state.text, state.pastes);
	return replaceRange(state, { from: state.cursor, to: state.cursor }, insertion, "other", pastes);
}

function placeBefore(state: EditorState): number {
	return previousPlace(state.text, state.cursor, foldedIn(state));
}

function placeAfter(state: EditorState): number {
	return nextPlace(state.text, state.cursor, foldedIn(state));
}

function moveByRow(state: EditorState, by: number): EditorState | undefined {
	if (isShowingHistory(state)) return undefined;
	const column = state.goalColumn ?? cursorColumnOf(state.text, state.cursor, state.width);
	const place = placeInRow(state.text, state.cursor, state.width, by, column);
	return place === undefined ? undefined : { ...moveTo(state, place), goalColumn: column };
}

/** An earlier message was just recalled and is untouched: up and down go on through the history, whatever its rows. */
function isShowingHistory({ recalled, history, text, cursor }: EditorState): boolean {
	return recalled >= 0 && text === history[recalled] && cursor === text.length;
}

function recall(state: EditorState, by: number): EditorState {
	const recalled = state.recalled + by;
	if (recalled < -1 || recalled >= state.history.length) return state;
	const draft = state.recalled === -1 ? snapshotOf(state) : state.draft;
	const text = recalled === -1 ? (draft?.text ?? "") : state.history[recalled]!;
	const shown = replaceRange(state, { from: 0, to: state.text.length }, text, "other");
	if (recalled >= 0) return { ...shown, recalled, ...(draft && { draft }) };
	const { draft: _used, ...back } = shown;
	return { ...back, ...draft, recalled };
}

function killForward(state: EditorState, to: number): EditorState {
	if (to === state.cursor) return state;
	const killed = state.text.slice(state.cursor, to);
	const kills = joinKill(state, (last) => last + killed);
	return { ...replaceRange(state, { from: state.cursor, to }, "", "kill"), kills };
}

function killBackward(state: EditorState, from: number): EditorState {
	if (from === state.cursor) return state;
	const killed = state.text.slice(from, state.cursor);
	const kills = joinKill(state, (last) => killed + last);
	return { ...replaceRange(state, { from, to: state.cursor }, "", "kill"), kills };
}

/** Kills in a row are one text, in the order in which they stood. */
function joinKill(state: EditorState, join: (last: string) => string): string[] {
	const isJoined = state.lastEdit === "kill" && state.kills.length > 0;
	const killed = join(isJoined ? state.kills[0]! : "");
	return [killed, ...state.kills.slice(isJoined ? 1 : 0)].slice(0, MOST_KILLS);
}

function yank(state: EditorState, from: number, index: number): EditorState {
	const killed = state.kills[index];
	if (killed === undefined) return state;
	return {
		...replaceRange(state, { from, to: state.cursor }, killed, "yank"),
		yanked: { from, index },
	};
}

function submitted(state: EditorState): EditorState {
	const sent = submitText(state);
	const isNew = sent.trim() !== "" && sent !== state.history[0];
	const { draft: _sent, ...kept } = state;
	return {
		...replaceRange(kept, { from: 0, to: kept.text.length }, "", "other"),
		history: isNew ? [sent, ...state.history] : state.history,
		recalled: -1,
		pastes: [],
		undo: [],
		redo: [],
	};
}
