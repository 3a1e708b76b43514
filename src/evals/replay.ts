// Plays a recorded session through today's runtime and compares what is recorded now with what was recorded then. Loop,
// pipeline, recovery, retries, limits and truncation are today's; the model's answers, the tools' outcomes, summaries and
// the decisions of people and rules come from the log. Nothing is asked and nothing is touched.

import { createMemoryStore } from "../adapters/sessionLog/memory.ts";
import { createWorld } from "../adapters/world.ts";
import { createBreaker, DEFAULT_RETRY } from "../agent/retry.ts";
import type { SessionStore } from "../ports/sessionLog.ts";
import type { World } from "../ports/world.ts";
import type { LiveSession } from "../runtime/liveSession.ts";
import { recoverSession } from "../runtime/recovery.ts";
import { createScheduler } from "../runtime/scheduler.ts";
import { createSessions, type Sessions } from "../runtime/sessions.ts";
import type { Commit, SessionEvent } from "../session/events.ts";
import { settleCut } from "../session/fork.ts";
import { settleInterrupted } from "../session/settle.ts";
import { AgiError } from "../types.ts";
import { comparable } from "./comparableEvents.ts";
import { contextOf, give, type Player, tapedPrompts, tapedWorkspace } from "./player.ts";
import { inputsOf, readTape, type Tape, type TapedLife, withLooksEnded } from "./tape.ts";

/** What a replay came to. The two lists are equal where nothing changed. */
export interface Replay {
	then: string[];
	now: string[];
	same: boolean;
}

/** Plays a session. Throws `AgiError` (exit 42) for a log that holds nothing. */
export async function replaySession(commits: readonly Commit[]): Promise<Replay> {
	const tape = readTape(withLooksEnded(commits));
	if (!tape) throw new AgiError("SESSION_EMPTY", "The session holds no facts.", { exitCode: 42 });
	const then = comparable(tape.events);
	let played: Commit[] = [];
	for (const life of tape.lives) {
		played = await playLife(tape, played, life);
		// A life that came to another end leaves nothing that the next one could go on with.
		const now = comparable(eventsOf(played));
		if (now.some((line, at) => line !== then[at])) break;
	}
	const now = comparable(eventsOf(played));
	return { then, now, same: then.length === now.length && then.every((line, at) => line === now[at]) };
}

/** Goes on from what earlier lives wrote up to where this one ended; resolves with everything written so far. */
async function playLife(tape: Tape, before: readonly Commit[], life: TapedLife): Promise<Commit[]> {
	const world: World = {
		...createWorld(),
		sessionId: () => tape.created.sessionId,
		random: () => 0,
		clock: { now: () => 0, wait: (_, signal) => waitForNothing(signal) },
	};
	const store = createMemoryStore(world);
	const sessions = createSessions(store, world, () => undefined);
	const session =
		before.length === 0 ? await createAgain(tape, sessions) : await reopen(before, store, sessions);
	const death = Promise.withResolvers<void>();
	let facts = comparable(eventsOf(before)).length;
	const count = (events: readonly SessionEvent[]) => {
		facts += comparable(events).length;
		if (life.dies && facts >= life.facts) death.resolve();
	};
	session.subscribe((told) => told.kind === "facts" && count(told.events));
	count([]);
	const player: Player = {
		tape,
		session,
		given: inputsOf(before).length,
		interrupt: () => undefined,
		die: death.resolve,
	};
	// What a dead process was about to do is left hanging, and what it does all the same is not looked at.
	await Promise.race([playOn(player, life, world), death.promise]);
	const { commits } = await sessions.read(session.state.sessionId);
	return life.dies ? withQuestions(upTo(commits, life.facts), life.asked) : commits;
}

async function playOn(player: Player, life: TapedLife, world: World): Promise<void> {
	const { tape, session } = player;
	const breaker = createBreaker(DEFAULT_RETRY);
	const recovery = {
		session,
		workspace: tapedWorkspace(player),
		...(tape.asksPeople ? { prompts: tapedPrompts(player) } : {}),
	};
	const contextFor = (signal: AbortSignal) => contextOf(player, world, breaker, signal);
	const scheduler = createScheduler({ session, contextFor, recovery, onTurnEnd: () => undefined });
	player.interrupt = () => void scheduler.interrupt();
	if (life.begins.as === "copy") session.append(copied(session, life.begins.events));
	if (life.begins.as === "restarted")
		await recoverSession(recovery, () => contextFor(new AbortController().signal));
	for (let turn = session.state.made.turn; turn <= tape.turns.length; turn++) {
		give(player, () => true);
		await scheduler.runWaiting({ goOn: tape.turns[session.state.made.turn]?.isRecovery ?? false });
	}
	await session.flush({ wait: true });
}

function createAgain({ created }: Tape, sessions: Sessions): Promise<LiveSession> {
	const { type: _, sessionId: __, ...facts } = created;
	return sessions.create(facts);
}

/** A session over what an earlier life wrote. */
async function reopen(
	commits: readonly Commit[],
	store: SessionStore,
	sessions: Sessions,
): Promise<LiveSession> {
	const created = eventsOf(commits).find((event) => event.type === "session/created");
	const log = await store.create(created?.sessionId ?? "");
	for (const commit of commits) log.append(commit);
	await log.close();
	return (await sessions.open(log.sessionId)).session;
}

/** What a copy of a session begins with, as today's runtime closes what the cut left open. */
function copied({ state }: LiveSession, then: readonly SessionEvent[]): SessionEvent[] {
	const wasWhole = then.some(({ type }) => type === "recovery/continuation");
	const forked = then.filter(({ type }) => type === "session/forked");
	return [...forked, ...(wasWhole ? settleInterrupted(state) : settleCut(state))];
}

/** The commits with the first `facts` comparable facts. */
function upTo(commits: readonly Commit[], facts: number): Commit[] {
	const kept: Commit[] = [];
	let left = facts;
	for (const commit of commits) {
		if (left === 0) break;
		const events: SessionEvent[] = [];
		for (const event of commit.events) {
			if (left === 0) break;
			events.push(event);
			left -= comparable([event]).length;
		}
		// Whole where it fits: what is not comparable at its end belongs to it.
		const rest = commit.events.slice(events.length);
		kept.push({ ...commit, events: comparable(rest).length === 0 ? commit.events : events });
	}
	return kept;
}

/** With the questions that had been put and were waiting. */
function withQuestions(commits: Commit[], asked: TapedLife["asked"]): Commit[] {
	const last = commits.at(-1);
	if (!last || asked.length === 0) return commits;
	return [...commits, { ...last, seq: last.seq + 1, events: asked }];
}

function eventsOf(commits: readonly Commit[]): SessionEvent[] {
	return commits.flatMap((commit) => commit.events);
}

/** A wait that is over at once, save where what is waited for is an abort. */
function waitForNothing(signal: AbortSignal): Promise<void> {
	return signal.aborted ? Promise.reject(signal.reason) : Promise.resolve();
}

/** The first difference, with what stands before it; a text for a person, "" where there is none. */
export function replayDifference({ then, now }: Replay): string {
	const at = then.findIndex((line, index) => line !== now[index]);
	const first = at < 0 ? (now.length > then.length ? then.length : -1) : at;
	if (first < 0) return "";
	const before = then.slice(Math.max(0, first - 3), first).map((line) => `  ${cut(line)}`);
	const left = then.slice(first, first + 5).map((line) => `- ${cut(line)}`);
	const right = now.slice(first, first + 5).map((line) => `+ ${cut(line)}`);
	return `${[...before, ...left, ...right].join("\n")}\n`;
}

function cut(line: string): string {
	return line.length > 200 ? `${line.slice(0, 150)} … ${line.slice(-40)}` : line;
}
