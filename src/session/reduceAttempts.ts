// What facts about requests, replies and their usage make of a session's state: the part of `reduce.ts` that only Attempts
// need. Pure and total.

import type { EventOf } from "./events.ts";
import { highestNumber, newestNumber } from "./made.ts";
import { originOf, type SessionState } from "./state.ts";
import { observeTokens, UNKNOWN_TOKENIZER } from "./tokenAccount.ts";

/** A request is prepared: its size is held against what the server will count. */
export function prepareRequest(state: SessionState, event: EventOf<"request/prepared">): SessionState {
	state.made.request = newestNumber(state.made.request, event.requestId);
	delete state.prepared;
	const model = event.model ?? state.step?.model;
	if (event.size && model) state.prepared = { size: event.size, origin: originOf(model) };
	return state;
}

/** A request has ended: its usage, and what its Step makes of it. */
export function endAttempt(state: SessionState, event: EventOf<"attempt/end">): SessionState {
	if (event.usage) addUsage(state, event.usage);
	learnTokens(state, event);
	learnWindow(state, event);
	state.made.attempt = highestNumber(state.made.attempt, event.attemptId);
	if (event.owner) {
		delete state.aside;
		return state;
	}
	delete state.attempt;
	const { text, reasoning, reasoningPlace } = event;
	state.lastReply = { text, reasoning, ...(reasoningPlace && { reasoningPlace }) };
	const step = state.step;
	if (!step) return state;
	if (event.outcome === "failed" && event.failure) {
		step.failures++;
		step.lastFailure = event.failure;
	}
	if (event.outcome === "accepted" || event.outcome === "rejected") {
		step.failures = 0;
		delete step.lastFailure;
		if (event.usage) {
			state.contextTokens = event.usage.inputTokens + event.usage.outputTokens;
			state.contextEstimated = event.usageEstimated === true;
		}
	}
	if (event.outcome === "rejected") {
		if (event.finish === "length") {
			step.cut = {
				text: (step.cut?.text ?? "") + event.text,
				times: (step.cut?.times ?? 0) + 1,
				insideCall: event.calls.length > 0,
			};
		} else step.refused = { finish: event.finish ?? "error", text: event.text };
	}
	return state;
}

function learnWindow(state: SessionState, { owner, failure }: EventOf<"attempt/end">): void {
	const model = owner ? undefined : state.step?.model;
	if (model && failure?.contextWindow !== undefined)
		state.windows.set(originOf(model), failure.contextWindow);
}

/** Only what a server counted is held against the estimate. */
function learnTokens(state: SessionState, { owner, usage, usageEstimated }: EventOf<"attempt/end">): void {
	const { prepared } = state;
	// Beside an open Attempt, the last request that was prepared is that one's.
	if (owner && state.attempt) return;
	if (!prepared || !usage || usageEstimated || usage.inputTokens <= 0) return;
	const account = state.accounts.get(prepared.origin) ?? UNKNOWN_TOKENIZER;
	// What the conversation itself counted tells more of its next request than a summary's or memory's request does.
	if (owner && account.last) return;
	state.accounts.set(prepared.origin, observeTokens(account, prepared.size, usage.inputTokens));
}

function addUsage(state: SessionState, usage: EventOf<"attempt/end">["usage"] & object): void {
	state.usage.inputTokens += usage.inputTokens;
	state.usage.outputTokens += usage.outputTokens;
	state.usage.cachedInputTokens += usage.cachedInputTokens;
	state.usage.reasoningTokens += usage.reasoningTokens;
}

/** The last reply joins the history. */
export function acceptMessage(state: SessionState, event: EventOf<"assistant/accepted">): SessionState {
	state.made.message = newestNumber(state.made.message, event.messageId);
	for (const call of event.calls) state.callIds.add(call.callId);
	const { reasoning, reasoningPlace } = state.lastReply;
	state.history.push({
		kind: "assistant",
		messageId: event.messageId,
		text: event.text ?? state.lastReply.text,
		reasoning,
		...(reasoningPlace && { reasoningPlace }),
		origin: state.step ? originOf(state.step.model) : "",
		calls: event.calls,
	});
	if (state.step) {
		state.step.messageId = event.messageId;
		delete state.step.cut;
	}
	return state;
}
