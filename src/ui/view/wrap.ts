// Lines brought to a width, counted in terminal columns: wide letters take two, combining marks none. A letter is never
// cut in two. Tabs become spaces here and nowhere else.

import { columnsOf, graphemesOf } from "../input/graphemes.ts";
import { DIM, type Span, type Style, type StyledLine } from "./style.ts";

/** One visible letter with its marks. */
interface Cell {
	text: string;
	width: number;
	style: Style | undefined;
}

export interface WrapOptions {
	/** Columns that every row but the first is moved in by. Default 0. */
	indent?: number;
	/** False cuts anywhere, as code wants it. Default true: between words where there is a gap. */
	words?: boolean;
}

const TAB_COLUMNS = 4;
/** Wide letters need two columns; nothing narrower can be drawn. */
const LEAST_WIDTH = 2;
/** Letters of one column each that join with no other: measuring anything else is a hundred times dearer. */
const PLAIN =
	/^[\x20-\x7e\u00b7\u00c0-\u02af\u0410-\u044f\u2013\u2014\u2018-\u201e\u2022\u2026\u2190-\u2193\u2500-\u257f\u25cf\u276f]*$/;

/** Columns that `text` takes. */
export function displayWidth(text: string): number {
	return PLAIN.test(text) ? text.length : columnsOf(text);
}

/** Columns that a line takes. */
export function lineWidth(styled: StyledLine): number {
	return styled.reduce((sum, span) => sum + displayWidth(span.text), 0);
}

/** `styled` as rows of at most `width` columns (2 at least). An empty line is one empty row. */
export function wrapLine(styled: StyledLine, width: number, options: WrapOptions = {}): StyledLine[] {
	const columns = Math.max(LEAST_WIDTH, width);
	if (fitsPlainly(styled, columns)) return [styled];
	const indent = Math.min(options.indent ?? 0, columns - LEAST_WIDTH);
	const rows = breakCells(cellsOf(styled), columns, indent, options.words ?? true);
	return rows.map((row, i) => {
		const spans = spansOf(row);
		return i > 0 && indent > 0 ? [{ text: " ".repeat(indent) }, ...spans] : spans;
	});
}

/** `styled` in one row of at most `width` columns; what does not fit is told by an ellipsis. */
export function cutLine(styled: StyledLine, width: number): StyledLine {
	if (fitsPlainly(styled, width)) return styled;
	const cells = cellsOf(styled);
	const total = cells.reduce((sum, cell) => sum + cell.width, 0);
	if (total <= width) return spansOf(cells);
	const kept: Cell[] = [];
	let used = 1;
	for (const cell of cells) {
		used += cell.width;
		if (used > width) break;
		kept.push(cell);
	}
	return width < 1 ? [] : [...spansOf(kept), { text: "…", style: DIM }];
}

function fitsPlainly(styled: StyledLine, width: number): boolean {
	let length = 0;
	for (const { text } of styled) {
		length += text.length;
		if (length > width || !PLAIN.test(text)) return false;
	}
	return true;
}

function cellsOf(styled: StyledLine): Cell[] {
	const cells: Cell[] = [];
	let column = 0;
	const add = (text: string, width: number, style: Style | undefined) => {
		cells.push({ text, width, style });
		column += width;
	};
	for (const { text, style } of styled) {
		if (PLAIN.test(text)) {
			for (const letter of text) add(letter, 1, style);
			continue;
		}
		for (const segment of graphemesOf(text)) {
			if (segment === "\t") {
				const gap = TAB_COLUMNS - (column % TAB_COLUMNS);
				for (let i = 0; i < gap; i++) add(" ", 1, style);
			} else add(segment, displayWidth(segment), style);
		}
	}
	return cells;
}

function breakCells(cells: readonly Cell[], columns: number, indent: number, words: boolean): Cell[][] {
	const rows: Cell[][] = [];
	let row: Cell[] = [];
	let used = 0;
	let breakAt = 0;
	let hasWord = false;
	const start = (rest: Cell[]) => {
		row = rest;
		used = rest.reduce((sum, cell) => sum + cell.width, 0);
		breakAt = 0;
		hasWord = rest.length > 0;
	};
	for (const cell of cells) {
		const isSpace = words && cell.text === " ";
		while (row.length > 0 && used + cell.width > (rows.length === 0 ? columns : columns - indent)) {
			const cut = isSpace || breakAt === 0 ? row.length : breakAt;
			rows.push(words ? withoutGap(row.slice(0, cut)) : row);
			start(row.slice(cut));
		}
		// The gap at which a row was broken is not drawn.
		if (isSpace && row.length === 0 && rows.length > 0) continue;
		row.push(cell);
		used += cell.width;
		hasWord ||= !isSpace;
		if (words && hasWord && (isSpace || cell.width > 1)) breakAt = row.length;
	}
	if (row.length > 0 || rows.length === 0) rows.push(row);
	return rows;
}

function withoutGap(row: Cell[]): Cell[] {
	let end = row.length;
	while (end > 0 && row[end - 1]!.text === " ") end--;
	return row.slice(0, end);
}

function spansOf(cells: readonly Cell[]): Span[] {
	const spans: { text: string; style: Style | undefined }[] = [];
	for (const { text, style } of cells) {
		const last = spans.at(-1);
		if (last && last.style === style) last.text += text;
		else spans.push({ text, style });
	}
	return spans;
}
