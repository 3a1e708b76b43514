import { describe, expect, it } from "vitest";
import { nearestWord } from "../../src/settings/spelling.ts";

describe("nearestWord", () => {
	const words = ["model", "models", "doctor", "sessions", "print", "permission-mode"];

	it.each([
		["modle", "model"],
		["docter", "doctor"],
		["SESSION", "sessions"],
		["pirnt", "print"],
		["permision-mdoe", "permission-mode"],
	])("takes %s for %s", (typed, meant) => {
		expect(nearestWord(typed, words)).toBe(meant);
	});

	it.each(["hello", "fix", "", "a very long text that is no word"])("offers nothing for %j", (typed) => {
		expect(nearestWord(typed, words)).toBeUndefined();
	});

	it("takes the first of two words that are equally near", () => {
		expect(nearestWord("modelx", words)).toBe("model");
		expect(nearestWord("modelx", [...words].reverse())).toBe("models");
	});
});
