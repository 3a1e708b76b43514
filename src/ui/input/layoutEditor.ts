// Lays the editor's text out in rows of a width and finds the cursor in them; the first frame and Ink draw the same
// rows. Pure. What it returns is safe to write: controls and hidden letters are shown as marks.

import { visibleText } from "../visibleText.ts";
import { columnsOf, graphemeColumns, graphemesOf, isPlain } from "./graphemes.ts";

/** The rows to draw and the cursor in them, both from 0; `cursorColumn` < the width. There is always a row. */
export interface EditorLayout {
	rows: string[];
	cursorRow: number;
	cursorColumn: number;
}

/** A row on the screen: which part of the text it shows, and how. */
interface Row {
	from: number;
	to: number;
	shown: string;
	/** The text goes on in the next row without a line break. */
	isWrapped: boolean;
}

interface RowsAtCursor {
	rows: Row[];
	cursorRow: number;
	cursorColumn: number;
}

const TAB = "    ";

/** `text` in rows of at most `width` columns, and where the `cursor` (UTF-16 index at a character's edge) is. */
export function layoutEditor(text: string, cursor: number, width: number): EditorLayout {
	const { rows, cursorRow, cursorColumn } = rowsAtCursor(text, cursor, width);
	return { rows: rows.map((row) => row.shown), cursorRow, cursorColumn };
}

/** The column of the cursor in its row. */
export function cursorColumnOf(text: string, cursor: number, width: number): number {
	return rowsAtCursor(text, cursor, width).cursorColumn;
}

/**
 * The index that is `by` rows below (above, where negative) the cursor, as near to `column` as a character's edge
 * allows; undefined where there is no such row.
 */
export function placeInRow(
	text: string,
	cursor: number,
	width: number,
	by: number,
	column: number,
): number | undefined {
	const { rows, cursorRow } = rowsAtCursor(text, cursor, width);
	const row = rows[cursorRow + by];
	if (!row) return undefined;
	let place = row.from;
	let columns = 0;
	for (const grapheme of graphemesOf(text.slice(row.from, row.to))) {
		columns += shownColumns(grapheme, width);
		const isEdge = row.isWrapped && place + grapheme.length === row.to;
		if (columns > column || isEdge) break;
		place += grapheme.length;
	}
	return place;
}

function rowsAtCursor(text: string, cursor: number, width: number): RowsAtCursor {
	const columns = Math.max(1, Math.floor(width));
	const rows = wrapText(text, columns);
	let cursorRow = 0;
	while (rows[cursorRow + 1] && rows[cursorRow + 1]!.from <= cursor) cursorRow++;
	const row = rows[cursorRow]!;
	let cursorColumn = 0;
	for (const grapheme of graphemesOf(text.slice(row.from, cursor)))
		cursorColumn += shownColumns(grapheme, columns);
	if (cursorColumn < columns) return { rows, cursorRow, cursorColumn };
	// A full row leaves the cursor no column: it goes where the next letter will.
	row.isWrapped = true;
	rows.splice(cursorRow + 1, 0, { from: cursor, to: cursor, shown: "", isWrapped: false });
	return { rows, cursorRow: cursorRow + 1, cursorColumn: 0 };
}

function wrapText(text: string, width: number): Row[] {
	const rows: Row[] = [];
	let from = 0;
	for (const line of text.split("\n")) {
		if (isPlain(line)) wrapPlainLine(line, from, width, rows);
		else wrapLine(line, from, width, rows);
		from += line.length + 1;
	}
	return rows;
}

function wrapPlainLine(line: string, start: number, width: number, rows: Row[]): void {
	let at = 0;
	do {
		const shown = line.slice(at, at + width);
		const end = at + shown.length;
		rows.push({ from: start + at, to: start + end, shown, isWrapped: end < line.length });
		at = end;
	} while (at < line.length);
}

function wrapLine(line: string, start: number, width: number, rows: Row[]): void {
	let row: Row = { from: start, to: start, shown: "", isWrapped: false };
	let columns = 0;
	const isClean = visibleText(line) === line && !line.includes("\t") && width >= 4;
	for (const grapheme of graphemesOf(line)) {
		const shown = isClean ? grapheme : showGrapheme(grapheme, width);
		const wide = isClean ? graphemeColumns(grapheme) : columnsOf(shown);
		if (columns + wide > width && row.to > row.from) {
			rows.push({ ...row, isWrapped: true });
			row = { from: row.to, to: row.to, shown: "", isWrapped: false };
			columns = 0;
		}
		row.to += grapheme.length;
		row.shown += shown;
		columns += wide;
	}
	rows.push(row);
}

function shownColumns(grapheme: string, width: number): number {
	return grapheme.length === 1 && isPlain(grapheme) ? 1 : columnsOf(showGrapheme(grapheme, width));
}

/** A character as it is drawn: a tab as blanks, a control as its mark, nothing wider than the row. */
function showGrapheme(grapheme: string, width: number): string {
	if (isPlain(grapheme)) return grapheme;
	if (grapheme === "\t") return TAB.slice(0, width);
	const shown = visibleText(grapheme) || "�";
	return columnsOf(shown) <= width ? shown : "…";
}
