// What agi needs to list and search sessions without reading their logs: an index derived from them. It holds nothing
// that the logs do not, so it may be thrown away at any time.

import type { SessionSummary } from "./sessionLog.ts";

/** What a text is in its session. */
export type TextKind = "title" | "user" | "answer" | "call" | "result" | "question";

/** A text that can be found. `turn` counts from 1; 0 for what belongs to none. */
export interface IndexedText {
	turn: number;
	kind: TextKind;
	text: string;
}

/** A session as the index keeps it. */
export interface IndexedSession {
	id: string;
	projectId: string;
	/** Which state of the log this stands for. */
	mark: string;
	/** The session whose subagent it is; such a one is found, but not listed. */
	parent?: string;
	/** Absent where the log holds no session. */
	summary?: SessionSummary;
	/** Why the log could not be read; a sentence. */
	fault?: string;
	/** Where text of unknown intent came into it from. */
	taint?: string;
	texts: readonly IndexedText[];
}

/** A text that holds every word that was looked for. */
export interface IndexHit extends IndexedText {
	sessionId: string;
	projectId: string;
	title: string;
	cwd: string;
	/** ISO time. */
	updated: string;
	/** Where text of unknown intent came into the session from. */
	taint?: string;
}

/** How to search. `limit` counts texts, `perSession` those of one session. */
export interface IndexQuery {
	/** Every one must stand in the text, in any letter case. */
	words: readonly string[];
	/** The project whose sessions come first. */
	projectId: string;
	/** The only project that is looked through. */
	only?: string;
	/** A session that is left out. */
	without?: string;
	limit: number;
	perSession: number;
}

/**
 * An open index. Every call rejects with `AgiError`: `INDEX_DAMAGED` where it must be made anew, `INDEX_UNUSABLE` where
 * it is locked, full or refused; the message is a sentence without its way out.
 */
export interface SessionIndex {
	/** The mark of every session in it, by session id. */
	marks(): Promise<Map<string, string>>;
	/** Puts a session in place of what was known of it, whole or not at all. */
	put(session: IndexedSession): Promise<void>;
	drop(sessionIds: readonly string[]): Promise<void>;
	/** The sessions with a summary, newest first, and the faults of the others; of one project or of all. */
	list(
		projectId?: string,
	): Promise<{ sessions: SessionSummary[]; faults: { id: string; message: string }[] }>;
	/** The project's own sessions first, then the newest first. `more`: there are hits beyond the limits. */
	search(query: IndexQuery): Promise<{ hits: IndexHit[]; more: boolean }>;
	close(): Promise<void>;
}

/** Opens the index: as it is on the disk, thrown away and made anew there, or in memory for this process only. */
export type OpenIndex = (place: "disk" | "anew" | "memory") => Promise<SessionIndex>;
