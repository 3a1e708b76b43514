// Bytes to text and back without losing one: encode(decode(x)) is x for everything that decodes at all.
// It never guesses loosely: bytes that are no text in a known encoding have no text here.

import { isUtf8 } from "node:buffer";
import type { TextEncoding } from "../../ports/workspace.ts";

/** Like git, a NUL this early means that the bytes are no text. */
const BINARY_PROBE_BYTES = 8000;

/** Characters of Windows-1252 at 0x80-0x9F; a space marks the five bytes that it leaves as control characters. */
const WINDOWS_1252 = "€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ";

const WINDOWS_1252_BYTES = new Map(
	[...WINDOWS_1252].flatMap((char, index): [string, string][] =>
		char === " " ? [] : [[char, String.fromCharCode(0x80 + index)]],
	),
);

export interface DecodedText {
	/** Without the byte order mark; line ends as they are. */
	text: string;
	encoding: TextEncoding;
}

/**
 * Decodes UTF-8, UTF-16 with a byte order mark, and else Latin-1 (with the characters of Windows-1252).
 * Returns undefined for bytes that are no text.
 */
export function decodeText(bytes: Uint8Array): DecodedText | undefined {
	const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	if (buffer[0] === 0xff && buffer[1] === 0xfe) return decodeUtf16(buffer.subarray(2), "utf-16le");
	if (buffer[0] === 0xfe && buffer[1] === 0xff) return decodeUtf16(buffer.subarray(2), "utf-16be");
	if (buffer.subarray(0, BINARY_PROBE_BYTES).includes(0)) return undefined;
	if (isUtf8(buffer)) {
		const bom = buffer[0] === 0xef && buffer[1] === 0xbb && buffer[2] === 0xbf;
		return withLineEnds(buffer.toString("utf8", bom ? 3 : 0), "utf-8", bom);
	}
	const text = buffer.toString("latin1");
	if (/[\x00-\x07\x0e-\x1a\x1c-\x1f\x7f]/.test(text)) return undefined;
	const readable = text.replace(/[\x80-\x9f]/g, (char) => {
		const mapped = WINDOWS_1252[char.charCodeAt(0) - 0x80];
		return mapped === undefined || mapped === " " ? char : mapped;
	});
	return withLineEnds(readable, "latin1", false);
}

/** The bytes of `text`, or a sentence that says which character the encoding does not have. */
export function encodeText(text: string, encoding: TextEncoding): Uint8Array | { problem: string } {
	if (!text.isWellFormed()) {
		return {
			problem:
				"The text holds half of a surrogate pair, which is no character; send it whole or leave it out.",
		};
	}
	switch (encoding.charset) {
		case "utf-8":
			return Buffer.from(encoding.bom ? `\ufeff${text}` : text, "utf8");
		case "utf-16le":
			return Buffer.from(encoding.bom ? `\ufeff${text}` : text, "utf16le");
		case "utf-16be":
			return Buffer.from(encoding.bom ? `\ufeff${text}` : text, "utf16le").swap16();
		case "latin1":
			return encodeLatin1(text);
		default:
			return encoding.charset satisfies never;
	}
}

function decodeUtf16(body: Buffer, charset: "utf-16le" | "utf-16be"): DecodedText | undefined {
	if (body.length % 2 !== 0) return undefined;
	const text = (charset === "utf-16le" ? body : Buffer.from(body).swap16()).toString("utf16le");
	return text.includes("\0") || !text.isWellFormed() ? undefined : withLineEnds(text, charset, true);
}

function encodeLatin1(text: string): Uint8Array | { problem: string } {
	const narrow = text.replace(/[^\x00-\xff]/gu, (char) => WINDOWS_1252_BYTES.get(char) ?? char);
	const foreign = narrow.match(/[^\x00-\xff]/u)?.[0];
	if (foreign === undefined) return Buffer.from(narrow, "latin1");
	return {
		problem: `The file is in Latin-1, which has no character "${foreign}"; use characters that it has, or convert the file to UTF-8 first.`,
	};
}

function withLineEnds(text: string, charset: TextEncoding["charset"], bom: boolean): DecodedText {
	if (!text.includes("\r")) return { text, encoding: { charset, bom, eol: "\n", mixedEol: false } };
	const counts = { "\r\n": 0, "\r": 0, "\n": 0 };
	for (const [end] of text.matchAll(/\r\n|\r|\n/g)) counts[end as keyof typeof counts] += 1;
	const kinds = (["\n", "\r\n", "\r"] as const).filter((end) => counts[end] > 0);
	const eol = kinds.reduce((most, end) => (counts[end] > counts[most] ? end : most));
	return { text, encoding: { charset, bom, eol, mixedEol: kinds.length > 1 } };
}
