import { describe, expect, it } from "vitest";
import { highestNumber, newestNumber } from "../../src/session/made.ts";

describe("newestNumber", () => {
	it("is the id's own number, also where ids before it are missing", () => {
		expect([newestNumber(0, "step-1"), newestNumber(3, "step-9")]).toEqual([1, 9]);
	});

	it("is one more where the id has no number, or one that was there before", () => {
		expect([newestNumber(4, "other"), newestNumber(4, "step-2")]).toEqual([5, 5]);
	});
});

describe("highestNumber", () => {
	it("rises only where a higher number is named", () => {
		expect([highestNumber(4, "step-7"), highestNumber(4, "step-4"), highestNumber(4, "x")]).toEqual([
			7, 4, 4,
		]);
	});
});
