import { describe, expect, it } from "vitest";
import { DEFAULT_USAGE_LIMITS, UsageTracker } from "../../src/agent/usage.ts";

const small = { maxTokens: 100, maxToolCalls: 1, maxIterations: 2, maxCost: 1 };

describe("UsageTracker", () => {
	it("counts tool calls of a turn and tokens of all turns", () => {
		const tracker = new UsageTracker(small);
		tracker.startTurn();
		expect(tracker.check()).toEqual({ ok: true });
		tracker.addToolCall();
		expect(tracker.check()).toEqual({ ok: true });
		tracker.addToolCall();
		expect(tracker.check()).toEqual({ ok: false, reason: "Tool call limit exceeded (2)" });
		tracker.startTurn();
		expect(tracker.check()).toEqual({ ok: true });
		tracker.addTokens(101, false);
		expect(tracker.check()).toEqual({ ok: false, reason: "Token limit exceeded (101)" });
		tracker.startTurn();
		expect(tracker.check()).toEqual({ ok: false, reason: "Token limit exceeded (101)" });
	});

	it("stops the first tool call where none is allowed", () => {
		const tracker = new UsageTracker({ ...small, maxToolCalls: 0 });
		tracker.startTurn();
		tracker.addToolCall();
		expect(tracker.check()).toEqual({ ok: false, reason: "Tool call limit exceeded (1)" });
	});

	it("adds input and output tokens and allows exactly the limit", () => {
		const tracker = new UsageTracker(small);
		tracker.addTokens(60, false);
		tracker.addTokens(40, true);
		expect(tracker.check()).toEqual({ ok: true });
		expect(tracker.totals()).toMatchObject({ inputTokens: 60, outputTokens: 40 });
		tracker.addTokens(1, true);
		expect(tracker.check()).toEqual({ ok: false, reason: "Token limit exceeded (101)" });
	});

	it("stops a loop one answer after its limit and begins again with the next turn", () => {
		const tracker = new UsageTracker(small);
		for (let answer = 0; answer < 3; answer++) tracker.addIteration();
		expect(tracker.check()).toEqual({ ok: false, reason: "Loop iteration limit exceeded (3)" });
		tracker.startTurn();
		expect(tracker.check()).toEqual({ ok: true });
	});

	it("names the cost in dollars and cents", () => {
		const tracker = new UsageTracker(small);
		tracker.addCost(0.75);
		expect(tracker.check()).toEqual({ ok: true });
		tracker.addCost(0.5);
		expect(tracker.check()).toEqual({ ok: false, reason: "Cost limit exceeded ($1.25)" });
	});

	it.each([Number.NaN, -5, Number.POSITIVE_INFINITY])(
		"counts %s as nothing, so that later counts still hold",
		(nonsense) => {
			const tracker = new UsageTracker(small);
			tracker.addTokens(nonsense, true);
			tracker.addCost(nonsense);
			expect(tracker.totals()).toMatchObject({ outputTokens: 0, cost: 0 });
			tracker.addTokens(101, true);
			expect(tracker.check().ok).toBe(false);
		},
	);

	it("takes the default limits where none are given", () => {
		const tracker = new UsageTracker({ maxToolCalls: 7 });
		expect(tracker.limits).toEqual({ ...DEFAULT_USAGE_LIMITS, maxToolCalls: 7 });
		tracker.addTokens(1e12, false);
		expect(tracker.check()).toEqual({ ok: true });
	});
});
