// Opens, copies, reads and deletes sessions. Opening changes no byte but for a torn tail; what a dead process left open is
// recovery's (`recovery.ts`), save in a copy, where it is closed.

import type { LogMark, LogOpening, SessionLog, SessionStore } from "../ports/sessionLog.ts";
import type { World } from "../ports/world.ts";
import type { Commit, EventOf, SessionEvent } from "../session/events.ts";
import { type CopyLoss, cutAfterStep, gapsOf, settleCut, stepIdOf } from "../session/fork.ts";
import { largeTextDigests, putBackLargeTexts } from "../session/largeText.ts";
import { reduceAll } from "../session/reduce.ts";
import { settleInterrupted } from "../session/settle.ts";
import type { SessionState } from "../session/state.ts";
import { AgiError } from "../types.ts";
import { type LiveSession, openLiveSession, withoutLargeTexts } from "./liveSession.ts";

export interface Sessions {
	/** A new session; its first fact reaches the disk with the first flush. */
	create(created: Omit<EventOf<"session/created">, "type" | "sessionId">): Promise<LiveSession>;
	/**
	 * An old session as its log is, also in the middle of a turn, and sentences for the person about the log. Rejects with
	 * exit 42 and an offer of a copy where the log is damaged or a text of it is lost.
	 */
	open(sessionId: string): Promise<{ session: LiveSession; notices: string[] }>;
	/**
	 * A new session with the readable facts of an old one, all of them or those up to the end of a Step, named by its id or
	 * its number alone; the old one is not touched. Rejects with `STEP_NOT_FOUND` (exit 42) where that Step did not end.
	 */
	fork(sessionId: string, options?: ForkOptions): Promise<LiveSession>;
	/**
	 * Closes what a dead process left open in the log of a subagent, as a settlement does; nothing where there is no such
	 * log, another process has it open, or it cannot be written. Never rejects.
	 */
	settleChild(childId: string): Promise<void>;
	/** Commits as they were recorded, large texts put back; no lock is taken and nothing is changed. */
	read(sessionId: string, options?: ReadOptions): Promise<SessionReading>;
	/** The id of this project's session that was written last, no subagent's; undefined where there is none. */
	newest(): Promise<string | undefined>;
	/** Which state each log of every project is in. */
	marks(): Promise<LogMark[]>;
	/** Deletes a session. Rejects with `SESSION_LOCKED` (exit 42) while it is open. */
	remove(sessionId: string): Promise<void>;
	/** Ids of every log of this project, those of subagents too, the most recently written first. */
	ids(): Promise<string[]>;
	/** The id that `given` means: itself, or the only session that begins with it; this project's first. */
	find(given: string, options?: { allProjects?: boolean }): Promise<string>;
}

/** A log that was read, and the way to its blobs. */
export interface SessionReading extends LogOpening {
	/** Rejects with code `BLOB_MISSING` or `BLOB_DAMAGED`. */
	getBlob(digest: string): Promise<Uint8Array>;
}

export interface ReadOptions {
	/** Hears once of each text that is lost, with its first commit; a mark stands for it. Without it, `read` rejects. */
	onLostText?(seq: number, message: string): void;
}

export interface ForkOptions {
	afterStep?: string;
	/** Hears what the copy lacks of its original; not called where it lacks nothing. */
	onLoss?(loss: CopyLoss): void;
}

/** Sessions of one store. */
export function createSessions(
	store: SessionStore,
	world: World,
	onFault: (error: unknown) => void,
): Sessions {
	const read = async (sessionId: string, options: ReadOptions = {}): Promise<SessionReading> => {
		const found = await store.read(sessionId);
		const commits = await restoreTexts(found, (digest) => found.getBlob(digest), options.onLostText);
		return { ...found, commits };
	};
	const isOwn = async (sessionId: string): Promise<boolean> => {
		// A log that cannot be read is the newest all the same: opening it tells why.
		const first = await store.first(sessionId).catch(() => undefined);
		return !first?.events.some((event) => event.type === "session/created" && event.parent);
	};
	const open: Sessions["open"] = async (sessionId) => {
		const { log, opening, partial } = await store.open(sessionId);
		try {
			const commits = await restoreTexts(opening, (digest) => log.getBlob(digest)).catch((cause: unknown) => {
				throw withCopyOffer(sessionId, cause);
			});
			if (commits.length === 0) throw sessionEmpty(sessionId);
			const leftover = partial ? { leftover: partial } : {};
			const session = openLiveSession({ log, world, commits, onFault, ...leftover });
			return { session, notices: tornNotice(opening) };
		} catch (error) {
			// Else this process would keep the lock of a session that it does not have.
			await log.close().catch(() => undefined);
			throw error;
		}
	};
	return {
		async create(created) {
			const sessionId = world.sessionId();
			const log = await store.create(sessionId);
			const session = openLiveSession({ log, world, commits: [], onFault });
			session.record({ do: "createSession", ...created, sessionId });
			return session;
		},
		open,
		async settleChild(childId) {
			try {
				const { session } = await open(childId);
				session.append(settleInterrupted(session.state, session.leftover));
				await session.close();
			} catch {
				// Its own reader tells what is wrong with it; its parent goes on without it.
			}
		},
		async fork(sessionId, options = {}) {
			const afterStep = options.afterStep === undefined ? undefined : stepIdOf(options.afterStep);
			const lostIn: number[] = [];
			const onLostText = (seq: number) => lostIn.push(seq);
			const { commits: all, damage, getBlob } = await read(sessionId, { onLostText });
			if (all[0]?.events[0]?.type !== "session/created") throw nothingToCopy(sessionId);
			const commits = afterStep === undefined ? all : cutAfterStep(all, afterStep);
			if (!commits) throw stepNotFound(sessionId, afterStep ?? "", all);
			const forkId = world.sessionId();
			const log = await store.create(forkId);
			try {
				await copyBlobs(commits, getBlob, log);
				const copies = commits.map((commit, i) => forkedCommit(commit, i + 1, forkId));
				for (const copy of copies) log.append(await withoutLargeTexts(copy, log, world));
				const session = openLiveSession({ log, world, commits: copies, onFault });
				const from = { sessionId, seq: commits.at(-1)?.seq ?? 0 };
				const settled = afterStep === undefined ? settleInterrupted(session.state) : settleCut(session.state);
				const gaps = gapsOf(commits, afterStep === undefined && damage !== undefined);
				const texts = lostIn.filter((seq) => seq <= from.seq).length;
				session.append([{ type: "session/forked", from, ...(gaps.length > 0 ? { gaps } : {}) }, ...settled]);
				await session.flush({ wait: true });
				if (gaps.length + texts > 0) options.onLoss?.({ parts: gaps.length, texts });
				return session;
			} catch (error) {
				// Half a copy would stand in the list like a session.
				await log.close().catch(() => undefined);
				await store.remove(forkId).catch(() => undefined);
				throw error;
			}
		},
		read,
		async newest() {
			for (const id of await store.list()) if (await isOwn(id)) return id;
			return undefined;
		},
		marks: () => store.marks(),
		remove: (sessionId) => store.remove(sessionId),
		ids: () => store.list(),
		async find(given, options = {}) {
			if (given.trim() === "") throw noneNamed();
			const own = matching(given, await store.list());
			if (own.length > 0 || !options.allProjects) return onlyMatch(given, own, "belongs to this folder");
			return onlyMatch(given, matching(given, await store.list({ allProjects: true })), "is stored here");
		},
	};
}

/** The state that a read log stands for. */
export function stateOf(commits: readonly Commit[]): SessionState {
	return reduceAll(commits.flatMap((commit) => commit.events));
}

async function restoreTexts(
	{ commits, marked }: LogOpening,
	getBlob: (digest: string) => Promise<Uint8Array>,
	onLostText?: (seq: number, message: string) => void,
): Promise<Commit[]> {
	const restored: Commit[] = [];
	const lost = new Set<string>();
	for (const commit of commits) {
		if (marked?.has(commit.seq) === false) {
			restored.push(commit);
			continue;
		}
		const digests = commit.events.flatMap(largeTextDigests);
		const texts = new Map<string, string>();
		for (const digest of digests) {
			try {
				texts.set(digest, new TextDecoder("utf-8", { ignoreBOM: true }).decode(await getBlob(digest)));
			} catch (error) {
				if (!onLostText) throw error;
				if (!lost.has(digest)) onLostText(commit.seq, error instanceof Error ? error.message : String(error));
				lost.add(digest);
				texts.set(digest, `[The text ${digest} is lost.]`);
			}
		}
		const events = commit.events.map((event) =>
			putBackLargeTexts(event, (digest) => texts.get(digest) ?? ""),
		);
		restored.push({ ...commit, events });
	}
	return restored;
}

/** A lost text is no reason to lose the rest: the error offers a copy that has a mark in its place. */
function withCopyOffer(sessionId: string, cause: unknown): unknown {
	if (!(cause instanceof AgiError) || !cause.code.startsWith("BLOB_")) return cause;
	const copy = `Or go on in a copy with a mark in its place: agi -r ${sessionId} --fork-session`;
	return new AgiError(cause.code, `${cause.message} ${copy}`, {
		exitCode: 42,
		cause,
		sessionId,
		copyOffer: `A text of session ${sessionId} is lost. ${cause.message}`,
	});
}

function stepNotFound(sessionId: string, stepId: string, commits: readonly Commit[]): AgiError {
	const ended = commits.flatMap(({ events }) => events).filter((event) => event.type === "step/end");
	const last = ended.at(-1)?.stepId;
	const held = last === undefined ? "no step of it has ended" : `its last one that ended is ${last}`;
	return new AgiError("STEP_NOT_FOUND", `Session ${sessionId} has no ended step ${stepId}: ${held}.`, {
		exitCode: 42,
	});
}

function nothingToCopy(sessionId: string): AgiError {
	return new AgiError(
		"SESSION_EMPTY",
		`Session ${sessionId} cannot be copied: the beginning of its log is not there. What there is: agi sessions show ${sessionId}`,
		{ exitCode: 42 },
	);
}

function sessionEmpty(sessionId: string): AgiError {
	return new AgiError("SESSION_EMPTY", `Session ${sessionId} holds no facts; start a new one.`, {
		exitCode: 42,
	});
}

function noneNamed(): AgiError {
	return new AgiError("SESSION_NOT_FOUND", "No session was named; `agi sessions list` shows them.", {
		exitCode: 42,
	});
}

function matching(given: string, ids: readonly string[]): string[] {
	return ids.includes(given) ? [given] : ids.filter((id) => id.startsWith(given));
}

function onlyMatch(given: string, matches: readonly string[], where: string): string {
	if (matches.length === 1) return matches[0]!;
	const found =
		matches.length === 0 ? `No session ${given} ${where}` : `${matches.length} sessions begin with ${given}`;
	throw new AgiError("SESSION_NOT_FOUND", `${found}; \`agi sessions list\` shows them.`, { exitCode: 42 });
}

function tornNotice(opening: LogOpening): string[] {
	return opening.tornBytes > 0
		? [
				`The session's last record was incomplete (${opening.tornBytes} bytes) and was dropped; everything before it is here.`,
			]
		: [];
}

/** Blobs that events name themselves; long texts get theirs when a commit is written. What is lost stays lost. */
async function copyBlobs(
	commits: readonly Commit[],
	getBlob: (digest: string) => Promise<Uint8Array>,
	log: SessionLog,
): Promise<void> {
	for (const digest of new Set(commits.flatMap((commit) => commit.events).flatMap(blobsOf))) {
		const bytes = await getBlob(digest).catch(() => undefined);
		if (bytes) await log.putBlob(bytes);
	}
}

function blobsOf(event: SessionEvent): string[] {
	const named = event.type === "request/prepared" ? event.delta.middle : undefined;
	if (typeof named === "object") return [named.blob];
	if (event.type === "user/message")
		return (event.attachments ?? []).flatMap(({ image, digest }) => (image ? [digest] : []));
	return event.type === "artifact/created" ? [event.digest] : [];
}

/** A commit as it was, under the new session's id; numbered anew, because damage may have left a gap. */
function forkedCommit(commit: Commit, seq: number, sessionId: string): Commit {
	const events = commit.events.map((event) =>
		event.type === "session/created" ? { ...event, sessionId } : event,
	);
	return { ...commit, seq, events };
}
