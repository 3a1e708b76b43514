// Decides about the calls of an accepted message: their acceptance, their start, their end. The part of `decide.ts` that
// keeps the invariants of calls. Pure.

import { type AttemptRecord, type CallRecord, type Command, type Refusal, refuse } from "./commands.ts";
import type { AcceptedCall, EventOf, SessionEvent } from "./events.ts";
import { takeAnswer } from "./inbox.ts";
import { isYes } from "./live.ts";
import { nextArtifactId, type OpenCall, type SessionState, sameDigests } from "./state.ts";

type Of<D extends Command["do"]> = Extract<Command, { do: D }>;

/** The events of a reply that becomes part of the history, and of its calls. */
export function acceptReply(
	state: SessionState,
	attempt: AttemptRecord,
	calls: CallRecord[],
): SessionEvent[] | Refusal {
	const step = state.step;
	if (!state.attempt || !step) return refuse("no attempt is open");
	if (attempt.finish !== (calls.length > 0 ? "tool_calls" : "stop"))
		return refuse(`a reply that ended by ${attempt.finish ?? "nothing"} is not accepted`);
	const joined = (step.cut?.text ?? "") + attempt.text;
	if (joined.trim() === "" && calls.length === 0) return refuse("the reply is empty");
	const taken = new Set(state.callIds);
	const accepted = calls.map((call) => toAcceptedCall(call, taken));
	return [
		attemptEnd(state.attempt.attemptId, "accepted", attempt),
		{
			type: "assistant/accepted",
			messageId: `message-${state.made.message + 1}`,
			attemptId: state.attempt.attemptId,
			...(step.cut ? { text: joined } : {}),
			calls: accepted,
		},
		...accepted.map(
			(call, i): SessionEvent => ({
				type: "tool/call",
				callId: call.callId,
				stepId: step.stepId,
				name: call.name,
				args: call.args,
				...(calls[i]?.invalidArguments === undefined ? {} : { invalidArguments: calls[i].invalidArguments }),
				toolVersion: calls[i]?.tool?.version ?? 0,
				effects: calls[i]?.tool?.effects ?? "none",
				recovery: calls[i]?.tool?.recovery ?? "none",
			}),
		),
	];
}

/** Servers reuse ids between replies; ours are unique in the session, and a first use keeps the server's. */
function toAcceptedCall(call: CallRecord, taken: Set<string>): AcceptedCall {
	const wanted = call.providerId === "" ? "call" : call.providerId;
	let callId = wanted;
	for (let n = 2; taken.has(callId); n++) callId = `${wanted}~${n}`;
	taken.add(callId);
	return { callId, providerId: call.providerId, name: call.name, args: call.args };
}

/** No effect without a decision that allows it, or a person's yes to exactly this call. */
export function startCall(
	state: SessionState,
	call: OpenCall,
	command: Of<"startCall">,
): SessionEvent[] | Refusal {
	if (call.started && !mayStartAgain(call, command)) return refuse(`call ${call.callId} was started before`);
	const approved = isYes(call.approval?.answer);
	if (call.verdict !== "allow" && !(call.verdict === "ask" && approved))
		return refuse(`call ${call.callId} is not allowed`);
	return [
		{
			type: "tool/start",
			callId: call.callId,
			idempotencyKey: `${state.sessionId}/${call.callId}`,
			...(command.before ? { before: command.before } : {}),
			...(command.after ? { after: command.after } : {}),
			...(command.onlyReads ? { onlyReads: true } : {}),
		},
	];
}

/** Only recovery starts a call twice: one without effects, one that its key makes safe, one that did not happen. */
function mayStartAgain(call: OpenCall, { before = [] }: Of<"startCall">): boolean {
	if (call.recovery !== "reconcile") return call.recovery !== "manual";
	return call.started !== undefined && sameDigests(call.started.before, before);
}

/** The events that end an open call. */
export function endCall(
	state: SessionState,
	call: OpenCall,
	command: Of<"endCall">,
): SessionEvent[] | Refusal {
	if ((command.status === "result" || command.status === "outcome_unknown") && !call.started)
		return refuse(`call ${call.callId} never started`);
	const { do: _, artifact, ...facts } = command;
	const artifactId = nextArtifactId(state);
	return [
		...(artifact
			? [{ type: "artifact/created", artifactId, callId: command.callId, ...artifact } as const]
			: []),
		...takeAnswer(call),
		{ type: "tool/result", ...facts, ...(artifact ? { artifactId } : {}) },
	];
}

/** The events of an answer to the call's open question, which takes only one. */
export function answerQuestion(call: OpenCall, command: Of<"answerQuestion">): SessionEvent[] | Refusal {
	const { do: _, ...facts } = command;
	const { questionId, answer, by } = facts;
	if (call.question?.questionId !== questionId) return refuse("no such question waits for an answer");
	if (call.question.answer !== undefined) return refuse("that question has its answer");
	return by === "person"
		? [{ type: "inbox/enqueued", target: "question", questionId, answer }]
		: [{ type: "question/answered", ...facts }];
}

/** What `act` makes of the call of this id, where it is open. */
export function withOpenCall(
	state: SessionState,
	callId: string,
	act: (call: OpenCall) => SessionEvent[] | Refusal,
): SessionEvent[] | Refusal {
	const call = state.step?.calls.find((c) => c.callId === callId);
	if (!call) return refuse(`no call ${callId} is open`);
	if (call.status) return refuse(`call ${callId} has ended`);
	return act(call);
}

/** The event that ends an Attempt. */
export function attemptEnd(
	attemptId: string,
	outcome: EventOf<"attempt/end">["outcome"],
	attempt: AttemptRecord,
): EventOf<"attempt/end"> {
	return { type: "attempt/end", attemptId, outcome, ...attempt };
}
