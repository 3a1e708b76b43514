// What facts about tool calls make of a session's state: the part of `reduce.ts` that only calls need. Pure and total.

import type { EventOf } from "./events.ts";
import { countEnd } from "./repeats.ts";
import type { OpenCall, SessionState } from "./state.ts";
import { setSeen } from "./timeline.ts";

/** A call of the accepted message opens. */
export function openCall(state: SessionState, event: EventOf<"tool/call">): SessionState {
	const message = state.history.findLast((item) => item.kind === "assistant");
	const accepted = message?.calls.find((c) => c.callId === event.callId);
	if (!state.step || !accepted) return state;
	state.step.calls.push({
		...accepted,
		effects: event.effects,
		recovery: event.recovery,
		toolVersion: event.toolVersion,
		...(event.invalidArguments === undefined ? {} : { invalidArguments: event.invalidArguments }),
	});
	return state;
}

/** Changes an open call; nothing where there is none of this id. */
export function changeCall(
	state: SessionState,
	callId: string,
	change: (call: OpenCall) => void,
): SessionState {
	const call = state.step?.calls.find((c) => c.callId === callId);
	if (call) change(call);
	return state;
}

/** The person stepped in: a call that failed before may end otherwise now. */
export function forgetFailures(state: SessionState): void {
	if (state.turn) state.turn.failures = [];
}

/** An approval is answered; a plain No is the whole turn's. */
export function resolveApproval(state: SessionState, event: EventOf<"approval/resolved">): SessionState {
	const refused = event.answer === "no" || event.answer === "cancelled";
	if (refused && event.words === undefined && event.by === "person" && state.turn) state.turn.denied = true;
	return changeCall(state, event.callId, (call) => {
		if (!call.approval) return;
		call.approval.answer = event.answer;
		if (event.words !== undefined) call.approval.words = event.words;
		if (event.expiresAt !== undefined) call.approval.expiresAt = event.expiresAt;
		if (event.hunks || event.amended !== undefined) call.approval.revised = true;
	});
}

/** An answer waits for the call that asked; nothing where none asks this, or it has its answer. */
export function receiveAnswer(
	state: SessionState,
	{ questionId, answer }: Extract<EventOf<"inbox/enqueued">, { target: "question" }>,
): SessionState {
	const call = state.step?.calls.find(({ question }) => question?.questionId === questionId);
	if (!call?.question || call.question.answer !== undefined) return state;
	call.question.answer = answer;
	if (!call.question.secret) call.answer = answer;
	return state;
}

/** A call's question is over. A log from before answers went through the inbox tells the answer here alone. */
export function closeQuestion(state: SessionState, event: EventOf<"question/answered">): SessionState {
	if (event.by === "person") forgetFailures(state);
	return changeCall(state, event.callId, (call) => {
		if (event.by === "person" && call.question?.secret === false) call.answer = event.answer;
		delete call.question;
	});
}

/** A call ends: its result joins the history. */
export function endCall(state: SessionState, event: EventOf<"tool/result">): SessionState {
	const call = state.step?.calls.find((c) => c.callId === event.callId);
	if (!call || call.status) return state;
	call.status = event.status;
	for (const stamp of event.observed ?? []) setSeen(state, stamp);
	state.history.push({
		kind: "tool",
		callId: call.callId,
		providerId: call.providerId,
		name: call.name,
		status: event.status,
		text: event.text,
	});
	if (event.error?.saidNo && state.turn) state.turn.denied = true;
	if (state.turn) state.turn.failures = countEnd(state.turn.failures, call, event, state.step!.stepId);
	return state;
}
