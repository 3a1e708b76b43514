// How wide an editor's text is and which part of a list stays on the screen. Apart from `layout.ts`, because the first
// frame needs it and must load nothing heavy.

/** Columns before the text of an editor; one more behind it stays free for the cursor. */
export const MARK_COLUMNS = 2;

/** The width that an editor's text is laid out for on a screen of `columns`. */
export function editorColumns(columns: number): number {
	return Math.max(1, columns - MARK_COLUMNS - 1);
}

/** Rows that an editor gets at most where `room` rows are for everything. */
export function mostEditorRows(room: number): number {
	return Math.max(3, Math.floor(room / 3));
}

/** The part of a list that stays on the screen so that `at` is in it: where it begins. */
export function windowStart(length: number, at: number, rows: number): number {
	if (length <= rows) return 0;
	return Math.max(0, Math.min(at - Math.floor(rows / 2), length - rows));
}
