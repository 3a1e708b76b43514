// Finds the few commits of a log whose texts stand in blobs by its bytes alone, so that nobody has to walk through all
// the others. It may name a commit too many, never one too few.

/** How `session/largeText.ts` marks a text that stands outside, and what only looks like such a mark. */
const MARKS = ['"$blob"', '"$literal"'];

const NEWLINE = 10;
const HEAD = /^\{"v":\d+,"seq":(\d+),/;
const LONGEST_HEAD = 48;

/** The numbers of the commits in which a mark may stand; undefined where that cannot be told. */
export function commitsWithMarks(bytes: Buffer): ReadonlySet<number> | undefined {
	const seqs = new Set<number>();
	for (const mark of MARKS) {
		for (let at = bytes.indexOf(mark); at >= 0; ) {
			const start = bytes.lastIndexOf(NEWLINE, at) + 1;
			const seq = HEAD.exec(bytes.toString("latin1", start, start + LONGEST_HEAD))?.[1];
			if (seq === undefined) return undefined;
			seqs.add(Number(seq));
			const end = bytes.indexOf(NEWLINE, at);
			at = end < 0 ? -1 : bytes.indexOf(mark, end);
		}
	}
	return seqs;
}
