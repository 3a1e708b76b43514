// Where a text that was not found was probably meant.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findNearestText } from "../../../src/agent/tools/nearestText.ts";

describe("findNearestText", () => {
	const file = "import a\n\nfunction one() {\n\treturn 1;\n}\n\nfunction two() {\n\treturn 2;\n}\n";

	it("finds lines that differ in white space only, also where the first and last are parts of lines", () => {
		expect(findNearestText(file, "two(){\n  return 2;\n}")).toEqual({
			firstLine: 7,
			lastLine: 9,
			text: "function two() {\n\treturn 2;\n}",
			difference: "white space",
		});
	});

	it("finds lines that differ in letter case only", () => {
		expect(findNearestText(file, "Function Two() {")).toMatchObject({
			firstLine: 7,
			difference: "letter case",
		});
	});

	it("finds the place that shares most lines", () => {
		const near = findNearestText(file, "function two() {\n\tconst x = 0;\n\treturn 2;\n}");
		expect(near).toMatchObject({ firstLine: expect.any(Number) });
		expect(near?.text).toContain("return 2;");
	});

	it("finds the line that is most like a misspelt one", () => {
		expect(findNearestText(file, "functoin two() {")).toMatchObject({ firstLine: 7, lastLine: 7 });
	});

	it("finds nothing where nothing is like it", () => {
		expect(findNearestText(file, "zzzz qqqq")).toBeUndefined();
		expect(findNearestText(file, " \n ")).toBeUndefined();
		expect(findNearestText("", "a")).toBeUndefined();
	});

	it("always names lines of the file, and shows a bounded piece of them", () => {
		const lines = fc.array(fc.string({ maxLength: 12 }), { maxLength: 20 });
		fc.assert(
			fc.property(lines, lines, (text, wanted) => {
				const near = findNearestText(text.join("\n"), wanted.join("\n"));
				if (near === undefined) return;
				expect(near.firstLine).toBeGreaterThanOrEqual(1);
				expect(near.lastLine).toBeGreaterThanOrEqual(near.firstLine);
				expect(near.lastLine).toBeLessThanOrEqual(text.join("\n").split("\n").length);
			}),
		);
		const huge = `${"x".repeat(500)}\n`.repeat(100_000);
		expect(findNearestText(huge, `${"x".repeat(499)}y\n`.repeat(900))?.text.length ?? 0).toBeLessThan(7_000);
	});
});
