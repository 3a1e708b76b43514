// A change as a person reads it before it happens: a unified diff, bounded in lines, length and time.

import { countLines, diffHunks, hunkText } from "./hunks.ts";

const MAX_LINES = 400;
const MAX_LINE_LENGTH = 400;

/**
 * The difference between two texts (LF line ends) under the name `path`; undefined stands for no file.
 * Never empty: equal texts are said to be equal.
 */
export async function previewDiff(
	path: string,
	before: string | undefined,
	after: string | undefined,
): Promise<string> {
	return (await previewChange(path, before, after)).text;
}

/** The same, with the number of its hunks; 0 where the change is not told in hunks, or not whole. */
export async function previewChange(
	path: string,
	before: string | undefined,
	after: string | undefined,
): Promise<{ text: string; hunks: number }> {
	const head = [
		`--- ${before === undefined ? "(no file)" : path}`,
		`+++ ${after === undefined ? "(no file)" : path}`,
	];
	const body = await diffLines(before, after);
	const shown = body.slice(0, MAX_LINES).map(cutLine);
	const left = body.length - shown.length;
	// Every other line of a hunk begins with a sign.
	const hunks = left > 0 ? 0 : body.filter((line) => line.startsWith("@@ ")).length;
	const more = left > 0 ? [`... [${left} more lines of this diff are not shown] ...`] : [];
	return { text: [...head, ...shown, ...more].join("\n"), hunks };
}

async function diffLines(before: string | undefined, after: string | undefined): Promise<string[]> {
	if (before === after) return ["(no change)"];
	if (before === undefined) return allLines("+", after ?? "");
	if (after === undefined) return allLines("-", before);
	const hunks = await diffHunks(before, after);
	if (hunks === undefined) {
		return [
			`(too different to compare: ${countLines(before)} lines become ${countLines(after)})`,
			...allLines("+", after),
		];
	}
	return hunks.flatMap((hunk) => hunkText(hunk).split("\n"));
}

function allLines(sign: "+" | "-", text: string): string[] {
	if (text === "") return ["(empty file)"];
	const lines = text.split("\n");
	if (lines.at(-1) === "") lines.pop();
	return lines.map((line) => sign + line);
}

function cutLine(line: string): string {
	return line.length <= MAX_LINE_LENGTH
		? line
		: `${line.slice(0, MAX_LINE_LENGTH)}… [${line.length - 1} characters]`;
}
