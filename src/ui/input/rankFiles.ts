// Ranks paths for the @file palette: a cheap filter over all of them, then fzf over the likeliest few hundred, so that
// 100,000 paths take well under 100 ms at each key. Pure; fzf is loaded by the caller, late.

import type { Fzf, FzfResultItem } from "fzf";

/** The part of the module `fzf` that is needed. */
export interface FuzzyFinder {
	Fzf: typeof Fzf;
}

/** Paths made ready to be searched, once for all keys: small letters cost more than the search itself. */
export interface PathIndex {
	paths: readonly string[];
	small: readonly string[];
}

/** More candidates make no better list, only a slower one. */
const MOST_CANDIDATES = 400;

/** `paths` made ready for `rankFiles`. */
export function indexPaths(paths: readonly string[]): PathIndex {
	return { paths, small: paths.map((path) => path.toLowerCase()) };
}

/** The paths of files with those of their folders, each with a slash at its end and before the first file in it. */
export function withFolders(paths: readonly string[]): string[] {
	const known = new Set<string>();
	const foldersOf = (path: string): string[] => {
		const slash = path.lastIndexOf("/", path.length - 2);
		const folder = path.slice(0, slash + 1);
		if (slash < 0 || known.has(folder)) return [];
		known.add(folder);
		return [...foldersOf(folder), folder];
	};
	return paths.flatMap((path) => [...foldersOf(path), path]);
}

/** The `limit` best paths for `query`, best first, the shorter of equals; the first paths where the query is empty. */
export function rankFiles(index: PathIndex, query: string, { Fzf }: FuzzyFinder, limit = 50): string[] {
	if (query === "") return index.paths.slice(0, limit);
	const finder = new Fzf(findCandidates(index, query.toLowerCase()), {
		limit,
		casing: "case-insensitive",
		tiebreakers: [(a: FzfResultItem<string>, b: FzfResultItem<string>) => a.item.length - b.item.length],
	});
	return finder.find(query).map((found: FzfResultItem<string>) => found.item);
}

/** Paths that hold the letters of `wanted` in order; where they are too many, those whose name holds them best. */
function findCandidates({ paths, small }: PathIndex, wanted: string): string[] {
	const tiers: [string[], string[], string[], string[]] = [[], [], [], []];
	for (let i = 0; i < paths.length && tiers[0].length < MOST_CANDIDATES; i++) {
		const tier = tierOf(small[i]!, wanted, tiers[3].length < MOST_CANDIDATES);
		if (tier !== undefined && tiers[tier].length < MOST_CANDIDATES) tiers[tier].push(paths[i]!);
	}
	return tiers.flat().slice(0, MOST_CANDIDATES);
}

/**
 * 0: the file's name begins with it; 1: the name holds it; 2: the path does; 3 (where `loosely`, it is the costly one):
 * its letters stand there in order.
 */
function tierOf(path: string, wanted: string, loosely: boolean): 0 | 1 | 2 | 3 | undefined {
	if (path.includes(wanted)) {
		const at = path.lastIndexOf(wanted);
		const nameAt = path.lastIndexOf("/", path.length - 2) + 1;
		return at === nameAt ? 0 : at > nameAt ? 1 : 2;
	}
	if (!loosely) return undefined;
	let from = 0;
	for (let i = 0; i < wanted.length; i++) {
		const found = path.indexOf(wanted.charAt(i), from);
		if (found < 0) return undefined;
		from = found + 1;
	}
	return 3;
}
