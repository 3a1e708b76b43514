// One writer per session: an exclusive SQLite transaction on `lock.db`, which the system ends with the process that
// holds it, however it dies, and which children do not inherit. Nothing else may open that file: closing any other
// descriptor of it in this process would give the lock up.

import { closeSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { locked, lockFailed } from "./failures.ts";

const SQLITE_BUSY = 5;

/**
 * Locks a session's folder and returns what gives the lock back. Rejects at once with `SESSION_LOCKED` (exit 42, names
 * the holder) where another process, or this one, holds it.
 */
export async function takeLock(folder: string, sessionId: string): Promise<() => void> {
	const sqlite = await import("node:sqlite");
	const path = join(folder, "lock.db");
	const holderPath = join(folder, "lock.json");
	makePrivate(path);
	let database: DatabaseSync | undefined;
	try {
		database = new sqlite.DatabaseSync(path, { timeout: 0 });
		// No page is ever written; a journal in memory saves a second file.
		database.exec("PRAGMA journal_mode=MEMORY; BEGIN EXCLUSIVE");
	} catch (cause) {
		database?.close();
		if ((cause as { errcode?: number }).errcode === SQLITE_BUSY)
			throw locked(sessionId, readHolder(holderPath));
		throw lockFailed(sessionId, path, cause);
	}
	try {
		writeFileSync(holderPath, JSON.stringify({ pid: process.pid, since: new Date().toISOString() }), {
			mode: 0o600,
		});
	} catch {
		// On a full disk the lock holds all the same; only its holder's name is missing.
	}
	return () => {
		try {
			rmSync(holderPath, { force: true });
		} catch {
			// On a read-only disk the name of an earlier holder stays; the lock is given back all the same.
		}
		database.close();
	};
}

/** Makes the file with mode 0600 where there is none; one that is there is not opened. */
function makePrivate(path: string): void {
	try {
		closeSync(openSync(path, "wx", 0o600));
	} catch {
		// It is there already, or SQLite will say why it cannot be.
	}
}

function readHolder(path: string): string {
	try {
		const { pid, since } = JSON.parse(readFileSync(path, "utf8")) as { pid: number; since: string };
		if (pid === process.pid) return `this process (${pid}) since ${since}`;
		return `process ${pid} since ${since}`;
	} catch {
		return "another process";
	}
}
