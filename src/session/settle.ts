// Closes what a dead process left open, so that the log is whole and the next request is valid. Pure: it only says which
// events to append. A second settlement of the same log appends nothing.

import type { SessionEvent } from "./events.ts";
import type { OpenCall, SessionState } from "./state.ts";

/** What had streamed of an Attempt that never ended. */
export interface Leftover {
	attemptId: string;
	text: string;
	reasoning: string;
}

/** The events that end every open Attempt, call, Step and Turn of `state`, from the inside out; [] where none is open. */
export function settleInterrupted(state: SessionState, leftover?: Leftover): SessionEvent[] {
	const { turn, step, attempt } = state;
	if (!turn) return [];
	const events: SessionEvent[] = [];
	const notes: string[] = [];
	if (attempt) {
		const streamed = leftover?.attemptId === attempt.attemptId ? leftover : { text: "", reasoning: "" };
		events.push({
			type: "attempt/end",
			attemptId: attempt.attemptId,
			outcome: "interrupted",
			text: streamed.text,
			reasoning: streamed.reasoning,
			calls: [],
			durationMs: 0,
		});
		notes.push("The last request to the model was interrupted; its answer was not kept.");
	}
	if (step) {
		for (const call of step.calls.filter((c) => !c.status)) {
			const end = endOf(call);
			events.push(...pendingApproval(call), {
				type: "tool/result",
				callId: call.callId,
				durationMs: 0,
				...end,
			});
			notes.push(end.text);
		}
		const waiting = step.claimed.filter((id) => state.inbox.some((m) => m.messageId === id));
		if (waiting.length > 0) events.push({ type: "inbox/released", messageIds: waiting, stepId: step.stepId });
		events.push({ type: "step/end", stepId: step.stepId, outcome: "interrupted" });
	}
	events.push(
		{
			type: "turn/end",
			turnId: turn.turnId,
			status: "failed",
			code: "interrupted",
			reason: "agi was ended in the middle of this turn",
		},
		{ type: "recovery/continuation", interruptedTurnId: turn.turnId, notes },
	);
	return events;
}

function pendingApproval(call: OpenCall): SessionEvent[] {
	if (!call.approval || call.approval.answer) return [];
	return [
		{
			type: "approval/resolved",
			approvalId: call.approval.approvalId,
			callId: call.callId,
			answer: "cancelled",
			by: "agi",
		},
	];
}

/** A call without `tool/start` never ran; one without effects may be forgotten; any other may have happened. */
function endOf(call: OpenCall): Pick<SessionEvent & { type: "tool/result" }, "status" | "text" | "error"> {
	const name = `${call.name} (${call.callId})`;
	if (!call.started) {
		const text = `${name} was not run: agi was ended before it started. It is unfinished work.`;
		return { status: "cancelled", text, error: { type: "CANCELLED", message: text, retryable: true } };
	}
	if (call.effects === "none") {
		const text = `${name} was interrupted. It changes nothing and may be called again.`;
		return { status: "cancelled", text, error: { type: "CANCELLED", message: text, retryable: true } };
	}
	const text = `${name} was interrupted after it had started: the outcome is unknown. It may have run in whole or in part; look before you run it again.`;
	return {
		status: "outcome_unknown",
		text,
		error: { type: "OUTCOME_UNKNOWN", message: text, retryable: false },
	};
}
