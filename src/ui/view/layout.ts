// Lines together with the place of the cursor in them, and the pieces that several of them share.

import type { Choice, EditorRows } from "./inputView.ts";
import { ACCENT, DIM, type StyledLine } from "./style.ts";
import { cutLine, displayWidth } from "./wrap.ts";

/** Lines to draw, and where the terminal's cursor belongs in them; both from 0. */
export interface Layout {
	lines: readonly StyledLine[];
	cursor?: { x: number; y: number };
}

/** Columns before the text of an editor, and one behind it that stays free for the cursor. */
const MARK_COLUMNS = 2;

/** The width that an editor's text is laid out for on a screen of `columns`. */
export function editorColumns(columns: number): number {
	return Math.max(1, columns - MARK_COLUMNS - 1);
}

/** The part of a list that stays on the screen so that `at` is in it: where it begins. */
export function windowStart(length: number, at: number, rows: number): number {
	if (length <= rows) return 0;
	return Math.max(0, Math.min(at - Math.floor(rows / 2), length - rows));
}

/** An editor in at most `rows` rows, the cursor's row among them. */
export function editorLayout(editor: EditorRows, mark: string, rows: number): Layout {
	const start = windowStart(editor.rows.length, editor.cursorRow, rows);
	const lines = editor.rows.slice(start, start + Math.max(0, rows)).map((row, i): StyledLine => {
		const head = start + i === 0 ? mark : " ".repeat(MARK_COLUMNS);
		return row === "" ? [{ text: head, style: ACCENT }] : [{ text: head, style: ACCENT }, { text: row }];
	});
	if (rows < 1) return { lines };
	return { lines, cursor: { x: displayWidth(mark) + editor.cursorColumn, y: editor.cursorRow - start } };
}

/** A list that one is chosen from, in at most `rows` rows, the selected one among them. `numbered`: digits choose too. */
export function choiceLines(
	choices: readonly Choice[],
	selected: number,
	width: number,
	rows: number,
	numbered: boolean,
): StyledLine[] {
	const start = windowStart(choices.length, selected, rows);
	return choices.slice(start, start + Math.max(0, rows)).map(({ label, detail }, i) => {
		const at = start + i;
		const isSelected = at === selected;
		const head = `${isSelected ? "❯" : " "} ${numbered ? `${at + 1}. ` : ""}`;
		const style = isSelected ? { ...ACCENT, bold: true as const } : undefined;
		const spans = [
			{ text: head, style },
			{ text: label, style },
			...(detail ? [{ text: `  ${detail}`, style: DIM }] : []),
		];
		return cutLine(spans, width);
	});
}
