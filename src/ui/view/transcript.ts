// Adds to the transcript: blocks that never change once they are there, and the texts that were shown in part.

import { visibleText } from "../visibleText.ts";
import { renderDiff } from "./diff.ts";
import { countOf } from "./format.ts";
import { finishMarkdown, MARKDOWN_START, renderMarkdownLine } from "./markdown.ts";
import type { BlockKind, Folded, ViewState } from "./state.ts";
import { DIM, type Style, type StyledLine } from "./style.ts";
import { wrapLine } from "./wrap.ts";

/** How many folded texts can still be unfolded, and how long each may be, in letters. */
const MAX_FOLDED = 50;
const MAX_FOLDED_LENGTH = 200_000;

/** Columns of a row: the last one stays free, since some terminals wrap early there. */
export function textColumns(view: Pick<ViewState, "size">): number {
	return Math.max(2, view.size.columns - 1);
}

/** The view with `lines` as a new block; an empty line parts it from a block of another kind. */
export function pushBlock(view: ViewState, kind: BlockKind, lines: readonly StyledLine[]): ViewState {
	if (lines.length === 0) return view;
	const last = view.blocks.at(-1);
	const isApart = last !== undefined && (last.kind !== kind || kind === "person" || kind === "unfolded");
	const block = { id: view.blocks.length, kind, lines: isApart ? [[], ...lines] : lines };
	return { ...view, blocks: [...view.blocks, block] };
}

/** A note of agi itself, in `style`. */
export function pushNote(view: ViewState, text: string, style: Style = DIM): ViewState {
	return pushBlock(view, "note", textRows(visibleText(text), textColumns(view), style));
}

/** What a person said, behind a mark; `attached` is what came with it, in words. */
export function pushPersonText(view: ViewState, text: string, attached?: string): ViewState {
	const rows = textRows(visibleText(text), textColumns(view) - 2, { bold: true });
	const marked = rows.map((row, i): StyledLine => [{ text: i === 0 ? "> " : "  ", style: DIM }, ...row]);
	const more = attached === undefined ? [] : textRows(visibleText(attached), textColumns(view) - 2, DIM);
	return pushBlock(view, "person", [...marked, ...more.map((row): StyledLine => [{ text: "  " }, ...row])]);
}

/** A whole Markdown text as rows; for texts that did not stream. */
export function markdownRows(text: string, width: number): StyledLine[] {
	const lines: StyledLine[] = [];
	let state = MARKDOWN_START;
	for (const source of visibleText(text).split("\n")) {
		const rendered = renderMarkdownLine(state, source, width);
		lines.push(...rendered.lines);
		state = rendered.state;
	}
	return [...lines, ...finishMarkdown(state, width)];
}

/** Filtered text of several lines as rows in one style; line ends at its end are dropped. */
export function textRows(text: string, width: number, style?: Style): StyledLine[] {
	return text
		.trimEnd()
		.split("\n")
		.flatMap((row) => wrapLine(row === "" ? [] : [{ text: row, style }], width));
}

/** Keeps a text that was shown in part. */
export function keepFolded(view: ViewState, folded: Folded): ViewState {
	const kept = { ...folded, text: folded.text.slice(0, MAX_FOLDED_LENGTH) };
	return { ...view, folded: [...view.folded, kept].slice(-MAX_FOLDED) };
}

/** Prints the newest folded text whole and takes it off the list; an open question's body comes first. */
export function unfold(view: ViewState): ViewState {
	const prompt = view.prompts[0];
	if (prompt?.kind === "approval") {
		const { body, bodyKind, toolName } = prompt;
		return printWhole(view, { title: toolName, text: body, kind: bodyKind });
	}
	const last = view.folded.at(-1);
	return last ? printWhole({ ...view, folded: view.folded.slice(0, -1) }, last) : view;
}

/** Prints a text whole. */
export function printWhole(view: ViewState, folded: Folded): ViewState {
	const width = textColumns(view);
	const rows =
		folded.kind === "diff"
			? renderDiff(folded.text, width, Number.POSITIVE_INFINITY, "")
			: textRows(folded.text, width, folded.kind === "reasoning" ? { dim: true, italic: true } : undefined);
	const count = countOf(folded.text.trimEnd().split("\n").length, "line");
	const head: StyledLine[] = wrapLine([{ text: `── ${folded.title}, ${count}`, style: DIM }], width);
	return pushBlock(view, "unfolded", [...head, ...rows]);
}
