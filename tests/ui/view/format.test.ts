import { describe, expect, it } from "vitest";
import {
	countOf,
	formatCost,
	formatDuration,
	formatElapsed,
	formatTokens,
	percentOf,
} from "../../../src/ui/view/format.ts";

describe("formatDuration", () => {
	it.each([
		[-5, "0.0 s"],
		[340, "0.3 s"],
		[9_949, "9.9 s"],
		[9_950, "10 s"],
		[59_499, "59 s"],
		[59_600, "1 m 00 s"],
		[125_000, "2 m 05 s"],
		[4_200_000, "1 h 10 m"],
	])("tells %d ms as %s", (ms, told) => expect(formatDuration(ms)).toBe(told));
});

describe("formatElapsed", () => {
	it("tells whole seconds only", () => {
		expect([formatElapsed(999), formatElapsed(31_900), formatElapsed(61_000)]).toEqual([
			"0 s",
			"31 s",
			"1 m 01 s",
		]);
	});
});

describe("formatTokens", () => {
	it.each([
		[950, "950"],
		[12_340, "12.3k"],
		[128_000, "128k"],
		[999_960, "1M"],
		[1_250_000, "1.3M"],
	])("tells %d as %s", (tokens, told) => expect(formatTokens(tokens)).toBe(told));
});

describe("formatCost", () => {
	it.each([
		[null, ""],
		[0, ""],
		[0.00001, "<$0.0001"],
		[0.0123, "$0.0123"],
		[1.5, "$1.50"],
	])("tells %s as %j", (usd, told) => expect(formatCost(usd)).toBe(told));
});

describe("countOf", () => {
	it("parts thousands and knows one from many", () => {
		expect([countOf(1, "line"), countOf(0, "line"), countOf(1_234_567, "line")]).toEqual([
			"1 line",
			"0 lines",
			"1,234,567 lines",
		]);
	});
});

describe("percentOf", () => {
	it("never exceeds 100 and is 0 where the window is unknown", () => {
		expect([percentOf(50, 200), percentOf(300, 200), percentOf(5, 0)]).toEqual([25, 100, 0]);
	});
});
