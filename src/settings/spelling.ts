// Finds the right word that a mistyped one most likely meant, for flags, commands and settings keys.
// Pure; it only offers, it never corrects in silence.

/**
 * The word of `words` nearest to `typed`, without letter case, or undefined where none is near: one slip is forgiven in
 * words of up to four letters, two in longer ones, three from nine letters on. The first of equally near words wins.
 */
export function nearestWord(typed: string, words: readonly string[]): string | undefined {
	const wanted = typed.toLowerCase();
	const allowed = wanted.length <= 4 ? 1 : wanted.length <= 8 ? 2 : 3;
	let best: string | undefined;
	let bestSlips = allowed + 1;
	for (const word of words) {
		if (Math.abs(word.length - wanted.length) > allowed) continue;
		const slips = countSlips(wanted, word.toLowerCase());
		if (slips < bestSlips) {
			best = word;
			bestSlips = slips;
		}
	}
	return best;
}

/** Letters added, dropped, changed, or swapped with a neighbour (optimal string alignment distance). */
function countSlips(from: string, to: string): number {
	let beforeLast: number[] = [];
	let last = Array.from({ length: to.length + 1 }, (_, column) => column);
	for (let row = 1; row <= from.length; row++) {
		const current = [row];
		for (let column = 1; column <= to.length; column++) {
			const same = from[row - 1] === to[column - 1];
			let slips = Math.min(last[column]! + 1, current[column - 1]! + 1, last[column - 1]! + (same ? 0 : 1));
			const swapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
			if (row > 1 && column > 1 && swapped) slips = Math.min(slips, beforeLast[column - 2]! + 1);
			current.push(slips);
		}
		beforeLast = last;
		last = current;
	}
	return last[to.length]!;
}
