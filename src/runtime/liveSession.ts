// One session, one writer: decide, reduce, append, publish. Facts recorded between two flushes become one commit; they
// are told to listeners once that commit is on the disk.

import type { SessionWriter } from "../ports/session.ts";
import type { PartialReply, SessionLog } from "../ports/sessionLog.ts";
import type { World } from "../ports/world.ts";
import type { Command } from "../session/commands.ts";
import { copyState } from "../session/copyState.ts";
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
	/**
	 * Takes what somebody asks for: writes what `work` records, with what waits before it, and resolves with its value once
	 * that is on the disk. Where it cannot be written, it rejects like `flush`, and nothing of it was ever recorded: what
	 * was refused to somebody is not done later. `work` only records; it is called a little later, and maybe more than once.
	 */
	save<T>(work: () => T): Promise<T>;
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

	const nextCommit = (events: SessionEvent[]): Commit => ({
		v: LOG_VERSION,
		seq: seq + 1,
		at: new Date(world.clock.now()).toISOString(),
		events,
	});

	/** Appends what is pending as one commit; on failure it stays pending. */
	const write = async (): Promise<Commit> => {
		const events = pending;
		pending = [];
		const commit = nextCommit(events);
		try {
			log.append(await withoutLargeTexts(commit, log, world));
		} catch (error) {
			pending = [...events, ...pending];
			throw error;
		}
		seq = commit.seq;
		return commit;
	};

	/** What `work` records, with its value, told on a copy of the state: nothing of it has happened. */
	const rehearse = <T>(work: () => T): { value: T; events: SessionEvent[] } => {
		const real = { state, pending };
		state = copyState(state);
		pending = [];
		try {
			const value = work();
			return { value, events: pending };
		} finally {
			({ state, pending } = real);
		}
	};

	/**
	 * Appends what is pending and what `work` records as one commit, and only then makes it happen: in one go, so that
	 * nobody acts on what may yet be refused. Long texts are stored before that, which may need more than one try.
	 */
	const writeThenRecord = async <T>(work: () => T): Promise<{ value: T; commit?: Commit }> => {
		const stored = new Set<string>();
		for (;;) {
			const { value, events } = rehearse(work);
			const commit = nextCommit([...pending, ...events]);
			if (commit.events.length === 0) return { value };
			const line = splitLargeTexts(commit.events, world);
			const missing = [...line.texts].filter(([digest]) => !stored.has(digest));
			if (missing.length === 0) {
				log.append({ ...commit, events: line.events });
				append(events);
				seq = commit.seq;
				pending = [];
				return { value, commit };
			}
			for (const [digest, text] of missing) {
				await log.putBlob(new TextEncoder().encode(text));
				stored.add(digest);
			}
		}
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

	const tellOnceSynced = (commit: Commit, start?: Promise<void>): void => {
		told = syncAndTell(commit, told, start);
		// A failure surfaces at the next flush that waits; without this it would be an unhandled rejection.
		told.catch(() => undefined);
	};

	const syncAndTell = async (commit: Commit, before: Promise<void>, start?: Promise<void>): Promise<void> => {
		await start;
		await Promise.all([log.sync(), before]);
		publisher.publish({ kind: "facts", seq: commit.seq, at: commit.at, events: commit.events });
	};

	let writing: Promise<unknown> = Promise.resolve();
	const flush = async ({ wait }: { wait: boolean }): Promise<void> => {
		const mine = writing.then(async () => {
			if (pending.length > 0) tellOnceSynced(await write(), wait ? undefined : gather());
			if (wait) hurry();
		});
		writing = mine.catch(() => undefined);
		await mine;
		if (wait) await told;
	};

	const save = async <T>(work: () => T): Promise<T> => {
		const mine = writing.then(async () => {
			const { value, commit } = await writeThenRecord(work);
			if (commit) tellOnceSynced(commit);
			hurry();
			return value;
		});
		writing = mine.catch(() => undefined);
		const value = await mine;
		await told;
		return value;
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
		save,
		flush,
		freeBytes: () => log.freeBytes(),
		putBlob: (bytes) => log.putBlob(bytes),
		getBlob: (digest) => log.getBlob(digest),
		tell(delta: LiveDelta) {
			partial = growPartial(partial, state, delta);
			if (partial && (delta.type === "text" || delta.type === "reasoning")) log.writePartial(partial);
			publisher.publish({ kind: "live", delta });
		},
		subscribe: publisher.subscribe,
		async close() {
			try {
				await flush({ wait: true });
			} finally {
				// Also where the last facts could not be written: else nobody could open the session before this process ends.
				await log.close();
			}
		},
	};
}

/** The commit as its line holds it: large texts go into blobs first, so that a line stays readable and short. */
export async function withoutLargeTexts(commit: Commit, log: SessionLog, world: World): Promise<Commit> {
	const { events, texts } = splitLargeTexts(commit.events, world);
	for (const text of texts.values()) await log.putBlob(new TextEncoder().encode(text));
	return { ...commit, events };
}

/** The events as their line holds them, and by their digests the texts that have to be blobs before. */
function splitLargeTexts(
	events: SessionEvent[],
	{ digest }: World,
): { events: SessionEvent[]; texts: ReadonlyMap<string, string> } {
	if (isPlainLine(JSON.stringify(events))) return { events, texts: new Map() };
	const split = events.map((event) => takeOutLargeTexts(event, digest));
	return {
		events: split.map(({ event }) => event),
		texts: new Map(split.flatMap(({ texts }) => [...texts])),
	};
}

function growPartial(
	partial: PartialReply | undefined,
	state: SessionState,
	delta: LiveDelta,
): PartialReply | undefined {
	const isGrowth = delta.type === "text" || delta.type === "reasoning";
	if (!state.attempt || !(isGrowth || delta.type === "withdrawn")) return partial;
	const before =
		partial?.attemptId === state.attempt.attemptId
			? partial
			: { attemptId: state.attempt.attemptId, text: "", reasoning: "" };
	if (!isGrowth) return { ...before, text: "" };
	return { ...before, [delta.type]: before[delta.type] + delta.text };
}
