import { describe, expect, it } from "vitest";
import type { Commit, SessionEvent } from "../../src/session/events.ts";
import { sumWork } from "../../src/session/sums.ts";

const MODEL = { model: "m", profile: "p", baseUrl: "", contextWindow: 1000 };
const start = (turnId: string): SessionEvent[] => [
	{ type: "turn/start", turnId, source: { kind: "inbox", messageIds: [] } },
	{ type: "step/start", stepId: `step of ${turnId}`, turnId, model: MODEL, claimed: [] },
];
const end = (turnId: string, status: "completed" | "failed"): SessionEvent => ({
	type: "turn/end",
	turnId,
	status,
});
const subagent = (status: "started" | "completed"): SessionEvent => ({
	type: "subagent/changed",
	callId: "c",
	agent: "explorer",
	sessionId: "child",
	status,
});
const summary = (tokensBefore: number, tokensAfter: number): SessionEvent => ({
	type: "checkpoint/committed",
	checkpointId: "checkpoint-1",
	cause: "threshold",
	upTo: 1,
	kept: [],
	summary: "s",
	tokensBefore,
	tokensAfter,
});

function sumsOf(...events: SessionEvent[]) {
	const commits: Commit[] = [{ v: 1, seq: 1, at: "2026-11-29T10:00:00.000Z", events }];
	return sumWork(commits)[0];
}

describe("sumWork", () => {
	it("counts turns with a subagent once each, and those of them that were completed", () => {
		const sums = sumsOf(
			...start("turn-1"),
			...(["started", "completed", "started", "completed"] as const).map(subagent),
			end("turn-1", "completed"),
			...start("turn-2"),
			subagent("started"),
			end("turn-2", "failed"),
			...start("turn-3"),
			end("turn-3", "completed"),
		);
		expect(sums).toMatchObject({ turns: 3, completed: 2, subagents: 3, subagentsCompleted: 2 });
		expect(sums).toMatchObject({ turnsWithSubagents: 2, completedWithSubagents: 1 });
	});

	it("adds what summaries left of requests, and counts those that were taken back", () => {
		const sums = sumsOf(
			...start("turn-1"),
			summary(1000, 200),
			summary(600, 200),
			end("turn-1", "completed"),
			{ type: "checkpoint/undone", checkpointId: "checkpoint-1" },
		);
		expect(sums).toMatchObject({ compactions: 2, compactionsUndone: 1 });
		expect(sums).toMatchObject({ tokensBeforeCompaction: 1600, tokensAfterCompaction: 400 });
	});
});
