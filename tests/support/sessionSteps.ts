// Drives a session's pure rules in tests: performs commands on a state, keeps every commit, one command each.

import type { AttemptRecord, CallRecord, Command } from "../../src/session/commands.ts";
import { decide, isRefusal } from "../../src/session/decide.ts";
import type { Commit, SessionEvent } from "../../src/session/events.ts";
import { reduce } from "../../src/session/reduce.ts";
import { emptyState, type SessionState } from "../../src/session/state.ts";

export const MODEL = { model: "m", profile: "custom", baseUrl: "http://127.0.0.1", contextWindow: 1000 };

export interface SessionSteps {
	readonly state: SessionState;
	commits: Commit[];
	/** The sentence of the refusal, or the events that were recorded. */
	perform(command: Command): SessionEvent[] | string;
	append(events: SessionEvent[]): void;
}

/** A session without any event. */
export function createSteps(): SessionSteps {
	let state = emptyState();
	const commits: Commit[] = [];
	const append = (events: SessionEvent[]) => {
		for (const event of events) state = reduce(state, event);
		if (events.length > 0)
			commits.push({ v: 1, seq: commits.length + 1, at: "2026-11-29T12:00:00.000Z", events });
	};
	return {
		get state() {
			return state;
		},
		commits,
		append,
		perform(command) {
			const events = decide(state, command);
			if (isRefusal(events)) return events.refused;
			append(events);
			return events;
		},
	};
}

/** A session that exists, after these commands; throws where one is refused. */
export function sessionAfter(...commands: Command[]): SessionSteps {
	const steps = createSteps();
	for (const command of [CREATE, ...commands]) {
		const done = steps.perform(command);
		if (typeof done === "string") throw new Error(`${command.do}: ${done}`);
	}
	return steps;
}

export const CREATE: Command = {
	do: "createSession",
	sessionId: "s",
	cwd: "/w",
	projectId: "p",
	agiVersion: "1",
	startedOn: "2026-11-29",
	mode: "default",
};

export const submit = (
	text = "hi",
	target: "next_step" | "next_turn" = "next_turn",
	wakeup = true,
): Command => ({ do: "submitInput", text, target, wakeup, origin: "person" });

export const START_TURN: Command = { do: "startTurn" };
export const START_STEP: Command = { do: "startStep", model: MODEL };
/** A first request whose body is `x`. */
export const startAttempt = (digest: string): Command => ({
	do: "startAttempt",
	digest,
	bytes: 1,
	delta: { prefix: 0, suffix: 0, middle: "x" },
	contributions: [],
});
export const START_ATTEMPT: Command = startAttempt("d");

/** Up to the first open Attempt. */
export const ASKED: Command[] = [submit(), START_TURN, START_STEP, START_ATTEMPT];

export function record(more: Partial<AttemptRecord> = {}): AttemptRecord {
	const usage = { inputTokens: 10, outputTokens: 2, cachedInputTokens: 0, reasoningTokens: 0 };
	return { text: "", reasoning: "", calls: [], usage, durationMs: 1, ...more };
}

export const accept = (text: string, ...calls: CallRecord[]): Command => ({
	do: "acceptReply",
	attempt: record({ text, finish: calls.length > 0 ? "tool_calls" : "stop" }),
	calls,
});

export const writeCall = (providerId: string): CallRecord => ({
	providerId,
	name: "writeFile",
	args: { path: providerId },
	tool: { version: 1, effects: "possible", recovery: "manual" },
});

export const readCall = (providerId: string): CallRecord => ({
	providerId,
	name: "readFile",
	args: { path: providerId },
	tool: { version: 1, effects: "none", recovery: "none" },
});

export const decided = (callId: string, verdict: "allow" | "ask" | "deny"): Command => ({
	do: "decidePolicy",
	callId,
	verdict,
	reason: "because",
	rule: "r",
});

export const requestApproval = (callId: string): Command => ({
	do: "requestApproval",
	callId,
	digest: "d",
	reason: "because",
	resources: [],
});

export const resolveApproval = (
	callId: string,
	answer: "yes" | "yes_session" | "no" | "cancelled",
	words?: string,
): Command => ({
	do: "resolveApproval",
	callId,
	answer,
	by: "person",
	...(words === undefined ? {} : { words }),
});

export const startCall = (callId: string): Command => ({ do: "startCall", callId });

export const endCall = (
	callId: string,
	status: "result" | "error" | "denied" | "cancelled" | "outcome_unknown" = "result",
): Command => ({ do: "endCall", callId, status, text: `${status} of ${callId}`, durationMs: 1 });
