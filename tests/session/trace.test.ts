import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Commit, SessionEvent } from "../../src/session/events.ts";
import { millisecondsBetween, traceLog } from "../../src/session/trace.ts";
import { sessionCommits } from "../support/recordedLog.ts";

const at = (second: number) => new Date(Date.UTC(2026, 10, 1, 0, 0, second)).toISOString();

/** A log in which each list of events is a commit of the second that its place tells. */
function logOf(...lists: SessionEvent[][]): Commit[] {
	return lists.map((events, place) => ({ v: 1, seq: place + 1, at: at(place), events }));
}

const model = { model: "m", profile: "openai", baseUrl: "http://127.0.0.1", contextWindow: 1 };
const usage = { inputTokens: 100, outputTokens: 10, cachedInputTokens: 60, reasoningTokens: 5 };

const begin: SessionEvent[] = [
	{ type: "user/message", messageId: "m1", text: "do it\nwith care", origin: "person" },
	{ type: "turn/start", turnId: "turn-1", source: { kind: "inbox", messageIds: ["m1"] } },
	{ type: "step/start", stepId: "step-1", turnId: "turn-1", model, claimed: ["m1"] },
	{
		type: "request/prepared",
		requestId: "r1",
		stepId: "step-1",
		digest: "",
		bytes: 500,
		delta: { prefix: 0, suffix: 0, middle: "" },
		contributions: [],
	},
	{ type: "attempt/start", attemptId: "a1", stepId: "step-1", requestId: "r1" },
];
const failed: SessionEvent = {
	type: "attempt/end",
	attemptId: "a1",
	outcome: "failed",
	text: "",
	reasoning: "",
	calls: [],
	failure: { kind: "overloaded", message: "The server is overloaded.", retryable: true },
	durationMs: 800,
};
const again: SessionEvent = {
	type: "attempt/start",
	attemptId: "a2",
	stepId: "step-1",
	requestId: "r1",
	backoffMs: 2000,
};
const accepted: SessionEvent[] = [
	{ ...failed, attemptId: "a2", outcome: "accepted", finish: "tool_calls", usage, durationMs: 1500 },
	{
		type: "tool/call",
		callId: "c1",
		stepId: "step-1",
		name: "runCommand",
		args: {},
		toolVersion: 1,
		effects: "possible",
		recovery: "manual",
	},
	{ type: "policy/decided", callId: "c1", verdict: "ask", reason: "it may write", rule: "unknown command" },
	{
		type: "approval/requested",
		approvalId: "p1",
		callId: "c1",
		digest: "",
		reason: "it may write",
		resources: [],
	},
];

describe("traceLog", () => {
	it("nests turn, step, attempts and calls, with times, waits, decisions, usage and errors", () => {
		const { turns, totals } = traceLog(
			logOf(
				begin,
				[failed],
				[again],
				accepted,
				[],
				[{ type: "approval/resolved", approvalId: "p1", callId: "c1", answer: "no", by: "person" }],
				[
					{
						type: "tool/result",
						callId: "c1",
						status: "denied",
						text: "denied",
						error: { type: "DENIED", message: "The person said no.", retryable: false },
						durationMs: 0,
					},
					{ type: "step/end", stepId: "step-1", outcome: "tools" },
					{
						type: "turn/end",
						turnId: "turn-1",
						status: "cancelled",
						code: "denied",
						reason: "a call was denied",
					},
				],
			),
		);
		expect(turns).toEqual([
			{
				id: "turn-1",
				start: at(0),
				end: at(6),
				prompt: "do it",
				status: "cancelled",
				code: "denied",
				reason: "a call was denied",
				steps: [
					{
						id: "step-1",
						start: at(0),
						end: at(6),
						model,
						outcome: "tools",
						attempts: [
							{
								id: "a1",
								start: at(0),
								end: at(1),
								waitedMs: 0,
								requestBytes: 500,
								outcome: "failed",
								failure: "The server is overloaded.",
								durationMs: 800,
							},
							expect.objectContaining({
								id: "a2",
								waitedMs: 2000,
								outcome: "accepted",
								finish: "tool_calls",
								usage,
							}),
						],
						tools: [
							{
								id: "c1",
								name: "runCommand",
								start: at(3),
								end: at(6),
								decision: { verdict: "ask", rule: "unknown command", reason: "it may write" },
								approval: { answer: "no", by: "person", waitedMs: 2000 },
								status: "denied",
								error: { type: "DENIED", message: "The person said no.", retryable: false },
								durationMs: 0,
							},
						],
					},
				],
			},
		]);
		expect(totals).toEqual({
			turns: 1,
			steps: 1,
			attempts: 2,
			retries: 1,
			toolCalls: 1,
			failedCalls: 1,
			usage,
			modelMs: 2300,
			toolMs: 0,
			retryWaitMs: 2000,
			personWaitMs: 2000,
		});
	});

	it("leaves the end out of what is still open", () => {
		const [turn] = traceLog(logOf(begin, [failed], [again], accepted)).turns;
		expect(turn).not.toHaveProperty("end");
		expect(turn?.steps[0]).not.toHaveProperty("end");
		expect(turn?.steps[0]?.tools[0]).toMatchObject({ approval: {}, name: "runCommand" });
		expect(turn?.steps[0]?.tools[0]).not.toHaveProperty("status");
	});

	it("names the session of a subagent at the call that started it", () => {
		const child = { type: "subagent/changed", callId: "c1", agent: "reviewer", sessionId: "child" } as const;
		const { turns } = traceLog(
			logOf(begin, accepted, [{ ...child, status: "started" }], [{ ...child, status: "completed" }]),
		);
		expect(turns[0]?.steps[0]?.tools[0]?.child).toEqual({
			sessionId: "child",
			agent: "reviewer",
			status: "completed",
		});
	});

	it("sums a session of many turns", () => {
		const { totals } = traceLog(sessionCommits("s", 3));
		expect(totals).toMatchObject({
			turns: 3,
			steps: 27,
			attempts: 27,
			retries: 0,
			toolCalls: 24,
			failedCalls: 0,
		});
		expect(totals).toMatchObject({
			modelMs: 27 * 50,
			toolMs: 24 * 3,
			usage: { inputTokens: 270, cachedInputTokens: 108 },
		});
	});

	it("tells a request beside the conversation from those that asked for an answer", () => {
		const owner = { kind: "memory", id: "memory-1" } as const;
		const beside: SessionEvent = {
			type: "attempt/start",
			attemptId: "a9",
			stepId: "",
			requestId: "r9",
			owner,
		};
		const { turns } = traceLog(logOf(begin, [failed], [again], accepted, [beside]));
		const attempts = turns[0]?.steps[0]?.attempts.map(({ id, owner }) => [id, owner]);
		expect(attempts).toEqual([
			["a1", undefined],
			["a2", undefined],
			["a9", "memory"],
		]);
	});

	it("takes events in any order without a throw", () => {
		const events = sessionCommits("s", 1).flatMap((commit) => commit.events);
		fc.assert(
			fc.property(fc.shuffledSubarray(events), (some) => {
				expect(traceLog(logOf(some)).totals.turns).toBeLessThanOrEqual(1);
			}),
		);
	});
});

describe("millisecondsBetween", () => {
	it("is never below zero, also where the clock went back", () => {
		expect(millisecondsBetween(at(1), at(3))).toBe(2000);
		expect(millisecondsBetween(at(3), at(1))).toBe(0);
	});
});
