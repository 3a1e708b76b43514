// The append-only file of one session: every line is in it whole or not at all, and nobody else's bytes are written
// over. Owns the file's end; knows nothing of commits. Never retries a sync.

import {
	closeSync,
	constants,
	fdatasync,
	fstatSync,
	ftruncateSync,
	openSync,
	statSync,
	writeSync,
} from "node:fs";
import { promisify } from "node:util";
import { syncFolder } from "./durable.ts";
import { fenced, syncFailed, writeFailed } from "./failures.ts";

/** The calls that can fail on a bad or full disk; a crash test brings its own. */
export interface Disk {
	/** Appends a part of `bytes` or all of it, and tells how many. */
	write(fd: number, bytes: Uint8Array): number;
	truncate(fd: number, size: number): void;
	sync(fd: number): Promise<void>;
}

/** The real disk. Writes go to the page cache within microseconds, so they do not wait for a thread; syncs do. */
export const realDisk: Disk = {
	write: (fd, bytes) => writeSync(fd, bytes),
	truncate: ftruncateSync,
	sync: promisify(fdatasync),
};

export interface LogFile {
	/** Throws `LOG_WRITE_FAILED`, `LOG_FENCED` or the earlier `LOG_SYNC_FAILED`; then no part of the line is left. */
	append(line: Uint8Array): void;
	/** Everything appended so far is on the disk. Rejects with `LOG_SYNC_FAILED`, and from then on always. */
	sync(): Promise<void>;
	/** Throws the error of a sync that failed earlier. */
	assertSound(): void;
	/** A failed sync of something that belongs to the session: as fatal as the log's own. */
	condemn(cause: unknown): Error;
	/** Without a sync; closes the file. */
	close(): Promise<void>;
}

/** How to open: `exclusive` makes a new file and fails where there is one; `folders` are synced with the first sync. */
export interface LogFileOptions {
	sessionId: string;
	path: string;
	exclusive: boolean;
	folders: string[];
	disk: Disk;
}

const NEVER = -1;

/** Opens a log to append at its present end. Throws the file system's error. */
export function openLogFile({ sessionId, path, exclusive, folders, disk }: LogFileOptions): LogFile {
	const flags =
		constants.O_RDWR | constants.O_APPEND | (exclusive ? constants.O_CREAT | constants.O_EXCL : 0);
	const fd = openSync(path, flags, 0o600);
	const identity = fstatSync(fd);
	let size = identity.size;
	/** Bytes of a failed append that could not be cut off at once. */
	let stray = 0;
	let syncedSize = NEVER;
	let lastSync: Promise<void> = Promise.resolve();
	let broken: Error | undefined;

	function assertSound(): void {
		if (broken) throw broken;
	}

	function condemn(cause: unknown): Error {
		broken ??= syncFailed(sessionId, cause);
		return broken;
	}

	function assertUnchanged(): void {
		const now = statSync(path, { throwIfNoEntry: false });
		if (!now) throw fenced(sessionId, "it was deleted or moved");
		if (now.ino !== identity.ino || now.dev !== identity.dev) throw fenced(sessionId, "it was replaced");
		if (now.size !== size + stray)
			throw fenced(sessionId, `${size} bytes were expected, ${now.size} are there`);
	}

	function cutStray(): void {
		if (stray === 0) return;
		disk.truncate(fd, size);
		stray = 0;
	}

	function append(line: Uint8Array): void {
		assertSound();
		assertUnchanged();
		try {
			cutStray();
			while (stray < line.length) stray += disk.write(fd, line.subarray(stray));
		} catch (cause) {
			try {
				cutStray();
			} catch {
				// The next append cuts first, so that its line is never glued to this part.
			}
			throw writeFailed(sessionId, cause);
		}
		size += stray;
		stray = 0;
	}

	async function syncNow(): Promise<void> {
		assertSound();
		const upTo = size;
		if (upTo === syncedSize) return;
		try {
			const newNames = syncedSize === NEVER ? folders : [];
			// At the same time, so that the file system can put them into one commit of its journal.
			await Promise.all([disk.sync(fd), ...newNames.map(syncFolder)]);
		} catch (cause) {
			throw condemn(cause);
		}
		syncedSize = upTo;
	}

	return {
		append,
		sync() {
			// One after the other: a caller that waited may find its bytes on the disk already.
			lastSync = lastSync.then(syncNow, syncNow);
			return lastSync;
		},
		assertSound,
		condemn,
		async close() {
			await lastSync.catch(() => {});
			closeSync(fd);
		},
	};
}
