// Passages of earlier sessions, out of their index as it is: it reads no log and brings nothing up to date, since a turn
// waits for it.

import type { Passage, RetrievalScope, Retriever } from "../../ports/retriever.ts";
import type { IndexHit, IndexQuery, SessionIndex } from "../../ports/sessionIndex.ts";
import { bestWindows } from "./windows.ts";
import { queryWords } from "./words.ts";

/** Texts that are looked at, in all and of one session. */
const MOST_TEXTS = 40;
const MOST_OF_SESSION = 4;

/** Hits below which fewer words are asked for. */
const ENOUGH = 4;

/** What is in the files now counts more than what was once said. */
const SAID_BEFORE = 0.9;

/** Whose sessions are searched. */
export interface SessionPlace {
	projectId: string;
	/** The session that asks: it knows itself. */
	sessionId: string;
	/** Opens the index; undefined where there is none yet. */
	open(): Promise<SessionIndex | undefined>;
}

/** A retriever over what was said in earlier sessions. */
export function createSessionRetriever(place: SessionPlace): Retriever {
	return {
		async search(query, scope) {
			const words = queryWords(query);
			if (words.length === 0) return { passages: [], notes: [] };
			try {
				const index = await place.open();
				if (!index) return { passages: [], notes: ["Earlier sessions are not indexed yet."] };
				try {
					return { passages: passagesOf(await findTexts(index, place, words, scope), words), notes: [] };
				} finally {
					await index.close();
				}
			} catch (error) {
				const reason = error instanceof Error ? error.message : String(error);
				return { passages: [], notes: [`${reason}; earlier sessions were not searched.`] };
			}
		},
	};
}

/** Texts with all of the words; where these are few, also those with the longer ones of them. */
async function findTexts(
	index: SessionIndex,
	{ projectId, sessionId }: SessionPlace,
	words: readonly string[],
	{ allProjects }: RetrievalScope,
): Promise<IndexHit[]> {
	const bounds: Omit<IndexQuery, "words"> = {
		...{ projectId, without: sessionId, limit: MOST_TEXTS, perSession: MOST_OF_SESSION },
		...(allProjects ? {} : { only: projectId }),
	};
	const byLength = [...words].sort((one, other) => other.length - one.length);
	const found = new Map<string, IndexHit>();
	for (let count = words.length; count > 0; count = Math.floor(count / 2)) {
		const { hits } = await index.search({ ...bounds, words: byLength.slice(0, count) });
		for (const hit of hits) found.set(`${hit.sessionId} ${hit.turn} ${hit.kind} ${hit.text}`, hit);
		if (found.size >= ENOUGH) break;
	}
	return [...found.values()];
}

function passagesOf(hits: readonly IndexHit[], words: readonly string[]): Passage[] {
	const weights = new Map(words.map((word) => [word, 1]));
	const passages = hits.flatMap((hit) =>
		bestWindows(hit.text, weights, 1).map(({ line, text, score }): Passage => {
			const { sessionId, turn, kind, updated, taint } = hit;
			return {
				...{ source: `session ${sessionId} turn ${turn} (${kind})`, version: updated.slice(0, 10) },
				...{ line, text, score: score * SAID_BEFORE },
				...(taint === undefined ? {} : { taint: `what session ${sessionId} read: ${taint}` }),
			};
		}),
	);
	return passages.sort((one, other) => other.score - one.score);
}
