// Hunks taken one by one: all of them give the new text, none the old one, some exactly what was accepted.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { applyHunks, diffHunks } from "../../../src/agent/tools/hunks.ts";

const NUMBERS = Array.from({ length: 40 }, (_, at) => `line ${at}\n`).join("");

describe("applyHunks", () => {
	it("carries out the accepted hunks and no others", async () => {
		const after = NUMBERS.replace("line 3\n", "three\n")
			.replace("line 20\n", "")
			.replace("line 38\n", "line 38\nmore\n");
		const hunks = (await diffHunks(NUMBERS, after))!;
		expect(hunks).toHaveLength(3);
		expect(applyHunks(NUMBERS, hunks, new Set([0, 2]))).toBe(
			NUMBERS.replace("line 3\n", "three\n").replace("line 38\n", "line 38\nmore\n"),
		);
		expect(applyHunks(NUMBERS, hunks, new Set([1]))).toBe(NUMBERS.replace("line 20\n", ""));
	});

	it.each([
		["a\nb", "a\nc"],
		["a\n", "a"],
		["a", "a\n"],
		["", "a\nb\n"],
		["a\r\nb\r\n", "a\r\nB\r\n"],
		["a\nb\n", ""],
		["\n\n", "\n"],
	])("keeps the ends of lines and of the text between %j and %j", async (before, after) => {
		const hunks = (await diffHunks(before, after))!;
		expect(applyHunks(before, hunks, new Set(hunks.keys()))).toBe(after);
		expect(applyHunks(before, hunks, new Set())).toBe(before);
	});

	it("gives the new text for all hunks and the old one for none, whatever the texts are", async () => {
		const text = fc
			.array(fc.constantFrom("a", "b", "c", "", " ", "\\ No newline at end of file", "-x", "+y"), {
				maxLength: 40,
			})
			.chain((lines) => fc.constantFrom("\n", "\r\n").map((end) => lines.join(end)));
		await fc.assert(
			fc.asyncProperty(text, text, async (before, after) => {
				const hunks = (await diffHunks(before, after))!;
				expect(applyHunks(before, hunks, new Set(hunks.keys()))).toBe(after);
				expect(applyHunks(before, hunks, new Set())).toBe(before);
			}),
			{ numRuns: 200 },
		);
	});
});
