import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readJson } from "../../src/settings/jsonPositions.ts";

describe("readJson", () => {
	it("reads every JSON value as JSON.parse does, however it is indented", () => {
		fc.assert(
			fc.property(fc.jsonValue(), fc.constantFrom(undefined, "\t", "  "), (value, indent) => {
				const text = JSON.stringify(value, null, indent);
				const read = readJson(text);
				expect(read.ok && read.value).toEqual(JSON.parse(text));
			}),
		);
	});

	it("accepts no text that JSON.parse refuses", () => {
		const pieces = fc.constantFrom(
			"{",
			"}",
			"[",
			"]",
			",",
			":",
			'"a"',
			"1",
			"-",
			"true",
			"nul",
			" ",
			"\n",
			'"',
			"\\",
		);
		fc.assert(
			fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
				const text = parts.join("");
				if (readJson(text).ok) expect(() => JSON.parse(text)).not.toThrow();
			}),
			{ numRuns: 500 },
		);
	});

	it("tells the line of a key, and of the key above where the path goes deeper than the text", () => {
		const read = readJson('{\n\t"limits": {\n\t\t"stepsPerTurn": 1\n\t},\n\t"keys": ["a",\n"b"]\n}');
		if (!read.ok) throw new Error(read.message);
		expect(read.lineOf(["limits"])).toBe(2);
		expect(read.lineOf(["limits", "stepsPerTurn"])).toBe(3);
		expect(read.lineOf(["limits", "absent"])).toBe(2);
		expect(read.lineOf(["keys", 1])).toBe(6);
		expect(read.lineOf([])).toBe(1);
	});

	it.each([
		['{"a": 1,}', 1, 9, "a comma may not stand before }"],
		['{\n\t"a": 1\n\t"b": 2\n}', 3, 2, "a comma or } is expected here"],
		['{\n"a" 1}', 2, 5, 'a colon is expected after the key "a"'],
		["{a: 1}", 1, 2, "a key in double quotes is expected here"],
		['{"a": tru}', 1, 7, "a value is expected here: text in double quotes, a number, true, false, { or ["],
		['{"a": 1', 1, 8, "the file ends too early"],
		["", 1, 1, "the file ends too early"],
		["{} // note", 1, 4, "nothing may follow the closing bracket"],
		['{"a": 1,\n"a": 2}', 2, 1, 'the key "a" stands here for the second time'],
		['["a\nb"]', 1, 2, "this text in double quotes is not closed or holds an invalid character"],
	])("names place and reason for %j", (text, line, column, message) => {
		expect(readJson(text)).toEqual({ ok: false, line, column, message });
	});

	it("skips a byte order mark", () => {
		expect(readJson("\uFEFF{}")).toMatchObject({ ok: true, value: {} });
	});

	it("keeps a key named __proto__ as a key", () => {
		const read = readJson('{"__proto__": {"model": "x"}}');
		expect(read.ok && Object.keys(read.value as object)).toEqual(["__proto__"]);
		expect(read.ok && (read.value as { model?: string }).model).toBeUndefined();
	});

	it("refuses brackets nested so deep that reading them would overflow the stack", () => {
		expect(readJson("[".repeat(100_000))).toMatchObject({
			ok: false,
			message: "brackets are nested more than 100 deep",
		});
	});
});
