import { describe, expect, it } from "vitest";
import type { SessionEvent } from "../../src/session/events.ts";
import { reduce, reduceAll } from "../../src/session/reduce.ts";
import { emptyState } from "../../src/session/state.ts";
import {
	ASKED,
	accept,
	decided,
	endCall,
	readCall,
	record,
	requestApproval,
	resolveApproval,
	START_ATTEMPT,
	START_STEP,
	START_TURN,
	sessionAfter,
	startCall,
	submit,
	writeCall,
} from "../support/sessionSteps.ts";

const endStep = (outcome: "answer" | "tools" | "failed" | "cancelled") =>
	({ do: "endStep", outcome }) as const;
const COMPLETED = { do: "endTurn", status: "completed" } as const;

describe("reduce", () => {
	it("takes the title from the first line of the first message, shortened", () => {
		expect(sessionAfter(submit("fix it\nplease")).state.title).toBe("fix it");
		expect(sessionAfter(submit("x".repeat(100))).state.title).toBe(`${"x".repeat(59)}…`);
		expect(sessionAfter(submit("a"), submit("b")).state.title).toBe("a");
		expect(sessionAfter(submit("a"), { do: "renameSession", title: "T" }).state.title).toBe("T");
	});

	it("moves a message from the inbox into the history when a request carries it", () => {
		const before = sessionAfter(submit(), START_TURN, START_STEP).state;
		expect([before.inbox[0]?.stepId, before.history]).toEqual(["step-1", []]);
		const { state } = sessionAfter(...ASKED);
		expect(state.inbox).toEqual([]);
		expect(state.history).toEqual([{ kind: "user", messageId: "message-1", text: "hi" }]);
	});

	it("keeps a message that reached no request for the next step, as its author's and without a wake-up", () => {
		const { state } = sessionAfter(submit(), START_TURN, START_STEP, endStep("cancelled"), {
			do: "endTurn",
			status: "cancelled",
		});
		const kept = { messageId: "message-1", text: "hi", origin: "person" };
		expect(state.inbox).toEqual([{ ...kept, target: "next_step", wakeup: false }]);
	});

	it("adds up the usage of every attempt, failed ones too, and tells the last one's share of the window", () => {
		const { state } = sessionAfter(
			...ASKED,
			{ do: "endAttempt", outcome: "failed", attempt: record() },
			START_ATTEMPT,
			accept("x"),
		);
		expect(state.usage).toEqual({
			inputTokens: 20,
			outputTokens: 4,
			cachedInputTokens: 0,
			reasoningTokens: 0,
		});
		expect(state.contextTokens).toBe(12);
	});

	it("counts failures in a row until a usable reply comes", () => {
		const failure = { kind: "network" as const, message: "m", retryable: true };
		const failedTwice = sessionAfter(
			...ASKED,
			{ do: "endAttempt", outcome: "failed", attempt: record({ failure }) },
			START_ATTEMPT,
			{ do: "endAttempt", outcome: "failed", attempt: record({ failure }) },
		);
		expect(failedTwice.state.step).toMatchObject({ failures: 2, lastFailure: failure, attempts: 2 });
		failedTwice.perform(START_ATTEMPT);
		failedTwice.perform({ do: "endAttempt", outcome: "rejected", attempt: record({ finish: "length" }) });
		expect(failedTwice.state.step?.failures).toBe(0);
		expect(failedTwice.state.step?.lastFailure).toBeUndefined();
	});

	it("keeps what a cut answer said and how often it was cut", () => {
		const cut = (text: string) =>
			({ do: "endAttempt", outcome: "rejected", attempt: record({ text, finish: "length" }) }) as const;
		const { state } = sessionAfter(...ASKED, cut("a"), START_ATTEMPT, cut("b"));
		expect(state.step?.cut).toEqual({ text: "ab", times: 2, insideCall: false });
	});

	it("keeps the accepted message with its reasoning and where it came from", () => {
		const { state } = sessionAfter(...ASKED, {
			do: "acceptReply",
			attempt: record({ text: "t", reasoning: "r", reasoningPlace: "reasoning", finish: "tool_calls" }),
			calls: [readCall("c")],
		});
		expect(state.history.at(-1)).toMatchObject({
			kind: "assistant",
			text: "t",
			reasoning: "r",
			reasoningPlace: "reasoning",
			origin: "http://127.0.0.1 m",
			calls: [{ callId: "c", providerId: "c" }],
		});
	});

	it("remembers the last stamp of each file that a call told", () => {
		const steps = sessionAfter(...ASKED, accept("", readCall("c")), decided("c", "allow"), startCall("c"));
		steps.perform({ ...endCall("c"), observed: [{ path: "/a", digest: "1" }] } as never);
		expect(steps.state.seen.get("/a")).toEqual({ path: "/a", digest: "1" });
	});

	it.each<[string, (steps: ReturnType<typeof sessionAfter>) => unknown]>([
		["a message that comes meanwhile", (steps) => steps.perform(submit("I mended it", "next_step"))],
		[
			"a change of the mode",
			(steps) => steps.perform({ do: "changeMode", mode: "acceptEdits", by: "person" }),
		],
		[
			"an answer of the person",
			(steps) =>
				steps.append([
					{ type: "question/answered", questionId: "q", callId: "a", answer: "y", by: "person" },
				]),
		],
	])("counts failures of a call within the turn, and anew after %s", (_, stepIn) => {
		const steps = sessionAfter(...ASKED);
		const failures = (stepsIn: boolean) => {
			const id = `c${steps.commits.length}`;
			steps.perform(accept("", { ...readCall("same"), providerId: id }));
			steps.perform(endCall(id, "error"));
			steps.perform(endStep("tools"));
			if (stepsIn) stepIn(steps);
			steps.perform(START_STEP);
			steps.perform(START_ATTEMPT);
			return steps.state.turn?.failures.map(({ times }) => times);
		};
		expect([failures(false), failures(true), failures(false)]).toEqual([[1], [], [1]]);
	});

	it("marks the turn as refused by a plain No or an escape, not by a No with words", () => {
		const answered = (answer: "no" | "cancelled", words?: string) =>
			sessionAfter(
				...ASKED,
				accept("", writeCall("c")),
				decided("c", "ask"),
				requestApproval("c"),
				resolveApproval("c", answer, words),
			).state.turn?.denied;
		expect([answered("no"), answered("cancelled"), answered("no", "rather b")]).toEqual([
			true,
			true,
			undefined,
		]);
	});

	it("tells the answer of the last turn only where it was completed", () => {
		const answered = sessionAfter(...ASKED, accept("x"), endStep("answer"));
		answered.perform(COMPLETED);
		expect(answered.state.lastTurn).toEqual({ turnId: "turn-1", status: "completed", answer: "x" });
		answered.perform(submit());
		answered.perform(START_TURN);
		answered.perform({ do: "endTurn", status: "failed", code: "limit", reason: "r" });
		expect(answered.state.lastTurn).toMatchObject({ status: "failed", code: "limit", answer: "" });
	});

	it("tells a change into and out of plan mode in the history, and no other", () => {
		const change = (mode: "plan" | "acceptEdits" | "default") =>
			({ do: "changeMode", mode, by: "person" }) as const;
		const { state } = sessionAfter(change("acceptEdits"), change("plan"), change("default"));
		expect(state.history).toEqual([
			{ kind: "modeChange", mode: "plan" },
			{ kind: "modeChange", mode: "default" },
		]);
	});

	it("puts a seed into the history as if it had been said here", () => {
		const created: SessionEvent = {
			type: "session/created",
			sessionId: "s",
			cwd: "/w",
			projectId: "p",
			agiVersion: "1",
			startedOn: "2026-11-29",
			mode: "plan",
			seed: [
				{ role: "user", text: "q" },
				{ role: "assistant", text: "", calls: [{ id: "c", name: "readFile", args: {} }] },
				{ role: "tool", id: "c", name: "readFile", text: "r" },
			],
		};
		const { history, callIds } = reduceAll([created]);
		expect(history.map((item) => item.kind)).toEqual(["modeChange", "user", "assistant", "tool"]);
		expect([...callIds]).toEqual(["c"]);
	});

	it("changes nothing for an event it cannot place", () => {
		const strays: SessionEvent[] = [
			{ type: "tool/start", callId: "x", idempotencyKey: "k" },
			{ type: "tool/result", callId: "x", status: "result", text: "t", durationMs: 0 },
			{ type: "inbox/enqueued", messageId: "x", target: "next_turn", wakeup: true },
			{ type: "approval/resolved", approvalId: "a", callId: "x", answer: "yes", by: "person" },
			{
				type: "tool/call",
				callId: "x",
				stepId: "s",
				name: "n",
				args: {},
				toolVersion: 1,
				effects: "none",
				recovery: "none",
			},
		];
		for (const stray of strays) expect(reduce(emptyState(), stray)).toEqual(emptyState());
	});

	it("keeps each taint once", () => {
		const taint: SessionEvent = { type: "taint/set", source: "http://x" };
		expect(reduceAll([taint, taint]).taint).toEqual(["http://x"]);
	});
});
