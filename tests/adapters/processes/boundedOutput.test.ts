// What is kept of a text that is longer than its bound.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createBoundedOutput } from "../../../src/adapters/processes/boundedOutput.ts";

function gather(head: number, tail: number, pieces: string[]): string {
	const bounded = createBoundedOutput(head, tail);
	for (const piece of pieces) bounded.add(piece);
	return bounded.text();
}

describe("createBoundedOutput", () => {
	it("gives a text within the bound back whole, also where a character lies across the border", () => {
		fc.assert(
			fc.property(fc.array(fc.string({ unit: "grapheme", maxLength: 5 }), { maxLength: 6 }), (pieces) => {
				const whole = pieces.join("");
				const size = Buffer.byteLength(whole);
				expect(gather(Math.floor(size / 2), Math.ceil(size / 2), pieces)).toBe(whole);
			}),
		);
	});

	it("keeps whole lines of head and tail and says how many bytes lie between", () => {
		const lines = Array.from({ length: 1000 }, (_, i) => `line ${i}\n`);
		const text = gather(60, 60, lines);
		const [, head, omitted, tail] = /^([\s\S]*)\n\.\.\. \[(\d+) bytes left out\] \.\.\.\n([\s\S]*)$/.exec(
			text,
		)!;
		expect(head).toMatch(/^line 0\n(line \d\n)*line \d$/);
		expect(tail).toMatch(/^line 99\d\n(line 99\d\n)*line 999\n$/);
		expect(head!.length + Number(omitted) + tail!.length).toBe(lines.join("").length);
	});

	it("cuts no character in two where there are no lines", () => {
		fc.assert(
			fc.property(
				fc.integer({ min: 1, max: 40 }),
				fc.integer({ min: 1, max: 40 }),
				fc.constantFrom("€", "😀", "é", "aé€😀"),
				(head, tail, unit) => {
					const text = gather(head, tail, [unit.repeat(200)]);
					expect(text).not.toContain("\ufffd");
					expect(Buffer.byteLength(text)).toBeLessThanOrEqual(head + tail + 40);
				},
			),
		);
	});

	it("holds no more than its bound, however much is added", () => {
		const bounded = createBoundedOutput(1000, 1000);
		const piece = "0123456789".repeat(6000);
		for (let i = 0; i < 3000; i++) bounded.add(piece);
		expect(bounded.text()).toContain(`[${3000 * 60_000 - 2000} bytes left out]`);
		expect(bounded.text().length).toBeLessThan(2100);
	});
});
