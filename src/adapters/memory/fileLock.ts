// One writer at a time for a file that several agi processes change: an exclusive SQLite transaction on a small file of
// agi's own, which the system ends with its process. It says nothing about people and their editors.

import { closeSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as wait } from "node:timers/promises";

const SQLITE_BUSY = 5;
const LONGEST_WAIT_MS = 3_000;
const POLL_MS = 20;

/**
 * Takes the lock that stands at `path` (made where it is missing) and gives what ends it; undefined where another holds it
 * for longer than `longestMs`. Rejects with the system's error where no lock can be kept there.
 */
export async function takeFileLock(
	path: string,
	longestMs = LONGEST_WAIT_MS,
): Promise<(() => void) | undefined> {
	const { DatabaseSync } = await import("node:sqlite");
	mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
	makePrivate(path);
	const until = performance.now() + longestMs;
	for (;;) {
		const database = new DatabaseSync(path, { timeout: 0 });
		try {
			// No page is ever written; a journal in memory saves a second file.
			database.exec("PRAGMA journal_mode=MEMORY; BEGIN EXCLUSIVE");
			return () => database.close();
		} catch (error) {
			database.close();
			if ((error as { errcode?: number }).errcode !== SQLITE_BUSY) throw error;
		}
		if (performance.now() > until) return undefined;
		await wait(POLL_MS);
	}
}

/** One that is there is not opened: closing it again would give up the lock that this process may hold on it. */
function makePrivate(path: string): void {
	try {
		closeSync(openSync(path, "wx", 0o600));
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
	}
}
