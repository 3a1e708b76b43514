// The arithmetic of an edit: literal text found and replaced in a text whose line ends may be of any kind. Pure.
// Outside of the matches every character stays; inside, a line that stays or is replaced keeps its line end.

import type { TextEncoding } from "../../ports/workspace.ts";
import { toLineFeeds } from "./lineEnds.ts";
import { linePlaces } from "./linePlaces.ts";

/** Matches beyond this are not located one by one. */
const MAX_LOCATED = 10;

/** A text may not grow past this by an edit. */
const MAX_RESULT_LENGTH = 64 * 1024 * 1024;

export interface TextEdit {
	oldString: string;
	newString: string;
	replaceAll: boolean;
}

/** The new text with its count of replacements and their first lines, or why there is none. */
export type TextEditEnd =
	| { type: "replaced"; text: string; count: number; lines: number[] }
	| { type: "not_found" }
	| { type: "ambiguous"; count: number; lines: number[] }
	| { type: "too_large" };

/** Replaces in `text`, matching by LF; added lines get the file's prevailing line end. `oldString` must not be empty. */
export function replaceText(text: string, encoding: Pick<TextEncoding, "eol">, edit: TextEdit): TextEditEnd {
	const view = toLineFeeds(text, encoding);
	const wanted = toLineFeeds(edit.oldString, { eol: "\n" });
	const replacement = toLineFeeds(edit.newString, { eol: "\n" });
	const matches = findAll(view, wanted);
	if (matches.length === 0) return { type: "not_found" };
	const lines = linesOf(view, matches.slice(0, MAX_LOCATED));
	if (matches.length > 1 && !edit.replaceAll) return { type: "ambiguous", count: matches.length, lines };
	if (text.length + matches.length * (replacement.length - wanted.length) > MAX_RESULT_LENGTH)
		return { type: "too_large" };
	const lineEndsOf = endsIn(text, view);
	const insert = insertion(wanted, replacement, encoding.eol);
	const pieces: string[] = [];
	let from = 0;
	for (const match of matches) {
		const { start, ends, end } = lineEndsOf(match, wanted);
		pieces.push(text.slice(from, start), insert(ends));
		from = end;
	}
	pieces.push(text.slice(from));
	return { type: "replaced", text: pieces.join(""), count: matches.length, lines };
}

function findAll(text: string, wanted: string): number[] {
	const found: number[] = [];
	for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) found.push(at);
	return found;
}

/** Line numbers, from 1, of rising positions. */
function linesOf(text: string, positions: readonly number[]): number[] {
	let line = 1;
	let next = text.indexOf("\n");
	return positions.map((position) => {
		for (; next >= 0 && next < position; next = text.indexOf("\n", next + 1)) line += 1;
		return line;
	});
}

/** From rising positions in the LF view to positions in the text itself: each CR LF before is one letter longer there. */
function sourcePositions(text: string, view: string): (position: number) => number {
	if (text.length === view.length) return (position) => position;
	let pairs = 0;
	let nextPair = text.indexOf("\r\n");
	return (position) => {
		for (; nextPair >= 0 && nextPair - pairs < position; nextPair = text.indexOf("\r\n", nextPair + 2))
			pairs += 1;
		return position + pairs;
	};
}

/** Where matches, asked for in rising order, begin and end in the text itself, and the line ends that it has in them. */
function endsIn(text: string, view: string) {
	const toSource = sourcePositions(text, view);
	return (match: number, wanted: string): { start: number; ends: string[]; end: number } => {
		const start = toSource(match);
		const ends: string[] = [];
		for (let at = wanted.indexOf("\n"); at >= 0; at = wanted.indexOf("\n", at + 1))
			ends.push(text.slice(toSource(match + at), toSource(match + at + 1)));
		return { start, ends, end: toSource(match + wanted.length) };
	};
}

/** Writes the replacement of a match with these line ends: a line has the end of the one in its place, an added one `eol`. */
function insertion(
	wanted: string,
	replacement: string,
	eol: TextEncoding["eol"],
): (ends: readonly string[]) => string {
	const lines = replacement.split("\n");
	const plain = lines.join(eol);
	let places: (number | undefined)[] | undefined;
	return (ends) => {
		if (ends.every((end) => end === eol)) return plain;
		places ??= linePlaces(wanted.split("\n"), lines);
		const known = places;
		const endOf = (line: number) => (line === lines.length - 1 ? "" : (ends[known[line] ?? -1] ?? eol));
		return lines.map((line, at) => line + endOf(at)).join("");
	};
}
