// A unified diff as numbered, coloured rows. The text comes from a tool's preview; nothing is compared here.

import { countOf } from "./format.ts";
import { ACCENT, BAD, DIM, GOOD, type Style, type StyledLine } from "./style.ts";
import { cutLine, wrapLine } from "./wrap.ts";

const HUNK = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/;

/** Whether a preview is a diff. */
export function isDiff(text: string): boolean {
	return /^--- .*\n\+\+\+ /.test(text);
}

/** The parts of a diff of which some are refused; `first` is the one the text begins with. All from 0. */
export interface DiffParts {
	count: number;
	marked: number;
	refused: readonly number[];
	first: number;
}

/** Where each part of the diff begins: the indexes of its lines that name one. */
export function partStarts(lines: readonly string[]): number[] {
	return lines.flatMap((line, at) => (HUNK.test(line) ? [at] : []));
}

/** The diff with only these of its parts, counted from 0. */
export function withParts(text: string, parts: readonly number[]): string {
	const lines = text.split("\n");
	const starts = partStarts(lines);
	const kept = parts.flatMap((part) => lines.slice(starts[part], starts[part + 1]));
	return [...lines.slice(0, starts[0]), ...kept].join("\n");
}

/**
 * The diff as rows of at most `width` columns: old and new line number, sign, text. At most `maxLines` of its lines;
 * the rest is told as a count with `hint` behind it. `text` has passed the terminal's filter.
 */
export function renderDiff(
	text: string,
	width: number,
	maxLines: number,
	hint: string,
	parts?: DiffParts,
): StyledLine[] {
	const source = text.split("\n");
	const shown = source.slice(0, maxLines);
	const gutter = String(lastNumber(source)).length;
	const rows: StyledLine[] = [];
	let [before, after] = [1, 1];
	let inHead = true;
	let part = (parts?.first ?? 0) - 1;
	for (const row of shown) {
		const hunk = HUNK.exec(row);
		if (hunk) {
			[before, after] = [Number(hunk[1]), Number(hunk[2])];
			inHead = false;
			part++;
			if (parts) rows.push(cutLine(partHead(part, parts), width));
			else if (rows.length > 2) rows.push(cutLine([{ text: `${" ".repeat(gutter)} ⋯`, style: DIM }], width));
			continue;
		}
		if (inHead && /^(---|\+\+\+) /.test(row)) {
			rows.push(...wrapLine([{ text: row, style: ACCENT }], width));
			if (row.startsWith("+++")) inHead = false;
			continue;
		}
		const sign = row[0];
		const number = sign === "+" ? after : sign === "-" || sign === " " ? before : undefined;
		const isRefused = parts?.refused.includes(part) === true;
		rows.push(...diffRow(row, sign === " " ? after : number, gutter, width, isRefused));
		if (sign === "+" || sign === " ") after++;
		if (sign === "-" || sign === " ") before++;
	}
	const left = source.length - shown.length;
	if (left > 0) rows.push(cutLine([{ text: `… ${countOf(left, "more line")}${hint}`, style: DIM }], width));
	return rows;
}

function partHead(part: number, { count, marked, refused }: DiffParts): StyledLine {
	const isRefused = refused.includes(part);
	const text = `${part === marked ? "❯" : " "} [${isRefused ? " " : "x"}] part ${part + 1} of ${count}${isRefused ? ", refused" : ""}`;
	return [{ text, style: part === marked ? { ...ACCENT, bold: true } : DIM }];
}

function diffRow(
	row: string,
	number: number | undefined,
	gutter: number,
	width: number,
	isRefused: boolean,
): StyledLine[] {
	const style = isRefused ? DIM : signStyle(row[0]);
	const head = `${number === undefined ? " ".repeat(gutter) : String(number).padStart(gutter)} `;
	const spans = [
		{ text: head, style: DIM },
		{ text: row, style },
	];
	return wrapLine(spans, width, { indent: head.length + 1, words: false });
}

function signStyle(sign: string | undefined): Style | undefined {
	if (sign === "+") return GOOD;
	if (sign === "-") return BAD;
	return sign === " " ? undefined : DIM;
}

/** An upper bound of the line numbers that the diff shows, for the width of their column. */
function lastNumber(rows: readonly string[]): number {
	let largest = 0;
	let since = 0;
	let [before, after] = [1, 1];
	for (const row of rows) {
		const hunk = HUNK.exec(row);
		if (hunk) {
			[before, after] = [Number(hunk[1]), Number(hunk[2])];
			since = 0;
		} else since++;
		largest = Math.max(largest, Math.max(before, after) + since);
	}
	return largest;
}
