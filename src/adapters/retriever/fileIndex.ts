// Which words stand in which file, in SQLite, by trigrams: parts of identifiers and scripts without blanks are found. It
// keeps no text, so what is told of a file is always read from the file. Knows nothing of folders.

import type { DatabaseSync } from "node:sqlite";
import { change, type DerivedTables, guarded, inTransaction, openDerived } from "../derivedDatabase.ts";

/** A file as it was when it was indexed. `words`: every one once, in lower case. */
export interface IndexedFile {
	/** Relative to the indexed folder with `/`; absolute for one outside of it. */
	path: string;
	size: number;
	/** In nanoseconds, as a decimal string. */
	mtimeNs: string;
	/** SHA-256 of its bytes in hex. */
	digest: string;
	words: ReadonlySet<string>;
}

/** What tells one state of a file from another. */
export type FileState = Omit<IndexedFile, "path" | "words">;

/** The files that hold words of a question, the likeliest first, and how much each word tells. */
export interface FoundFiles {
	paths: string[];
	weights: Map<string, number>;
}

/** An open index. Calls throw `AgiError` `INDEX_DAMAGED` or `INDEX_UNUSABLE`, the latter also while another writes. */
export interface FileIndex {
	/** Whether every file was looked at once. */
	readonly isComplete: boolean;
	states(): Map<string, FileState>;
	/** Puts files in place of what was known of them. A file whose digest is known only gets its new state. */
	put(files: readonly IndexedFile[]): void;
	drop(paths: readonly string[]): void;
	/** Every file was looked at. */
	complete(): void;
	/** At most `limit` files that `mayRead`. */
	find(words: readonly string[], mayRead: (path: string) => boolean, limit: number): FoundFiles;
	close(): void;
}

const NAME = "the index of files";

/** Pieces of the index that are joined at a time: more cost less work in all, and longer stops. */
const MERGED_AT_ONCE = 8;

const TABLES: DerivedTables = {
	name: NAME,
	version: 2,
	create: `
		CREATE TABLE files (
			number INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, size INTEGER NOT NULL, mtime TEXT NOT NULL,
			digest TEXT NOT NULL
		) STRICT;
		CREATE TABLE completed (at INTEGER PRIMARY KEY) STRICT;
		CREATE VIRTUAL TABLE words USING fts5(body, content = '', contentless_delete = 1, tokenize = 'trigram');
		INSERT INTO words (words, rank) VALUES ('automerge', ${MERGED_AT_ONCE});
		CREATE VIRTUAL TABLE terms USING fts5vocab(words, 'row')`,
	drop: "DROP TABLE IF EXISTS terms; DROP TABLE IF EXISTS words; DROP TABLE IF EXISTS files; DROP TABLE IF EXISTS completed",
	// Another agi of this project may be writing; this one waits for its next turn instead of holding up the screen.
	longestWaitMs: 20,
};

/** Stands around every word, so that a word of two letters has a trigram too. */
const EDGE = "\n";

/** Files of one word that are looked at: more than that tell little. */
const MOST_OF_WORD = 400;

/** Trigrams that one word of two wide letters may stand for. */
const MOST_TERMS = 60;

/** A name that holds a word of the question counts like a rare word. */
const NAME_WEIGHT = 0.5;

/** Opens the index at `path`, or in memory where that is undefined. Rejects with the errors of its calls. */
export async function openFileIndex(
	path: string | undefined,
	options: { anew?: boolean } = {},
): Promise<FileIndex> {
	const database = await openDerived(path, TABLES, options);
	return guarded(NAME, () => {
		// A crash may cost the index, never more; waiting for the disk would hold up the screen.
		database.exec("PRAGMA synchronous = OFF");
		return indexOver(database);
	});
}

function indexOver(database: DatabaseSync): FileIndex {
	let mayRead: (path: string) => boolean = () => true;
	const put = fileWriter(database);
	database.function("may_read", (path) => (mayRead(String(path)) ? 1 : 0));
	return {
		get isComplete() {
			return guarded(NAME, () => database.prepare("SELECT 1 FROM completed").get() !== undefined);
		},
		states: () =>
			guarded(NAME, () => {
				const rows = database.prepare("SELECT path, size, mtime AS mtimeNs, digest FROM files").all();
				return new Map(
					(rows as unknown as (FileState & { path: string })[]).map(({ path, ...state }) => [path, state]),
				);
			}),
		put: (files) =>
			guarded(NAME, () =>
				inTransaction(database, () => {
					for (const file of files) put(file);
				}),
			),
		drop: (paths) =>
			guarded(NAME, () =>
				inTransaction(database, () => {
					for (const path of paths) drop(database, path);
				}),
			),
		complete: () => guarded(NAME, () => void database.exec("INSERT OR IGNORE INTO completed VALUES (1)")),
		find: (words, allowed, limit) =>
			guarded(NAME, () => {
				mayRead = allowed;
				return find(database, words, limit);
			}),
		close: () => database.close(),
	};
}

/** Puts one file; the statements are made once, since thousands of files come after each other. */
function fileWriter(database: DatabaseSync): (file: IndexedFile) => void {
	const find = database.prepare("SELECT digest FROM files WHERE path = ?");
	const addFile = database.prepare("INSERT INTO files VALUES (NULL, ?, ?, ?, ?)");
	const addWords = database.prepare("INSERT INTO words (rowid, body) VALUES (?, ?)");
	return ({ path, size, mtimeNs, digest, words }) => {
		const known = find.get(path);
		if (known?.["digest"] === digest) {
			change(database, "UPDATE files SET size = ?, mtime = ? WHERE path = ?", size, mtimeNs, path);
			return;
		}
		if (known) drop(database, path);
		const { lastInsertRowid: number } = addFile.run(path, size, mtimeNs, digest);
		if (words.size > 0) addWords.run(number, EDGE + [...words].join(EDGE) + EDGE);
	};
}

function drop(database: DatabaseSync, path: string): void {
	const number = database.prepare("SELECT number FROM files WHERE path = ?").get(path)?.["number"];
	if (number === undefined) return;
	change(database, "DELETE FROM words WHERE rowid = ?", number);
	change(database, "DELETE FROM files WHERE number = ?", number);
}

function find(database: DatabaseSync, words: readonly string[], limit: number): FoundFiles {
	const scores = new Map<string, number>();
	const weights = new Map<string, number>();
	const add = (paths: readonly string[], weight: number) => {
		for (const path of paths) scores.set(path, (scores.get(path) ?? 0) + weight);
	};
	for (const word of words) {
		const inText = filesWith(database, word);
		const weight = 1 / Math.log2(2 + inText.length);
		weights.set(word, weight);
		add(inText, weight);
		add(filesNamed(database, word), NAME_WEIGHT);
	}
	const ranked = [...scores].sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1));
	return { paths: ranked.slice(0, limit).map(([path]) => path), weights };
}

function filesWith(database: DatabaseSync, word: string): string[] {
	const condition = conditionOf(database, word);
	if (condition === undefined) return [];
	const rows = database
		.prepare(
			`SELECT path FROM words JOIN files ON number = words.rowid
			 WHERE words MATCH ? AND may_read(path) LIMIT ${MOST_OF_WORD}`,
		)
		.all(condition);
	return rows.map((row) => String(row["path"]));
}

/** The full-text condition of a word, which holds nothing but letters and digits. */
function conditionOf(database: DatabaseSync, word: string): string | undefined {
	if (word.length > 2) return `"${word}"`;
	if (/^[\x00-\x7f]*$/.test(word)) return `"${EDGE}${word}${EDGE}"`;
	const terms = database
		.prepare(`SELECT term FROM terms WHERE term >= ? AND term < ? LIMIT ${MOST_TERMS}`)
		.all(word, `${word}\uffff`);
	return terms.length === 0 ? undefined : terms.map((row) => `"${String(row["term"])}"`).join(" OR ");
}

function filesNamed(database: DatabaseSync, word: string): string[] {
	if (word.length < 3) return [];
	const rows = database
		.prepare("SELECT path FROM files WHERE instr(lower(path), ?) AND may_read(path) LIMIT 40")
		.all(word);
	return rows.map((row) => String(row["path"]));
}
