// Ink takes its last frame away from the bottom up: cursor down to the last row, then line by line. A terminal that lost
// height has dropped rows below the cursor, so that this way ends too high and erases transcript. From the cursor up it is
// right whatever happened below, and it takes fewer bytes.

/** The cursor back to the bottom, where it was shown, and then `ansi-escapes`' `eraseLines`. */
const FROM_BOTTOM = /^((?:\x1b\[\?25l)?)(?:(?:\x1b\[(\d+)B)?\x1b\[1G)?((?:\x1b\[2K\x1b\[1A)*)\x1b\[2K\x1b\[G/;
const ROW = "\x1b[2K\x1b[1A";

/** `piece` of Ink's output, with the erasing at its beginning made relative to the cursor. */
export function eraseFromCursor(piece: string): string {
	return piece.replace(FROM_BOTTOM, (whole, hide: string, down: string | undefined, lines: string) => {
		const up = lines.length / ROW.length - Number(down ?? 0);
		return up < 0 ? whole : `${hide}${up > 0 ? `\x1b[${up}A` : ""}\r\x1b[J`;
	});
}
