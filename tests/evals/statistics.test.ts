import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { meanWithInterval, passAtK, passHatK } from "../../src/evals/statistics.ts";

describe("meanWithInterval", () => {
	it("gives Wilson's interval for shares", () => {
		const { mean, low, high, n } = meanWithInterval([1, 1, 1, 1, 1, 1, 1, 1, 0, 0]);
		expect({ mean, n }).toEqual({ mean: 0.8, n: 10 });
		expect(low).toBeCloseTo(0.4902, 4);
		expect(high).toBeCloseTo(0.9433, 4);
	});

	it("does not call few good cases certain", () => {
		expect(meanWithInterval([1, 1, 1]).low).toBeLessThan(0.5);
	});

	it("knows nothing without scores", () => {
		expect(meanWithInterval([])).toEqual({ mean: 0, low: 0, high: 1, n: 0 });
	});

	it("holds its mean and stays between 0 and 1 for any scores", () => {
		fc.assert(
			fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1 }), (scores) => {
				const { mean, low, high } = meanWithInterval(scores);
				expect(low).toBeGreaterThanOrEqual(0);
				expect(high).toBeLessThanOrEqual(1);
				expect(low).toBeLessThanOrEqual(mean + 1e-9);
				expect(high).toBeGreaterThanOrEqual(mean - 1e-9);
			}),
		);
	});
});

describe("passAtK and passHatK", () => {
	it.each([
		[4, 2, 1, 0.5, 0.5],
		[4, 2, 2, 1 - 1 / 6, 1 / 6],
		[3, 3, 3, 1, 1],
		[3, 0, 3, 0, 0],
		[3, 1, 3, 1, 0],
		[0, 0, 3, 0, 0],
	])("of %i trials with %i passed, for k %i", (n, passed, k, any, all) => {
		expect(passAtK(n, passed, k)).toBeCloseTo(any);
		expect(passHatK(n, passed, k)).toBeCloseTo(all);
	});

	it("take all trials where a case has fewer than k", () => {
		expect(passAtK(2, 1, 5)).toBe(1);
		expect(passHatK(2, 2, 5)).toBe(1);
	});
});
