// What agi needs of the two files in which facts are kept over sessions: MEMORY.md of the project, USER.md of the user.
// Plain texts that a person edits too: what they mean is `agent/memoryText.ts`.

import type { MemoryChange } from "../session/events.ts";
import type { MemoryScope } from "../types.ts";

/** A file of memory as it stands. */
export interface MemoryText {
	scope: MemoryScope;
	/** As shown: relative to the workspace where it is inside, else absolute. */
	path: string;
	/** Absolute, links followed. */
	real: string;
	/** Every byte of it, line ends and byte order mark included; "" where there is no file. */
	text: string;
	/** SHA-256 in hex; null where there is no file. */
	digest: string | null;
}

/** A value, or a sentence that says why there is none. `none`: there is no place for such a file here. */
export type MemoryResult<T> =
	| { ok: true; value: T }
	| { ok: false; kind: "none" | "refused" | "not_found" | "conflict" | "failed"; message: string };

/** What a write made of a file. */
export interface MemoryWrite {
	before: MemoryText;
	after: MemoryText;
}

/** The files. None of these throws for what a file system can do. */
export interface MemoryFiles {
	/** Synchronous: a small read. Fails where what stands there is no text of at most 256 KiB, or a link out of the project. */
	read(scope: MemoryScope): MemoryResult<MemoryText>;
	/**
	 * Puts in place what `edit` makes of the file as it stands, one writer at a time. Where somebody who takes no lock wrote
	 * in between, `edit` is given the newer text, so it may be called several times; after a few times it is a conflict.
	 */
	change(
		scope: MemoryScope,
		edit: (now: MemoryText) => MemoryResult<string>,
	): Promise<MemoryResult<MemoryWrite>>;
	/** Changes whenever one of the files does; quick enough for every step. */
	mark(): string;
}

/** Memory as a session works with it. */
export interface MemoryKeeper {
	files: MemoryFiles;
	/** ISO day. */
	today(): string;
	/** Whether a text holds what must not be kept: a known key, or what looks like one. */
	hasSecret(text: string): boolean;
	/** SHA-256 in hex. */
	digest(text: string): string;
	/** Puts a change that was made into the session's log. */
	record(change: MemoryChange): void;
}
