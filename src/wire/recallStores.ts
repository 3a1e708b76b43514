// The stores that a session recalls from, and how they are kept up to date: the index of files in the user's cache, the
// index of sessions in the user's data, memory among the files.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { type FileIndex, openFileIndex } from "../adapters/retriever/fileIndex.ts";
import { createFileRetriever } from "../adapters/retriever/files.ts";
import { indexFolder } from "../adapters/retriever/indexFolder.ts";
import { createPace } from "../adapters/retriever/pace.ts";
import { createSessionRetriever } from "../adapters/retriever/sessions.ts";
import { openSqliteIndex } from "../adapters/sessionIndex/sqlite.ts";
import { joinRetrievers } from "../agent/joinRetrievers.ts";
import { mayReadUnasked } from "../policy/mayRead.ts";
import type { PolicyContext } from "../policy/policyQuestion.ts";
import type { Retriever } from "../ports/retriever.ts";
import type { Search } from "../ports/search.ts";
import type { Workspace } from "../ports/workspace.ts";
import type { World } from "../ports/world.ts";
import type { LiveSession } from "../runtime/liveSession.ts";
import type { Sessions } from "../runtime/sessions.ts";
import { AgiError } from "../types.ts";
import { openLibrary, sessionIndexPath } from "./library.ts";
import type { Place } from "./place.ts";

/** Part of one core that bringing indexes up to date takes. */
const CORE_SHARE = 0.28;

/** Logs larger than this, in bytes, are left to a search: reading one at a go would hold up the screen. */
const LARGEST_LOG = 4_000_000;

/** Whose session recalls, and what it may look into. */
export interface RetrievalParts {
	place: Place;
	session: LiveSession;
	sessions: Pick<Sessions, "read" | "marks">;
	workspace: Workspace;
	search: Search;
	world: World;
	/** Everything beside a call that a verdict depends on, as it is now. */
	policy(): PolicyContext;
	/** Whether indexes are made and kept up to date; without it those that are there are used. */
	keepsIndex: boolean;
}

export interface RecallStores {
	retriever: Retriever;
	/** Brings the indexes up to date, gently. Rejects where one cannot be used. */
	refresh(signal: AbortSignal): Promise<void>;
	/** Puts one session into the index of sessions as it is now. */
	refreshSession(sessionId: string): Promise<void>;
	close(): Promise<void>;
}

/** The stores of one session. */
export function openRecallStores(parts: RetrievalParts): RecallStores {
	const { place, session, sessions, workspace, search, world } = parts;
	const extra = [
		join(place.folders.config, "USER.md"),
		...(place.agentFolder === undefined ? [] : [join(place.agentFolder, "MEMORY.md")]),
	];
	const path = join(place.folders.cache, "files", `${world.digest(workspace.root).slice(0, 32)}.db`);
	const files = keepOpen(path, parts.keepsIndex);
	const library = openLibrary(place, sessions);
	const retriever = joinRetrievers(
		[
			createFileRetriever({ workspace, search, extra, index: files.open }),
			createSessionRetriever({
				projectId: place.projectId,
				sessionId: session.state.sessionId,
				open: async () => {
					const index = sessionIndexPath(place);
					return existsSync(index) ? openSqliteIndex(index) : undefined;
				},
			}),
		],
		(real) => mayReadUnasked(real, parts.policy()),
	);
	return {
		retriever,
		async refresh(signal) {
			const rest = createPace(CORE_SHARE, signal);
			await library.update({ rest, signal, largestLog: LARGEST_LOG });
			// A home folder is no project: everything a person has lies in it.
			const index = place.agentFolder === undefined ? undefined : await files.open();
			if (!index) return;
			try {
				await indexFolder(index, { root: workspace.root, extra, search, rest, signal });
			} catch (error) {
				if (error instanceof AgiError && error.code === "INDEX_DAMAGED") await files.makeAnew();
				throw error;
			}
		},
		refreshSession: (sessionId) => library.update({ sessionId, largestLog: LARGEST_LOG }),
		close: files.close,
	};
}

/** An index of files that is opened when it is first asked for. A damaged one is made anew where `mayMake`. */
function keepOpen(path: string, mayMake: boolean) {
	let opened: FileIndex | undefined;
	const open = async (): Promise<FileIndex | undefined> => {
		if (opened || (!mayMake && !existsSync(path))) return opened;
		try {
			opened = await openFileIndex(path);
		} catch (error) {
			if (!mayMake || !(error instanceof AgiError) || error.code !== "INDEX_DAMAGED") throw error;
			opened = await openFileIndex(path, { anew: true });
		}
		return opened;
	};
	const close = async () => {
		opened?.close();
		opened = undefined;
	};
	return {
		open,
		close,
		async makeAnew() {
			await close();
			opened = await openFileIndex(path, { anew: true });
		},
	};
}
