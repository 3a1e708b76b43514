// What is left of terminal output, whole and in pieces.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createOutputCleaner } from "../../../src/adapters/processes/cleanOutput.ts";

function clean(...pieces: string[]): string {
	const cleaner = createOutputCleaner();
	const done = pieces.map((piece) => cleaner.push(piece)).join("");
	return done + cleaner.line().text;
}

describe("createOutputCleaner", () => {
	it("keeps plain text, tabs and line feeds as they are", () => {
		expect(clean("a\tb\n\nc €😀\n")).toBe("a\tb\n\nc €😀\n");
	});

	it.each([
		["colours", "\x1b[1;32mgreen\x1b[0m", "green"],
		["cursor moves", "a\x1b[2A\x1b[10;5Hb", "ab"],
		["private modes", "\x1b[?25lx\x1b[?25h", "x"],
		["a title ended by BEL", "\x1b]0;title\x07x", "x"],
		["a clipboard write ended by ST", "\x1b]52;c;aGk=\x1b\\x", "x"],
		["a hyperlink", "\x1b]8;;http://h/\x1b\\text\x1b]8;;\x1b\\", "text"],
		["DCS, APC, PM and SOS", "\x1bPq#0\x1b\\a\x1b_app\x1b\\b\x1b^pm\x1b\\c\x1bXsos\x1b\\d", "abcd"],
		["eight-bit CSI and OSC", "\x9b31mred\x9b0m\x9d0;t\x9cx", "redx"],
		["a charset choice", "\x1b(Bx\x1b)0y", "xy"],
		["keypad modes and a reset", "\x1b=\x1b>\x1bcx", "x"],
		["other controls", "a\x00b\x07c\x7fd\x0ee\x85f", "abcdef"],
		["an escape at the end", "x\x1b", "x"],
		["an unterminated CSI at the end", "x\x1b[12;", "x"],
	])("drops %s", (_, text, expected) => {
		expect(clean(text)).toBe(expected);
	});

	it("ends an unterminated title at the end of its line, so that later output is kept", () => {
		expect(clean("\x1b]0;never closed\nnext\n")).toBe("\nnext\n");
	});

	it("ends a broken sequence at the first character that cannot belong to it", () => {
		expect(clean("\x1b[3€x\x1b[\nnext")).toBe("€x\nnext");
	});

	it("folds a progress bar into its last state", () => {
		const bar = Array.from({ length: 50 }, (_, i) => `\r\x1b[32m${i + 1}/50\x1b[0m`).join("");
		expect(clean(bar, "\ndone\n")).toBe("50/50\ndone\n");
	});

	it("keeps what a shorter redraw leaves standing, unless the line was erased", () => {
		expect(clean("12345\rab\n")).toBe("ab345\n");
		expect(clean("12345\r\x1b[Kab\n")).toBe("ab\n");
		expect(clean("12345\x1b[2K\rab\n")).toBe("ab\n");
	});

	it("takes CR LF for a line end, also where it is cut in two", () => {
		expect(clean("one\r", "\ntwo\r\n")).toBe("one\ntwo\n");
	});

	it("applies backspaces", () => {
		expect(clean("ab\b\bxy\n_\bz\n\b\bq")).toBe("xy\nz\nq");
	});

	it("says of the unfinished line whether it was redrawn", () => {
		const cleaner = createOutputCleaner();
		cleaner.push("name: ");
		expect(cleaner.line()).toEqual({ text: "name: ", redrawn: false });
		cleaner.push("\r1%");
		expect(cleaner.line()).toEqual({ text: "1%me: ", redrawn: true });
		cleaner.push("\nx");
		expect(cleaner.line()).toEqual({ text: "x", redrawn: false });
	});

	it("gives a line without end out in parts instead of gathering it", () => {
		const cleaner = createOutputCleaner();
		let length = 0;
		for (let i = 0; i < 100; i++) length += cleaner.push("x".repeat(1000)).length;
		expect(length).toBeGreaterThan(80_000);
		expect(length + cleaner.line().text.length).toBe(100_000);
	});

	const terminalText = fc
		.array(
			fc.oneof(
				fc.constantFrom(
					"\x1b[",
					"\x1b]",
					"\x1b",
					"\x9b",
					"\x9d",
					"\x1bP",
					"\x07",
					"\x1b\\",
					"\r",
					"\b",
					"\n",
					"K",
					"2K",
					"m",
					";",
				),
				fc.string({ unit: "binary", maxLength: 6 }),
			),
			{ maxLength: 30 },
		)
		.map((parts) => parts.join(""));

	it("never lets a control character or half a character through, whatever comes", () => {
		fc.assert(
			fc.property(terminalText, (text) => {
				const cleaned = clean(text.toWellFormed());
				expect(cleaned).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/);
				expect(cleaned.isWellFormed()).toBe(true);
			}),
		);
	});

	it("gives the same wherever the text is cut", () => {
		fc.assert(
			fc.property(terminalText, fc.nat(), (text, at) => {
				const whole = [...text.toWellFormed()];
				const cut = whole.length === 0 ? 0 : at % whole.length;
				expect(clean(whole.slice(0, cut).join(""), whole.slice(cut).join(""))).toBe(clean(whole.join("")));
			}),
		);
	});
});
