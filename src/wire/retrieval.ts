// Joins a session with what it can recall. Nothing of it is loaded before the first question, or the first rest after a
// turn, in which the indexes are brought up to date.

import type { Retriever } from "../ports/retriever.ts";
import { createIdleWork } from "../runtime/idleWork.ts";
import type { RecallStores, RetrievalParts } from "./recallStores.ts";

/** What one session can recall. */
export interface Retrieval {
	retriever: Retriever;
	/** Call after the session was closed, so that its end is found, too. Never rejects. */
	close(): Promise<void>;
}

/** The retrieval of one session. */
export function openRetrieval(parts: RetrievalParts): Retrieval {
	const { session, world } = parts;
	let opened: Promise<RecallStores> | undefined;
	const stores = () => {
		opened ??= import("./recallStores.ts").then(({ openRecallStores }) => openRecallStores(parts));
		return opened;
	};
	const turnsBefore = session.state.made.turn;
	const idle = parts.keepsIndex
		? createIdleWork(session, world.clock, async (signal) => (await stores()).refresh(signal))
		: undefined;
	return {
		retriever: { search: async (...asked) => (await stores()).retriever.search(...asked) },
		async close() {
			await idle?.stop();
			try {
				const hasGrown = session.state.made.turn > turnsBefore;
				if (parts.keepsIndex && hasGrown) await (await stores()).refreshSession(session.state.sessionId);
				await (await opened)?.close();
			} catch {
				// The next search does what was not done here.
			}
		},
	};
}
