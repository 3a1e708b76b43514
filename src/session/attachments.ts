// What came with a message, in the words that the model reads: behind the person's own and framed, so that nobody takes it
// for them. Pure.

import type { Attachment } from "./events.ts";

/** The person's words and, behind them, what came with them. */
export function messageText({ text, attachments }: { text: string; attachments?: Attachment[] }): string {
	const parts = (attachments ?? []).map(framed);
	return [text.trim() === "" ? "(empty)" : text, ...parts].join("\n\n");
}

/** A closing tag inside an attachment cannot end its frame. */
function framed({ kind, source, text, cut, image }: Attachment): string {
	const head = `<attachment kind="${kind}" source="${attribute(source)}"${cut ? ' cut="yes"' : ""}`;
	if (image) return `${head} />`;
	return `${head}>\n${text.replaceAll("</attachment", "<\\/attachment").trimEnd()}\n</attachment>`;
}

function attribute(text: string): string {
	return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;").replace(/\s+/g, " ");
}

/** What came with a message in a few words for a person; undefined where nothing did. */
export function attachedLine(attachments: readonly Attachment[] = []): string | undefined {
	if (attachments.length === 0) return undefined;
	const names = attachments.map(({ kind, source, cut }) => {
		const what = kind === "file" ? source : `${kind} ${source}`;
		return cut ? `${what} (cut)` : what;
	});
	return `attached: ${names.join(", ")}`;
}
