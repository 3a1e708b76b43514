// Finds out whether a command was put into the model's mouth: whether it stands, ready to be copied, in something that a
// tool gave back. Such a command asks, however harmless it looks; that the model chose it means nothing then.

import { readParts } from "./commandParts.ts";

/** A tool's result as the model read it. */
export interface ReadText {
	/** What it came from, for the person. */
	source: string;
	text: string;
}

/** Prompt signs and list marks before a command, quotes around it. */
const MARKS = /^[\s>$%#*+-]+|^\d+[.)]\s+/;
const QUOTES = /^["'`“”‘’]+|["'`“”‘’.,;:!]+$/g;

/**
 * The source of the first text in which the command, or a part of it of two words or more, stands as a whole line, as a
 * code span, or as the rest of a line after a colon; undefined where it stands in none, or in the person's own words.
 */
export function quotedFrom(
	command: string,
	results: Iterable<ReadText>,
	ownWords: readonly string[],
): string | undefined {
	const wanted = commandsOf(command).filter((one) => !ownWords.some((words) => fold(words).includes(one)));
	if (wanted.length === 0) return undefined;
	// Looking for one word first keeps long results cheap: few hold it at all.
	const keys = wanted.map(longestWord);
	for (const { source, text } of results) {
		const possible = wanted.filter((_, at) => text.includes(keys[at]!));
		if (possible.length > 0 && holdsOne(text, possible)) return source;
	}
	return undefined;
}

function commandsOf(command: string): string[] {
	const read = readParts(command);
	const parts = read.kind === "plain" && read.parts.length > 1 ? read.parts.map(({ text }) => text) : [];
	const lines = command.includes("\n") ? command.split("\n") : [];
	const pieces = [...parts, ...lines].map(bare).filter((one) => one.includes(" "));
	return [...new Set([bare(command), ...pieces])].filter((one) => one !== "");
}

/** Marks and quotes around a command that is the rest of a line, in letters at most. */
const MOST_AROUND = 100;

function holdsOne(text: string, wanted: readonly string[]): boolean {
	const longest = Math.max(...wanted.map((one) => one.length)) + MOST_AROUND;
	const isWanted = (piece: string) => piece.length <= longest && wanted.includes(bare(piece));
	if (wanted.some((one) => one.length > 200 && fold(text).includes(one))) return true;
	return text
		.split(/\r?\n/)
		.some((line) => wanted.some((one) => line.includes(longestWord(one))) && standsIn(line, isWanted));
}

function standsIn(written: string, isWanted: (piece: string) => boolean): boolean {
	const line = written.trim().replace(/\s+/g, (blanks) => (blanks.includes("\t") ? "\t" : " "));
	// `readFile` and searches put numbers and names before a line; they end in a colon or a tab.
	if (isWanted(line)) return true;
	for (let at = line.search(/[:\t|]/); at >= 0 && at < line.length; ) {
		if (isWanted(line.slice(at + 1))) return true;
		const next = line.slice(at + 1).search(/[:\t|]/);
		if (next < 0) break;
		at += 1 + next;
	}
	return [...line.matchAll(/`+([^`]+)`+|"([^"]+)"|'([^']+)'|<code>(.*?)<\/code>/g)].some((hit) =>
		isWanted(hit.slice(1).find((piece) => piece !== undefined) ?? ""),
	);
}

function fold(text: string): string {
	return text.replace(/\s+/g, " ");
}

function bare(text: string): string {
	let [before, after] = ["", fold(text).trim()];
	while (after !== before) [before, after] = [after, after.replace(MARKS, "").replace(QUOTES, "").trim()];
	return after;
}

function longestWord(text: string): string {
	return text.split(/\s/).reduce((longest, word) => (word.length > longest.length ? word : longest), "");
}
