// Lists and searches sessions of all projects by an index that it brings up to date first. The logs are the truth: where
// the index is damaged it is made anew, and where it cannot be used one in memory takes its place.

import type { IndexedSession, IndexHit, OpenIndex, SessionIndex } from "../ports/sessionIndex.ts";
import type { LogMark, SessionSummary } from "../ports/sessionLog.ts";
import { AgiError } from "../types.ts";
import { indexSession } from "./indexSession.ts";
import type { Sessions } from "./sessions.ts";

/** A place in a text where a word was found; `before` and `after` are on one line and cut. */
export interface Snippet {
	before: string;
	hit: string;
	after: string;
}

/** A text that was found. `turn` counts from 1; 0 for what belongs to none. */
export type FoundText = Omit<IndexHit, "text"> & { snippet: Snippet };

export interface SessionLibrary {
	/** The sessions of this project or of all, newest first. `notices` are sentences for the person. */
	list(options?: { allProjects?: boolean }): Promise<{
		sessions: SessionSummary[];
		/** Those whose log this agi cannot read, such as one that a newer agi wrote, each with a sentence that says why. */
		unreadable: { id: string; message: string }[];
		notices: string[];
	}>;
	/**
	 * Texts of all projects that hold every word of `query`, this project's first, then the newest sessions first. A part
	 * in double quotes is one word. Without `all`, a part of them; `more` tells that there are others.
	 */
	search(
		query: string,
		options?: { all?: boolean },
	): Promise<{ found: FoundText[]; more: boolean; notices: string[] }>;
	/**
	 * This project's sessions whose title or texts hold every word of `query`, or whose id begins with it: titles first, then
	 * texts with the place that was found. Sessions without a turn are left out.
	 */
	find(query: string): Promise<(SessionSummary & { snippet?: string })[]>;
	/** Brings the index on the disk up to date, so that a later search need not. Rejects where it cannot be used. */
	update(options: UpdateOptions): Promise<void>;
}

/** How the index is brought up to date. */
export interface UpdateOptions {
	/** The only session that is looked at. */
	sessionId?: string;
	/** Logs of more bytes are left as they are. */
	largestLog: number;
	/** Called after each session; resolves when the next one may be read. */
	rest?(): Promise<void>;
	signal?: AbortSignal;
}

export interface LibraryParts {
	sessions: Pick<Sessions, "read" | "marks">;
	openIndex: OpenIndex;
	projectId: string;
	/** Hears a sentence before something that takes long. */
	onWait?: (sentence: string) => void;
}

const SHOWN_HITS = 50;
const SHOWN_PER_SESSION = 3;
/** From this many sessions on, reading them is told. */
const MANY_SESSIONS = 100;
const SNIPPET_SIDE = 60;

/** The library of a store's sessions. Opens the index with each call and leaves it closed. */
export function createSessionLibrary(parts: LibraryParts): SessionLibrary {
	const { projectId } = parts;
	return {
		list: ({ allProjects = false } = {}) =>
			withIndex(parts, async (index, notices) => {
				const { sessions, faults } = await index.list(allProjects ? undefined : projectId);
				return { sessions, unreadable: faults, notices };
			}),
		search: (query, { all = false } = {}) =>
			withIndex(parts, async (index, notices) => {
				const words = wordsOf(query);
				const bounds = all
					? { limit: Number.MAX_SAFE_INTEGER - 1, perSession: Number.MAX_SAFE_INTEGER }
					: { limit: SHOWN_HITS, perSession: SHOWN_PER_SESSION };
				const { hits, more } = await index.search({ words, projectId, ...bounds });
				const found = hits.map(({ text, ...hit }) => ({ ...hit, snippet: snippetOf(text, words) }));
				return { found, more, notices };
			}),
		find: (query) => withIndex(parts, async (index) => findSessions(index, projectId, query)),
		update: (options) => update(parts, options),
	};
}

async function findSessions(
	index: SessionIndex,
	projectId: string,
	query: string,
): Promise<(SessionSummary & { snippet?: string })[]> {
	const words = wordsOf(query);
	const { sessions } = await index.list(projectId);
	const { hits } = await index.search({
		words,
		projectId,
		only: projectId,
		limit: SHOWN_HITS,
		perSession: 1,
	});
	const texts = new Map(hits.map(({ sessionId, text }) => [sessionId, text]));
	const used = sessions.filter(({ turns }) => turns > 0);
	const isNamed = ({ id, title }: SessionSummary) =>
		id.startsWith(query.trim()) || words.every((word) => title.toLowerCase().includes(word.toLowerCase()));
	const named = used.filter(isNamed);
	const said = used.flatMap((session) => {
		const text = texts.get(session.id);
		if (text === undefined || isNamed(session)) return [];
		const { before, hit, after } = snippetOf(text, words);
		return [{ ...session, snippet: `${before}${hit}${after}` }];
	});
	return [...named, ...said];
}

/** Asks an index that knows every log as it is now, falling back twice: to a new one, then to one in memory. */
async function withIndex<T>(
	parts: LibraryParts,
	ask: (index: SessionIndex, notices: string[]) => Promise<T>,
): Promise<T> {
	const marks = await parts.sessions.marks();
	const notices: string[] = [];
	// Nothing to find needs no index, and leaves no file behind.
	let place: Parameters<OpenIndex>[0] = marks.length === 0 ? "memory" : "disk";
	for (;;) {
		try {
			const index = await parts.openIndex(place);
			try {
				await bringUpToDate(index, marks, parts);
				return await ask(index, notices);
			} finally {
				await index.close();
			}
		} catch (error) {
			const code = error instanceof AgiError ? error.code : "";
			if (!(error instanceof AgiError) || place === "memory" || !code.startsWith("INDEX_")) throw error;
			const isDamaged: boolean = code === "INDEX_DAMAGED" && place === "disk";
			place = isDamaged ? "anew" : "memory";
			notices.push(`${error.message}. ${isDamaged ? MADE_ANEW : MADE_IN_MEMORY}`);
		}
	}
}

const MADE_ANEW = "It was made anew from the logs; nothing is lost.";
const MADE_IN_MEMORY = "The logs were read instead, which takes longer each time; nothing is lost.";

async function bringUpToDate(
	index: SessionIndex,
	marks: readonly LogMark[],
	{ sessions, onWait }: LibraryParts,
): Promise<void> {
	const known = await index.marks();
	const changed = marks.filter(({ sessionId, mark }) => known.get(sessionId) !== mark);
	const standing = new Set(marks.map(({ sessionId }) => sessionId));
	const gone = [...known.keys()].filter((id) => !standing.has(id));
	if (gone.length > 0) await index.drop(gone);
	if (changed.length >= MANY_SESSIONS)
		onWait?.(`Reading ${changed.length} sessions for the index; the next time is quick.`);
	for (const mark of changed) await putSession(index, sessions, mark);
}

async function update(
	{ sessions, openIndex }: LibraryParts,
	{ sessionId, largestLog, rest, signal }: UpdateOptions,
): Promise<void> {
	const marks = (await sessions.marks()).filter(
		(mark) => mark.bytes <= largestLog && (sessionId === undefined || mark.sessionId === sessionId),
	);
	if (marks.length === 0) return;
	const index = await openIndex("disk");
	try {
		const known = await index.marks();
		for (const mark of marks) {
			if (signal?.aborted) return;
			if (known.get(mark.sessionId) === mark.mark) continue;
			await putSession(index, sessions, mark);
			await rest?.();
		}
	} finally {
		await index.close();
	}
}

async function putSession(
	index: SessionIndex,
	sessions: LibraryParts["sessions"],
	{ sessionId, projectId, mark }: LogMark,
): Promise<void> {
	const entry = await readEntry(sessions, sessionId);
	if (!entry) return;
	const { damage, ...indexed } = entry;
	// A log that is mended bears the same mark as before, so a damaged one is looked at each time.
	await index.put({ id: sessionId, projectId, mark: damage === undefined ? mark : "", ...indexed });
}

type Entry = Omit<IndexedSession, "id" | "projectId" | "mark"> & { damage?: string };

/** Undefined for a session that was deleted meanwhile. */
async function readEntry(sessions: LibraryParts["sessions"], sessionId: string): Promise<Entry | undefined> {
	try {
		const { commits, damage } = await sessions.read(sessionId, { onLostText: () => undefined });
		const indexed = indexSession(commits);
		if (!damage) return indexed;
		const { message } = damage;
		return indexed.summary
			? { ...indexed, summary: { ...indexed.summary, damage: message }, damage: message }
			: { ...indexed, fault: `its log is damaged at its beginning (${message}).`, damage: message };
	} catch (error) {
		if (error instanceof AgiError && error.code === "SESSION_NOT_FOUND") return undefined;
		return { fault: error instanceof Error ? error.message : String(error), texts: [] };
	}
}

/** The words of a query; what stands in double quotes is one. */
function wordsOf(query: string): string[] {
	return [...query.matchAll(/"([^"]+)"|\S+/g)].map(([word, inQuotes]) => inQuotes ?? word);
}

/** The text around the first place where one of `words` stands; its beginning where none is found. */
function snippetOf(text: string, words: readonly string[]): Snippet {
	const any = words.map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")).join("|");
	const found = any === "" ? null : new RegExp(any, "iu").exec(text);
	const at = found?.index ?? 0;
	const end = at + (found?.[0].length ?? 0);
	const before = text.slice(Math.max(0, at - SNIPPET_SIDE), at);
	const after = text.slice(end, end + SNIPPET_SIDE);
	return {
		before: oneLine(`${at > SNIPPET_SIDE ? "…" : ""}${before}`),
		hit: oneLine(text.slice(at, end)),
		after: oneLine(`${after}${end + SNIPPET_SIDE < text.length ? "…" : ""}`),
	};
}

function oneLine(text: string): string {
	// A cut through a surrogate pair leaves half a letter.
	return text.toWellFormed().replace(/\s+/g, " ");
}
