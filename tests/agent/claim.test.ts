import { describe, expect, it } from "vitest";
import { claimAndStartStep, claimAndStartTurn, settleTurnIfQuiescent } from "../../src/agent/claim.ts";
import type { SessionWriter } from "../../src/ports/session.ts";
import type { Command } from "../../src/session/commands.ts";
import { settleInterrupted } from "../../src/session/settle.ts";
import { outline } from "../support/outline.ts";
import {
	ASKED,
	accept,
	MODEL,
	type SessionSteps,
	START_STEP,
	START_TURN,
	sessionAfter,
	submit,
} from "../support/sessionSteps.ts";

/** A writer over the pure rules; what it records is one list. */
function writerAfter(...commands: Command[]): {
	steps: SessionSteps;
	session: SessionWriter;
	lines(): string[];
} {
	const steps = sessionAfter(...commands);
	const begun = steps.commits.length;
	const session = {
		get state() {
			return steps.state;
		},
		record(command: Command) {
			const events = steps.perform(command);
			if (typeof events === "string") throw new Error(events);
			return events;
		},
	} as SessionWriter;
	return { steps, session, lines: () => outline(steps.commits.slice(begun).flatMap(({ events }) => events)) };
}

const ANSWERED = [...ASKED, accept("hi"), { do: "endStep", outcome: "answer" } as const];

describe("claimAndStartTurn", () => {
	it("claims a message that wakes, once", () => {
		const { session, lines } = writerAfter(submit());
		expect(claimAndStartTurn(session, { goOn: false })).toBe(true);
		expect(claimAndStartTurn(session, { goOn: false })).toBe(false);
		expect(lines()).toEqual(["turn/start"]);
	});

	it("claims nothing for background facts, which wake nobody", () => {
		const ended = { ...submit("a job ended", "next_step", false), origin: "program" } as Command;
		const { session, lines } = writerAfter(ended);
		expect(claimAndStartTurn(session, { goOn: true })).toBe(false);
		expect(lines()).toEqual([]);
	});

	it("claims an interrupted turn's work only where somebody goes on", () => {
		const { steps, session } = writerAfter(...ASKED);
		steps.append(settleInterrupted(steps.state));
		expect(claimAndStartTurn(session, { goOn: false })).toBe(false);
		expect(claimAndStartTurn(session, { goOn: true })).toBe(true);
		expect(steps.commits.at(-1)?.events).toMatchObject([{ source: { kind: "recovery" } }]);
	});
});

describe("a message that a turn gave back before its request", () => {
	const GIVEN_BACK: Command[] = [
		submit("do it"),
		START_TURN,
		START_STEP,
		{ do: "endStep", outcome: "cancelled" },
		{ do: "endTurn", status: "cancelled" },
	];

	it("is claimed only where the person goes on", () => {
		const { session, lines } = writerAfter(...GIVEN_BACK);
		expect(claimAndStartTurn(session, { goOn: false })).toBe(false);
		expect(claimAndStartTurn(session, { goOn: true })).toBe(true);
		claimAndStartStep(session, MODEL);
		expect([session.state.turn?.messageIds, lines()]).toEqual([
			["message-1"],
			["turn/start", "step/start message-1"],
		]);
	});

	it("goes with the turn of a message that wakes one", () => {
		const { session, lines } = writerAfter(...GIVEN_BACK, submit("and that"));
		expect(claimAndStartTurn(session, { goOn: true })).toBe(true);
		claimAndStartStep(session, MODEL);
		expect(session.state.turn?.messageIds).toEqual(["message-2"]);
		expect(lines()).toEqual(["turn/start", "step/start message-1 message-2"]);
	});
});

describe("claimAndStartStep", () => {
	it("claims the turn's message and background facts", () => {
		const { session, lines } = writerAfter(submit(), submit("fact", "next_step", false), START_TURN);
		claimAndStartStep(session, MODEL);
		expect(lines()).toEqual(["step/start message-1 message-2"]);
	});
});

describe("settleTurnIfQuiescent", () => {
	it("completes an answered turn, and does it once", () => {
		const { session, lines } = writerAfter(...ANSWERED);
		expect(settleTurnIfQuiescent(session, { status: "completed" })).toBe(true);
		expect(settleTurnIfQuiescent(session, { status: "completed" })).toBe(false);
		expect(lines()).toEqual(["turn/end completed"]);
	});

	it("leaves the turn open where a message came during its last answer", () => {
		const { session, lines } = writerAfter(...ANSWERED, submit("and this", "next_step"));
		expect(settleTurnIfQuiescent(session, { status: "completed" })).toBe(false);
		expect(lines()).toEqual([]);
	});

	it("closes from the inside out", () => {
		const { session, lines } = writerAfter(submit(), START_TURN, START_STEP);
		expect(settleTurnIfQuiescent(session, { status: "cancelled", code: "cancelled" })).toBe(true);
		expect(lines()).toEqual([
			"inbox/released message-1",
			"step/end cancelled",
			"turn/end cancelled cancelled",
		]);
	});
});
