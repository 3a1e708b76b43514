// Untrusted text for places that have one line.

import { visibleText } from "../visibleText.ts";

/** `text` through the terminal's filter, its gaps and line ends as single blanks. */
export function oneLine(text: string): string {
	return visibleText(text).replace(/\s+/g, " ").trim();
}

/** The beginning of a message's first line, safe to show, in at most 50 letters. */
export function firstWords(text: string): string {
	const letters = [...oneLine(text.trim().split("\n", 1)[0] ?? "")];
	return letters.length > 50 ? `${letters.slice(0, 49).join("")}…` : letters.join("");
}
