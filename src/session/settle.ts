// Says how an interrupted Turn is brought to its end: what became of each open call, and the events that close what a dead
// process left. Pure. A second settlement of the same log appends nothing.

import type { EventOf, SessionEvent } from "./events.ts";
import { takeAnswer } from "./inbox.ts";
import { isYes } from "./live.ts";
import type { OpenCall, SessionState } from "./state.ts";

/** What had streamed of an Attempt that never ended. */
export interface Leftover {
	attemptId: string;
	text: string;
	reasoning: string;
}

/** The end of a call, as its result tells it. */
export type CallEnd = Pick<EventOf<"tool/result">, "status" | "text" | "error" | "observed">;

/** How the files of a call stand: as it would have left them, as it found them, or otherwise. */
export type DiskFinding = "after" | "before" | "other";

/** What an open call of an interrupted Step is owed. */
export type CallFate =
	/** Nothing: it ends like this. */
	| { do: "end"; end: CallEnd }
	/** To go its whole way once the work goes on: it has not run, or may run again. */
	| { do: "run" }
	/** The same, and its way led over a question to the person that was not answered. */
	| { do: "ask" }
	/** It may have run, and only the person can tell. */
	| { do: "doubt" };

/** The fate of an open call; `disk` tells of a started one that can be reconciled. */
export function fateOf(call: OpenCall, disk?: DiskFinding): CallFate {
	if (!call.started) {
		const { approval } = call;
		if (approval && !approval.answer) return { do: "ask" };
		return isYes(approval?.answer) ? { do: "run" } : { do: "end", end: unfinished(call) };
	}
	switch (call.recovery) {
		case "idempotent":
			return { do: "run" };
		case "reconcile":
			// A call that was to write nothing, such as a search of memory.
			if (call.started.before.length + call.started.after.length === 0)
				return { do: "end", end: interrupted(call) };
			if (disk === "before") return { do: "run" };
			return { do: "end", end: disk === "after" ? confirmed(call) : unknown(call) };
		default:
			if (call.effects === "possible") return { do: "doubt" };
			if (call.question && call.question.answer === undefined) return { do: "ask" };
			return { do: "end", end: interrupted(call) };
	}
}

/**
 * Whether the open Turn only waits for a person: nothing was under way when the log ended, whatever ended it. So it is
 * where agi was left while a question was open.
 */
export function onlyWaits(state: SessionState): boolean {
	const open = openCalls(state);
	return (
		!state.attempt &&
		open.some(waitsForPerson) &&
		open.every((call) => waitsForPerson(call) || call.started === undefined)
	);
}

function waitsForPerson(call: OpenCall): boolean {
	const { do: owed } = fateOf(call);
	return owed === "ask" || (owed === "doubt" && call.question !== undefined && call.answer === undefined);
}

/** The event that ends the open Attempt as interrupted; [] where none is open. */
export function settleAttempt(state: SessionState, leftover?: Leftover): SessionEvent[] {
	const { attempt } = state;
	if (!attempt) return [];
	const streamed = leftover?.attemptId === attempt.attemptId ? leftover : { text: "", reasoning: "" };
	return [
		{
			type: "attempt/end",
			attemptId: attempt.attemptId,
			outcome: "interrupted",
			text: streamed.text,
			reasoning: streamed.reasoning,
			calls: [],
			durationMs: 0,
		},
	];
}

/** The events that end one open call: an approval that waits is cancelled, an answer that waits is taken. */
export function settleCall(call: OpenCall, end: CallEnd): SessionEvent[] {
	const result: SessionEvent = { type: "tool/result", callId: call.callId, durationMs: 0, ...end };
	if (!call.approval || call.approval.answer) return [...takeAnswer(call), result];
	const { approvalId } = call.approval;
	return [
		{ type: "approval/resolved", approvalId, callId: call.callId, answer: "cancelled", by: "agi" },
		result,
	];
}

/** Why a Turn was interrupted, as its end tells it. */
export type Interruption = Required<Pick<EventOf<"turn/end">, "code" | "reason">>;

/** Where nobody knows: the process was killed, or could not write any more. */
const CAUSE_UNKNOWN: Interruption = {
	code: "interrupted",
	reason: "agi ended in the middle of this turn",
};

/** Nothing was under way: what came after is that agi was left while a person was asked. */
export const LEFT_WAITING: Interruption = {
	code: "interrupted",
	reason: "agi ended while this turn waited for you",
};

/**
 * The events that close an interrupted Turn whose calls have all ended, because of `cause`; [] where there is none. One
 * commit.
 */
export function closeInterrupted(state: SessionState, cause = CAUSE_UNKNOWN): SessionEvent[] {
	if (!state.turn || state.attempt || openCalls(state).length > 0) return [];
	const ids = new Set(state.step?.calls.map((call) => call.callId));
	const told = state.history.flatMap((item) =>
		item.kind === "tool" && ids.has(item.callId) && needsWord(item.status) ? [item.text] : [],
	);
	return close(state, cause, [...attemptNote(state), ...told]);
}

/**
 * The events that end every open Attempt, call, Step and Turn of `state` at once, from the inside out; [] where none is
 * open. For where nobody will answer: a copy of a session, or a log that nobody was asked about. `cause` as above.
 */
export function settleInterrupted(
	state: SessionState,
	leftover?: Leftover,
	cause = CAUSE_UNKNOWN,
): SessionEvent[] {
	if (!state.turn) return [];
	const ends = openCalls(state).map((call) => ({ call, end: lastEndOf(call) }));
	return [
		...settleAttempt(state, leftover),
		...ends.flatMap(({ call, end }) => settleCall(call, end)),
		...close(state, cause, [...attemptNote(state), ...ends.map(({ end }) => end.text)]),
	];
}

/** Calls of the open Step that have no end. */
export function openCalls(state: SessionState): OpenCall[] {
	return state.step?.calls.filter((call) => !call.status) ?? [];
}

/** The end of a call that nobody looks after any more. */
export function lastEndOf(call: OpenCall): CallEnd {
	if (!call.started) return unfinished(call);
	return call.effects === "none" ? interrupted(call) : unknown(call);
}

/** Whether a fact is one that a settlement appends, the end of a call by a person's word included. */
export function isSettlement(event: SessionEvent): boolean {
	if (event.type === "attempt/end") return event.outcome === "interrupted" && event.owner === undefined;
	if (event.type === "tool/result")
		return /^\S+ \(.+?\) was (interrupted|not run: (the turn was interrupted|agi was ended))/.test(
			event.text,
		);
	return event.type === "recovery/continuation";
}

function close(state: SessionState, cause: Interruption, notes: string[]): SessionEvent[] {
	const { turn, step } = state;
	if (!turn) return [];
	const events: SessionEvent[] = [];
	if (step) {
		const waiting = step.claimed.filter((id) => state.inbox.some((m) => m.messageId === id));
		if (waiting.length > 0) events.push({ type: "inbox/released", messageIds: waiting, stepId: step.stepId });
		events.push({ type: "step/end", stepId: step.stepId, outcome: "interrupted" });
	}
	return [
		...events,
		{
			type: "turn/end",
			turnId: turn.turnId,
			status: "failed",
			...cause,
		},
		{ type: "recovery/continuation", interruptedTurnId: turn.turnId, notes },
	];
}

function attemptNote({ step }: SessionState): string[] {
	return step && step.attempts > 0 && !step.messageId
		? ["The last request to the model was interrupted; its answer was not kept."]
		: [];
}

function needsWord(status: CallEnd["status"]): boolean {
	return status === "cancelled" || status === "outcome_unknown";
}

function nameOf(call: OpenCall): string {
	return `${call.name} (${call.callId})`;
}

function unfinished(call: OpenCall): CallEnd {
	return cancelled(
		`${nameOf(call)} was not run: the turn was interrupted before it started. It is unfinished work.`,
	);
}

/** Of a call that only asked, the result is what the person had said. */
function interrupted(call: OpenCall): CallEnd {
	if (call.answer !== undefined)
		return {
			status: "result",
			text: `${nameOf(call)} was interrupted once the user had answered: ${call.answer}`,
		};
	return cancelled(`${nameOf(call)} was interrupted. It changes nothing and may be called again.`);
}

function cancelled(text: string): CallEnd {
	return { status: "cancelled", text, error: { type: "CANCELLED", message: text, retryable: true } };
}

function confirmed(call: OpenCall): CallEnd {
	const paths = (call.started?.after ?? []).map((stamp) => stamp.path).join(", ");
	const text = `${nameOf(call)} was interrupted, but it was done: ${paths} is as this call would have left it.`;
	return { status: "result", text, observed: call.started?.after ?? [] };
}

function unknown(call: OpenCall): CallEnd {
	const text = `${nameOf(call)} was interrupted after it had started: the outcome is unknown. It may have run in whole or in part; look before you run it again.`;
	return {
		status: "outcome_unknown",
		text,
		error: { type: "OUTCOME_UNKNOWN", message: text, retryable: false },
	};
}
