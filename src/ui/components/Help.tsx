// The keys and commands, over the input line.

import type { ReactNode } from "react";
import { countOf } from "../view/format.ts";
import type { HelpRow } from "../view/inputView.ts";
import { ACCENT, DIM, type StyledLine } from "../view/style.ts";
import { cutLine, displayWidth } from "../view/wrap.ts";
import { Lines } from "./Lines.tsx";

const GAP = 2;

/** A row each: the keys, then what they do. */
export function helpLines(help: readonly HelpRow[], width: number): StyledLine[] {
	const column = Math.min(
		Math.floor(width / 2),
		Math.max(0, ...help.map((row) => displayWidth(row.keys))) + GAP,
	);
	return help.map(({ keys, does }) => {
		const gap = " ".repeat(Math.max(1, column - displayWidth(keys)));
		return cutLine([{ text: keys, style: ACCENT }, { text: gap }, { text: does }], width);
	});
}

/** Draws the first `rows` of them; what does not fit is counted. */
export function Help({
	help,
	width,
	rows,
}: {
	help: readonly HelpRow[];
	width: number;
	rows: number;
}): ReactNode {
	const lines = helpLines(help, width);
	if (lines.length <= rows) return <Lines lines={lines} />;
	const shown = lines.slice(0, Math.max(0, rows - 1));
	const told = `… ${countOf(lines.length - shown.length, "more row")}: /help prints all`;
	return (
		<Lines lines={[...shown, cutLine([{ text: told, style: DIM }], width)].slice(0, Math.max(0, rows))} />
	);
}
