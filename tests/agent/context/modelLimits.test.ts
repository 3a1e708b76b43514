import { describe, expect, it } from "vitest";
import {
	ASSUMED_CONTEXT_WINDOW,
	calculateUsagePercentage,
	DEFAULT_THRESHOLD,
	getModelLimits,
	isOverThreshold,
	tokenUsageInfo,
} from "../../../src/agent/context/modelLimits.ts";

describe("getModelLimits", () => {
	it("assumes a window where none is known, and an eighth of it for the reply up to 16,384", () => {
		expect(getModelLimits()).toEqual({
			contextWindow: ASSUMED_CONTEXT_WINDOW,
			outputReserve: 16_000,
			assumed: true,
		});
		expect(getModelLimits({ contextWindow: 9 })).not.toHaveProperty("assumed");
		expect(getModelLimits({ contextWindow: 1_000_000 }).outputReserve).toBe(16_384);
		expect(getModelLimits({ contextWindow: 100 }).outputReserve).toBe(13);
		expect(getModelLimits({ contextWindow: 100, outputReserve: 7 }).outputReserve).toBe(7);
	});
});

describe("calculateUsagePercentage", () => {
	it("has one decimal, stops at 100, and is 0 for a window of nothing", () => {
		expect(calculateUsagePercentage(1, 3)).toBe(33.3);
		expect(calculateUsagePercentage(9, 3)).toBe(100);
		expect(calculateUsagePercentage(9, 0)).toBe(0);
	});
});

describe("isOverThreshold", () => {
	it("is true only beyond the share", () => {
		expect(isOverThreshold(80, 100)).toBe(false);
		expect(isOverThreshold(81, 100)).toBe(true);
		expect(isOverThreshold(51, 100, 0.5)).toBe(true);
	});
});

describe("tokenUsageInfo", () => {
	it("sums what went in and came out", () => {
		const usage = { inputTokens: 40, outputTokens: 10, cachedInputTokens: 5, reasoningTokens: 1 };
		expect(tokenUsageInfo(usage, 100, true)).toEqual({
			inputTokens: 40,
			outputTokens: 10,
			totalTokens: 50,
			contextWindow: 100,
			threshold: DEFAULT_THRESHOLD,
			percentage: 50,
			estimated: true,
		});
	});
});
