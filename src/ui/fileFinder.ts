// The files for the @ palette: listed by the session's host, ranked here. Ranking is loaded at the first @, and a list
// is made ready once for all keys.

import type { Client } from "../rpc/client.ts";
import type { FuzzyFinder, PathIndex } from "./input/rankFiles.ts";

/** Finds the best paths for a query; undefined where a later query has overtaken it or nothing can be listed. */
export type FileFinder = (query: string) => Promise<string[] | undefined>;

/** A finder that asks `client`. */
export function createFileFinder(client: Client): FileFinder {
	let newest = 0;
	let known: { paths: readonly string[]; index: PathIndex } | undefined;
	return async (query) => {
		const own = ++newest;
		const [ranking, fzf, listed] = await Promise.all([
			import("./input/rankFiles.ts"),
			import("fzf") as Promise<FuzzyFinder>,
			client.send({ do: "listFiles" }),
		]);
		if (own !== newest || !listed.ok) return undefined;
		if (known?.paths !== listed.value)
			known = { paths: listed.value, index: ranking.indexPaths(listed.value) };
		return ranking.rankFiles(known.index, query, fzf);
	};
}
