// The transcript: each block is printed once, above everything else, and then belongs to the terminal. It has no component:
// Ink would lay out and take apart for a second time what is rows already, and that was most of what a long answer costs.

import type { Block } from "../view/state.ts";
import { type ColourLevel, paint } from "../view/style.ts";

/** The rows of blocks as the terminal takes them. */
export function messageRows(blocks: readonly Block[], level: ColourLevel): string[] {
	return blocks.flatMap(({ lines }) => lines.map((line) => paint(line, level)));
}

/** The last `most` rows of them. */
export function lastRows(blocks: readonly Block[], most: number, level: ColourLevel): string[] {
	// No block is empty.
	return most > 0 ? messageRows(blocks.slice(-most), level).slice(-most) : [];
}
