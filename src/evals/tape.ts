// A recorded session as something to play again: what the model answered, what the tools gave, what people, rules and the
// disk said. Pure; everything else about the session is left to the runtime that plays it.

import { isDoubtQuestion } from "../session/doubt.ts";
import type { Commit, EventOf, PlanItem, Resource, SessionEvent } from "../session/events.ts";
import type { DiskFinding } from "../session/settle.ts";
import { isSettlement } from "../session/settle.ts";
import type { FileStamp, ModelFailure, ModelReply, ToolOutcome } from "../types.ts";
import { comparable } from "./comparableEvents.ts";
import { wavesOf } from "./tapedWaves.ts";

/** An answer of the model as it came, whole or not. */
export interface TapedAttempt {
	outcome: EventOf<"attempt/end">["outcome"];
	reply: ModelReply;
	failure?: ModelFailure;
}

/** A message that was put into the inbox; an answer comes with its call. */
type MessageEnqueued = Exclude<EventOf<"inbox/enqueued">, { target: "question" }>;

/** What became of a call beside the model's wish. */
export interface TapedCall {
	/** Absent where the call was refused before anybody was asked. */
	verdict?: EventOf<"policy/decided">;
	approval?: EventOf<"approval/resolved">;
	/** The files it was about to write. */
	before?: FileStamp[];
	after?: FileStamp[];
	onlyReads?: true;
	/** What it used, as far as that kept other calls of its message from running beside it. */
	resources: Resource[];
	/** How often it was started: a second time only by recovery. */
	starts: number;
	/** How a restart found its files; only of one that a death interrupted. */
	found?: DiskFinding;
	outcome?: ToolOutcome;
	plan?: PlanItem[];
	questions: (EventOf<"question/asked"> | EventOf<"question/answered">)[];
}

/**
 * Something that came from outside of the loop, in its place: after so many attempts and turns had begun. `running`:
 * while a request was under way or its calls ran; `aside`: by agi itself, between two requests.
 */
export type TapedInput = { attempt: number; turn: number; when: "between" | "running" | "aside" } & (
	| { do: "say"; said: EventOf<"user/message">; enqueued: MessageEnqueued }
	/** What nobody has to decide again. */
	| { do: "facts"; events: SessionEvent[] }
);

/** A turn as far as what began or stopped it is not the loop's own. */
export interface TapedTurn {
	isRecovery: boolean;
	/** Attempts of the session up to its end. */
	attempts: number;
	/** Why the request could not be made to fit, where that ended it. */
	cannotFit?: string;
}

/** What one process wrote of the log. */
export interface TapedLife {
	begins: { as: "new" } | { as: "restarted" } | { as: "copy"; events: SessionEvent[] };
	/** Comparable facts of the log up to its end. */
	facts: number;
	/** Whether it ended in the middle of something. */
	dies: boolean;
	/** A question that it had put and that waited when it died, or whose answer waited for its call. */
	asked: SessionEvent[];
}

export interface Tape {
	created: EventOf<"session/created">;
	/** Of steps and beside them, in order. */
	attempts: TapedAttempt[];
	calls: ReadonlyMap<string, TapedCall>;
	/** Calls out of whose arguments a secret was taken, by `callKey`. */
	concealed: ReadonlySet<string>;
	inputs: TapedInput[];
	turns: TapedTurn[];
	lives: TapedLife[];
	/** Whether anybody could be asked. */
	asksPeople: boolean;
	events: SessionEvent[];
}

/** How a text that stands for a secret begins. */
export const SECRET_MARK = "[redacted: ";

/** Facts that people and programs bring; they are given again as they are. */
const FROM_OUTSIDE = new Set<string>([
	"mode/changed",
	"inbox/cancelled",
	"inbox/moved",
	"session/rewound",
	"rewind/finished",
	"checkpoint/committed",
	"checkpoint/undone",
	"item/masked",
	"item/pinned",
]);

/**
 * The log with the end of each look for facts to keep right behind its beginning: when one is given up within a turn is
 * chance, and nothing of the turn depends on it.
 */
export function withLooksEnded(commits: readonly Commit[]): Commit[] {
	const ends = new Map(
		commits
			.flatMap((commit) => commit.events)
			.flatMap((event) =>
				event.type === "attempt/end" && event.owner?.kind === "memory"
					? [[event.attemptId, event] as const]
					: [],
			),
	);
	return commits.map((commit) => ({
		...commit,
		events: commit.events.flatMap((event): SessionEvent[] => {
			if (event.type === "attempt/end" && ends.has(event.attemptId)) return [];
			const end = event.type === "attempt/start" ? ends.get(event.attemptId) : undefined;
			return end ? [event, end] : [event];
		}),
	}));
}

/** The tape of a log. Undefined for a log that holds nothing. */
export function readTape(commits: readonly Commit[]): Tape | undefined {
	const events = commits.flatMap((commit) => commit.events);
	const created = events[0];
	if (created?.type !== "session/created") return undefined;
	return {
		created,
		attempts: events.flatMap((event) => (event.type === "attempt/end" ? [attemptOf(event)] : [])),
		calls: callsOf(events),
		concealed: concealedIn(events),
		inputs: inputsOf(commits),
		turns: turnsOf(events),
		lives: livesOf(commits),
		asksPeople: events.some(({ type }) => type === "approval/requested" || type === "question/asked"),
		events,
	};
}

/** The lives that wrote a log: each restart in the middle of a turn, and each copy, begins another. */
function livesOf(commits: readonly Commit[]): TapedLife[] {
	const lives: TapedLife[] = [];
	let begins: TapedLife["begins"] = { as: "new" };
	let from = 0;
	let facts = 0;
	const end = (to: number, dies: boolean) => {
		const own = commits.slice(from, to).flatMap((commit) => commit.events);
		facts += comparable(own).length;
		const last = own.findLastIndex((event) => comparable([event]).length > 0);
		const asked = own.slice(last + 1).filter(isOfQuestion);
		lives.push({ begins, facts, dies, asked });
		from = to;
	};
	for (const [place, commit] of commits.entries()) {
		const copied = commit.events.findIndex(({ type }) => type === "session/forked");
		if (copied >= 0) {
			end(place, true);
			begins = { as: "copy", events: commit.events };
		} else if (commit.events.some(({ type }) => type === "recovery/continuation")) {
			end(firstOfRecovery(commits, from, place), true);
			begins = { as: "restarted" };
		}
	}
	end(commits.length, isTurnOpen(commits));
	return lives;
}

/** The place of the first commit that a recovery wrote, whose last one is at `place`. */
function firstOfRecovery(commits: readonly Commit[], from: number, place: number): number {
	const begun = commits.findLastIndex(
		({ events }, at) => at >= from && at < place && events.some(({ type }) => type === "turn/start"),
	);
	const first = commits.findIndex(
		({ events }, at) => at > Math.max(begun, from - 1) && at <= place && events.some(isOfRecovery),
	);
	return first < 0 ? place : first;
}

function isOfQuestion(event: SessionEvent): boolean {
	if (event.type === "inbox/enqueued") return event.target === "question";
	return event.type === "question/asked" || event.type === "question/answered";
}

function isOfRecovery(event: SessionEvent): boolean {
	if (event.type === "question/asked") return isDoubtQuestion(event.question);
	return isSettlement(event);
}

function isTurnOpen(commits: readonly Commit[]): boolean {
	const last = commits
		.flatMap((commit) => commit.events)
		.findLast(({ type }) => type === "turn/start" || type === "turn/end");
	return last?.type === "turn/start";
}

function turnsOf(events: readonly SessionEvent[]): TapedTurn[] {
	const turns: TapedTurn[] = [];
	let attempts = 0;
	for (const event of events) {
		if (event.type === "attempt/start") attempts++;
		if (event.type === "turn/start") turns.push({ isRecovery: event.source.kind === "recovery", attempts });
		const turn = turns.at(-1);
		if (turn) turn.attempts = attempts;
		if (turn && event.type === "turn/end" && event.code === "context") turn.cannotFit = event.reason ?? "";
	}
	return turns;
}

/** What came from outside, in order. */
export function inputsOf(commits: readonly Commit[]): TapedInput[] {
	const inputs: TapedInput[] = [];
	const said = new Map<string, EventOf<"user/message">>();
	const place = { attempt: 0, turn: 0, isOpen: false };
	const now = () => ({ attempt: place.attempt, turn: place.turn });
	for (const { events } of commits) {
		// What a copy drops of the original's queue belongs to its beginning.
		const isCopy = events.some(({ type }) => type === "session/forked");
		for (const event of events) {
			const when = place.isOpen ? "running" : "between";
			if (isAside(event)) {
				const moment = place.isOpen ? "aside" : "between";
				inputs.push({ do: "facts", ...now(), when: moment, events: [event] });
			} else if (event.type === "inbox/enqueued") {
				if (event.target === "question") continue;
				const message = said.get(event.messageId);
				if (message) inputs.push({ do: "say", ...now(), when, said: message, enqueued: event });
			} else if (FROM_OUTSIDE.has(event.type) && !isCopy)
				inputs.push({ do: "facts", ...now(), when, events: [event] });
			if (event.type === "turn/start") Object.assign(place, { turn: place.turn + 1, isOpen: true });
			else if (event.type === "turn/end") place.isOpen = false;
			else if (event.type === "attempt/start") place.attempt++;
			else if (event.type === "user/message") said.set(event.messageId, event);
		}
	}
	return inputs;
}

/** Whether a fact belongs to a request that no Step made, or to the summary that came of it. */
function isAside(event: SessionEvent): boolean {
	if ("owner" in event && event.owner !== undefined) return true;
	return event.type === "checkpoint/committed" && event.cause !== "person";
}

/** What names a call by its wish alone. */
export function callKey(name: string, args: unknown): string {
	return JSON.stringify([name, args]);
}

/** A call that recovery may not repeat although its text holds a mark where a secret was. */
function concealedIn(events: readonly SessionEvent[]): Set<string> {
	const keys = events.flatMap((event) =>
		event.type === "tool/call" && event.recovery === "manual" ? [callKey(event.name, event.args)] : [],
	);
	return new Set(keys.filter((key) => key.includes(SECRET_MARK)));
}

function attemptOf(event: EventOf<"attempt/end">): TapedAttempt {
	const { outcome, text, reasoning, reasoningPlace, calls, finish, usage, failure, metadata } = event;
	return {
		outcome,
		reply: {
			text,
			reasoning,
			...(reasoningPlace && { reasoningPlace }),
			calls,
			...(finish === undefined ? {} : { finish }),
			...(usage === undefined || event.usageEstimated ? {} : { usage }),
			...(metadata === undefined ? {} : { metadata }),
		},
		...(failure === undefined ? {} : { failure }),
	};
}

function callsOf(events: readonly SessionEvent[]): Map<string, TapedCall> {
	const calls = new Map<string, TapedCall>();
	const waves = wavesOf(events);
	const callOf = (callId: string): TapedCall => {
		const call = calls.get(callId) ?? { resources: waves.get(callId) ?? [], starts: 0, questions: [] };
		calls.set(callId, call);
		return call;
	};
	let running = "";
	for (const event of events) {
		if (event.type === "tool/start") running = event.callId;
		if (event.type === "plan/replaced") callOf(running).plan = event.items;
		if ("callId" in event) takeCall(callOf(event.callId), event);
	}
	return calls;
}

function takeCall(call: TapedCall, event: SessionEvent): void {
	if (event.type === "policy/decided") call.verdict = event;
	else if (event.type === "approval/resolved") call.approval = event;
	else if (event.type === "question/asked" || event.type === "question/answered") call.questions.push(event);
	else if (event.type === "tool/start") {
		call.starts++;
		if (event.before) call.before = event.before;
		if (event.after) call.after = event.after;
		if (event.onlyReads) call.onlyReads = true;
	} else if (event.type === "tool/result") {
		const { status, text, error } = event;
		call.outcome = { status, text, ...(error === undefined ? {} : { error }) };
		// Run again: it had not happened. Ended by a restart: its result tells what was found.
		if (call.starts > 1) call.found = "before";
		else if (isSettlement(event)) call.found = status === "result" ? "after" : "other";
	}
}
