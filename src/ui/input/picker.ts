// A list with a search field, for sessions, models and earlier messages. Pure: it is told what was asked of it and says
// what was picked; it draws nothing.

import { type Edit, editEditor } from "./editor.ts";
import { createEditor, type EditorState } from "./editorState.ts";

/** A line of the list. `detail` is shown beside it and searched too. */
export interface PickerItem {
	id: string;
	label: string;
	detail?: string;
}

export interface PickerState {
	items: readonly PickerItem[];
	query: EditorState;
	/** Items that hold every word of the query, in their own order. */
	matches: readonly PickerItem[];
	/** Index in `matches`; 0 where there are none. */
	selected: number;
}

/** What may be asked of a list; a part of `UiAction`. */
export type PickerAction =
	| { do: "edit"; edit: Edit }
	| { do: "move"; by: number }
	| { do: "accept" }
	| { do: "cancel" };

/** The list after an action; at its end `closed` is true, with what was picked, if anything. */
export interface PickerStep {
	state: PickerState;
	closed: boolean;
	picked?: PickerItem;
}

/** A list of `items` in their order, searched for `query` from the start. */
export function openPicker(items: readonly PickerItem[], query = ""): PickerState {
	const field = editEditor(createEditor(), { type: "setText", text: query });
	return { items, query: field, matches: matchItems(items, query), selected: 0 };
}

/** Carries `action` out. Accepting where nothing matches keeps the list open. */
export function updatePicker(state: PickerState, action: PickerAction): PickerStep {
	switch (action.do) {
		case "cancel":
			return { state, closed: true };
		case "accept": {
			const picked = state.matches[state.selected];
			return picked ? { state, closed: true, picked } : { state, closed: false };
		}
		case "move": {
			const last = Math.max(0, state.matches.length - 1);
			return { state: { ...state, selected: between(0, state.selected + action.by, last) }, closed: false };
		}
		case "edit": {
			const query = editEditor(state.query, oneLine(action.edit));
			if (query.text === state.query.text) return { state: { ...state, query }, closed: false };
			const matches = matchItems(state.items, query.text);
			return { state: { ...state, query, matches, selected: 0 }, closed: false };
		}
	}
}

/** The list with what was found elsewhere for `query`, behind its own matches; nothing where another is typed by now. */
export function withFound(state: PickerState, query: string, found: readonly PickerItem[]): PickerState {
	if (state.query.text !== query) return state;
	const own = matchItems(state.items, query);
	const others = found.filter(({ id }) => own.every((item) => item.id !== id));
	return { ...state, matches: [...own, ...others] };
}

/** The part of the list to draw in `height` rows: from where, and the items, the selected one among them. */
export function visibleItems(
	state: PickerState,
	height: number,
): { from: number; items: readonly PickerItem[] } {
	const rows = Math.max(1, height);
	const last = Math.max(0, state.matches.length - rows);
	const from = between(0, state.selected - Math.floor(rows / 2), last);
	return { from, items: state.matches.slice(from, from + rows) };
}

function matchItems(items: readonly PickerItem[], query: string): readonly PickerItem[] {
	const words = query.toLowerCase().split(/\s+/).filter(Boolean);
	if (words.length === 0) return items;
	return items.filter(({ label, detail }) => {
		const text = `${label} ${detail ?? ""}`.toLowerCase();
		return words.every((word) => text.includes(word));
	});
}

/** A search field has one line and folds nothing. */
function oneLine(edit: Edit): Edit {
	if (edit.type !== "paste" && edit.type !== "insert") return edit;
	return { type: "insert", text: edit.text.replace(/\s+/g, " ") };
}

function between(low: number, value: number, high: number): number {
	return Math.min(Math.max(value, low), high);
}
