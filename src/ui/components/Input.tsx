// The input line: what is being typed, or what can be typed. The cursor's place comes with it, so that an input method
// opens where the letters will be.

import type { ReactNode } from "react";
import type { InputView } from "../view/inputView.ts";
import { choiceLines, editorLayout, type Layout } from "../view/layout.ts";
import { ACCENT, DIM, type StyledLine, WARN } from "../view/style.ts";
import { cutLine } from "../view/wrap.ts";
import { Lines } from "./Lines.tsx";

const MARK = "> ";
const MAX_CHOICES = 8;

/** What the input line draws of the person's side. */
export type InputFacts = Pick<InputView, "editor" | "isEmpty" | "placeholder">;

/** The editor in at most `rows` rows, or its placeholder. */
export function inputLayout(input: InputFacts, width: number, rows: number): Layout {
	if (!input.isEmpty) return editorLayout(input.editor, MARK, rows);
	const spans = [
		{ text: MARK, style: ACCENT },
		{ text: input.placeholder, style: DIM },
	];
	return { lines: rows > 0 ? [cutLine(spans, width)] : [], cursor: { x: MARK.length, y: 0 } };
}

/** What stands below the editor: a search in the history, or the list that completes what is typed. */
export function paletteLines(
	{ palette, search }: Pick<InputView, "palette" | "search">,
	width: number,
	rows: number,
): StyledLine[] {
	if (search) {
		const found = search.isFound ? "" : "  (nothing found)";
		const spans = [{ text: "history: ", style: DIM }, { text: search.query }, { text: found, style: WARN }];
		return rows > 0 ? [cutLine(spans, width)] : [];
	}
	if (!palette || palette.items.length === 0) return [];
	const wanted = Math.min(palette.items.length, MAX_CHOICES);
	const hasMore = palette.items.length > MAX_CHOICES;
	const lines = choiceLines(palette.items, palette.selected, width, Math.min(wanted, rows), false);
	if (hasMore && rows > wanted)
		lines.push([{ text: `  ${palette.selected + 1} of ${palette.items.length}`, style: DIM }]);
	return lines;
}

/** Draws the editor in `rows` rows. */
export function Input({ input, width, rows }: { input: InputFacts; width: number; rows: number }): ReactNode {
	return <Lines lines={inputLayout(input, width, rows).lines} />;
}

/** Draws what stands below it. */
export function Palette({
	input,
	width,
	rows,
}: {
	input: Pick<InputView, "palette" | "search">;
	width: number;
	rows: number;
}): ReactNode {
	return <Lines lines={paletteLines(input, width, rows)} />;
}
