// What the @ palette offers: files with their folders, listed by the session's host, and earlier sessions. Ranked here;
// ranking is loaded at the first @, and a list is made ready once for all keys.

import type { Client } from "../rpc/client.ts";
import type { FoundSession } from "../rpc/protocol.ts";
import { sessionItems } from "./commandTexts.ts";
import { type Mentionable, SESSION_SIGN } from "./input/completion.ts";
import type { FuzzyFinder, PathIndex } from "./input/rankFiles.ts";

/** Finds what fits a query best; undefined where a later query has overtaken it or nothing can be listed. */
export type FileFinder = (query: string) => Promise<Mentionable[] | undefined>;

/** A finder that asks `client`; `now` in epoch milliseconds. */
export function createFileFinder(client: Client, now: () => number): FileFinder {
	let newest = 0;
	let known: { paths: readonly string[]; index: PathIndex } | undefined;
	const files = async (query: string) => {
		const [ranking, fzf, listed] = await Promise.all([
			import("./input/rankFiles.ts"),
			import("fzf") as Promise<FuzzyFinder>,
			client.send({ do: "listFiles" }),
		]);
		if (!listed.ok) return undefined;
		if (known?.paths !== listed.value) {
			const { indexPaths, withFolders } = ranking;
			known = { paths: listed.value, index: indexPaths(withFolders(listed.value)) };
		}
		const found: Mentionable[] = ranking.rankFiles(known.index, query, fzf).map((path) => ({ path }));
		const isBegun = query !== "" && SESSION_SIGN.startsWith(query);
		return isBegun ? [...found, { path: SESSION_SIGN, detail: "an earlier session" }] : found;
	};
	// Listing looks at every log: once for all letters by which a session is named.
	let listing: Promise<FoundSession[] | undefined> | undefined;
	const sessions = async (query: string) => {
		listing ??= listOthers(client);
		const others = await listing;
		if (!others) listing = undefined;
		return others && fittingSessions(others, query, now());
	};
	return async (query) => {
		const own = ++newest;
		const isSession = query.startsWith(SESSION_SIGN);
		if (!isSession) listing = undefined;
		const found = await (isSession ? sessions(query.slice(SESSION_SIGN.length)) : files(query));
		return own === newest ? found : undefined;
	};
}

/** This project's other sessions; undefined where they cannot be listed. */
async function listOthers(client: Client): Promise<FoundSession[] | undefined> {
	const listed = await client.send({ do: "listSessions" });
	return listed.ok ? listed.value.filter(({ id }) => id !== client.greeting.sessionId) : undefined;
}

/** Those whose id begins with `query` or whose title holds it, the newest first. */
function fittingSessions(sessions: readonly FoundSession[], query: string, now: number): Mentionable[] {
	const wanted = query.toLowerCase();
	const fitting = sessions.filter(
		({ id, title }) => id.startsWith(query) || title.toLowerCase().includes(wanted),
	);
	return sessionItems(fitting, now).map(({ id, label, detail = "" }) => ({
		path: `${SESSION_SIGN}${id}`,
		label,
		detail,
	}));
}
