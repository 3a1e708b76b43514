// Ink takes its last frame away from the bottom up: cursor down to the last row, then line by line. A terminal that lost
// height has dropped rows below the cursor, so that this way ends too high and erases transcript. From the cursor up it is
// right whatever happened below, and it takes fewer bytes.

/** The cursor back to the bottom, where it was shown, and then `ansi-escapes`' `eraseLines`. */
const FROM_BOTTOM = /^((?:\x1b\[\?25l)?)(?:(?:\x1b\[(\d+)B)?\x1b\[1G)?((?:\x1b\[2K\x1b\[1A)*)\x1b\[2K\x1b\[G/;
const ROW = "\x1b[2K\x1b[1A";

/**
 * Erases from the cursor's row to the end; the cursor stands at the row's beginning. Not from the first column: tmux takes
 * an erasing of the whole screen for a wish to keep it, and would put every frame into its history.
 */
export const ERASE_BELOW = "\r\x1b[K\x1b[C\x1b[J\r";

/** Ink's own way to erase all below, from a row's first column or from the screen's first row. */
const FROM_ROW = /(\x1b\[1G|\x1b\[1;1H)\x1b\[J/g;

/** `piece` of Ink's output, with the erasing at its beginning made relative to the cursor. */
export function eraseFromCursor(piece: string): string {
	const tamed = piece.replace(FROM_ROW, (_, place: string) => `${place}${ERASE_BELOW}`);
	return tamed.replace(FROM_BOTTOM, (whole, hide: string, down: string | undefined, lines: string) => {
		const up = lines.length / ROW.length - Number(down ?? 0);
		return up < 0 ? whole : `${hide}${up > 0 ? `\x1b[${up}A` : ""}${ERASE_BELOW}`;
	});
}
