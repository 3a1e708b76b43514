// Untrusted text for places that have one line.

import { visibleText } from "../visibleText.ts";

/** `text` through the terminal's filter, its gaps and line ends as single blanks. */
export function oneLine(text: string): string {
	return visibleText(text).replace(/\s+/g, " ").trim();
}
