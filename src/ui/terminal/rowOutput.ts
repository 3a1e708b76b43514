// What Ink draws a frame into, in place of its own: that is a grid of cells, an object each, for which every text is taken
// apart twice, and that was most of what a frame costs. scripts/build.mjs puts this under its name into Ink's code. It does
// what the live area asks of it: texts come from left to right, never overlap and are never clipped.

import { columnsOf } from "../input/graphemes.ts";

const STYLES = /\x1b\[[0-?]*[ -/]*[@-~]/g;

interface RowOutput {
	/** Puts `text` at these cells, its further lines below each other. `transformers` change it line by line. */
	write(
		x: number,
		y: number,
		text: string,
		options: { transformers: readonly ((line: string, index: number) => string)[] },
	): void;
	/** The frame, its rows without blank ends. */
	get(): { output: string; height: number };
}

/** An empty frame of so many rows. Ink calls it with `new`. */
export function rowOutput({ height }: { height: number }): RowOutput {
	const rows = Array.from({ length: height }, () => "");
	return {
		write(x, y, text, { transformers }) {
			for (const [i, line] of text.split("\n").entries()) {
				const row = rows[y + i];
				if (row === undefined) continue;
				const gap = " ".repeat(Math.max(0, x - columnsOf(row.replace(STYLES, ""))));
				rows[y + i] = row + gap + transformers.reduce((changed, change) => change(changed, i), line);
			}
		},
		get: () => ({ output: rows.map((row) => row.trimEnd()).join("\n"), height }),
	};
}
