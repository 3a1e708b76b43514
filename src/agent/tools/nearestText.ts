// Where a text that was not found probably was meant: the piece of a file most like it, and what differs.
// Pure, and bounded in work however large the file is.

const MAX_FILE_LINES = 20_000;
const MAX_COMPARED_LINES = 3_000;
const MAX_SHOWN_LINES = 20;
const MAX_SHOWN_LENGTH = 300;
const MIN_LIKENESS = 0.5;

/** Lines of the file most like the wanted ones. */
export interface NearestText {
	/** Count from 1, both ends included. */
	firstLine: number;
	lastLine: number;
	/** The lines, cut to a bound. */
	text: string;
	/** What differs, where it can be said in a word. */
	difference?: "white space" | "letter case";
}

/** Finds the lines of `text` that are most like `wanted`; undefined where nothing is near. Both have LF line ends. */
export function findNearestText(text: string, wanted: string): NearestText | undefined {
	const lines = text.split("\n", MAX_FILE_LINES);
	const target = trimBlankLines(wanted.split("\n"));
	if (target.length === 0) return undefined;
	const bare = lines.map(withoutSpace);
	const bareTarget = target.map(withoutSpace);
	const spaced = findRun(bare, bareTarget);
	if (spaced >= 0) return show(lines, spaced, target.length, "white space");
	const lower = bare.map((line) => line.toLowerCase());
	const lowerTarget = bareTarget.map((line) => line.toLowerCase());
	const cased = findRun(lower, lowerTarget);
	if (cased >= 0) return show(lines, cased, target.length, "letter case");
	const start = mostCommonLines(bare, bareTarget) ?? mostLikeLine(lower, lowerTarget);
	return start === undefined ? undefined : show(lines, start, target.length);
}

function show(
	lines: string[],
	start: number,
	count: number,
	difference?: NearestText["difference"],
): NearestText {
	const end = Math.min(start + count, lines.length);
	const shown = lines
		.slice(start, Math.min(end, start + MAX_SHOWN_LINES))
		.map((line) => line.slice(0, MAX_SHOWN_LENGTH));
	return {
		firstLine: start + 1,
		lastLine: end,
		text: shown.join("\n").toWellFormed(),
		...(difference === undefined ? {} : { difference }),
	};
}

/** Start of the first run of lines that holds the wanted ones; a first or last line may be a part of its line. */
function findRun(lines: readonly string[], wanted: readonly string[]): number {
	const last = wanted.length - 1;
	return lines.findIndex((line, at) => {
		const first = wanted[0] ?? "";
		if (last === 0) return line.includes(first);
		return (
			line.endsWith(first) &&
			lines[at + last]?.startsWith(wanted[last] ?? "") === true &&
			wanted.slice(1, last).every((middle, offset) => lines[at + 1 + offset] === middle)
		);
	});
}

/** Start of the window that shares most whole lines with the wanted ones, if that is at least half of them. */
function mostCommonLines(lines: readonly string[], wanted: readonly string[]): number | undefined {
	const known = new Set(wanted.filter((line) => line.length > 3));
	let shared = 0;
	let best = { shared: 0, start: 0 };
	for (let at = 0; at < lines.length; at++) {
		if (known.has(lines[at] as string)) shared += 1;
		const left = at - wanted.length;
		if (left >= 0 && known.has(lines[left] as string)) shared -= 1;
		if (shared > best.shared) best = { shared, start: Math.max(0, at - wanted.length + 1) };
	}
	return best.shared * 2 >= known.size && best.shared > 0 ? best.start : undefined;
}

/** Start of the window whose line is most like the longest wanted line, by shared pairs of letters. */
function mostLikeLine(lines: readonly string[], wanted: readonly string[]): number | undefined {
	const key = wanted.reduce(
		(longest, line, at) => (line.length > (wanted[longest] ?? "").length ? at : longest),
		0,
	);
	const pairs = pairsOf(wanted[key] ?? "");
	let best = { likeness: MIN_LIKENESS, at: -1 };
	for (const [at, line] of lines.slice(0, MAX_COMPARED_LINES).entries()) {
		// Lines of such different length cannot share half of their pairs.
		if (line.length > 3 * MAX_SHOWN_LENGTH || line.length * 3 < pairs.size) continue;
		const likeness = likenessOf(pairs, pairsOf(line));
		if (likeness > best.likeness) best = { likeness, at };
	}
	return best.at < 0 ? undefined : Math.max(0, best.at - key);
}

function pairsOf(line: string): Set<string> {
	const bounded = line.slice(0, MAX_SHOWN_LENGTH);
	const pairs = new Set<string>();
	for (let at = 0; at + 1 < bounded.length; at++) pairs.add(bounded.slice(at, at + 2));
	return pairs;
}

function likenessOf(a: Set<string>, b: Set<string>): number {
	if (a.size === 0 || b.size === 0) return 0;
	let shared = 0;
	for (const pair of a) if (b.has(pair)) shared += 1;
	return (2 * shared) / (a.size + b.size);
}

function withoutSpace(line: string): string {
	return line.replace(/\s+/g, "");
}

function trimBlankLines(lines: string[]): string[] {
	const first = lines.findIndex((line) => line.trim() !== "");
	const last = lines.findLastIndex((line) => line.trim() !== "");
	return first < 0 ? [] : lines.slice(first, last + 1);
}
