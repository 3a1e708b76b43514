// The one view of a text that models see: every line ends with LF. Pure; never changes what is on the disk.

import type { TextEncoding } from "../../ports/workspace.ts";

/** `text` as a model sees it. A lone CR counts as a line end only in a file where most lines end so. */
export function toLineFeeds(text: string, encoding: Pick<TextEncoding, "eol">): string {
	if (!text.includes("\r")) return text;
	return encoding.eol === "\r" ? text.replace(/\r\n?/g, "\n") : text.replaceAll("\r\n", "\n");
}

/** What a model wrote, with the line ends of a file. */
export function fromLineFeeds(text: string, encoding: Pick<TextEncoding, "eol">): string {
	const plain = text.includes("\r\n") ? text.replaceAll("\r\n", "\n") : text;
	return encoding.eol === "\n" ? plain : plain.replaceAll("\n", encoding.eol);
}
