import { describe, expect, it } from "vitest";
import { checkLog } from "../../src/session/check.ts";
import type { Command } from "../../src/session/commands.ts";
import { settleInterrupted } from "../../src/session/settle.ts";
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
