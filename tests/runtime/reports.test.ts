import { describe, expect, it } from "vitest";
import { costReport } from "../../src/runtime/reports.ts";
import type { Commit, ModelConfig, SessionEvent } from "../../src/session/events.ts";

const commits = (...events: SessionEvent[]): Commit[] =>
	events.map((event, index) => ({ v: 1, seq: index + 1, at: "2026-01-02T00:00:00.000Z", events: [event] }));

const model = (name: string): ModelConfig => ({
	model: name,
	profile: "p",
	baseUrl: "http://x/v1",
	contextWindow: 9,
});
const usage = (inputTokens: number) => ({
	inputTokens,
	outputTokens: 1,
	cachedInputTokens: 0,
	reasoningTokens: 0,
});

const step = (name: string): SessionEvent => ({
	type: "step/start",
	stepId: "step-1",
	turnId: "turn-1",
	model: model(name),
	claimed: [],
});
const attempt = (inputTokens: number): SessionEvent => ({
	type: "attempt/end",
	attemptId: "attempt-1",
	outcome: "failed",
	text: "",
	reasoning: "",
	calls: [],
	usage: usage(inputTokens),
	durationMs: 1,
});
const subagent = (inputTokens: number): SessionEvent => ({
	type: "subagent/changed",
	callId: "c",
	agent: "explorer",
	sessionId: "s",
	status: "completed",
	usage: usage(inputTokens),
});

describe("costReport", () => {
	it("counts failed attempts and subagents under the model of their step, and says what is estimated", () => {
		const log = commits(step("a"), attempt(1), attempt(2), subagent(4), step("b"), {
			...attempt(8),
			usageEstimated: true,
		} as SessionEvent);
		const report = costReport(log, (config, used) =>
			config.model === "a" ? used.inputTokens : used.inputTokens * 10,
		);
		expect(report).toEqual({
			models: [
				{ model: "a", profile: "p", usage: { ...usage(7), outputTokens: 3 }, costUsd: 7, estimated: false },
				{ model: "b", profile: "p", usage: usage(8), costUsd: 80, estimated: true },
			],
			costUsd: 87,
		});
	});

	it("has no sum where one price is not known", () => {
		const log = commits(step("a"), attempt(1), step("b"), attempt(2));
		const report = costReport(log, (config) => (config.model === "a" ? 1 : undefined));
		expect(report.models.map((entry) => entry.costUsd)).toEqual([1, null]);
		expect(report.costUsd).toBeNull();
	});

	it("costs nothing where nothing was asked", () => {
		expect(costReport([], () => undefined)).toEqual({ models: [], costUsd: 0 });
	});
});
