import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { columnsOf, graphemesOf } from "../../../src/ui/input/graphemes.ts";
import { layoutEditor, placeInRow } from "../../../src/ui/input/layoutEditor.ts";

/** The places between the visible characters of `text`. */
function edgesOf(text: string): number[] {
	let at = 0;
	const ends = Array.from(graphemesOf(text), (grapheme) => {
		at += grapheme.length;
		return at;
	});
	return [0, ...ends];
}

describe("layoutEditor", () => {
	it.each([
		["nothing", "", 0, 10, [""], [0, 0]],
		["a short line", "hello", 2, 10, ["hello"], [0, 2]],
		["a line cut at the width", "abcdefg", 5, 3, ["abc", "def", "g"], [1, 2]],
		["the cursor where a row was cut", "abcdef", 3, 3, ["abc", "def"], [1, 0]],
		["the cursor behind a full last row", "abc", 3, 3, ["abc", ""], [1, 0]],
		["the cursor before a full last row's end", "abc", 2, 3, ["abc"], [0, 2]],
		["the cursor behind a full row with a line after it", "abc\nx", 3, 3, ["abc", "", "x"], [1, 0]],
		["line breaks", "a\n\nb", 2, 10, ["a", "", "b"], [1, 0]],
		["a line break at the end", "a\n", 2, 10, ["a", ""], [1, 0]],
		["Hangul, two columns each", "안녕하세", 2, 10, ["안녕하세"], [0, 4]],
		["a wide letter that does not fit", "a안녕", 3, 4, ["a안", "녕"], [1, 2]],
		["joined emoji and accents", "👨‍👩‍👧e\u0301x", 10, 10, ["👨‍👩‍👧e\u0301x"], [0, 3]],
		["a tab as blanks", "a\tb", 2, 10, ["a    b"], [0, 5]],
		["controls as marks", "a\x07\x1b\u202eb", 4, 20, ["a␇�<U+202E>b"], [0, 11]],
		["a letter wider than the row", "안", 1, 1, ["…", ""], [1, 0]],
	] as const)("lays out %s", (_, text, cursor, width, rows, [cursorRow, cursorColumn]) => {
		expect(layoutEditor(text, cursor, width)).toEqual({ rows: [...rows], cursorRow, cursorColumn });
	});

	it("keeps every row and the cursor within the width, and loses no letter", () => {
		const letters = fc.array(fc.constantFrom("a", "b ", "안", "👨‍👩‍👧", "e\u0301", "\n", "中", "\t"), {
			maxLength: 40,
		});
		fc.assert(
			fc.property(letters, fc.nat(40), fc.integer({ min: 4, max: 12 }), (pieces, before, width) => {
				const text = pieces.join("");
				const cursor = pieces.slice(0, before).join("").length;
				const layout = layoutEditor(text, cursor, width);
				for (const row of layout.rows) expect(columnsOf(row)).toBeLessThanOrEqual(width);
				expect(layout.cursorColumn).toBeLessThan(width);
				expect(columnsOf(layout.rows[layout.cursorRow]!)).toBeGreaterThanOrEqual(layout.cursorColumn);
				expect(layout.rows.join("")).toBe(text.replaceAll("\n", "").replaceAll("\t", "    "));
			}),
		);
	});

	it("takes a text of a megabyte in a moment", () => {
		const text = "x".repeat(1_000_000);
		expect(layoutEditor(text, text.length, 100).rows).toHaveLength(10_001);
	});
});

describe("placeInRow", () => {
	it("keeps the column as well as wide letters allow", () => {
		expect(placeInRow("abcd\n안녕", 3, 10, 1, 3)).toBe(6);
		expect(placeInRow("안녕\nabcd", 5, 10, -1, 2)).toBe(1);
	});

	it("goes to the end of a shorter row", () => {
		expect(placeInRow("abcd\nx", 4, 10, 1, 4)).toBe(6);
	});

	it("stays in a row that was cut, before its last letter", () => {
		expect(placeInRow("abcdef", 6, 3, -1, 9)).toBe(5);
		expect(placeInRow("abcdef", 4, 3, -1, 9)).toBe(2);
	});

	it("finds no row outside the text", () => {
		expect(placeInRow("a", 0, 10, -1, 0)).toBeUndefined();
		expect(placeInRow("a", 0, 10, 1, 0)).toBeUndefined();
	});

	it("always lands between characters", () => {
		const text = "a👨‍👩‍👧안e\u0301\n안x👍🏽";
		const edges = edgesOf(text);
		for (const cursor of edges)
			for (let column = 0; column < 8; column++)
				for (const by of [-1, 1]) {
					const place = placeInRow(text, cursor, 4, by, column);
					expect(place === undefined || edges.includes(place)).toBe(true);
				}
	});
});
