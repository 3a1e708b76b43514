// How many rows each part of the live area gets where the screen has too few for all. The sum never exceeds the room:
// a live area as high as the screen would make every redraw scroll.

/** A part that wants rows. The list's order is who is served first. */
export interface HeightWish<Name extends string = string> {
	name: Name;
	/** Rows that show all of it; 0: it has nothing to show. */
	wanted: number;
	/** Rows below which it says nothing. */
	least: number;
}

/** Rows for each part: first its least in the order of the list, then what is left up to its wish, again in order. */
export function fitHeight<Name extends string>(
	wishes: readonly HeightWish<Name>[],
	room: number,
): Map<Name, number> {
	const given = new Map<Name, number>(wishes.map(({ name }) => [name, 0]));
	let left = Math.max(0, Math.floor(room));
	for (const limit of ["least", "wanted"] as const) {
		for (const wish of wishes) {
			const has = given.get(wish.name) ?? 0;
			const more = Math.min(left, Math.min(wish[limit], wish.wanted) - has);
			if (more <= 0) continue;
			given.set(wish.name, has + more);
			left -= more;
		}
	}
	return given;
}

/** The last `rows` of `lines`; all of them where they fit. */
export function keepTail<T>(lines: readonly T[], rows: number): readonly T[] {
	return lines.length <= rows ? lines : lines.slice(lines.length - Math.max(0, rows));
}
