// Markdown line by line: a complete source line becomes finished rows that never change, so that they can leave for the
// scrollback at once. Only a table waits for its end. Source lines have passed the terminal's filter.

import { type HighlightState, highlightLine, startHighlight } from "./highlight.ts";
import { renderInline } from "./inline.ts";
import { ACCENT, DIM, type Span, type Style, type StyledLine } from "./style.ts";
import { isTableRow, renderTable } from "./table.ts";
import { displayWidth, wrapLine } from "./wrap.ts";

/** Where the renderer stands between two source lines. */
export interface MarkdownState {
	/** The open code fence: what closes it, and how far it was moved in. */
	readonly fence?: { readonly mark: string; readonly indent: number; readonly code: HighlightState };
	/** Lines of a table that is not finished yet. */
	readonly table: readonly string[];
	/** An empty line is owed before the next text; several in a row are one. */
	readonly gap: "start" | "none" | "owed";
}

/** Before the first line. */
export const MARKDOWN_START: MarkdownState = { table: [], gap: "start" };

const CODE_INDENT = 2;
const LEAST_QUOTE = 8;
/** A table longer than this is drawn in parts. */
const MAX_TABLE = 200;

const FENCE = /^(\s*)(`{3,}|~{3,})\s*([^\s`{]*)[^`]*$/;
const HEADING = /^\s{0,3}(#{1,6})\s+(.*?)(?:\s+#+)?\s*$/;
const RULE = /^\s{0,3}([-*_])(?:\s*\1){2,}\s*$/;
const QUOTE = /^\s{0,3}>\s?(.*)$/;
const ITEM = /^(\s*)([-*+]|\d{1,9}[.)])(?:\s+(.*))?$/;
const TASK = /^\[([ xX])\]\s+/;

/** Renders one complete source line (without its line end). Rows take at most `width` columns. */
export function renderMarkdownLine(
	state: MarkdownState,
	source: string,
	width: number,
): { state: MarkdownState; lines: StyledLine[] } {
	if (state.fence) return codeLine(state, state.fence, source, width);
	if (isTableRow(source) && state.table.length < MAX_TABLE)
		return { state: { ...state, table: [...state.table, source] }, lines: [] };
	const ended = endTable(state, width);
	if (source.trim() === "") {
		const gap = ended.state.gap === "start" ? "start" : "owed";
		return { state: { ...ended.state, gap }, lines: ended.lines };
	}
	const fence = FENCE.exec(source);
	if (fence) {
		const indent = fence[1]!.length;
		const code = startHighlight(fence[3]!.toLowerCase());
		return { state: { ...ended.state, fence: { mark: fence[2]!, indent, code } }, lines: ended.lines };
	}
	const lines = [...ended.lines, ...gapLines(ended.state), ...textLines(source, width)];
	return { state: { ...ended.state, gap: "none" }, lines };
}

/** The rows that were still waiting for the text to go on. */
export function finishMarkdown(state: MarkdownState, width: number): StyledLine[] {
	return endTable(state, width).lines;
}

/** How a line looks that is still being written; it replaces nothing and changes no state. */
export function renderPartialLine(state: MarkdownState, source: string, width: number): StyledLine[] {
	const waiting = state.table.flatMap((row) => wrapLine([{ text: row, style: DIM }], width));
	if (source.trim() === "") return waiting;
	const gap = state.table.length > 0 ? [] : gapLines(state);
	if (state.fence) return [...gap, ...codeRows([{ text: withoutIndent(source, state.fence.indent) }], width)];
	if (FENCE.test(source)) return waiting;
	return [...waiting, ...gap, ...textLines(source, width)];
}

function codeLine(
	state: MarkdownState,
	fence: NonNullable<MarkdownState["fence"]>,
	source: string,
	width: number,
): { state: MarkdownState; lines: StyledLine[] } {
	const mark = source.trim();
	if (mark.startsWith(fence.mark) && mark === fence.mark[0]!.repeat(mark.length)) {
		const { fence: _, ...rest } = state;
		return { state: rest, lines: [] };
	}
	const coloured = highlightLine(fence.code, withoutIndent(source, fence.indent));
	const lines = [...gapLines(state), ...codeRows(coloured.line, width)];
	return { state: { ...state, gap: "none", fence: { ...fence, code: coloured.state } }, lines };
}

function codeRows(code: StyledLine, width: number): StyledLine[] {
	if (code.length === 0) return [[]];
	const margin = { text: " ".repeat(CODE_INDENT) };
	return wrapLine([margin, ...code], width, { indent: CODE_INDENT, words: false });
}

function withoutIndent(source: string, indent: number): string {
	let at = 0;
	while (at < indent && source[at] === " ") at++;
	return source.slice(at);
}

function endTable(state: MarkdownState, width: number): { state: MarkdownState; lines: StyledLine[] } {
	if (state.table.length === 0) return { state, lines: [] };
	const lines = [...gapLines(state), ...renderTable(state.table, width)];
	return { state: { ...state, table: [], gap: "none" }, lines };
}

function gapLines(state: MarkdownState): StyledLine[] {
	return state.gap === "owed" ? [[]] : [];
}

function textLines(source: string, width: number): StyledLine[] {
	const heading = HEADING.exec(source);
	if (heading) {
		const style: Style =
			heading[1] === "#" ? { ...ACCENT, bold: true, underline: true } : { ...ACCENT, bold: true };
		return wrapLine(renderInline(heading[2]!, style), width);
	}
	if (RULE.test(source)) return [[{ text: "─".repeat(Math.min(width, 40)), style: DIM }]];
	const quote = QUOTE.exec(source);
	if (quote) {
		const inside = Math.max(2, width - 2);
		// Quotes in quotes would leave no room for their text.
		const inner =
			width < LEAST_QUOTE ? wrapLine(renderInline(quote[1]!), inside) : textLines(quote[1]!, inside);
		return inner.map((row) => [{ text: "│ ", style: DIM }, ...row]);
	}
	const item = ITEM.exec(source);
	if (item) return itemLines(item, width);
	return wrapLine(renderInline(source), width);
}

function itemLines(item: RegExpExecArray, width: number): StyledLine[] {
	const depth = Math.min(displayWidth(item[1]!.replaceAll("\t", "    ")), Math.floor(width / 2));
	const bullet = /\d/.test(item[2]!) ? item[2]! : "•";
	const task = TASK.exec(item[3] ?? "");
	const box = task ? (task[1] === " " ? "☐ " : "☑ ") : "";
	const head: Span = { text: `${" ".repeat(depth)}${bullet} `, style: ACCENT };
	const body = renderInline((item[3] ?? "").replace(TASK, ""));
	const spans = box === "" ? [head, ...body] : [head, { text: box }, ...body];
	return wrapLine(spans, width, { indent: displayWidth(head.text) + displayWidth(box) });
}
