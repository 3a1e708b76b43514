// How a checkpoint is decided, reduced and checked.

import { describe, expect, it } from "vitest";
import { checkLog } from "../../src/session/check.ts";
import type { Command } from "../../src/session/commands.ts";
import { modelView } from "../../src/session/modelView.ts";
import { originOf } from "../../src/session/state.ts";
import {
	ASKED,
	accept,
	MODEL,
	record,
	START_ATTEMPT,
	START_STEP,
	sessionAfter,
	startAttempt,
	submit,
} from "../support/sessionSteps.ts";

const ANSWERED: Command[] = [
	...ASKED,
	accept("done"),
	{ do: "endStep", outcome: "answer" },
	{ do: "endTurn", status: "completed" },
];

const aside: Command = {
	do: "startAside",
	kind: "checkpoint",
	model: MODEL,
	digest: "d",
	bytes: 1,
	delta: { prefix: 0, suffix: 0, middle: "x" },
	contributions: [],
};

const commit = (more: Partial<Extract<Command, { do: "commitCheckpoint" }>> = {}): Command => ({
	do: "commitCheckpoint",
	version: 0,
	cause: "person",
	upTo: 2,
	kept: [0],
	summary: "sum",
	tokensBefore: 100,
	tokensAfter: 40,
	...more,
});

describe("commitCheckpoint", () => {
	it("changes the view and the size of the context, not the history, until it is undone", () => {
		const steps = sessionAfter(...ANSWERED, commit());
		expect(modelView(steps.state.history).map(({ kind }) => kind)).toEqual(["checkpoint", "user"]);
		expect(steps.state).toMatchObject({ contextTokens: 40, contextEstimated: true });
		expect(
			steps.perform({ do: "rewind", toTurnId: "turn-1", changes: "", conversation: true }),
		).toMatchObject([{ context: { tokens: 0, estimated: false } }]);
		expect(steps.state).toMatchObject({ contextTokens: 0, contextEstimated: false });
		expect(steps.perform({ do: "redo", changes: "" })).toMatchObject([
			{ context: { tokens: 40, estimated: true } },
		]);
		expect(steps.state).toMatchObject({ contextTokens: 40, contextEstimated: true });
		expect(steps.state.history).toHaveLength(3);
		steps.perform({ do: "undoCheckpoint" });
		expect(modelView(steps.state.history).map(({ kind }) => kind)).toEqual(["user", "assistant"]);
		expect(steps.perform({ do: "undoCheckpoint" })).toContain("no checkpoint");
		expect(checkLog(steps.commits)).toEqual([]);
	});

	it("holds although messages came after the summary was written", () => {
		const steps = sessionAfter(...ANSWERED, ...ANSWERED, commit());
		expect(modelView(steps.state.history).map(({ kind }) => kind)).toEqual([
			"checkpoint",
			"user",
			"user",
			"assistant",
		]);
	});

	it.each([
		["another version of the view", commit({ version: 1 }), "was changed"],
		["no gain", commit({ tokensAfter: 100 }), "save nothing"],
		["an empty summary", commit({ summary: " " }), "empty"],
		["a cut behind the end", commit({ upTo: 9 }), "part a call"],
	])("is refused for %s", (_, command, why) => {
		expect(sessionAfter(...ANSWERED).perform(command)).toContain(why);
	});

	it("is refused after a rewind that changed the conversation", () => {
		const steps = sessionAfter(...ANSWERED);
		steps.perform({ do: "rewind", toTurnId: "turn-1", changes: "", conversation: true });
		expect(steps.perform(commit({ upTo: 0 }))).toContain("was changed");
	});

	it("is gone after a rewind to before it, and the whole conversation is back", () => {
		const steps = sessionAfter(
			...ANSWERED,
			submit("two"),
			{ do: "startTurn" },
			START_STEP,
			START_ATTEMPT,
			commit(),
		);
		steps.perform({ do: "endAttempt", outcome: "failed", attempt: record() });
		steps.perform({ do: "endStep", outcome: "failed" });
		steps.perform({ do: "endTurn", status: "failed" });
		steps.perform({ do: "rewind", toTurnId: "turn-2", changes: "", conversation: true });
		expect(modelView(steps.state.history).map(({ kind }) => kind)).toEqual(["user", "assistant"]);
	});
});

describe("startAside", () => {
	it("stands beside an open attempt, counts its usage and touches no step", () => {
		const steps = sessionAfter(...ASKED, aside);
		steps.perform({
			do: "endAside",
			attemptId: "attempt-2",
			outcome: "accepted",
			attempt: record({ text: "s", finish: "stop" }),
		});
		expect(steps.state.usage.inputTokens).toBe(10);
		expect(steps.state.step).toMatchObject({ attempts: 1, failures: 0 });
		expect(steps.state.attempt?.attemptId).toBe("attempt-1");
		expect(steps.perform(accept("done"))).toBeInstanceOf(Array);
		expect(steps.state.history.at(-1)).toMatchObject({ text: "done" });
		expect(checkLog(steps.commits)).toEqual([]);
	});

	it("teaches nothing of tokens where the conversation's own requests were counted", () => {
		const size = { letters: 100, signs: 0, wide: 0 };
		const first = { ...startAttempt("d"), size } as Command;
		const steps = sessionAfter(submit(), { do: "startTurn" }, START_STEP, first);
		steps.perform(accept("done"));
		const learned = new Map(steps.state.accounts);
		expect(learned.get(originOf(MODEL))?.last).toEqual({ size, told: 10 });
		steps.perform({ ...aside, size: { letters: 3, signs: 0, wide: 0 } } as Command);
		const attempt = record({ text: "s", finish: "stop" });
		steps.perform({ do: "endAside", attemptId: "attempt-2", outcome: "accepted", attempt });
		expect(steps.state.usage.inputTokens).toBe(20);
		expect(steps.state.accounts).toEqual(learned);
	});

	it("ends the one that a dead process left open", () => {
		const steps = sessionAfter(...ANSWERED, aside);
		const events = steps.perform(aside);
		expect(Array.isArray(events) && events.map(({ type }) => type)).toEqual([
			"attempt/end",
			"request/prepared",
			"attempt/start",
		]);
		expect(checkLog(steps.commits)).toEqual([]);
	});

	it("is not ended by what belongs to one that was ended before", () => {
		const steps = sessionAfter(...ANSWERED, aside, { ...aside, kind: "memory" });
		const late: Command = {
			do: "endAside",
			attemptId: "attempt-2",
			outcome: "cancelled",
			attempt: record(),
		};
		expect(steps.perform(late)).toEqual([]);
		expect(steps.state.aside).toEqual({ attemptId: "attempt-3", owner: { kind: "memory", id: "memory-1" } });
		expect(checkLog(steps.commits)).toEqual([]);
	});

	it("is reported where two are open at once", () => {
		const steps = sessionAfter(...ANSWERED, aside);
		const second = steps.commits.at(-1)!.events.map((event) =>
			event.type === "attempt/start" || event.type === "request/prepared"
				? {
						...event,
						requestId: "request-9",
						...(event.type === "attempt/start" ? { attemptId: "attempt-9" } : {}),
					}
				: event,
		);
		steps.append(second);
		expect(checkLog(steps.commits)).toMatchObject([{ invariant: 2 }]);
	});
});
