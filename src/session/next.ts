// The action a session owes now. A fresh run and a restart both ask here; nobody else decides what comes next.

import { MAX_REPEATED_FAILURES } from "./repeats.ts";
import type { InboxMessage, SessionState } from "./state.ts";

/** How often a cut answer is asked to go on. */
const MAX_CONTINUATIONS = 2;

export type Action =
	/** Nothing is owed: no open Turn, no message that wakes one. */
	| { do: "rest" }
	| { do: "startTurn" }
	| { do: "startStep" }
	/** Ask the model: the first time, after a failure, or to go on from a cut. */
	| { do: "ask" }
	/** Bring every call of the accepted message to its end. */
	| { do: "runCalls"; callIds: string[] }
	| { do: "endStep"; outcome: "answer" | "tools" | "failed" }
	| { do: "endTurn"; end: "completed" | "denied" | "failed" | "repeats" };

/** The one action owed in `state`. */
export function next(state: SessionState): Action {
	const { turn, step } = state;
	if (!turn) return wakingMessages(state).length > 0 ? { do: "startTurn" } : { do: "rest" };
	if (!step) return afterStep(state);
	if (!step.messageId) {
		if (step.refused || (step.cut && step.cut.times > MAX_CONTINUATIONS))
			return { do: "endStep", outcome: "failed" };
		return { do: "ask" };
	}
	const open = step.calls.filter((c) => !c.status).map((c) => c.callId);
	if (open.length > 0) return { do: "runCalls", callIds: open };
	return { do: "endStep", outcome: step.calls.length > 0 ? "tools" : "answer" };
}

/** The messages that wait and wake a Turn, in the order in which they came. */
export function wakingMessages(state: SessionState): InboxMessage[] {
	return state.inbox.filter((message) => message.wakeup && !message.stepId);
}

/** The messages that a Turn begins with once a person goes on: those that wake one, else theirs that a Turn gave back. */
export function sendableMessages(state: SessionState): InboxMessage[] {
	const waking = wakingMessages(state);
	return waking.length > 0
		? waking
		: state.inbox.filter(({ origin, stepId }) => origin === "person" && !stepId);
}

/** Between two Steps: go on, or end the Turn. */
function afterStep(state: SessionState): Action {
	const turn = state.turn!;
	if (turn.lastStep === undefined) return { do: "startStep" };
	if (turn.denied) return { do: "endTurn", end: "denied" };
	if (turn.lastStep === "tools")
		return turn.failures.some(({ times }) => times >= MAX_REPEATED_FAILURES)
			? { do: "endTurn", end: "repeats" }
			: { do: "startStep" };
	if (turn.lastStep === "answer")
		return state.inbox.some((m) => m.target === "next_step" && !m.stepId)
			? { do: "startStep" }
			: { do: "endTurn", end: "completed" };
	return { do: "endTurn", end: "failed" };
}
