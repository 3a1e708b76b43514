import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
	createBreaker,
	DEFAULT_RETRY,
	describeGiveUp,
	retryDelay,
	withRetry,
} from "../../src/agent/retry.ts";
import type { ModelFailure } from "../../src/types.ts";

const failure = (more: Partial<ModelFailure> = {}): ModelFailure => ({
	kind: "overloaded",
	message: "Busy.",
	retryable: true,
	...more,
});

describe("retryDelay", () => {
	it("doubles the wait, with chance between half and whole of it", () => {
		expect([1, 2, 3].map((attempt) => retryDelay(failure(), attempt, () => 0))).toEqual([500, 1000, 2000]);
		fc.assert(
			fc.property(
				fc.integer({ min: 1, max: 3 }),
				fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
				(attempt, chance) => {
					const wait = retryDelay(failure(), attempt, () => chance) as number;
					const full = 1000 * 2 ** (attempt - 1);
					expect(wait).toBeGreaterThanOrEqual(full / 2);
					expect(wait).toBeLessThanOrEqual(full);
				},
			),
		);
	});

	it("gives up after three retries, and at once where the failure allows none", () => {
		expect(retryDelay(failure(), 4, () => 0)).toBe("give_up");
		expect(retryDelay(failure({ retryable: false }), 1, () => 0)).toBe("give_up");
	});

	it("waits as long as the server asks and at most a second more, never less", () => {
		expect(retryDelay(failure({ retryAfterMs: 2000 }), 1, () => 0)).toBe(2000);
		expect(retryDelay(failure({ retryAfterMs: 2000 }), 3, () => 0.999)).toBeLessThanOrEqual(3000);
		expect(retryDelay(failure({ retryAfterMs: 0 }), 1, () => 0)).toBe(0);
	});

	it("gives up at once where the server asks for more than a minute", () => {
		expect(retryDelay(failure({ retryAfterMs: 60_001 }), 1, () => 0)).toBe("give_up");
	});
});

describe("describeGiveUp", () => {
	it("tells the wait that the server asks for", () => {
		expect(describeGiveUp(failure({ retryAfterMs: 7_200_000 }), 1)).toBe(
			"Busy. The server asks to wait 2 hours; send it again then.",
		);
		expect(describeGiveUp(failure({ retryAfterMs: 90_000 }), 1)).toContain("2 minutes");
	});

	it("tells how often it was tried", () => {
		expect(describeGiveUp(failure(), 4)).toBe("Busy. Tried 4 times.");
		expect(describeGiveUp(failure({ retryable: false }), 1)).toBe("Busy.");
	});
});

describe("createBreaker", () => {
	it("opens after five failures in a row and says so", () => {
		const breaker = createBreaker();
		for (let n = 0; n < 4; n++) breaker.record("failed");
		expect(breaker.openReason()).toBeUndefined();
		breaker.record("failed");
		expect(breaker.openReason()).toContain("5 requests to the model failed in a row");
	});

	it("starts anew after a success, and when the person asks anew", () => {
		const breaker = createBreaker({ ...DEFAULT_RETRY, breakerAfter: 2 });
		breaker.record("failed");
		breaker.record("ok");
		breaker.record("failed");
		expect(breaker.openReason()).toBeUndefined();
		breaker.record("failed");
		breaker.reset();
		expect(breaker.openReason()).toBeUndefined();
	});
});

describe("withRetry", () => {
	async function run(errors: unknown[], options: Parameters<typeof withRetry>[1] = {}) {
		const waits: number[] = [];
		let calls = 0;
		const fn = async () => {
			const error = errors[calls++];
			if (error) throw error;
			return "done";
		};
		const wait = async (ms: number) => void waits.push(ms);
		const result = await withRetry(fn, { wait, random: () => 0, ...options }).catch(
			(error: unknown) => error,
		);
		return { result, calls, waits };
	}
	const status = (code: number, more: object = {}) =>
		Object.assign(new Error(`HTTP ${code}`), { status: code, ...more });

	it("tries again after 429 and answers", async () => {
		expect(await run([status(429), status(429)])).toEqual({ result: "done", calls: 3, waits: [500, 1000] });
	});

	it.each([[400], [401], [404], [409], [422]])("does not try again after %i", async (code) => {
		expect(await run([status(code)])).toMatchObject({ calls: 1, result: { status: code } });
	});

	it.each([
		["a 408", status(408)],
		["a 500", Object.assign(new Error("x"), { statusCode: 500 })],
		[
			"a broken connection",
			new TypeError("fetch failed", { cause: Object.assign(new Error("x"), { code: "ECONNRESET" }) }),
		],
		["a time-out", new DOMException("x", "TimeoutError")],
	])("tries again after %s", async (_case, error) => {
		expect(await run([error])).toMatchObject({ calls: 2, result: "done" });
	});

	it.each([
		["an abort", new DOMException("x", "AbortError")],
		["a bug", new TypeError("x is not a function")],
	])("does not try again after %s", async (_case, error) => {
		expect(await run([error])).toMatchObject({ calls: 1, result: error });
	});

	it("rejects with the last error once the tries are used up", async () => {
		const errors = [1, 2, 3].map((n) => status(503, { n }));
		expect(await run(errors, { retries: 2 })).toMatchObject({ calls: 3, result: { n: 3 } });
	});

	it("waits as long as the error asks, and not at all for more than a minute", async () => {
		expect(await run([status(429, { retryAfterMs: 3000 })])).toMatchObject({ waits: [3000] });
		expect(await run([status(429, { retryAfterMs: 600_000 })])).toMatchObject({ calls: 1, waits: [] });
	});

	it("stops waiting at the abort", async () => {
		const controller = new AbortController();
		const reason = new Error("stop");
		const fn = async () => {
			queueMicrotask(() => controller.abort(reason));
			throw status(503);
		};
		await expect(withRetry(fn, { baseMs: 3_600_000, signal: controller.signal })).rejects.toBe(reason);
	});
});
