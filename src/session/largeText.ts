// Keeps log lines small: long texts inside an event stand in blobs, by their SHA-256, and come back when the log is read.
// Pure: the blobs themselves are handed in and out.

import type { SessionEvent } from "./events.ts";

/** Longest line, in UTF-16 units, that stands in the log as it is; a longer one gives up its long texts. */
export const MAX_LINE = 65_536;

/** Texts longer than this leave a line that is too long. */
const MAX_TEXT = 4_096;

interface BlobMark {
	$blob: string;
}

/** The event with every long text replaced by a mark, and those texts by their digests. */
export function takeOutLargeTexts(
	event: SessionEvent,
	digest: (text: string) => string,
): { event: SessionEvent; texts: Map<string, string> } {
	const texts = new Map<string, string>();
	const small = mapTexts(event, (text) => {
		if (text.length <= MAX_TEXT) return text;
		const name = digest(text);
		texts.set(name, text);
		return { $blob: name } satisfies BlobMark;
	});
	return { event: small as SessionEvent, texts };
}

/** The digests of all texts that stand outside the event. */
export function largeTextDigests(event: SessionEvent): string[] {
	const digests: string[] = [];
	mapMarks(event, (digest) => {
		digests.push(digest);
		return "";
	});
	return digests;
}

/** The event with its texts put back; `text` gives a blob's text. */
export function putBackLargeTexts(event: SessionEvent, text: (digest: string) => string): SessionEvent {
	return mapMarks(event, text) as SessionEvent;
}

function mapTexts(value: unknown, change: (text: string) => unknown): unknown {
	if (typeof value === "string") return change(value);
	if (Array.isArray(value)) return value.map((part) => mapTexts(part, change));
	if (typeof value !== "object" || value === null) return value;
	return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, mapTexts(part, change)]));
}

function mapMarks(value: unknown, restore: (digest: string) => string): unknown {
	if (Array.isArray(value)) return value.map((part) => mapMarks(part, restore));
	if (typeof value !== "object" || value === null) return value;
	if (isMark(value)) return restore(value.$blob);
	return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, mapMarks(part, restore)]));
}

function isMark(value: object): value is BlobMark {
	return "$blob" in value && typeof value.$blob === "string" && Object.keys(value).length === 1;
}
