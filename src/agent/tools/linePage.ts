// Pages of lines, as tools show them: bounded in lines and in letters. Pure.

/** Letters of one line that are shown at most. */
export const MAX_LINE_LENGTH = 2_000;

/** Leaves room for the last line within the bound of all results. */
const MAX_PAGE_LENGTH = 48_000;

/** As many lines from `offset` on as `limit` and the bound in letters allow, at least one; each as `show` gives it. */
export function takePage<T>(
	lines: readonly T[],
	offset: number,
	limit: number,
	show: (line: T) => string,
): string[] {
	const page: string[] = [];
	let length = 0;
	for (const line of lines.slice(offset, offset + limit)) {
		const shown = show(line);
		length += shown.length + 1;
		if (page.length > 0 && length > MAX_PAGE_LENGTH) break;
		page.push(shown);
	}
	return page;
}

/** Which lines of `total` a page holds, and how to see more; `what` names them. */
export function pageNote(offset: number, shown: number, total: number, what = "lines"): string {
	const end = offset + shown;
	const last = what === "lines" ? "End of file." : "There are no more.";
	return `[Showing ${what} ${offset + 1}-${end} of ${total}. ${end < total ? "Use offset to read more." : last}]`;
}

/** The lines of a text; one that is too long to be shown is broken, so that everything can be reached by a number. */
export function breakLines(text: string): string[] {
	return text.split(/\r?\n/).flatMap((line) => {
		if (line.length <= MAX_LINE_LENGTH) return [line];
		const pieces: string[] = [];
		for (let at = 0; at < line.length; ) {
			const isHalf = /[\ud800-\udbff]/.test(line[at + MAX_LINE_LENGTH - 1] ?? "");
			const end = at + MAX_LINE_LENGTH - (isHalf ? 1 : 0);
			pieces.push(line.slice(at, end));
			at = end;
		}
		return pieces;
	});
}
