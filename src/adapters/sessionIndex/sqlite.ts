// The index of sessions in SQLite, searched by trigrams, so that parts of words, identifiers and scripts without blanks
// are found. Everything in it comes from logs. Never asks which log is newer and never mends a damaged file.

import { chmodSync, mkdirSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import type {
	IndexedSession,
	IndexedText,
	IndexHit,
	IndexQuery,
	SessionIndex,
	TextKind,
} from "../../ports/sessionIndex.ts";
import type { SessionSummary } from "../../ports/sessionLog.ts";
import { LOG_VERSION } from "../../session/events.ts";
import { AgiError } from "../../types.ts";
import { textCondition } from "./textCondition.ts";

/** Rises with every change of the tables. The log's version counts too: a new one may read what an old one could not. */
const TABLES_VERSION = 1;
const VERSION = TABLES_VERSION * 1000 + LOG_VERSION;

/** How long another process may keep the index locked, in milliseconds. */
const LONGEST_WAIT_MS = 1_000;

/** A text's row number is its session's number and, in the lowest bits, its place: one range holds a session's texts. */
const PLACES = 2 ** 24;

const CORRUPT = 11;
const NOT_A_DATABASE = 26;

const TABLES = `
	CREATE TABLE sessions (
		number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, project TEXT NOT NULL, mark TEXT NOT NULL, parent TEXT,
		fault TEXT, title TEXT, cwd TEXT, created TEXT, updated TEXT, turns INTEGER, model TEXT
	) STRICT;
	CREATE VIRTUAL TABLE texts USING fts5(turn UNINDEXED, kind UNINDEXED, body, tokenize = 'trigram');
	PRAGMA user_version = ${VERSION};
`;

/**
 * Opens the index at `path`, or in memory where that is undefined; `anew` deletes what is there first. Makes the folder
 * and a file that only the user can read. Rejects with `AgiError` `INDEX_DAMAGED` or `INDEX_UNUSABLE`.
 */
export async function openSqliteIndex(
	path: string | undefined,
	options: { anew?: boolean } = {},
): Promise<SessionIndex> {
	const sqlite = await import("node:sqlite");
	return guarded(() => {
		if (path !== undefined) {
			if (options.anew) removeFiles(path);
			mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
		}
		const database = new sqlite.DatabaseSync(path ?? ":memory:", { timeout: LONGEST_WAIT_MS });
		try {
			if (path !== undefined) chmodSync(path, 0o600);
			prepareTables(database);
		} catch (error) {
			database.close();
			throw error;
		}
		return indexOver(database);
	});
}

function removeFiles(path: string): void {
	for (const end of ["", "-wal", "-shm"]) rmSync(path + end, { force: true });
}

/** Tables of another version are thrown away: everything in them can be had again. */
function prepareTables(database: DatabaseSync): void {
	database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
	const isCurrent = () => database.prepare("PRAGMA user_version").get()?.["user_version"] === VERSION;
	if (isCurrent()) return;
	inTransaction(database, () => {
		// Another process may have been quicker.
		if (isCurrent()) return;
		database.exec("DROP TABLE IF EXISTS sessions; DROP TABLE IF EXISTS texts");
		database.exec(TABLES);
	});
}

function indexOver(database: DatabaseSync): SessionIndex {
	return {
		marks: async () =>
			guarded(() => {
				const rows = database.prepare("SELECT id, mark FROM sessions").all() as {
					id: string;
					mark: string;
				}[];
				return new Map(rows.map(({ id, mark }) => [id, mark]));
			}),
		put: async (session) => guarded(() => inTransaction(database, () => put(database, session))),
		drop: async (ids) =>
			guarded(() =>
				inTransaction(database, () => {
					for (const id of ids) drop(database, id);
				}),
			),
		list: async (projectId) => guarded(() => list(database, projectId)),
		search: async (query) => guarded(() => search(database, query)),
		close: async () => database.close(),
	};
}

function put(database: DatabaseSync, session: IndexedSession): void {
	const { id, projectId, mark, parent, fault, summary, texts } = session;
	drop(database, id);
	const { title, cwd, created, updated, turns, model } = summary ?? {};
	const values = [title, cwd, created, updated, turns, model].map((value) => value ?? null);
	const { lastInsertRowid: number } = database
		.prepare("INSERT INTO sessions VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
		.run(id, projectId, mark, parent ?? null, fault ?? null, ...values);
	const insert = database.prepare("INSERT INTO texts (rowid, turn, kind, body) VALUES (?, ?, ?, ?)");
	const first = Number(number) * PLACES;
	for (const [place, { turn, kind, text }] of texts.slice(0, PLACES).entries())
		insert.run(first + place, turn, kind, text);
}

function drop(database: DatabaseSync, id: string): void {
	const number = database.prepare("SELECT number FROM sessions WHERE id = ?").get(id)?.["number"];
	if (number === undefined) return;
	const first = Number(number) * PLACES;
	database.prepare("DELETE FROM texts WHERE rowid BETWEEN ? AND ?").run(first, first + PLACES - 1);
	database.prepare("DELETE FROM sessions WHERE id = ?").run(id);
}

function list(
	database: DatabaseSync,
	projectId: string | undefined,
): Awaited<ReturnType<SessionIndex["list"]>> {
	const rows = database
		.prepare(
			`SELECT id, title, cwd, created, updated, turns, model, fault FROM sessions
			 WHERE (created IS NOT NULL OR fault IS NOT NULL) AND parent IS NULL AND project = coalesce(?, project)
			 ORDER BY updated DESC, id DESC`,
		)
		.all(projectId ?? null) as unknown as (SessionSummary & { fault: string | null })[];
	return {
		sessions: rows.filter(({ title }) => title !== null).map(({ fault: _, ...summary }) => ({ ...summary })),
		faults: rows.flatMap(({ id, fault }) => (fault === null ? [] : [{ id, message: fault }])),
	};
}

/** A hit without its text; `total` counts those of its session. */
type FoundRow = Omit<IndexHit, keyof IndexedText> & { hit: number; total: number };

function search(database: DatabaseSync, query: IndexQuery): Awaited<ReturnType<SessionIndex["search"]>> {
	const condition = textCondition(query.words);
	if (condition === undefined) return { hits: [], more: false };
	// The texts are read afterwards: sorting the hits of a common word would carry all of them along.
	const found = database
		.prepare(
			`SELECT hit, total, id AS sessionId, project AS projectId, title, cwd, updated
			 FROM (SELECT rowid AS hit, row_number() OVER session AS place, count(*) OVER session AS total
			       FROM texts WHERE ${condition.sql} WINDOW session AS (PARTITION BY rowid / ${PLACES}))
			 JOIN sessions ON number = hit / ${PLACES}
			 WHERE place <= ? ORDER BY project = ? DESC, updated DESC, hit LIMIT ?`,
		)
		.all(...condition.values, query.perSession, query.projectId, query.limit + 1) as unknown as FoundRow[];
	const read = database.prepare("SELECT turn, kind, body FROM texts WHERE rowid = ?");
	const hits = found.slice(0, query.limit).map(({ hit, total: _, ...session }) => {
		const { turn, kind, body } = read.get(hit) as { turn: number; kind: TextKind; body: string };
		return { ...session, turn, kind, text: body };
	});
	return { hits, more: found.length > query.limit || found.some(({ total }) => total > query.perSession) };
}

function inTransaction(database: DatabaseSync, change: () => void): void {
	database.exec("BEGIN IMMEDIATE");
	try {
		change();
		database.exec("COMMIT");
	} catch (error) {
		if (database.isTransaction) database.exec("ROLLBACK");
		throw error;
	}
}

/** Tells a damaged index, which can be made anew, from one that cannot be used now. */
function guarded<T>(act: () => T): T {
	try {
		return act();
	} catch (cause) {
		const code = (cause as { errcode?: number }).errcode ?? 0;
		const reason = cause instanceof Error ? cause.message : String(cause);
		// The lowest byte is the kind; the others refine it.
		const isDamaged = [CORRUPT, NOT_A_DATABASE].includes(code & 0xff);
		throw new AgiError(
			isDamaged ? "INDEX_DAMAGED" : "INDEX_UNUSABLE",
			`The index of sessions ${isDamaged ? "is damaged" : "cannot be used"}: ${reason}`,
			{ cause },
		);
	}
}
