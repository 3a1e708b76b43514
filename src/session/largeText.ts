// Keeps log lines small: long texts inside an event stand in blobs, by their SHA-256, and come back when the log is read.
// Pure: the blobs themselves are handed in and out.

import type { SessionEvent } from "./events.ts";

/** Longest line, in UTF-16 units, that stands in the log as it is; a longer one gives up its long texts. */
const MAX_LINE = 65_536;

/** Texts longer than this leave a line that is too long. */
const MAX_TEXT = 4_096;

/** Stands for a text; `$literal` frames what only looks like a mark, because a model wrote it. */
interface BlobMark {
	$blob: string;
}

/** Whether a commit's JSON may stand in the log as it is: short enough, and nothing in it looks like a mark. */
export function isPlainLine(json: string): boolean {
	return json.length <= MAX_LINE && !json.includes('"$blob"') && !json.includes('"$literal"');
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
	collectMarks(event, digests);
	return digests;
}

/** Makes nothing on its way: it walks every value of a log, and most hold no mark. */
function collectMarks(value: object, digests: string[]): void {
	if (isFrame(value, "$blob")) {
		digests.push(String(value.$blob));
		return;
	}
	const plain = isFrame(value, "$literal") ? (value.$literal as object) : value;
	for (const key in plain) {
		const part: unknown = plain[key as keyof typeof plain];
		if (typeof part === "object" && part !== null) collectMarks(part, digests);
	}
}

/** The event with its texts put back; `text` gives a blob's text. */
export function putBackLargeTexts(event: SessionEvent, text: (digest: string) => string): SessionEvent {
	return mapMarks(event, text) as SessionEvent;
}

function mapTexts(value: unknown, change: (text: string) => unknown): unknown {
	if (typeof value === "string") return change(value);
	if (Array.isArray(value)) return value.map((part) => mapTexts(part, change));
	if (typeof value !== "object" || value === null) return value;
	const mapped = mapMembers(value, (part) => mapTexts(part, change));
	return isFrame(value, "$blob") || isFrame(value, "$literal") ? { $literal: mapped } : mapped;
}

function mapMarks(value: unknown, restore: (digest: string) => string): unknown {
	if (Array.isArray(value)) return value.map((part) => mapMarks(part, restore));
	if (typeof value !== "object" || value === null) return value;
	if (isFrame(value, "$blob")) return restore(String(value.$blob));
	const plain = isFrame(value, "$literal") ? (value.$literal as object) : value;
	return mapMembers(plain, (part) => mapMarks(part, restore));
}

function mapMembers(value: object, change: (part: unknown) => unknown): object {
	return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, change(part)]));
}

/** Whether `key` is all that the object has. */
function isFrame<K extends string>(value: object, key: K): value is Record<K, unknown> {
	return key in value && Object.keys(value).length === 1;
}
