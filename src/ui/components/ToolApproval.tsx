// The question whether a call may run: who asks for what, the whole command or change, why it is asked, the answers.
// What the dialog cannot hold is counted, and Ctrl+O prints it whole.

import type { ReactNode } from "react";
import { type DiffParts, partStarts, renderDiff } from "../view/diff.ts";
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
	const place = prompt.place
		? wrapLine([{ text: prompt.place.text, style: prompt.place.isFree ? WARN : DIM }], width)
		: [];
	const shown = shownBody(prompt, dialog);
	const body = bodyLines(shown, width - 2, rows);
	const entry = dialog.entry ? editorLayout(dialog.entry, ENTRY_MARK, dialog.entry.rows.length) : undefined;
	const heights = fitHeight<string>(
		[
			{ name: "options", least: dialog.options.length, wanted: dialog.options.length },
			{ name: "entry", least: 1, wanted: Math.min(4, entry?.lines.length ?? 0) },
			{ name: "head", least: 1, wanted: Math.min(2, head.length) },
			{ name: "body", least: 1, wanted: 1 },
			{ name: "why", least: 1, wanted: Math.min(3, why.length) },
			{ name: "place", least: 1, wanted: Math.min(2, place.length) },
			{ name: "hint", least: 1, wanted: dialog.hint === "" ? 0 : 1 },
			{ name: "moreBody", least: 0, wanted: Math.max(0, body.length - 1) },
		],
		rows,
	);
	const height = (name: string) => heights.get(name) ?? 0;
	const fitting = bodyLines(shown, width - 2, height("body") + height("moreBody"));
	const above: StyledLine[] = [
		...head.slice(0, height("head")),
		...fitting.map((row): StyledLine => [{ text: "  " }, ...row]),
		...place.slice(0, height("place")),
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

/** What is to be seen of the call: its text as lines, and what a person made of its parts. */
interface Body {
	lines: readonly string[];
	kind: ApprovalView["bodyKind"];
	parts?: DiffParts & { above: number };
}

/** The text that would be written, where the person changed it; else the change, from the marked part on. */
function shownBody(prompt: ApprovalView, { parts, amended }: DialogView): Body {
	if (amended !== undefined)
		return { lines: ["Your text instead:", ...amended.trimEnd().split("\n")], kind: "plain" };
	const lines = prompt.body.trimEnd().split("\n");
	const kind = prompt.bodyKind;
	if (kind !== "diff" || !parts) return { lines, kind };
	const starts = partStarts(lines);
	const from = starts[parts.marked];
	const head = starts[0] ?? 0;
	if (from === undefined || from === head) return { lines, kind, parts: { ...parts, first: 0, above: 0 } };
	return {
		lines: [...lines.slice(0, head), ...lines.slice(from)],
		kind,
		parts: { ...parts, first: parts.marked, above: parts.marked },
	};
}

/** What would run, in at most `rows` rows; a long one keeps its beginning and says how much is left. */
function bodyLines(body: Body, width: number, rows: number): StyledLine[] {
	const source = body.lines;
	// Not every line of a diff takes a row.
	const most = body.kind === "diff" ? 2 * rows : rows;
	let count = Math.min(source.length, Math.max(0, most));
	let lines = renderBody(body, width, count, rows);
	while (lines.length > rows && count > 0) {
		count = Math.max(0, count - Math.max(1, lines.length - rows));
		lines = renderBody(body, width, count, rows);
	}
	if (count > 0 || rows <= 0) return rows <= 0 ? [] : lines;
	// Not even its first line fits.
	const beginning = textRows(source[0]!.slice(0, rows * width), width).slice(0, rows - 1);
	return [...beginning, toldLine(countOf(source.length, "line"), " in all", width)];
}

function renderBody(body: Body, width: number, count: number, rows: number): StyledLine[] {
	const source = body.lines;
	if (body.kind === "diff") {
		const drawn = renderDiff(source.join("\n"), width, count, HINT, body.parts);
		const above = body.parts?.above ?? 0;
		return above === 0 ? drawn : [toldLine(countOf(above, "part"), " above", width), ...drawn];
	}
	// A row holds at most `width` letters: what stands further on in a line cannot be on the screen.
	const shown = source.slice(0, count).map((row) => row.slice(0, (rows + 1) * width * LONGEST_LETTER));
	const left = source.length - shown.length;
	const told = left > 0 ? [toldLine(countOf(left, "more line"), "", width)] : [];
	return [...(count > 0 ? textRows(shown.join("\n"), width) : []), ...told];
}

function toldLine(count: string, rest: string, width: number): StyledLine {
	return cutLine([{ text: `… ${count}${rest}${HINT}`, style: DIM }], width);
}
