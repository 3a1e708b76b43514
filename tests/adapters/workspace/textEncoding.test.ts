// Bytes to text and back: nothing may be lost for anything that decodes.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeText, encodeText } from "../../../src/adapters/workspace/textEncoding.ts";

const bytes = (...parts: (number | string)[]) =>
	Buffer.concat(parts.map((part) => (typeof part === "number" ? Buffer.from([part]) : Buffer.from(part))));

describe("decodeText", () => {
	it("reads UTF-8 and hides its byte order mark", () => {
		expect(decodeText(bytes(0xef, 0xbb, 0xbf, "Dim é = 1\r\n"))).toEqual({
			text: "Dim é = 1\r\n",
			encoding: { charset: "utf-8", bom: true, eol: "\r\n", mixedEol: false },
		});
	});

	it("reads bytes that are no UTF-8 as Latin-1, with the quotes of Windows-1252", () => {
		expect(decodeText(bytes("Gr", 0xf6, 0xdf, "e ", 0x93, "x", 0x94))).toMatchObject({
			text: "Größe “x”",
			encoding: { charset: "latin1" },
		});
	});

	it.each(["utf-16le", "utf-16be"] as const)("reads %s with its byte order mark", (charset) => {
		const little = Buffer.from("\ufeffhé\n", "utf16le");
		const decoded = decodeText(charset === "utf-16le" ? little : Buffer.from(little).swap16());
		expect(decoded).toMatchObject({ text: "hé\n", encoding: { charset, bom: true } });
	});

	it.each([
		["an executable", bytes(0x7f, "ELF", 0x02, 0x00, 0xff)],
		["UTF-16 without a mark", Buffer.from("hello", "utf16le")],
		["UTF-32 with its mark", bytes(0xff, 0xfe, 0, 0, "a", 0, 0, 0)],
		["UTF-16 with half a letter", bytes(0xff, 0xfe, "a")],
		["control characters outside of UTF-8", bytes(0xff, 0x01, 0x02)],
	])("has no text for %s", (_, input) => {
		expect(decodeText(input)).toBeUndefined();
	});

	it.each([
		["a\nb\n", "\n", false],
		["a\r\nb\r\nc", "\r\n", false],
		["a\rb\r", "\r", false],
		["a\r\nb\r\nc\n", "\r\n", true],
		["a\nb\nc\r\n", "\n", true],
		["one line", "\n", false],
	])("tells the line ends of %j", (text, eol, mixedEol) => {
		expect(decodeText(Buffer.from(text))?.encoding).toMatchObject({ eol, mixedEol });
	});
});

describe("encodeText", () => {
	it("gives back the bytes of everything that decodes", () => {
		const anyBytes = fc.oneof(
			fc.uint8Array({ maxLength: 40 }),
			fc.uint8Array({ maxLength: 40, min: 9 }),
			fc.string({ unit: "binary" }).map((text) => Buffer.from(text)),
			fc.string({ unit: "binary" }).map((text) => Buffer.from(`\ufeff${text}`)),
			fc.string({ unit: "binary" }).map((text) => Buffer.from(`\ufeff${text}`, "utf16le")),
			fc.string({ unit: "binary" }).map((text) => Buffer.from(`\ufeff${text}`, "utf16le").swap16()),
		);
		fc.assert(
			fc.property(anyBytes, (input) => {
				const decoded = decodeText(input);
				if (decoded === undefined) return;
				const encoded = encodeText(decoded.text, decoded.encoding);
				expect(Buffer.from(encoded as Uint8Array).equals(Buffer.from(input))).toBe(true);
			}),
			{ numRuns: 1000 },
		);
	});

	it("gives back every single byte that Latin-1 can hold", () => {
		const all = Buffer.from([...Array(256).keys()].filter((byte) => byte >= 0x20 && byte !== 0x7f));
		const decoded = decodeText(all);
		expect(decoded?.encoding.charset).toBe("latin1");
		expect(encodeText(decoded!.text, decoded!.encoding)).toEqual(all);
	});

	it("names the character that Latin-1 does not have", () => {
		const encoding = { charset: "latin1", bom: false, eol: "\n", mixedEol: false } as const;
		expect(encodeText("price 5 € or 日", encoding)).toEqual({ problem: expect.stringContaining('"日"') });
	});

	it("refuses half a surrogate pair in every encoding", () => {
		for (const charset of ["utf-8", "utf-16le", "latin1"] as const) {
			expect(encodeText("a\ud800b", { charset, bom: false, eol: "\n", mixedEol: false })).toHaveProperty(
				"problem",
			);
		}
	});
});
