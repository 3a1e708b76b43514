// Cuts a text or bytes into pieces of the given sizes, the rest as the last one.

/** The pieces, in order; joined they are the whole. */
export function cut<T extends { length: number; slice(start: number, end?: number): T }>(
	whole: T,
	sizes: number[],
): T[] {
	const pieces: T[] = [];
	let at = 0;
	for (const size of sizes) {
		pieces.push(whole.slice(at, at + size));
		at += size;
	}
	return [...pieces, whole.slice(at)];
}
