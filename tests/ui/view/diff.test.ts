import { describe, expect, it } from "vitest";
import { isDiff, partStarts, renderDiff, withParts } from "../../../src/ui/view/diff.ts";
import { plainText } from "../../../src/ui/view/style.ts";
import { lineWidth } from "../../../src/ui/view/wrap.ts";

const DIFF = "--- a.ts\n+++ a.ts\n@@ -9,3 +9,3 @@\n one\n-two\n+TWO\n three\n@@ -50,1 +50,2 @@\n x\n+y";

describe("renderDiff", () => {
	it("numbers context by the new file, removed lines by the old one", () => {
		expect(renderDiff(DIFF, 40, 100, "").map(plainText)).toEqual([
			"--- a.ts",
			"+++ a.ts",
			" 9  one",
			"10 -two",
			"10 +TWO",
			"11  three",
			"   ⋯",
			"50  x",
			"51 +y",
		]);
	});

	it("colours what goes and what comes", () => {
		const rows = renderDiff(DIFF, 40, 100, "");
		expect(rows.find((row) => plainText(row).endsWith("-two"))?.at(-1)?.style).toEqual({ colour: "red" });
		expect(rows.find((row) => plainText(row).endsWith("+TWO"))?.at(-1)?.style).toEqual({ colour: "green" });
	});

	it("heads each part with whether it is taken, and dims what is refused", () => {
		const rows = renderDiff(DIFF, 40, 100, "", { count: 2, marked: 1, refused: [0], first: 0 });
		expect(rows.map(plainText)).toEqual([
			"--- a.ts",
			"+++ a.ts",
			"  [ ] part 1 of 2, refused",
			" 9  one",
			"10 -two",
			"10 +TWO",
			"11  three",
			"❯ [x] part 2 of 2",
			"50  x",
			"51 +y",
		]);
		expect(rows[4]?.at(-1)?.style).toEqual({ dim: true });
		expect(partStarts(DIFF.split("\n"))).toEqual([2, 7]);
	});

	it("numbers a new file from 1 where it has no hunks", () => {
		const rows = renderDiff("--- (no file)\n+++ b\n+one\n+two", 40, 100, "").map(plainText);
		expect(rows.slice(2)).toEqual(["1 +one", "2 +two"]);
	});

	it("keeps lines that look like a head inside of a hunk", () => {
		const rows = renderDiff("--- a\n+++ a\n@@ -1,2 +1,1 @@\n--- x\n y", 40, 100, "").map(plainText);
		expect(rows.slice(2)).toEqual(["1 --- x", "1  y"]);
	});

	it("cuts a diff of 2,000 lines with a told count", () => {
		const long = ["--- (no file)", "+++ b", ...Array.from({ length: 2000 }, (_, i) => `+line ${i}`)].join(
			"\n",
		);
		const rows = renderDiff(long, 40, 12, " (Ctrl+O)").map(plainText);
		expect(rows).toHaveLength(13);
		expect(rows.at(-1)).toBe("… 1,990 more lines (Ctrl+O)");
	});

	it("wraps long lines behind their numbers", () => {
		const rows = renderDiff(`--- a\n+++ a\n@@ -1 +1 @@\n+${"x".repeat(50)}`, 20, 100, "");
		expect(rows.every((row) => lineWidth(row) <= 20)).toBe(true);
		expect(plainText(rows[3]!)).toMatch(/^ {3}x+$/);
	});
});

describe("isDiff", () => {
	it("knows a preview of a change from a command", () => {
		expect([isDiff(DIFF), isDiff("--- a"), isDiff("npm test")]).toEqual([true, false, false]);
	});
});

describe("withParts", () => {
	it("keeps the head and the parts that were accepted", () => {
		const rows = DIFF.split("\n");
		expect(withParts(DIFF, [1]).split("\n")).toEqual([...rows.slice(0, 2), ...rows.slice(7)]);
		expect(withParts(DIFF, [0, 1])).toBe(DIFF);
		expect(withParts(DIFF, [])).toBe(rows.slice(0, 2).join("\n"));
	});
});
