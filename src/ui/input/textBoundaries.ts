// Where a cursor may stand in a text and where words begin: between visible characters, never inside a folded paste.
// Pure. Positions are UTF-16 indexes; `folded` are the ranges of folded pastes in the text.

import type { TextRange } from "./foldedPastes.ts";
import { graphemeAt } from "./graphemes.ts";

type Folded = readonly TextRange[];

/** What counts as part of a word: letters and digits (readline's Alt+B) or everything but blanks (its Ctrl+W). */
export type WordKind = "letters" | "blanks";

const WORD: Record<WordKind, RegExp> = { letters: /[\p{L}\p{N}_]/u, blanks: /\S/ };

/** The place after the character that begins at `at`. */
export function nextPlace(text: string, at: number, folded: Folded): number {
	if (at >= text.length) return text.length;
	return folded.find(({ from, to }) => from <= at && at < to)?.to ?? graphemeAt(text, at).to;
}

/** The place before the character that ends at `at`. */
export function previousPlace(text: string, at: number, folded: Folded): number {
	if (at <= 0) return 0;
	return folded.find(({ from, to }) => from < at && at <= to)?.from ?? graphemeAt(text, at - 1).from;
}

/** `at` itself where a cursor may stand there, else the next place after it. */
export function nearestPlace(text: string, at: number, folded: Folded): number {
	if (at <= 0) return 0;
	if (at >= text.length) return text.length;
	const inside = folded.find(({ from, to }) => from < at && at < to);
	if (inside) return inside.to;
	const { from, to } = graphemeAt(text, at);
	return from === at ? at : to;
}

/** The beginning of the word at or before `at`. A folded paste is a word. */
export function wordStart(text: string, at: number, folded: Folded, kind: WordKind): number {
	let place = at;
	let inWord = false;
	while (place > 0) {
		const before = previousPlace(text, place, folded);
		if (folded.some(({ to }) => to === place)) return inWord ? place : before;
		const isWord = WORD[kind].test(text.slice(before, place));
		if (inWord && !isWord) break;
		inWord = isWord;
		place = before;
	}
	return place;
}

/** The end of the word at or after `at`. A folded paste is a word. */
export function wordEnd(text: string, at: number, folded: Folded, kind: WordKind): number {
	let place = at;
	let inWord = false;
	while (place < text.length) {
		const after = nextPlace(text, place, folded);
		if (folded.some(({ from }) => from === place)) return inWord ? place : after;
		const isWord = WORD[kind].test(text.slice(place, after));
		if (inWord && !isWord) break;
		inWord = isWord;
		place = after;
	}
	return place;
}

/** The beginning of the line (between line breaks) that holds `at`. */
export function lineStart(text: string, at: number): number {
	return at === 0 ? 0 : text.lastIndexOf("\n", at - 1) + 1;
}

/** The end of the line that holds `at`, before its line break. */
export function lineEnd(text: string, at: number): number {
	const end = text.indexOf("\n", at);
	return end < 0 ? text.length : end;
}
