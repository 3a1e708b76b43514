import stringWidth from "string-width";
import { describe, expect, it } from "vitest";
import { columnsOf, graphemeAt, graphemesOf } from "../../../src/ui/input/graphemes.ts";

const FAMILY = "👨‍👩‍👧";

describe("columnsOf", () => {
	it("agrees with string-width on letters outside ASCII", () => {
		const wrong: string[] = [];
		// Whole blocks of one width are sampled.
		const step = (code: number) =>
			(code >= 0x3400 && code < 0x9ff0) ||
			(code >= 0xac00 && code < 0xf8f0) ||
			(code >= 0x10000 && code < 0x1f000)
				? 13
				: 1;
		for (let code = 0x80; code < 0x20000; code += step(code)) {
			const letter = String.fromCodePoint(code);
			if ((code >= 0xd800 && code <= 0xdfff) || /\p{Cn}|\p{Cc}/u.test(letter)) continue;
			// Signs that stretch over the digits after them are marks without columns here.
			if (/^[\u0600-\u0605\u06dd\u0890\u0891\u08e2\u{110bd}\u{110cd}]$/u.test(letter)) continue;
			if (columnsOf(letter) !== stringWidth(letter)) wrong.push(code.toString(16));
		}
		expect(wrong).toEqual([]);
	});

	it.each([
		["plain text", "hello", 5],
		["Hangul", "안녕", 4],
		["Chinese between letters", "a中b", 4],
		["a combining accent", "e\u0301", 1],
		["a family of joined emoji", FAMILY, 2],
		["a flag", "🇩🇪", 2],
		["an emoji with a skin tone", "👍🏽", 2],
		["a narrow sign with a skin tone", "☝🏽", 2],
		["a keycap", "1️⃣", 2],
		["a heart in emoji style", "❤️", 2],
		["a watch in text style", "⌚︎", 1],
		["Thai with vowels", "กำ", 2],
		["conjoining jamo", "각", 2],
		["nothing", "", 0],
	])("counts %s", (_, text, columns) => {
		expect(columnsOf(text)).toBe(columns);
		expect(columnsOf(text)).toBe(stringWidth(text));
	});
});

describe("graphemesOf", () => {
	it("keeps joined emoji and accents whole", () => {
		expect([...graphemesOf(`a${FAMILY}e\u0301`)]).toEqual(["a", FAMILY, "e\u0301"]);
	});
});

describe("graphemeAt", () => {
	it("finds the whole character around any of its code units", () => {
		const text = `a${FAMILY}b`;
		expect(graphemeAt(text, 0)).toEqual({ from: 0, to: 1 });
		for (let at = 1; at <= FAMILY.length; at++)
			expect(graphemeAt(text, at)).toEqual({ from: 1, to: 1 + FAMILY.length });
	});

	it("takes a line break for a character of its own", () => {
		expect(graphemeAt("\n\u0301", 0)).toEqual({ from: 0, to: 1 });
		expect(graphemeAt("e\n\u0301x", 2)).toEqual({ from: 2, to: 3 });
	});
});
