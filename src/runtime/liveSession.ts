// One session, one writer: decide, reduce, append, publish. Facts recorded between two flushes become one commit; they
// are told to listeners once that commit is on the disk.

import type { SessionWriter } from "../ports/session.ts";
import type { PartialReply, SessionLog } from "../ports/sessionLog.ts";
import type { World } from "../ports/world.ts";
import type { Command } from "../session/commands.ts";
import { decide, isRefusal } from "../session/decide.ts";
import { type Commit, LOG_VERSION, type SessionEvent } from "../session/events.ts";
import { isPlainLine, takeOutLargeTexts } from "../session/largeText.ts";
import type { LiveDelta } from "../session/live.ts";
import { reduce } from "../session/reduce.ts";
import { emptyState, type SessionState } from "../session/state.ts";
import { AgiError } from "../types.ts";
import { createPublisher, type Listener } from "./publish.ts";

/** A session that this process writes. */
export interface LiveSession extends SessionWriter {
	/** What had streamed of an Attempt that a dead process left open. */
	readonly leftover?: PartialReply;
	/** Appends events that were decided elsewhere (a settlement after a crash). */
	append(events: readonly SessionEvent[]): void;
	subscribe(listener: Listener): () => void;
	/** Everything recorded, written, synced and told; the log is given back. Safe to call twice. */
	close(): Promise<void>;
}

export interface LiveSessionOptions {
	log: SessionLog;
	world: World;
	/** What the log held when it was opened; [] for a new one. */
	commits: readonly Commit[];
	leftover?: PartialReply;
	onFault(error: unknown): void;
}

/** How long facts that nobody waits for may stay unsynced, in milliseconds. */
const GATHER_MS = 10;
const NEVER = new AbortController().signal;

/** Opens a session over its log. */
export function openLiveSession(options: LiveSessionOptions): LiveSession {
	const { log, world } = options;
	const publisher = createPublisher(options.onFault);
	let state: SessionState = emptyState();
	let seq = 0;
	for (const commit of options.commits) {
		for (const event of commit.events) state = reduce(state, event);
		seq = commit.seq;
	}
	let pending: SessionEvent[] = [];
	let told: Promise<void> = Promise.resolve();
	let partial: PartialReply | undefined;
	let previousBody = "";

	const append = (events: readonly SessionEvent[]) => {
		for (const event of events) state = reduce(state, event);
		pending.push(...events);
	};

	/** Appends what is pending as one commit; on failure it stays pending. */
	const write = async (): Promise<Commit> => {
		const events = pending;
		pending = [];
		const commit: Commit = {
			v: LOG_VERSION,
			seq: seq + 1,
			at: new Date(world.clock.now()).toISOString(),
			events,
		};
		try {
			await log.append(await withoutLargeTexts(commit, log, world));
		} catch (error) {
			pending = [...events, ...pending];
			throw error;
		}
		seq = commit.seq;
		return commit;
	};

	let gathering: PromiseWithResolvers<void> | undefined;
	const hurry = (): void => {
		gathering?.resolve();
		gathering = undefined;
	};
	/** A moment, which ends when somebody waits for the disk: what comes soon after shares one sync. */
	const gather = (): Promise<void> => {
		if (gathering) return gathering.promise;
		const begun = Promise.withResolvers<void>();
		gathering = begun;
		void world.clock.wait(GATHER_MS, NEVER).then(() => {
			if (gathering === begun) hurry();
		});
		return begun.promise;
	};

	const syncAndTell = async (commit: Commit, before: Promise<void>, start?: Promise<void>): Promise<void> => {
		await start;
		await Promise.all([log.sync(), before]);
		publisher.publish({ kind: "facts", seq: commit.seq, at: commit.at, events: commit.events });
	};

	let writing: Promise<unknown> = Promise.resolve();
	const flush = async ({ wait }: { wait: boolean }): Promise<void> => {
		const mine = writing.then(async () => {
			if (pending.length > 0) {
				const commit = await write();
				told = syncAndTell(commit, told, wait ? undefined : gather());
				// A failure surfaces at the next flush that waits; without this it would be an unhandled rejection.
				told.catch(() => undefined);
			}
			if (wait) hurry();
		});
		writing = mine.catch(() => undefined);
		await mine;
		if (wait) await told;
	};

	return {
		...(options.leftover ? { leftover: options.leftover } : {}),
		get state() {
			return state;
		},
		get previousBody() {
			return previousBody;
		},
		set previousBody(body: string) {
			previousBody = body;
		},
		record(command: Command) {
			const events = decide(state, command);
			if (isRefusal(events)) throw new AgiError("REFUSED", `${command.do}: ${events.refused}`);
			append(events);
			if (events.some((event) => event.type === "attempt/end")) partial = undefined;
			return events;
		},
		append,
		flush,
		putBlob: (bytes) => log.putBlob(bytes),
		getBlob: (digest) => log.getBlob(digest),
		tell(delta: LiveDelta) {
			partial = growPartial(partial, state, delta);
			if (partial && (delta.type === "text" || delta.type === "reasoning")) log.writePartial(partial);
			publisher.publish({ kind: "live", delta });
		},
		subscribe: publisher.subscribe,
		async close() {
			await flush({ wait: true });
			await log.close();
		},
	};
}

/** The commit as its line holds it: large texts go into blobs first, so that a line stays readable and short. */
export async function withoutLargeTexts(commit: Commit, log: SessionLog, world: World): Promise<Commit> {
	if (isPlainLine(JSON.stringify(commit.events))) return commit;
	const events: SessionEvent[] = [];
	for (const event of commit.events) {
		const { event: small, texts } = takeOutLargeTexts(event, world.digest);
		for (const text of texts.values()) await log.putBlob(new TextEncoder().encode(text));
		events.push(small);
	}
	return { ...commit, events };
}

function growPartial(
	partial: PartialReply | undefined,
	state: SessionState,
	delta: LiveDelta,
): PartialReply | undefined {
	if (!state.attempt || (delta.type !== "text" && delta.type !== "reasoning")) return partial;
	const before =
		partial?.attemptId === state.attempt.attemptId
			? partial
			: { attemptId: state.attempt.attemptId, text: "", reasoning: "" };
	return { ...before, [delta.type]: before[delta.type] + delta.text };
}
