// A recorded session as something to play again: what the model answered, what the tools gave, what people and rules
// decided. Pure; everything else about the session is left to the runtime that plays it.

import type { Commit, EventOf, PlanItem, SessionEvent } from "../session/events.ts";
import type { Mode, ModelFailure, ModelReply, ToolOutcome } from "../types.ts";

/** An answer of the model as it came, whole or not. */
export interface TapedAttempt {
	outcome: EventOf<"attempt/end">["outcome"];
	reply: ModelReply;
	failure?: ModelFailure;
}

/** What became of a call beside the model's wish. */
export interface TapedCall {
	/** Absent where the call was refused before anybody was asked. */
	verdict?: EventOf<"policy/decided">;
	approval?: EventOf<"approval/resolved">;
	started: boolean;
	outcome?: ToolOutcome;
	plan?: PlanItem[];
}

/**
 * Something a person did, in its place: while the Attempt `attempt` (from 1) of an open turn ran or after it, or between
 * turns, after `turn` of them.
 */
export type TapedInput = { attempt: number; turn: number; inTurn: boolean } & (
	| {
			do: "say";
			text: string;
			origin: "person" | "parent" | "program";
			target: "next_step" | "next_turn";
			wakeup: boolean;
	  }
	| { do: "mode"; mode: Mode; by: "person" | "program" }
);

export interface Tape {
	created: EventOf<"session/created">;
	attempts: TapedAttempt[];
	calls: ReadonlyMap<string, TapedCall>;
	inputs: TapedInput[];
	/** Whether anybody could be asked. */
	asksPeople: boolean;
	events: SessionEvent[];
	/** Why the rest of the session cannot be played: it was interrupted, or rewound. */
	endsBecause?: string;
}

const UNPLAYABLE: Readonly<Record<string, string>> = {
	"recovery/continuation": "agi was interrupted there",
	"session/rewound": "changes were undone there",
	"session/forked": "it was copied there",
	"checkpoint/committed": "the conversation was summed up there",
	"checkpoint/undone": "a summary was taken back there",
};

/** Reads the tape of a log up to the first thing that cannot be played. Undefined for a log that holds nothing. */
export function readTape(commits: readonly Commit[]): Tape | undefined {
	const all = commits.flatMap((commit) => commit.events);
	const created = all[0];
	if (created?.type !== "session/created") return undefined;
	const end = all.findIndex((event) => whyUnplayable(event) !== undefined);
	// A turn that is played must end as it did, so the tape is cut where the last whole one ended.
	const events =
		end < 0 ? all : all.slice(0, all.slice(0, end).findLastIndex(({ type }) => type === "turn/end") + 1);
	const attempts: TapedAttempt[] = [];
	const calls = new Map<string, TapedCall>();
	const inputs: TapedInput[] = [];
	const said = new Map<string, EventOf<"user/message">>();
	const place = { attempt: 0, turn: 0, inTurn: false };
	let running = "";
	for (const event of events) {
		if (event.type === "turn/start") Object.assign(place, { turn: place.turn + 1, inTurn: true });
		else if (event.type === "turn/end") place.inTurn = false;
		else if (event.type === "attempt/start") place.attempt++;
		else if (event.type === "attempt/end") attempts.push(attemptOf(event));
		else if (event.type === "user/message") said.set(event.messageId, event);
		else if (event.type === "inbox/enqueued") {
			const { target, wakeup, messageId } = event;
			const { text = "", origin = "person" } = said.get(messageId) ?? {};
			inputs.push({ do: "say", ...place, text, origin, target, wakeup });
		} else if (event.type === "mode/changed")
			inputs.push({ do: "mode", ...place, mode: event.mode, by: event.by });
		else if (event.type === "tool/start") running = event.callId;
		else if (event.type === "plan/replaced") callOf(calls, running).plan = event.items;
		if ("callId" in event) takeCall(callOf(calls, event.callId), event);
	}
	return {
		created,
		attempts,
		calls,
		inputs,
		asksPeople: events.some((event) => event.type === "approval/requested"),
		events,
		...(end < 0 ? {} : { endsBecause: whyUnplayable(all[end]!) ?? "" }),
	};
}

/** Requests that belong to no step are those for a summary. */
function whyUnplayable(event: SessionEvent): string | undefined {
	if ("owner" in event && event.owner !== undefined) return UNPLAYABLE["checkpoint/committed"];
	return UNPLAYABLE[event.type];
}

function attemptOf(event: EventOf<"attempt/end">): TapedAttempt {
	const { outcome, text, reasoning, calls, finish, usage, failure, metadata } = event;
	return {
		outcome,
		reply: {
			text,
			reasoning,
			calls,
			...(finish === undefined ? {} : { finish }),
			...(usage === undefined || event.usageEstimated ? {} : { usage }),
			...(metadata === undefined ? {} : { metadata }),
		},
		...(failure === undefined ? {} : { failure }),
	};
}

function callOf(calls: Map<string, TapedCall>, callId: string): TapedCall {
	const call = calls.get(callId) ?? { started: false };
	calls.set(callId, call);
	return call;
}

function takeCall(call: TapedCall, event: SessionEvent): void {
	if (event.type === "policy/decided") call.verdict = event;
	else if (event.type === "approval/resolved") call.approval = event;
	else if (event.type === "tool/start") call.started = true;
	else if (event.type === "tool/result") {
		const { status, text, error } = event;
		call.outcome = { status, text, ...(error === undefined ? {} : { error }) };
	}
}
