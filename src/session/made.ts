// The numbers in ids. The copy of a damaged log may lack some, or know them by their end alone, so the next id goes by the
// highest that was ever named and not by how many there are. Pure.

/** The number of the newest id of a kind: that of `id` (`step-7` has 7), or one more than `before` where that is more. */
export function newestNumber(before: number, id: string): number {
	return Math.max(before + 1, numberOf(id));
}

/** The highest number of a kind once `id` was named: its own, or `before`. */
export function highestNumber(before: number, id: string): number {
	return Math.max(before, numberOf(id));
}

function numberOf(id: string): number {
	const own = Number(id.slice(id.lastIndexOf("-") + 1));
	return Number.isSafeInteger(own) ? own : 0;
}
