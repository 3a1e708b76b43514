// What the components draw of the person's side: editor, palette, dialog, picker, keys. Plain values; the rooms of `input/`
// own the states that they come from. Rows of an editor have passed the terminal's filter.

/** Text that is being typed, laid out in rows. */
export interface EditorRows {
	readonly rows: readonly string[];
	/** Both from 0. */
	readonly cursorRow: number;
	readonly cursorColumn: number;
}

/** An entry of a list that one is chosen from. */
export interface Choice {
	readonly label: string;
	readonly detail?: string;
}

/** A list under the input line: slash commands or files. */
export interface PaletteView {
	readonly items: readonly Choice[];
	readonly selected: number;
}

/** How far the answer to the open question is. */
export interface DialogView {
	readonly options: readonly string[];
	readonly selected: number;
	/** False while a draft is in the editor: keys go there. */
	readonly hasFocus: boolean;
	/** What to press now. */
	readonly hint: string;
	/** The words being typed: what to do instead, or a free answer. `isSecret`: drawn as dots. */
	readonly entry?: EditorRows & { readonly isSecret: boolean };
	/** Parts of the change that can be refused, from 0; absent where there are not several. */
	readonly parts?: { readonly count: number; readonly marked: number; readonly refused: readonly number[] };
	/** What the person wants to be written instead; filtered. */
	readonly amended?: string;
}

/** A list over the input line, with a search. */
export interface PickerView {
	readonly title: string;
	readonly query: string;
	readonly items: readonly Choice[];
	readonly selected: number;
}

/** A row of the help. */
export interface HelpRow {
	readonly keys: string;
	readonly does: string;
}

/** Everything of the person's side. */
export interface InputView {
	readonly editor: EditorRows;
	readonly isEmpty: boolean;
	/** Shown where the editor is empty. */
	readonly placeholder: string;
	readonly palette?: PaletteView;
	/** Searching the history: what was typed, and whether a prompt holds it. */
	readonly search?: { readonly query: string; readonly isFound: boolean };
	readonly dialog?: DialogView;
	readonly picker?: PickerView;
	/** The queued message that the keys go to. */
	readonly marked?: string;
	readonly help?: readonly HelpRow[];
}
