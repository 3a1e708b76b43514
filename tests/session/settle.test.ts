import { describe, expect, it } from "vitest";
import { checkLog } from "../../src/session/check.ts";
import type { Command } from "../../src/session/commands.ts";
import {
	closeInterrupted,
	fateOf,
	openCalls,
	settleAttempt,
	settleCall,
	settleInterrupted,
} from "../../src/session/settle.ts";
import type { OpenCall } from "../../src/session/state.ts";
import { outline } from "../support/outline.ts";
import {
	ASKED,
	accept,
	decided,
	endCall,
	readCall,
	requestApproval,
	START_STEP,
	START_TURN,
	sessionAfter,
	startCall,
	submit,
	writeCall,
} from "../support/sessionSteps.ts";

const ENDED = ["step/end interrupted", "turn/end failed interrupted", "recovery/continuation"];
const called = [...ASKED, accept("", readCall("r"), writeCall("w"))];

/** Settles what `commands` left open; the log must be whole and a second settlement must find nothing. */
function settle(commands: Command[]) {
	const steps = sessionAfter(...commands);
	const events = settleInterrupted(steps.state);
	steps.append(events);
	expect(checkLog(steps.commits)).toEqual([]);
	expect(settleInterrupted(steps.state)).toEqual([]);
	return { events, steps };
}

describe("settleInterrupted", () => {
	it.each<[string, Command[], string[]]>([
		["has nothing to do in a session at rest", [submit()], []],
		["closes a turn without a step", [submit(), START_TURN], ENDED.slice(1)],
		[
			"gives back the messages of a step that asked nothing yet",
			[submit(), START_TURN, START_STEP],
			["inbox/released message-1", ...ENDED],
		],
		["ends an open attempt", ASKED, ["attempt/end interrupted", ...ENDED]],
		[
			"ends calls that never started as cancelled",
			called,
			["tool/result r cancelled", "tool/result w cancelled", ...ENDED],
		],
		[
			"ends a started call without effects as cancelled",
			[...called, decided("r", "allow"), startCall("r"), endCall("w", "error")],
			["tool/result r cancelled", ...ENDED],
		],
		[
			"ends a started call with effects as one whose outcome is unknown",
			[...called, endCall("r", "error"), decided("w", "allow"), startCall("w")],
			["tool/result w outcome_unknown", ...ENDED],
		],
		[
			"answers a question that nobody will answer",
			[...called, endCall("r", "error"), decided("w", "ask"), requestApproval("w")],
			["approval/resolved w cancelled", "tool/result w cancelled", ...ENDED],
		],
		[
			"closes a turn between two steps",
			[...ASKED, accept("x"), { do: "endStep", outcome: "answer" }],
			ENDED.slice(1),
		],
	])("%s", (_, commands, lines) => {
		expect(outline(settle(commands).events)).toEqual(lines);
	});

	it("keeps what had streamed of the open attempt, and of no other", () => {
		const { state } = sessionAfter(...ASKED);
		const leftover = { attemptId: "attempt-1", text: "Once", reasoning: "hm" };
		expect(settleInterrupted(state, leftover)[0]).toMatchObject({ text: "Once", reasoning: "hm" });
		expect(settleInterrupted(state, { ...leftover, attemptId: "attempt-0" })[0]).toMatchObject({ text: "" });
	});

	it("tells the model each call's fate in the words of its result", () => {
		const { events } = settle([...called, endCall("r", "error"), decided("w", "allow"), startCall("w")]);
		const result = events.find((event) => event.type === "tool/result");
		const continuation = events.find((event) => event.type === "recovery/continuation");
		expect(continuation?.notes).toEqual([result?.text]);
		expect(result?.text).toContain("look before you run it again");
	});

	it("leaves a message that reached no request to be answered with the next input", () => {
		const { steps } = settle([submit("first"), START_TURN, START_STEP]);
		steps.perform(submit("second"));
		steps.perform(START_TURN);
		expect(steps.perform(START_STEP)).toMatchObject([{ claimed: ["message-1", "message-2"] }]);
	});
});

describe("fateOf", () => {
	const call: OpenCall = {
		callId: "c",
		providerId: "c",
		name: "t",
		args: {},
		effects: "possible",
		recovery: "manual",
		toolVersion: 1,
	};
	const stamps = { before: [{ path: "/w/a", digest: "old" }], after: [{ path: "/w/a", digest: "new" }] };
	const started = { ...call, started: { idempotencyKey: "k", ...stamps } };
	const approval = { approvalId: "a", digest: "d", reason: "r", resources: [] };
	const none = { ...started, effects: "none", recovery: "none" } as const;

	it.each<[string, Parameters<typeof fateOf>, unknown]>([
		["ends what never started as unfinished", [call], { do: "end", end: { status: "cancelled" } }],
		["asks again what waits for an approval", [{ ...call, approval }], { do: "ask" }],
		["lets run what has a yes", [{ ...call, approval: { ...approval, answer: "yes" } }], { do: "run" }],
		[
			"ends what was refused",
			[{ ...call, approval: { ...approval, answer: "no" } }],
			{ do: "end", end: { status: "cancelled" } },
		],
		["leaves a started manual call in doubt", [started], { do: "doubt" }],
		["runs a started idempotent call again", [{ ...started, recovery: "idempotent" }], { do: "run" }],
		[
			"takes a file call for done where its files are so",
			[{ ...started, recovery: "reconcile" }, "after"],
			{ do: "end", end: { status: "result", observed: stamps.after } },
		],
		[
			"runs a file call that did not happen",
			[{ ...started, recovery: "reconcile" }, "before"],
			{ do: "run" },
		],
		[
			"leaves the outcome of a file call open where its files are otherwise",
			[{ ...started, recovery: "reconcile" }, "other"],
			{ do: "end", end: { status: "outcome_unknown" } },
		],
		["ends a started call without effects", [none], { do: "end", end: { status: "cancelled" } }],
		[
			"asks the question again that a call without effects put",
			[{ ...none, question: { questionId: "q", secret: false } }],
			{ do: "ask" },
		],
		[
			"gives a call the answer that waits for it in the inbox",
			[{ ...none, question: { questionId: "q", secret: false, answer: "blue" }, answer: "blue" }],
			{ do: "end", end: { status: "result", text: expect.stringContaining("the user had answered: blue") } },
		],
		[
			"ends a call whose secret answer died with the process, so that it can be called again",
			[{ ...none, question: { questionId: "q", secret: true, answer: "(secret)" } }],
			{ do: "end", end: { status: "cancelled", text: expect.stringContaining("may be called again") } },
		],
		[
			"keeps an answer that its call did not get to tell",
			[{ ...none, answer: "blue" }],
			{ do: "end", end: { status: "result", text: expect.stringContaining("the user had answered: blue") } },
		],
	])("%s", (_, [open, disk], fate) => {
		expect(fateOf(open, disk)).toMatchObject(fate as object);
	});
});

describe("closeInterrupted", () => {
	it("closes nothing while a call is open, and tells of those that ended without a result", () => {
		const steps = sessionAfter(...called, endCall("r", "error"), decided("w", "allow"), startCall("w"));
		expect(closeInterrupted(steps.state)).toEqual([]);
		const [open] = openCalls(steps.state);
		steps.append(settleCall(open!, { status: "outcome_unknown", text: "nobody knows" }));
		const events = closeInterrupted(steps.state);
		expect(outline(events)).toEqual(ENDED);
		expect(events.at(-1)).toMatchObject({ notes: ["nobody knows"] });
		steps.append(events);
		expect(checkLog(steps.commits)).toEqual([]);
		expect(closeInterrupted(steps.state)).toEqual([]);
	});

	it("closes nothing while an attempt is open, and tells of it once it was settled", () => {
		const steps = sessionAfter(...ASKED);
		expect(closeInterrupted(steps.state)).toEqual([]);
		steps.append(settleAttempt(steps.state));
		expect(closeInterrupted(steps.state).at(-1)).toMatchObject({
			notes: [expect.stringContaining("request to the model was interrupted")],
		});
	});

	it("leaves work that can be gone on with, once", () => {
		const steps = sessionAfter(...ASKED);
		steps.append(settleInterrupted(steps.state));
		expect(steps.perform(START_TURN)).toMatchObject([{ source: { kind: "recovery" } }]);
		steps.perform({ do: "endTurn", status: "failed" });
		expect(steps.perform(START_TURN)).toBe("nothing waits");
		expect(checkLog(steps.commits)).toEqual([]);
	});
});
