// What agi needs of a store for sessions: append-only commits, blobs beside them, one writer.

import type { Commit } from "../session/events.ts";

/** What opening a log found. */
export interface LogOpening {
	commits: Commit[];
	/** A torn last line was cut back: bytes dropped. 0 where there was none. */
	tornBytes: number;
	/** Damage elsewhere: the log is read-only. Lines count from 1. */
	damage?: { lines: number[]; message: string };
	/** The numbers of the commits whose texts may stand in blobs; absent where that may be any. */
	marked?: ReadonlySet<number>;
}

/**
 * One session's log, opened for writing by one process. Commits are appended in order; once `append` has returned, the
 * line is in the operating system's hands; `sync` resolves when everything appended so far is on the disk. A failed sync
 * makes every later call fail with `AgiError` code `LOG_SYNC_FAILED`; a failed append leaves no part of its line behind
 * and throws one with code `LOG_WRITE_FAILED`, and a later append may succeed.
 */
export interface SessionLog {
	readonly sessionId: string;
	append(commit: Commit): void;
	sync(): Promise<void>;
	/** Stores bytes under their SHA-256 (hex), synced; storing the same twice is one blob. */
	putBlob(bytes: Uint8Array): Promise<string>;
	/** Rejects with code `BLOB_MISSING` or `BLOB_DAMAGED`. */
	getBlob(digest: string): Promise<Uint8Array>;
	/** The partial text of the open Attempt, overwritten at most once a second; lost without harm. */
	writePartial(partial: PartialReply): void;
	/** Bytes that are free where the log lies; Infinity where nobody can tell. Asks the system each time. */
	freeBytes(): number;
	/** Synced, lock given back. Safe to call twice. */
	close(): Promise<void>;
}

/** What had streamed of an open Attempt when the process was last alive. */
export interface PartialReply {
	attemptId: string;
	text: string;
	reasoning: string;
}

/** A line of the list of sessions. */
export interface SessionSummary {
	id: string;
	title: string;
	cwd: string;
	/** ISO times. */
	created: string;
	updated: string;
	turns: number;
	model: string;
	/** What is damaged in its log, in a few words; absent where nothing is known to be. */
	damage?: string;
}

/** Which state a log is in, told without reading its commits. */
export interface LogMark {
	sessionId: string;
	projectId: string;
	/** Two marks of one session are equal only where its log is the same. */
	mark: string;
	/** Size of the log; 0 where it is kept in memory. */
	bytes: number;
}

export interface SessionStore {
	/** A new, empty log. */
	create(sessionId: string): Promise<SessionLog>;
	/**
	 * Opens for writing. Rejects with code `SESSION_NOT_FOUND` (exit 42), `SESSION_LOCKED` (42; names the holder), or
	 * `SESSION_DAMAGED` (42; names the lines). A torn tail is cut back on disk before it resolves.
	 */
	open(sessionId: string): Promise<{ log: SessionLog; opening: LogOpening; partial?: PartialReply }>;
	/** Reads without the lock and changes nothing. */
	read(sessionId: string): Promise<LogOpening & { getBlob(digest: string): Promise<Uint8Array> }>;
	/** Ids of this project's sessions (or of all projects), the most recently written first. */
	list(options?: { allProjects?: boolean }): Promise<string[]>;
	/** The first commit of a log, reading little more than that; undefined where it holds none that can be read. */
	first(sessionId: string): Promise<Commit | undefined>;
	/** The marks of all logs of all projects that hold something. */
	marks(): Promise<LogMark[]>;
	/** Deletes a session, its blobs too. Rejects with code `SESSION_NOT_FOUND` or, while it is open, `SESSION_LOCKED` (42). */
	remove(sessionId: string): Promise<void>;
}
