import { describe, expect, it } from "vitest";
import { bestWindows, firstWindow } from "../../../src/adapters/retriever/windows.ts";

const WEIGHTS = new Map([
	["lock", 1],
	["rare", 3],
]);

function textOf(marks: Record<number, string>, lines = 60): string {
	return Array.from({ length: lines }, (_, i) => marks[i + 1] ?? `line ${i + 1}`).join("\n");
}

describe("bestWindows", () => {
	it("gives the neighbouring lines that hold the most of the question's weight, from a little before", () => {
		const [best, second, third] = bestWindows(
			textOf({ 10: "a Lock", 40: "rare words", 44: "unlock" }),
			WEIGHTS,
			3,
		);
		expect(best).toMatchObject({ line: 38, score: 1 });
		expect(best?.text.split("\n")[2]).toBe("rare words");
		expect(second).toMatchObject({ line: 8, score: 0.25 });
		expect(third).toBeUndefined();
	});

	it("gives nothing for a text without any of the words, and cuts long lines whole letters at a time", () => {
		expect(bestWindows(textOf({}), WEIGHTS, 2)).toEqual([]);
		const [best] = bestWindows(`rare ${"x".repeat(294)}😀 and more`, WEIGHTS, 1);
		expect(best?.text.isWellFormed()).toBe(true);
		expect(best?.text.length).toBeLessThan(310);
	});
});

describe("firstWindow", () => {
	it("is the beginning of a text", () => {
		expect(firstWindow(textOf({}), 0)).toMatchObject({ line: 1, score: 0 });
		expect(firstWindow(textOf({}), 0).text.split("\n")).toHaveLength(12);
	});
});
