// How the screen gets from one frame of the live area to the next: only rows that differ are written, and what is printed
// goes above the area in the same bytes. Pure. All goes from the cursor on: a terminal that lost height has dropped rows
// below the cursor, so that nothing else is certain.

interface Place {
	/** Both from 0, from the area's top left. */
	readonly x: number;
	readonly y: number;
}

/** The live area as it stands on the screen. */
export interface Frame {
	/** Painted, each narrower than the screen. */
	readonly rows: readonly string[];
	/** Undefined: the cursor is hidden, in the row below the area. */
	readonly cursor: Place | undefined;
}

/** Nothing is there; the cursor stands where the area will begin. */
export const NO_FRAME: Frame = { rows: [], cursor: undefined };

/**
 * Erases from the cursor's row to the end; the cursor stands at the row's beginning. Not from the first column: tmux takes
 * an erasing of the whole screen for a wish to keep it, and would put every frame into its history.
 */
export const ERASE_BELOW = "\r\x1b[K\x1b[C\x1b[J\r";

const HIDE_CURSOR = "\x1b[?25l";
const SHOW_CURSOR = "\x1b[?25h";

/** What brings the screen from `before` to `after`, with the rows of `printed` above it from now on; "" where nothing does. */
export function frameBytes(before: Frame, after: Frame, printed: readonly string[] = []): string {
	const isWhole = printed.length > 0 || before.rows.length === 0 || after.rows.length === 0;
	if (isWhole) return wholeBytes(before, after, printed);
	const changed = changedBytes(before, after);
	const isShown = (frame: Frame) => frame.cursor !== undefined;
	return isShown(before) === isShown(after) ? changed : changed + cursorBytes(after);
}

/** A row stands below the area, so that what ends there scrolls at its end only. */
function wholeBytes(before: Frame, after: Frame, printed: readonly string[]): string {
	const rows = [...printed, ...after.rows].map((row) => `${row}\r\n`).join("");
	const below = { x: 0, y: after.rows.length };
	return moved(-restOf(before).y) + ERASE_BELOW + rows + movedTo(below, restOf(after)) + cursorBytes(after);
}

function changedBytes(before: Frame, after: Frame): string {
	let bytes = "";
	let at = restOf(before);
	const goTo = (y: number) => {
		bytes += `${moved(y - at.y)}\r`;
		at = { x: 0, y };
	};
	for (const [y, row] of after.rows.entries()) {
		if (row === before.rows[y]) continue;
		goTo(y);
		bytes += `\x1b[K${row}\r`;
		if (y < before.rows.length) continue;
		bytes += "\n";
		at = { x: 0, y: y + 1 };
	}
	if (after.rows.length < before.rows.length) {
		goTo(after.rows.length);
		bytes += ERASE_BELOW;
	}
	return bytes + movedTo(at, restOf(after));
}

/** Where the cursor is while a frame stands. */
function restOf({ rows, cursor }: Frame): Place {
	return cursor ?? { x: 0, y: rows.length };
}

function cursorBytes({ cursor }: Frame): string {
	return cursor ? SHOW_CURSOR : HIDE_CURSOR;
}

function movedTo(from: Place, to: Place): string {
	return moved(to.y - from.y) + (to.x === from.x ? "" : `\x1b[${to.x + 1}G`);
}

function moved(rows: number): string {
	if (rows === 0) return "";
	return rows < 0 ? `\x1b[${-rows}A` : `\x1b[${rows}B`;
}
