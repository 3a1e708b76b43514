// A question of the model to the person: its words, the answers to choose from or a field. A secret answer is drawn as dots.

import type { ReactNode } from "react";
import { fitHeight } from "../view/fitHeight.ts";
import type { DialogView, EditorRows } from "../view/inputView.ts";
import { choiceLines, editorLayout, type Layout } from "../view/layout.ts";
import type { PromptView } from "../view/state.ts";
import { ACCENT, DIM, type StyledLine } from "../view/style.ts";
import { textRows } from "../view/transcript.ts";
import { cutLine, displayWidth } from "../view/wrap.ts";
import { Lines } from "./Lines.tsx";

export type QuestionView = PromptView & { kind: "question" };

const ENTRY_MARK = "> ";

/** Rows without which nobody could answer. */
export function questionLeast(dialog: DialogView): number {
	return 1 + Math.min(3, dialog.options.length) + (dialog.entry ? 1 : 0);
}

/** The question in at most `rows` rows. */
export function questionLayout(
	prompt: QuestionView,
	dialog: DialogView,
	width: number,
	rows: number,
): Layout {
	const asked = textRows(`? ${prompt.question}`, width, { ...ACCENT, bold: true });
	const entry = dialog.entry && (dialog.entry.isSecret ? hidden(dialog.entry) : dialog.entry);
	const heights = fitHeight<string>(
		[
			{ name: "entry", least: 1, wanted: Math.min(4, entry?.rows.length ?? 0) },
			{ name: "options", least: Math.min(3, dialog.options.length), wanted: dialog.options.length },
			{ name: "question", least: 1, wanted: asked.length },
			{ name: "hint", least: 1, wanted: dialog.hint === "" ? 0 : 1 },
		],
		rows,
	);
	const height = (name: string) => heights.get(name) ?? 0;
	const options = dialog.options.map((label) => ({ label }));
	const above = [
		...asked.slice(0, height("question")),
		...choiceLines(options, dialog.selected, width, height("options"), true),
	];
	const typed: Layout = entry ? editorLayout(entry, ENTRY_MARK, height("entry")) : { lines: [] };
	const below: StyledLine[] = height("hint") > 0 ? [cutLine([{ text: dialog.hint, style: DIM }], width)] : [];
	const lines = [...above, ...typed.lines, ...below];
	if (!typed.cursor) return { lines };
	return { lines, cursor: { x: typed.cursor.x, y: typed.cursor.y + above.length } };
}

/** Draws the question. */
export function Question({
	prompt,
	dialog,
	width,
	rows,
}: {
	prompt: QuestionView;
	dialog: DialogView;
	width: number;
	rows: number;
}): ReactNode {
	return <Lines lines={questionLayout(prompt, dialog, width, rows).lines} />;
}

function hidden(entry: EditorRows): EditorRows {
	return { ...entry, rows: entry.rows.map((row) => "•".repeat(displayWidth(row))) };
}
