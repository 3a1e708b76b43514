// A change as a person reads it before it happens: a unified diff, bounded in lines, length and time.

const CONTEXT_LINES = 3;
const MAX_LINES = 400;
const MAX_LINE_LENGTH = 400;
const DIFF_TIME_MS = 300;
const MAX_DIFF_LENGTH = 2_000_000;

/**
 * The difference between two texts (LF line ends) under the name `path`; undefined stands for no file.
 * Never empty: equal texts are said to be equal.
 */
export async function previewDiff(
	path: string,
	before: string | undefined,
	after: string | undefined,
): Promise<string> {
	const head = [
		`--- ${before === undefined ? "(no file)" : path}`,
		`+++ ${after === undefined ? "(no file)" : path}`,
	];
	const body = await diffLines(before, after);
	const shown = body.slice(0, MAX_LINES).map(cutLine);
	const left = body.length - shown.length;
	return [
		...head,
		...shown,
		...(left > 0 ? [`... [${left} more lines of this diff are not shown] ...`] : []),
	].join("\n");
}

async function diffLines(before: string | undefined, after: string | undefined): Promise<string[]> {
	if (before === after) return ["(no change)"];
	if (before === undefined) return allLines("+", after ?? "");
	if (after === undefined) return allLines("-", before);
	const { structuredPatch } = await import("diff");
	const part = differingPart(before, after);
	const isLarge = part.before.length + part.after.length > MAX_DIFF_LENGTH;
	const options = { context: CONTEXT_LINES, timeout: DIFF_TIME_MS };
	const patch = isLarge
		? undefined
		: structuredPatch("", "", part.before, part.after, undefined, undefined, options);
	if (patch === undefined) {
		return [
			`(too different to compare: ${countLines(before)} lines become ${countLines(after)})`,
			...allLines("+", after),
		];
	}
	return patch.hunks.flatMap((hunk) => [
		`@@ -${hunk.oldStart + part.linesBefore},${hunk.oldLines} +${hunk.newStart + part.linesBefore},${hunk.newLines} @@`,
		...hunk.lines,
	]);
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

function allLines(sign: "+" | "-", text: string): string[] {
	if (text === "") return ["(empty file)"];
	const lines = text.split("\n");
	if (lines.at(-1) === "") lines.pop();
	return lines.map((line) => sign + line);
}

function countLines(text: string): number {
	const lines = text.split("\n").length;
	return text.endsWith("\n") || text === "" ? lines - 1 : lines;
}

function cutLine(line: string): string {
	return line.length <= MAX_LINE_LENGTH
		? line
		: `${line.slice(0, MAX_LINE_LENGTH)}… [${line.length - 1} characters]`;
}
