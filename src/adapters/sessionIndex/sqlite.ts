// The index of sessions in SQLite, searched by trigrams, so that parts of words, identifiers and scripts without blanks
// are found. Everything in it comes from logs. Never asks which log is newer and never mends a damaged file.

import type { DatabaseSync } from "node:sqlite";
import type {
	IndexedSession,
	IndexHit,
	IndexQuery,
	SessionIndex,
	TextKind,
} from "../../ports/sessionIndex.ts";
import type { SessionSummary } from "../../ports/sessionLog.ts";
import { LOG_VERSION } from "../../session/events.ts";
import { change, type DerivedTables, guarded, inTransaction, openDerived } from "../derivedDatabase.ts";
import { textCondition } from "./textCondition.ts";

/** Rises with every change of the tables. The log's version counts too: a new one may read what an old one could not. */
const TABLES_VERSION = 3;

/** A text's row number is its session's number and, in the lowest bits, its place: one range holds a session's texts. */
const PLACES = 2 ** 24;

/** From so many hits on, sessions are asked one after the other instead of sorting all hits. */
const MANY_HITS = 2_000;

const NAME = "the index of sessions";

const TABLES: DerivedTables = {
	name: NAME,
	version: TABLES_VERSION * 1000 + LOG_VERSION,
	create: `
		CREATE TABLE sessions (
			number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, project TEXT NOT NULL, mark TEXT NOT NULL, parent TEXT,
			fault TEXT, title TEXT, cwd TEXT, created TEXT, updated TEXT, turns INTEGER, model TEXT, damage TEXT, taint TEXT
		) STRICT;
		CREATE VIRTUAL TABLE texts USING fts5(turn UNINDEXED, kind UNINDEXED, body, tokenize = 'trigram')`,
	drop: "DROP TABLE IF EXISTS sessions; DROP TABLE IF EXISTS texts",
	longestWaitMs: 1_000,
};

/**
 * Opens the index at `path`, or in memory where that is undefined; `anew` deletes what is there first. Makes the folder
 * and a file that only the user can read. Rejects with `AgiError` `INDEX_DAMAGED` or `INDEX_UNUSABLE`.
 */
export async function openSqliteIndex(
	path: string | undefined,
	options: { anew?: boolean } = {},
): Promise<SessionIndex> {
	return indexOver(await openDerived(path, TABLES, options));
}

function indexOver(database: DatabaseSync): SessionIndex {
	return {
		marks: async () =>
			guarded(NAME, () => {
				const rows = database.prepare("SELECT id, mark FROM sessions").all() as {
					id: string;
					mark: string;
				}[];
				return new Map(rows.map(({ id, mark }) => [id, mark]));
			}),
		put: async (session) => guarded(NAME, () => inTransaction(database, () => put(database, session))),
		drop: async (ids) =>
			guarded(NAME, () =>
				inTransaction(database, () => {
					for (const id of ids) drop(database, id);
				}),
			),
		list: async (projectId) => guarded(NAME, () => list(database, projectId)),
		search: async (query) => guarded(NAME, () => search(database, query)),
		close: async () => database.close(),
	};
}

function put(database: DatabaseSync, session: IndexedSession): void {
	const { id, projectId, mark, parent, fault, summary, taint, texts } = session;
	drop(database, id);
	const { title, cwd, created, updated, turns, model, damage } = summary ?? {};
	const values = [title, cwd, created, updated, turns, model, damage, taint].map((value) => value ?? null);
	const { lastInsertRowid: number } = database
		.prepare("INSERT INTO sessions VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
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
	change(database, "DELETE FROM texts WHERE rowid BETWEEN ? AND ?", first, first + PLACES - 1);
	change(database, "DELETE FROM sessions WHERE id = ?", id);
}

type ListedRow = Omit<SessionSummary, "damage"> & { damage: string | null; fault: string | null };

function list(
	database: DatabaseSync,
	projectId: string | undefined,
): Awaited<ReturnType<SessionIndex["list"]>> {
	const rows = database
		.prepare(
			`SELECT id, title, cwd, created, updated, turns, model, damage, fault FROM sessions
			 WHERE (created IS NOT NULL OR fault IS NOT NULL) AND parent IS NULL AND project = coalesce(?, project)
			 ORDER BY updated DESC, id DESC`,
		)
		.all(projectId ?? null) as unknown as ListedRow[];
	return {
		sessions: rows
			.filter(({ title }) => title !== null)
			.map(({ fault: _, damage, ...summary }) => ({ ...summary, ...(damage === null ? {} : { damage }) })),
		faults: rows.flatMap(({ id, fault }) => (fault === null ? [] : [{ id, message: fault }])),
	};
}

interface SessionRow {
	number: number;
	sessionId: string;
	projectId: string;
	title: string;
	cwd: string;
	updated: string;
	taint: string | null;
}

function search(database: DatabaseSync, query: IndexQuery): Awaited<ReturnType<SessionIndex["search"]>> {
	const condition = textCondition(query.words);
	if (condition === undefined) return { hits: [], more: false };
	const rowsOf = rowFinder(database, condition, query.perSession + 1);
	const read = database.prepare("SELECT turn, kind, body FROM texts WHERE rowid = ?");
	const hits: IndexHit[] = [];
	let more = false;
	for (const { number, taint, ...session } of searchedSessions(database, query)) {
		const rows = rowsOf(number);
		more ||= rows.length > query.perSession;
		for (const row of rows.slice(0, query.perSession)) {
			if (hits.length === query.limit) return { hits, more: true };
			const { turn, kind, body } = read.get(row) as { turn: number; kind: TextKind; body: string };
			hits.push({ ...session, ...(taint === null ? {} : { taint }), turn, kind, text: body });
		}
	}
	return { hits, more };
}

/** The sessions that are looked through, in the order in which their hits come. */
function searchedSessions(database: DatabaseSync, { projectId, only, without }: IndexQuery): SessionRow[] {
	return database
		.prepare(
			`SELECT number, id AS sessionId, project AS projectId, title, cwd, updated, taint FROM sessions
			 WHERE project = coalesce(?, project) AND id <> ? ORDER BY project = ? DESC, updated DESC`,
		)
		.all(only ?? null, without ?? "", projectId) as unknown as SessionRow[];
}

/**
 * Gives the first hits of a session, at most `most`. Few hits are all read at once; of a common word only those of the
 * sessions that are asked for, since sorting them all takes many times as long.
 */
function rowFinder(
	database: DatabaseSync,
	{ sql, values }: { sql: string; values: string[] },
	most: number,
): (number: number) => number[] {
	const all = database
		.prepare(`SELECT rowid AS row FROM texts WHERE ${sql} LIMIT ${MANY_HITS + 1}`)
		.all(...values) as unknown as { row: number }[];
	if (all.length <= MANY_HITS) {
		const bySession = Map.groupBy(
			all.map(({ row }) => row),
			(row) => Math.floor(row / PLACES),
		);
		return (number) => (bySession.get(number) ?? []).slice(0, most);
	}
	const ofSession = database.prepare(
		`SELECT rowid AS row FROM texts WHERE ${sql} AND rowid BETWEEN ? AND ? LIMIT ?`,
	);
	return (number) => {
		const first = number * PLACES;
		const rows = ofSession.all(...values, first, first + PLACES - 1, most) as unknown as { row: number }[];
		return rows.map(({ row }) => row);
	};
}
