// Which answers are text, and in which letters.

import { describe, expect, it } from "vitest";
import { decodeText, isTextType, mediaType } from "../../../src/adapters/web/decodeText.ts";

describe("mediaType", () => {
	it("leaves parameters and letter case out", () => {
		expect(mediaType("Text/HTML; charset=utf-8")).toBe("text/html");
		expect(mediaType("")).toBe("");
	});
});

describe("isTextType", () => {
	it.each([
		"text/html",
		"text/x-rust",
		"application/json",
		"application/ld+json",
		"application/xhtml+xml",
		"",
	])("takes `%s` for text", (type) => {
		expect(isTextType(type)).toBe(true);
	});

	it.each([
		"image/png",
		"image/svg",
		"application/octet-stream",
		"application/pdf",
		"application/zip",
		"video/mp4",
	])("takes %s for no text", (type) => {
		expect(isTextType(type)).toBe(false);
	});
});

describe("decodeText", () => {
	it("goes by the header's charset", () => {
		expect(decodeText(Buffer.from([0xe9, 0x21]), "text/plain; charset=ISO-8859-1")).toBe("é!");
	});

	it("goes by the page's own charset where the header names none", () => {
		const page = Buffer.concat([Buffer.from('<meta charset="windows-1252">'), Buffer.from([0x80])]);
		expect(decodeText(page, "text/html")).toContain("€");
	});

	it("goes by a byte order mark before all else", () => {
		expect(decodeText(Buffer.from("\ufeffhé", "utf16le"), "text/plain; charset=utf-8")).toBe("hé");
	});

	it("takes UTF-8 where the charset is unknown", () => {
		expect(decodeText(Buffer.from("hé"), "text/plain; charset=no-such")).toBe("hé");
	});

	it("finds that bytes are no text", () => {
		expect(decodeText(Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 0]), "")).toBeUndefined();
	});
});
