// Sessions in memory, gone with the process: for --ephemeral and for tests. Keeps the same promises as files do, the
// lock between two openings included, but nothing survives and nothing can fail.

import type { SessionLog, SessionStore } from "../../ports/sessionLog.ts";
import type { Commit } from "../../session/events.ts";
import type { Digest } from "./blobs.ts";
import { badNewId, blobMissing, closed, locked, notFound, wrongSeq } from "./failures.ts";

interface MemorySession {
	commits: Commit[];
	blobs: Map<string, Uint8Array>;
	/** Place in the order of writes of all sessions; 0 before the first commit. */
	written: number;
	open: boolean;
}

/** A store that forgets everything with the process. */
export function createMemoryStore({ digest }: { digest: Digest }): SessionStore {
	const sessions = new Map<string, MemorySession>();
	let writes = 0;

	function find(sessionId: string): MemorySession {
		const session = sessions.get(sessionId);
		if (!session) throw notFound(sessionId);
		return session;
	}

	function openedLog(sessionId: string, session: MemorySession): SessionLog {
		session.open = true;
		let isClosed = false;
		function assertOpen(): void {
			if (isClosed) throw closed(sessionId);
		}
		return {
			sessionId,
			append(commit) {
				assertOpen();
				const expected = session.commits.length + 1;
				if (commit.seq !== expected) throw wrongSeq(sessionId, commit.seq, expected);
				session.commits.push(structuredClone(commit));
				writes += 1;
				session.written = writes;
			},
			async sync() {
				assertOpen();
			},
			async putBlob(bytes) {
				assertOpen();
				const name = digest(bytes);
				session.blobs.set(name, Uint8Array.from(bytes));
				return name;
			},
			getBlob: (name) => readBlob(sessionId, session, name),
			writePartial() {
				// Only a crash makes it worth reading, and a crash takes this store with it.
			},
			freeBytes: () => Infinity,
			async close() {
				if (!isClosed) session.open = false;
				isClosed = true;
			},
		};
	}

	return {
		async create(sessionId) {
			if (sessions.has(sessionId)) throw badNewId(sessionId, "there is one already");
			const session: MemorySession = { commits: [], blobs: new Map(), written: 0, open: false };
			sessions.set(sessionId, session);
			return openedLog(sessionId, session);
		},
		async open(sessionId) {
			const session = find(sessionId);
			if (session.open) throw locked(sessionId, "this process");
			const opening = { commits: structuredClone(session.commits), tornBytes: 0 };
			return { log: openedLog(sessionId, session), opening };
		},
		async read(sessionId) {
			const session = find(sessionId);
			return {
				commits: structuredClone(session.commits),
				tornBytes: 0,
				getBlob: (name) => readBlob(sessionId, session, name),
			};
		},
		async list() {
			const written = [...sessions].filter(([, session]) => session.written > 0);
			return written.sort(([, a], [, b]) => b.written - a.written).map(([id]) => id);
		},
		async first(sessionId) {
			return structuredClone(find(sessionId).commits[0]);
		},
		async marks() {
			return [...sessions].flatMap(([sessionId, { commits }]) => {
				const created = commits[0]?.events.find((event) => event.type === "session/created");
				const projectId = created?.projectId ?? "";
				return commits.length === 0 ? [] : [{ sessionId, projectId, mark: String(commits.length), bytes: 0 }];
			});
		},
		async remove(sessionId) {
			if (find(sessionId).open) throw locked(sessionId, "this process");
			sessions.delete(sessionId);
		},
	};
}

async function readBlob(sessionId: string, session: MemorySession, name: string): Promise<Uint8Array> {
	const bytes = session.blobs.get(name);
	if (!bytes) throw blobMissing(sessionId, name);
	return Uint8Array.from(bytes);
}
