// Untrusted text for places that have one line.

import { visibleText } from "../visibleText.ts";

/** `text` through the terminal's filter, its gaps and line ends as single blanks. */
export function oneLine(text: string): string {
	return visibleText(text).replace(/\s+/g, " ").trim();
}

/** The beginning of a text in one line of at most `most` letters, safe to show; only its first letters are looked at. */
export function shortLine(text: string, most: number): string {
	const letters = [...oneLine(text.slice(0, most * 4))];
	return letters.length > most ? `${letters.slice(0, most - 1).join("")}…` : letters.join("");
}

/** The beginning of a message's first line, safe to show, in at most 50 letters. */
export function firstWords(text: string): string {
	return shortLine(text.trim().split("\n", 1)[0] ?? "", 50);
}
