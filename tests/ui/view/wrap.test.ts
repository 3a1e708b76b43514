import fc from "fast-check";
import stringWidth from "string-width";
import { describe, expect, it } from "vitest";
import { plainText, type StyledLine } from "../../../src/ui/view/style.ts";
import { cutLine, displayWidth, lineWidth, wrapLine } from "../../../src/ui/view/wrap.ts";

const rowsOf = (text: string, width: number, options = {}) =>
	wrapLine([{ text }], width, options).map(plainText);

describe("wrapLine", () => {
	it("breaks between words and drops the gap", () => {
		expect(rowsOf("one two three", 8)).toEqual(["one two", "three"]);
	});

	it("cuts a word that is longer than a row", () => {
		expect(rowsOf("abcdefgh", 3)).toEqual(["abc", "def", "gh"]);
	});

	it("moves every row but the first in by the indent", () => {
		expect(rowsOf("- one two", 6, { indent: 2 })).toEqual(["- one", "  two"]);
	});

	it("keeps blanks of code and cuts it anywhere", () => {
		expect(rowsOf("a  b  c", 4, { words: false })).toEqual(["a  b", "  c"]);
	});

	it("counts wide letters as two columns and breaks between them", () => {
		expect(rowsOf("日本語です", 5)).toEqual(["日本", "語で", "す"]);
	});

	it("keeps a family and a letter with its accent whole", () => {
		expect(rowsOf("👨‍👩‍👧👨‍👩‍👧e\u0301", 3).join("|")).toBe("👨‍👩‍👧|👨‍👩‍👧e\u0301");
	});

	it("makes tabs blanks up to the next stop", () => {
		expect(rowsOf("a\tb", 40)).toEqual(["a   b"]);
	});

	it("keeps styles over a break", () => {
		const styled: StyledLine = [{ text: "one two ", style: { bold: true } }, { text: "three" }];
		expect(wrapLine(styled, 5)).toEqual([
			[{ text: "one", style: { bold: true } }],
			[{ text: "two", style: { bold: true } }],
			[{ text: "three", style: undefined }],
		]);
	});

	it("gives one empty row for an empty line", () => {
		expect(wrapLine([], 10)).toEqual([[]]);
	});

	it("never makes a row wider than the width, and loses no letter, for any text", () => {
		const letters = fc.string({ unit: fc.constantFrom("a", " ", "語", "é", "👩‍🚀", "\t", "b") });
		fc.assert(
			fc.property(letters, fc.integer({ min: 2, max: 20 }), fc.boolean(), (text, width, words) => {
				const rows = wrapLine([{ text }], width, { words, indent: 1 });
				for (const row of rows) expect(lineWidth(row)).toBeLessThanOrEqual(width);
				const bare = (s: string) => s.replace(/\s/g, "");
				expect(bare(rows.map(plainText).join(""))).toBe(bare(text));
			}),
		);
	});
});

describe("cutLine", () => {
	it("leaves a line that fits as it is", () => {
		expect(plainText(cutLine([{ text: "short" }], 5))).toBe("short");
	});

	it("tells by an ellipsis that something is left out", () => {
		expect(plainText(cutLine([{ text: "abcdef" }], 4))).toBe("abc…");
		expect(plainText(cutLine([{ text: "日本語" }], 4))).toBe("日…");
	});

	it("gives nothing where there is no column", () => {
		expect(cutLine([{ text: "a" }], 0)).toEqual([]);
	});
});

describe("displayWidth", () => {
	it("measures every letter as the terminal does", () => {
		const wrong: string[] = [];
		for (let code = 0x20; code < 0x3000; code++) {
			const letter = String.fromCodePoint(code);
			if ((code >= 0x7f && code < 0xa0) || /\p{Cn}/u.test(letter)) continue;
			// Signs that stretch over the digits after them are marks without columns here.
			if (/[\u0600-\u0605\u06dd\u0890\u0891\u08e2]/.test(letter)) continue;
			if (displayWidth(letter) !== stringWidth(letter)) wrong.push(letter);
		}
		expect(wrong).toEqual([]);
	});

	it("counts columns, not code units", () => {
		expect([
			displayWidth("abc"),
			displayWidth("語"),
			displayWidth("👨‍👩‍👧"),
			displayWidth("e\u0301"),
		]).toEqual([3, 2, 2, 1]);
	});
});
