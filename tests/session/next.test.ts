import { describe, expect, it } from "vitest";
import type { Command } from "../../src/session/commands.ts";
import { next } from "../../src/session/next.ts";
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

const rejected = (finish: "length" | "refusal"): Command => ({
	do: "endAttempt",
	outcome: "rejected",
	attempt: record({ text: "x", finish }),
});
const failed: Command = {
	do: "endAttempt",
	outcome: "failed",
	attempt: record({ failure: { kind: "network", message: "m", retryable: true } }),
};
const endStep = (outcome: "answer" | "tools" | "failed" | "cancelled"): Command => ({
	do: "endStep",
	outcome,
});
const read = (callId: string): Command[] => [decided(callId, "allow"), startCall(callId), endCall(callId)];
const called = [...ASKED, accept("", readCall("a"), readCall("b"))];

describe("next", () => {
	it.each<[string, Command[], unknown]>([
		["rests in a new session", [], { do: "rest" }],
		["rests where only a message waits that wakes nobody", [submit("x", "next_step", false)], { do: "rest" }],
		["starts a turn for a message that wakes", [submit()], { do: "startTurn" }],
		["starts a step in a new turn", [submit(), START_TURN], { do: "startStep" }],
		["asks in a new step", [submit(), START_TURN, START_STEP], { do: "ask" }],
		["asks again after a failure", [...ASKED, failed], { do: "ask" }],
		["asks to go on after the first cut", [...ASKED, rejected("length")], { do: "ask" }],
		[
			"asks to go on after the second cut",
			[...ASKED, rejected("length"), START_ATTEMPT, rejected("length")],
			{ do: "ask" },
		],
		[
			"fails the step at the third cut",
			[...ASKED, rejected("length"), START_ATTEMPT, rejected("length"), START_ATTEMPT, rejected("length")],
			{ do: "endStep", outcome: "failed" },
		],
		["fails the step after a refusal", [...ASKED, rejected("refusal")], { do: "endStep", outcome: "failed" }],
		["runs the calls that have no end yet", [...called, ...read("a")], { do: "runCalls", callIds: ["b"] }],
		[
			"ends the step once every call has its end",
			[...called, ...read("a"), ...read("b")],
			{ do: "endStep", outcome: "tools" },
		],
		["ends the step with an answer", [...ASKED, accept("x")], { do: "endStep", outcome: "answer" }],
		[
			"starts another step after calls",
			[...called, ...read("a"), ...read("b"), endStep("tools")],
			{ do: "startStep" },
		],
		[
			"completes the turn after an answer",
			[...ASKED, accept("x"), endStep("answer")],
			{ do: "endTurn", end: "completed" },
		],
		[
			"opens another step for a steer that came during the answer",
			[...ASKED, submit("also", "next_step"), accept("x"), endStep("answer")],
			{ do: "startStep" },
		],
		[
			"fails the turn after a failed step",
			[...ASKED, failed, endStep("failed")],
			{ do: "endTurn", end: "failed" },
		],
		[
			"ends the turn after a plain No",
			[
				...ASKED,
				accept("", writeCall("c")),
				decided("c", "ask"),
				requestApproval("c"),
				resolveApproval("c", "no"),
				endCall("c", "denied"),
				endStep("tools"),
			],
			{ do: "endTurn", end: "denied" },
		],
	])("%s", (_, commands, action) => {
		expect(next(sessionAfter(...commands).state)).toEqual(action);
	});

	it("ends the turn when the same call failed five times in a row", () => {
		const steps = sessionAfter(...ASKED);
		for (let n = 1; n <= 5; n++) {
			steps.perform(accept("", { ...readCall("same"), providerId: `c${n}` }));
			steps.perform(endCall(`c${n}`, "error"));
			steps.perform(endStep("tools"));
			expect(next(steps.state)).toEqual(n < 5 ? { do: "startStep" } : { do: "endTurn", end: "repeats" });
			steps.perform(START_STEP);
			steps.perform(START_ATTEMPT);
		}
	});
});
