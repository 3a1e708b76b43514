// Turns what a terminal sends into keys, however it is cut into reads: letters, sequences and pastes may be split
// anywhere. It owns what is not decided yet and keeps no time: the caller says when a lone Escape has waited enough.

import { type Key, namedKey, textKey } from "./key.ts";
import { readKey } from "./keySequences.ts";

const PASTE_START = "\x1b[200~";
const PASTE_END = "\x1b[201~";

export interface KeyParser {
	/** The keys that are whole after this read, in order. Letters of one read are one key. */
	feed(chunk: string | Uint8Array): Key[];
	/** Call when nothing came for 30 ms while `pending()`: what could have begun a sequence was pressed alone. */
	flushEscape(): Key[];
	/** Whether an Escape waits to be told from the beginning of a sequence. */
	pending(): boolean;
}

/** A parser at the beginning of a terminal's input; bytes are UTF-8. */
export function createKeyParser(): KeyParser {
	const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
	let held = "";
	let paste: string[] | undefined;
	let wasFlushed = false;

	const readKeys = (text: string): Key[] => {
		const keys: Key[] = [];
		let rest = text;
		while (rest !== "") {
			if (paste) {
				const end = rest.indexOf(PASTE_END);
				if (end < 0) {
					const split = rest.length - endMarkLength(rest);
					paste.push(rest.slice(0, split));
					return hold(rest.slice(split), keys);
				}
				paste.push(rest.slice(0, end));
				keys.push(...pasteKey(paste.join("")));
				paste = undefined;
				rest = rest.slice(end + PASTE_END.length);
			}
			let at = 0;
			while (at < rest.length && !paste) {
				const read = readKey(rest, at);
				if (!read) return hold(rest.slice(at), keys);
				if (read.key) keys.push(read.key);
				if (read.opensPaste) paste = [];
				at = read.next;
			}
			rest = rest.slice(at);
		}
		return hold("", keys);
	};

	const hold = (text: string, keys: Key[]): Key[] => {
		held = text;
		return keys;
	};

	return {
		feed(chunk) {
			const text = typeof chunk === "string" ? chunk : decoder.decode(chunk, { stream: true });
			if (text === "") return [];
			// The Escape of a paste's mark came so late that it was told as a key: the paste must still not be typed.
			const cutMark = wasFlushed && text.startsWith(PASTE_START.slice(1));
			wasFlushed = false;
			return joinHalves(held + (cutMark ? "\x1b" : "") + text, readKeys, (half) => {
				held += half;
			});
		},
		flushEscape() {
			if (!isUndecided(held, paste !== undefined)) return [];
			wasFlushed = true;
			const keys = held === "\x1b\x1b" ? [namedKey("escape"), namedKey("escape")] : aloneKey(held);
			return hold("", keys);
		},
		pending: () => isUndecided(held, paste !== undefined),
	};
}

/** Keeps back the first half of a letter that takes two code units, where a read of text ends inside it. */
function joinHalves(text: string, readKeys: (text: string) => Key[], keep: (half: string) => void): Key[] {
	const last = text.charCodeAt(text.length - 1);
	if (last < 0xd800 || last > 0xdbff) return readKeys(text);
	const keys = readKeys(text.slice(0, -1));
	keep(text.slice(-1));
	return keys;
}

/**
 * Escape alone, twice, or before a letter that begins a report. `ESC [` and `ESC O` are left waiting: as the beginning
 * of a split arrow or paste mark they are common, as Alt+[ they are not.
 */
function isUndecided(held: string, inPaste: boolean): boolean {
	return !inPaste && /^\x1b[\x1b\]PX^_]?$/.test(held);
}

function aloneKey(held: string): Key[] {
	return held === "\x1b" ? [namedKey("escape")] : [textKey(held[1]!, { alt: true })];
}

/** How many letters at the end of `text` may be the beginning of the mark that ends a paste. */
function endMarkLength(text: string): number {
	for (let length = PASTE_END.length - 1; length > 0; length--)
		if (text.endsWith(PASTE_END.slice(0, length))) return length;
	return 0;
}

function pasteKey(raw: string): Key[] {
	const text = raw.replaceAll(PASTE_START, "").replace(/\r\n?/g, "\n");
	return text === "" ? [] : [{ ...namedKey("paste"), text }];
}
