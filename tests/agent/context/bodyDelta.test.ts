import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { diffBody, patchBody } from "../../../src/agent/context/bodyDelta.ts";

/** Long runs of few letters, so that ends often agree over whole blocks and overlap. */
const body = fc
	.array(fc.constantFrom("a", "ab", "a".repeat(1024), "ab".repeat(700), "é😀"), { maxLength: 8 })
	.map((parts) => parts.join(""));

describe("patchBody", () => {
	it("gives back every body from its difference", () => {
		fc.assert(
			fc.property(body, body, (previous, next) => {
				expect(patchBody(previous, diffBody(previous, next))).toBe(next);
			}),
			{ numRuns: 500 },
		);
	});
});

describe("diffBody", () => {
	it("never counts a letter for both ends", () => {
		expect(diffBody("aaa", "aa")).toEqual({ prefix: 2, suffix: 0, middle: "" });
		expect(diffBody("aa", "aaa")).toEqual({ prefix: 2, suffix: 0, middle: "a" });
	});

	it("keeps no more than what is new between the ends", () => {
		const [head, tail] = ["h".repeat(3000), "t".repeat(2500)];
		expect(diffBody(`${head}old${tail}`, `${head}new!${tail}`)).toEqual({
			prefix: 3000,
			suffix: 2500,
			middle: "new!",
		});
	});

	it("tells a first body whole", () => {
		expect(diffBody("", "x")).toEqual({ prefix: 0, suffix: 0, middle: "x" });
	});
});
