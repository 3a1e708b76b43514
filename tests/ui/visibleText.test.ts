import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { escapedText, visibleText } from "../../src/ui/visibleText.ts";

describe("visibleText", () => {
	it.each([
		["plain text, tabs and lines", "a\tb\n", "a\tb\n"],
		["colours", "\x1b[31mred\x1b[0m", "red"],
		["a title", "\x1b]0;title\x07x", "x"],
		["a clipboard write that never ends", "\x1b]52;c;aGk=\nx", "\nx"],
		["8-bit sequences", "\x9b2Jx\x9d0;t\x9cy", "xy"],
		["a lone escape", "a\x1b", "a"],
		["a carriage return that hides text", "rm -rf /\rls", "rm -rf /␍ls"],
		["a line end of two", "a\r\nb", "a\nb"],
		["a backspace", "a\bb", "a␈b"],
		["a text turned round", "a\u202eb", "a<U+202E>b"],
		["invisible letters", "a\u200bb\u{e0041}", "a<U+200B>b<U+E0041>"],
		["a family of emoji", "👨\u200d👩\u200d👧", "👨\u200d👩\u200d👧"],
	])("shows %s without their effect", (_, text, shown) => {
		expect(visibleText(text)).toBe(shown);
	});

	it("lets no control but tab and newline through, whatever comes", () => {
		const text = fc.string({
			unit: fc.constantFrom("\x1b", "[", "]", ";", "m", "\x9b", "\x07", "a", "\r", "\n", "\t"),
		});
		fc.assert(
			fc.property(text, (given) => {
				expect(visibleText(given)).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/);
			}),
		);
	});
});

describe("escapedText", () => {
	it.each([
		["a command inside of a title", "echo ok \x1b]0; rm -rf x \x07", "echo ok ␛]0; rm -rf x ␇"],
		["a command inside of a colour", "\x1b[31mls\x9b1;rm x", "␛[31mls<U+009B>1;rm x"],
		["a carriage return", "rm x\rls", "rm x␍ls"],
		["plain text, tabs and lines", "a\tb\r\nc", "a\tb\nc"],
	])("leaves out no letter of %s", (_, text, shown) => {
		expect(escapedText(text)).toBe(shown);
	});

	it("keeps every printable letter and lets no control through, whatever comes", () => {
		const text = fc.string({
			unit: fc.constantFrom("\x1b", "[", "]", ";", "m", "\x9b", "\x9d", "\x07", "a", "\r", "\n", "\t"),
		});
		const printable = (given: string) => given.replace(/[^\x20-\x7e]/g, "");
		fc.assert(
			fc.property(text, (given) => {
				const shown = escapedText(given);
				expect(shown).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/);
				expect(printable(shown.replace(/<U\+[0-9A-F]+>/g, ""))).toBe(printable(given));
			}),
		);
	});
});
