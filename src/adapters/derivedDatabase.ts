// SQLite files that hold nothing which cannot be made again: they may be thrown away at any time. Makes them so that only
// the user can read them, and tells a damaged one from one that cannot be used now.

import { chmodSync, mkdirSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import { AgiError } from "../types.ts";
import { diskCause } from "./diskCause.ts";

const CORRUPT = 11;
const NOT_A_DATABASE = 26;
/** What SQLite says in words of its own, in a person's. */
const CAUSES: Readonly<Record<number, string>> = {
	8: "its file or its disk is read-only",
	14: "its file cannot be opened for writing",
};

/** What a database is made of. */
export interface DerivedTables {
	/** For sentences: "the index of sessions". */
	name: string;
	/** Rises with every change of the tables; those of another version are thrown away. */
	version: number;
	/** SQL that makes them, and SQL that drops them where they exist. */
	create: string;
	drop: string;
	/** How long another process may keep it locked, in milliseconds. */
	longestWaitMs: number;
}

/**
 * Opens the database at `path`, or in memory where that is undefined; `anew` deletes what is there first. Rejects with
 * `AgiError` `INDEX_DAMAGED` or `INDEX_UNUSABLE`.
 */
export async function openDerived(
	path: string | undefined,
	tables: DerivedTables,
	options: { anew?: boolean } = {},
): Promise<DatabaseSync> {
	const sqlite = await import("node:sqlite");
	return guarded(tables.name, () => {
		if (path !== undefined) {
			if (options.anew) removeFiles(path);
			mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
		}
		const database = new sqlite.DatabaseSync(path ?? ":memory:", { timeout: tables.longestWaitMs });
		try {
			if (path !== undefined) chmodSync(path, 0o600);
			prepareTables(database, tables);
			return database;
		} catch (error) {
			database.close();
			throw error;
		}
	});
}

function removeFiles(path: string): void {
	for (const end of ["", "-wal", "-shm"]) rmSync(path + end, { force: true });
}

function prepareTables(database: DatabaseSync, { version, create, drop }: DerivedTables): void {
	database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
	const isCurrent = () => database.prepare("PRAGMA user_version").get()?.["user_version"] === version;
	if (isCurrent()) return;
	inTransaction(database, () => {
		// Another process may have been quicker.
		if (isCurrent()) return;
		database.exec(`${drop}; ${create}; PRAGMA user_version = ${version}`);
	});
}

/** What `act` changes is changed whole or not at all. */
export function inTransaction(database: DatabaseSync, act: () => void): void {
	database.exec("BEGIN IMMEDIATE");
	try {
		act();
		database.exec("COMMIT");
	} catch (error) {
		if (database.isTransaction) database.exec("ROLLBACK");
		throw error;
	}
}

/**
 * Carries out a statement that deletes or updates. Not by `run`: that also reads the last row number, and after a deletion
 * of full-text rows this is an inner one which no JavaScript number holds.
 */
export function change(database: DatabaseSync, sql: string, ...values: SQLInputValue[]): void {
	database.prepare(sql).all(...values);
}

/** Runs `act`; what it throws is an `AgiError` that tells whether the database `name` must be made anew. */
export function guarded<T>(name: string, act: () => T): T {
	try {
		return act();
	} catch (cause) {
		// The lowest byte is the kind; the others refine it.
		const kind = ((cause as { errcode?: number }).errcode ?? 0) & 0xff;
		const isDamaged = [CORRUPT, NOT_A_DATABASE].includes(kind);
		const subject = `${name[0]?.toUpperCase()}${name.slice(1)}`;
		throw new AgiError(
			isDamaged ? "INDEX_DAMAGED" : "INDEX_UNUSABLE",
			`${subject} ${isDamaged ? "is damaged" : "cannot be used"}: ${CAUSES[kind] ?? diskCause(cause)}`,
			{ cause },
		);
	}
}
