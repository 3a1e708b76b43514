// Means with an honest width, and the three ways of counting repeats. Pure.

import type { Mean } from "./types.ts";

/** The 97.5th percentile of the normal distribution. */
const Z = 1.959964;

/**
 * The mean of scores between 0 and 1 with Wilson's 95 % interval, which holds for few cases and at the ends, and is
 * rather too wide for scores that are no plain yes or no. One score a case: repeats of a case are not independent.
 */
export function meanWithInterval(scores: readonly number[]): Mean {
	const n = scores.length;
	if (n === 0) return { mean: 0, low: 0, high: 1, n };
	const mean = scores.reduce((sum, score) => sum + score, 0) / n;
	const scale = 1 + Z ** 2 / n;
	const centre = (mean + Z ** 2 / (2 * n)) / scale;
	const half = (Z / scale) * Math.sqrt((mean * (1 - mean)) / n + Z ** 2 / (4 * n ** 2));
	return { mean, low: Math.max(0, centre - half), high: Math.min(1, centre + half), n };
}

/** The chance that at least one of `k` trials passes, estimated from `passed` of `n`, without bias. */
export function passAtK(n: number, passed: number, k: number): number {
	return n === 0 ? 0 : 1 - choose(n - passed, Math.min(k, n)) / choose(n, Math.min(k, n));
}

/** The chance that all of `k` trials pass, estimated from `passed` of `n`. */
export function passHatK(n: number, passed: number, k: number): number {
	return n === 0 ? 0 : choose(passed, Math.min(k, n)) / choose(n, Math.min(k, n));
}

/** Plain mean; 0 of nothing. */
export function meanOf(values: readonly number[]): number {
	return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

function choose(n: number, k: number): number {
	if (k > n) return 0;
	let ways = 1;
	for (let i = 0; i < k; i++) ways = (ways * (n - i)) / (i + 1);
	return ways;
}
