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

/** Images that stood in a message as data URLs: only the message brings them, under the names that stand in it now. */
export function inlineImages(text: string, attachments: readonly Attachment[] = []): Attachment[] {
	return attachments.filter(
		({ kind, source }) => kind === "image" && INLINE_NAME.test(source) && text.includes(`[${source}]`),
	);
}

/**
 * A text that joins `taken`, with its inline images; where a name is taken already, the image and the text get a free
 * one.
 */
export function withFreeNames(
	text: string,
	images: readonly Attachment[],
	taken: readonly Attachment[],
): { text: string; images: Attachment[] } {
	const names = new Set(taken.map(({ source }) => source));
	let number = 0;
	const renames = new Map<string, string>();
	for (const { source } of images) {
		let name = source;
		while (names.has(name) || (name !== source && images.some((other) => other.source === name)))
			name = `image ${++number}`;
		names.add(name);
		renames.set(source, name);
	}
	return {
		text: text.replace(/\[(image \d+)\]/g, (whole, name: string) =>
			renames.has(name) ? `[${renames.get(name)}]` : whole,
		),
		images: images.map((image) => ({ ...image, source: renames.get(image.source)! })),
	};
}

const INLINE_NAME = /^image \d+$/;

/** What came with a message in a few words for a person; undefined where nothing did. */
export function attachedLine(attachments: readonly Attachment[] = []): string | undefined {
	if (attachments.length === 0) return undefined;
	const names = attachments.map(({ kind, source, cut }) => {
		const what = kind === "file" ? source : `${kind} ${source}`;
		return cut ? `${what} (cut)` : what;
	});
	return `attached: ${names.join(", ")}`;
}
