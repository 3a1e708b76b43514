// The question whether a call may run: who asks for what, the whole command or change, why it is asked, the answers.
// What the dialog cannot hold is counted, and Ctrl+O prints it whole.

import type { ReactNode } from "react";
import { renderDiff } from "../view/diff.ts";
import { fitHeight } from "../view/fitHeight.ts";
import { countOf } from "../view/format.ts";
import type { DialogView } from "../view/inputView.ts";
import { choiceLines, editorLayout, type Layout } from "../view/layout.ts";
import type { PromptView } from "../view/state.ts";
import { DIM, type StyledLine, WARN } from "../view/style.ts";
import { textRows } from "../view/transcript.ts";
import { cutLine, wrapLine } from "../view/wrap.ts";
import { Lines } from "./Lines.tsx";

export type ApprovalView = PromptView & { kind: "approval" };

const HINT = " (Ctrl+O shows all)";
const ENTRY_MARK = "> ";
/** UTF-16 units that one visible letter seldom exceeds. */
const LONGEST_LETTER = 8;

/** Rows without which nobody could answer rightly: the head, a line of what is asked for, the answers. */
export function approvalLeast(dialog: DialogView): number {
	return 2 + dialog.options.length + (dialog.entry ? 1 : 0);
}

/** The dialog in at most `rows` rows. */
export function approvalLayout(
	prompt: ApprovalView,
	dialog: DialogView,
	width: number,
	rows: number,
): Layout {
	const head = wrapLine(
		[{ text: `${prompt.agent} asks to run ${prompt.toolName}`, style: { ...WARN, bold: true } }],
		width,
	);
	const why = wrapLine([{ text: `Why you are asked: ${prompt.reason}`, style: DIM }], width);
	const body = bodyLines(prompt, width - 2, rows);
	const entry = dialog.entry ? editorLayout(dialog.entry, ENTRY_MARK, dialog.entry.rows.length) : undefined;
	const heights = fitHeight<string>(
		[
			{ name: "options", least: dialog.options.length, wanted: dialog.options.length },
			{ name: "entry", least: 1, wanted: Math.min(4, entry?.lines.length ?? 0) },
			{ name: "head", least: 1, wanted: Math.min(2, head.length) },
			{ name: "body", least: 1, wanted: 1 },
			{ name: "why", least: 1, wanted: Math.min(3, why.length) },
			{ name: "hint", least: 1, wanted: dialog.hint === "" ? 0 : 1 },
			{ name: "moreBody", least: 0, wanted: Math.max(0, body.length - 1) },
		],
		rows,
	);
	const height = (name: string) => heights.get(name) ?? 0;
	const shownBody = bodyLines(prompt, width - 2, height("body") + height("moreBody"));
	const above: StyledLine[] = [
		...head.slice(0, height("head")),
		...shownBody.map((row): StyledLine => [{ text: "  " }, ...row]),
		...why.slice(0, height("why")),
		...choiceLines(
			dialog.options.map((label) => ({ label })),
			dialog.selected,
			width,
			height("options"),
			true,
		),
	];
	const typed = dialog.entry ? editorLayout(dialog.entry, ENTRY_MARK, height("entry")) : { lines: [] };
	const below: StyledLine[] = height("hint") > 0 ? [cutLine([{ text: dialog.hint, style: DIM }], width)] : [];
	const lines = [...above, ...typed.lines, ...below];
	if (!typed.cursor) return { lines };
	return { lines, cursor: { x: typed.cursor.x, y: typed.cursor.y + above.length } };
}

/** Draws the dialog. */
export function ToolApproval({
	prompt,
	dialog,
	width,
	rows,
}: {
	prompt: ApprovalView;
	dialog: DialogView;
	width: number;
	rows: number;
}): ReactNode {
	return <Lines lines={approvalLayout(prompt, dialog, width, rows).lines} />;
}

/** What would run, in at most `rows` rows; a long one keeps its beginning and says how much is left. */
function bodyLines(prompt: ApprovalView, width: number, rows: number): StyledLine[] {
	const source = prompt.body.trimEnd().split("\n");
	let count = Math.min(source.length, Math.max(0, rows));
	let lines = renderBody(prompt, source, width, count, rows);
	while (lines.length > rows && count > 0) {
		count = Math.max(0, count - Math.max(1, lines.length - rows));
		lines = renderBody(prompt, source, width, count, rows);
	}
	if (count > 0 || rows <= 0) return rows <= 0 ? [] : lines;
	// Not even its first line fits.
	const beginning = textRows(source[0]!.slice(0, rows * width), width).slice(0, rows - 1);
	return [...beginning, toldLine(countOf(source.length, "line"), " in all", width)];
}

function renderBody(
	prompt: ApprovalView,
	source: readonly string[],
	width: number,
	count: number,
	rows: number,
): StyledLine[] {
	if (prompt.bodyKind === "diff") return renderDiff(prompt.body, width, count, HINT);
	// A row holds at most `width` letters: what stands further on in a line cannot be on the screen.
	const shown = source.slice(0, count).map((row) => row.slice(0, (rows + 1) * width * LONGEST_LETTER));
	const left = source.length - shown.length;
	const told = left > 0 ? [toldLine(countOf(left, "more line"), "", width)] : [];
	return [...(count > 0 ? textRows(shown.join("\n"), width) : []), ...told];
}

function toldLine(count: string, rest: string, width: number): StyledLine {
	return cutLine([{ text: `… ${count}${rest}${HINT}`, style: DIM }], width);
}
