// Which line of a new text stands in the place of which old one, so that it can have that line's end. Pure.

/** Beyond this many comparisons lines are paired by their order alone. */
const MOST_COMPARED = 1_000_000;

/**
 * For each line of `after` the index of the line of `before` in whose place it stands: an equal line for one that stays;
 * between those, the first new line for the first old one and so on. Undefined for a line that is added. The indexes rise.
 */
export function linePlaces(before: readonly string[], after: readonly string[]): (number | undefined)[] {
	const places: (number | undefined)[] = after.map(() => undefined);
	let old = 0;
	let made = 0;
	for (const [oldStay, madeStay] of [...staying(before, after), [before.length, after.length] as const]) {
		for (; old < oldStay && made < madeStay; old++, made++) places[made] = old;
		places[madeStay] = oldStay;
		old = oldStay + 1;
		made = madeStay + 1;
	}
	return places.slice(0, after.length);
}

/** The index pairs of a longest common subsequence, rising. */
function staying(before: readonly string[], after: readonly string[]): [number, number][] {
	const shorter = Math.min(before.length, after.length);
	let head = 0;
	while (head < shorter && before[head] === after[head]) head += 1;
	let tail = 0;
	while (tail < shorter - head && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
	const first = Array.from({ length: head }, (_, at): [number, number] => [at, at]);
	const middle = commonLines(
		before.slice(head, before.length - tail),
		after.slice(head, after.length - tail),
	).map(([old, made]): [number, number] => [old + head, made + head]);
	const last = Array.from({ length: tail }, (_, at): [number, number] => [
		before.length - tail + at,
		after.length - tail + at,
	]);
	return [...first, ...middle, ...last];
}

function commonLines(before: readonly string[], after: readonly string[]): [number, number][] {
	if (before.length * after.length > MOST_COMPARED) return [];
	const width = after.length + 1;
	// longest[old * width + made]: of the lines from there on.
	const longest = new Uint32Array((before.length + 1) * width);
	for (let old = before.length - 1; old >= 0; old--) {
		for (let made = after.length - 1; made >= 0; made--) {
			const at = old * width + made;
			longest[at] =
				before[old] === after[made]
					? longest[at + width + 1]! + 1
					: Math.max(longest[at + width]!, longest[at + 1]!);
		}
	}
	const pairs: [number, number][] = [];
	let old = 0;
	let made = 0;
	while (old < before.length && made < after.length) {
		const at = old * width + made;
		if (before[old] === after[made]) pairs.push([old++, made++]);
		else if (longest[at + width]! >= longest[at + 1]!) old += 1;
		else made += 1;
	}
	return pairs;
}
