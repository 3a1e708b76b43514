// Lines together with the place of the cursor in them, and the pieces that several of them share.

import { MARK_COLUMNS, windowStart } from "./editorWindow.ts";
import type { Choice, EditorRows } from "./inputView.ts";
import { ACCENT, DIM, type StyledLine } from "./style.ts";
import { cutLine, displayWidth } from "./wrap.ts";

/** Lines to draw, and where the terminal's cursor belongs in them; both from 0. */
export interface Layout {
	lines: readonly StyledLine[];
	cursor?: { x: number; y: number };
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
