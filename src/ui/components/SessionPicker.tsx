// A list with a search over the input line: sessions to go on with, models to choose from.

import type { ReactNode } from "react";
import type { PickerView } from "../view/inputView.ts";
import { choiceLines, type Layout } from "../view/layout.ts";
import { ACCENT, BOLD, DIM, type StyledLine } from "../view/style.ts";
import { cutLine, lineWidth } from "../view/wrap.ts";
import { Lines } from "./Lines.tsx";

/** Rows of the list that are shown at most. */
const MAX_ITEMS = 12;

/** The picker in at most `rows` rows: its search first, then the list, then what to press. */
export function pickerLayout(picker: PickerView, width: number, rows: number): Layout {
	const search: StyledLine = [
		{ text: `${picker.title}: `, style: BOLD },
		{ text: picker.query, style: ACCENT },
	];
	const items = Math.min(MAX_ITEMS, Math.max(1, picker.items.length));
	const hasHint = rows >= items + 2;
	const list: StyledLine[] =
		picker.items.length === 0
			? [[{ text: "  (nothing found)", style: DIM }]]
			: choiceLines(picker.items, picker.selected, width, Math.min(items, rows - (hasHint ? 2 : 1)), false);
	const hint: StyledLine = [
		{ text: `${picker.items.length} found, Enter takes, Esc leaves, letters search`, style: DIM },
	];
	const lines = [cutLine(search, width), ...list, ...(hasHint ? [cutLine(hint, width)] : [])];
	return {
		lines: lines.slice(0, Math.max(0, rows)),
		cursor: { x: Math.min(width, lineWidth(search)), y: 0 },
	};
}

/** Rows that the picker wants. */
export function pickerHeight(picker: PickerView): number {
	return Math.min(MAX_ITEMS, Math.max(1, picker.items.length)) + 2;
}

/** Draws the picker. */
export function SessionPicker({
	picker,
	width,
	rows,
}: {
	picker: PickerView;
	width: number;
	rows: number;
}): ReactNode {
	return <Lines lines={pickerLayout(picker, width, rows).lines} />;
}
