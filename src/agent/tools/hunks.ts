// A change in pieces: the hunks of a difference, and the text that comes of taking only some of them. Lines keep the ends
// they have.

/** One piece of a difference; lines count from 1, and begin with a blank, `-`, `+` or the mark for no newline at the end. */
export interface Hunk {
	oldStart: number;
	oldLines: number;
	newStart: number;
	newLines: number;
	lines: string[];
}

/** Lines around a change that belong to its hunk. */
const CONTEXT_LINES = 3;
const DIFF_TIME_MS = 300;
const MAX_DIFF_LENGTH = 2_000_000;

/** The hunks that make `after` of `before`, in order; undefined where the texts are too large or too different. */
export async function diffHunks(before: string, after: string): Promise<Hunk[] | undefined> {
	const { structuredPatch } = await import("diff");
	const part = differingPart(before, after);
	if (part.before.length + part.after.length > MAX_DIFF_LENGTH) return undefined;
	const options = { context: CONTEXT_LINES, timeout: DIFF_TIME_MS };
	const patch = structuredPatch("", "", part.before, part.after, undefined, undefined, options);
	return patch?.hunks.map((hunk) => ({
		...hunk,
		oldStart: hunk.oldStart + part.linesBefore,
		newStart: hunk.newStart + part.linesBefore,
	}));
}

/** `before` with those hunks carried out whose index is in `accepted`. */
export function applyHunks(before: string, hunks: readonly Hunk[], accepted: ReadonlySet<number>): string {
	const lines = before === "" ? [] : before.split(/(?<=\n)/);
	const made: string[] = [];
	let at = 0;
	for (const [index, hunk] of hunks.entries()) {
		if (!accepted.has(index)) continue;
		const start = Math.max(0, hunk.oldStart - 1);
		made.push(...lines.slice(at, start), ...newLines(hunk));
		at = start + hunk.oldLines;
	}
	return [...made, ...lines.slice(at)].join("");
}

/** A hunk as a person and a model read it. */
export function hunkText({ oldStart, oldLines, newStart, newLines: count, lines }: Hunk): string {
	return [`@@ -${oldStart},${oldLines} +${newStart},${count} @@`, ...lines].join("\n");
}

function newLines({ lines }: Hunk): string[] {
	return lines.flatMap((line, at) => {
		if (!/^[ +]/.test(line)) return [];
		return [`${line.slice(1)}${lines[at + 1]?.startsWith("\\") ? "" : "\n"}`];
	});
}

/** What is left of both texts without the lines that they share at their ends, but for the context of the diff. */
function differingPart(
	before: string,
	after: string,
): { before: string; after: string; linesBefore: number } {
	const shorter = Math.min(before.length, after.length);
	let head = 0;
	while (head < shorter && before[head] === after[head]) head += 1;
	head = lineStart(before, head);
	let tail = 0;
	while (tail < shorter - head && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
	for (let line = 0; line < CONTEXT_LINES; line++) head = lineStart(before, head - 1);
	let end = before.length - tail;
	// The first line end in the shared tail ends the last line that differs.
	for (let line = 0; line <= CONTEXT_LINES; line++) end = lineEnd(before, end);
	const rest = before.length - end;
	return {
		before: before.slice(head, end),
		after: after.slice(head, after.length - rest),
		linesBefore: countLines(before.slice(0, head)),
	};
}

function lineStart(text: string, at: number): number {
	return at <= 0 ? 0 : text.lastIndexOf("\n", at - 1) + 1;
}

function lineEnd(text: string, at: number): number {
	const end = text.indexOf("\n", at);
	return end < 0 ? text.length : end + 1;
}

/** Lines of a text; what follows the last newline is one only where it is not empty. */
export function countLines(text: string): number {
	const lines = text.split("\n").length;
	return text.endsWith("\n") || text === "" ? lines - 1 : lines;
}
