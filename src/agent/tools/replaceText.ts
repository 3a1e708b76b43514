// The arithmetic of an edit: literal text found and replaced in a text whose line ends may be of any kind. Pure.
// What lies outside the changed letters keeps every character, line ends included.

import type { TextEncoding } from "../../ports/workspace.ts";
import { fromLineFeeds, toLineFeeds } from "./lineEnds.ts";

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

/** Replaces in `text`, matching by LF and writing the file's own line ends. `oldString` must not be empty. */
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
	// Only the letters that differ are touched, so that unchanged lines of a match keep their own line ends.
	const head = commonPrefix(wanted, replacement);
	const tail = commonSuffix(wanted.slice(head), replacement.slice(head));
	const inserted = fromLineFeeds(replacement.slice(head, replacement.length - tail), encoding);
	const toSource = sourcePositions(text, view);
	const pieces: string[] = [];
	let from = 0;
	for (const match of matches) {
		pieces.push(text.slice(from, toSource(match + head)), inserted);
		from = toSource(match + wanted.length - tail);
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

function commonPrefix(a: string, b: string): number {
	let length = 0;
	while (length < a.length && length < b.length && a[length] === b[length]) length += 1;
	return length;
}

function commonSuffix(a: string, b: string): number {
	let length = 0;
	while (length < a.length && length < b.length && a.at(-1 - length) === b.at(-1 - length)) length += 1;
	return length;
}
