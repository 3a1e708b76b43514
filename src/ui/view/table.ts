// A Markdown table, once all of its lines are there: columns as wide as they need, narrowed where the screen is.

import { renderInline } from "./inline.ts";
import { BOLD, DIM, type Span, type StyledLine } from "./style.ts";
import { lineWidth, wrapLine } from "./wrap.ts";

const DELIMITER = /^\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$/;
const GAP = " │ ";
const LEAST_COLUMN = 4;

type Alignment = "left" | "right" | "center";

/** Whether a line looks like a row of a table. */
export function isTableRow(source: string): boolean {
	return /^\s{0,3}\|.*\|\s*$/.test(source);
}

/** The lines of a table as rows of at most `width` columns; lines that make no table stay as they were. */
export function renderTable(sources: readonly string[], width: number): StyledLine[] {
	const [head, delimiter, ...body] = sources;
	const asText = () => sources.flatMap((source) => wrapLine(renderInline(source), width));
	if (head === undefined || delimiter === undefined || !DELIMITER.test(delimiter)) return asText();
	const alignments = cellsOf(delimiter).map(alignmentOf);
	const columns = alignments.length;
	const rows = [head, ...body].map((source, row) =>
		Array.from({ length: columns }, (_, i) =>
			renderInline(cellsOf(source)[i] ?? "", row === 0 ? BOLD : undefined),
		),
	);
	const widths = narrow(
		alignments.map((_, i) => Math.max(1, ...rows.map((row) => lineWidth(row[i]!)))),
		width - GAP.length * (columns - 1),
	);
	if (!widths) return asText();
	const rule = { text: widths.map((w) => "─".repeat(w)).join("─┼─"), style: DIM };
	const [headRows, ...bodyRows] = rows.map((row) => tableRow(row, widths, alignments));
	return [...(headRows ?? []), [rule], ...bodyRows.flat()];
}

/** One row of cells, over as many screen rows as its longest cell needs. */
function tableRow(
	cells: readonly StyledLine[],
	widths: readonly number[],
	alignments: readonly Alignment[],
): StyledLine[] {
	const wrapped = cells.map((cell, i) => wrapLine(cell, widths[i]!));
	const height = Math.max(...wrapped.map((rows) => rows.length));
	return Array.from({ length: height }, (_, row) =>
		wrapped.flatMap((rows, i): Span[] => [
			...(i > 0 ? [{ text: GAP, style: DIM }] : []),
			...padded(rows[row] ?? [], widths[i]!, alignments[i]!),
		]),
	);
}

function padded(cell: StyledLine, width: number, alignment: Alignment): Span[] {
	const gap = Math.max(0, width - lineWidth(cell));
	const before = alignment === "right" ? gap : alignment === "center" ? Math.floor(gap / 2) : 0;
	const space = (count: number): Span[] => (count > 0 ? [{ text: " ".repeat(count) }] : []);
	return [...space(before), ...cell, ...space(gap - before)];
}

/** Takes columns from the widest until all fit; undefined where even the least is too wide. */
function narrow(wanted: readonly number[], room: number): number[] | undefined {
	const widths = [...wanted];
	let excess = widths.reduce((sum, width) => sum + width, 0) - room;
	while (excess > 0) {
		const widest = Math.max(...widths);
		if (widest <= LEAST_COLUMN) return undefined;
		const next = Math.max(LEAST_COLUMN, ...widths.filter((width) => width < widest));
		const at = widths.indexOf(widest);
		const taken = Math.min(excess, Math.max(1, widest - next));
		widths[at] = widest - taken;
		excess -= taken;
	}
	return widths;
}

function cellsOf(source: string): string[] {
	const inner = source.trim().replace(/^\|/, "").replace(/\|$/, "");
	return inner.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll("\\|", "|"));
}

function alignmentOf(cell: string): Alignment {
	if (cell.endsWith(":")) return cell.startsWith(":") ? "center" : "right";
	return "left";
}
