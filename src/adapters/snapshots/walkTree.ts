// Finds everything below the workspace that a snapshot holds. Looks at names and metadata only, follows no link, gives
// the thread back now and then, and stops at its bounds before any content was read.

import { type BigIntStats, type Dirent, lstatSync, readdirSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { type IgnoreRules, isIgnored, type RulesReader } from "./ignoreRules.ts";
import { TREE_FILE_BYTES } from "./lookAt.ts";

/** How much a snapshot takes on. */
export interface TreeBounds {
	files: number;
	bytes: number;
	ms: number;
}

/** One path as the walk met it. */
export interface Met {
	path: string;
	absolute: string;
	stats: BigIntStats;
}

export type Walk = { ok: true; met: Met[] } | { ok: false; why: string };

/** Never part of a snapshot: git's own store, and packages that an install brings again. */
const SKIPPED = new Set([".git", "node_modules"]);

/** The thread is given back after so many milliseconds. */
const SLICE_MS = 12;

/** Gives the thread back where its slice is over; false once the time of the whole is. */
export type Pacer = () => Promise<boolean> | true;

/** A pacer that ends `ms` from now. */
export function createPacer(ms: number): Pacer {
	const end = performance.now() + ms;
	let slice = 0;
	return () => {
		const now = performance.now();
		if (now < slice) return true;
		slice = now + SLICE_MS;
		if (now > end) return Promise.resolve(false);
		return setImmediate(true);
	};
}

/** What is walked, and what is left out of it. */
export interface WalkScope {
	root: string;
	added: readonly string[];
	without: ReadonlySet<string>;
	reader: RulesReader;
}

interface Folder {
	path: string;
	absolute: string;
	rules: IgnoreRules | undefined;
}

/** Walks `root` (paths relative to it) and `added` folders (absolute paths), but for the folders `without`. */
export async function walkTree(
	{ root, added, without, reader }: WalkScope,
	bounds: TreeBounds,
	pace: Pacer,
): Promise<Walk> {
	const met: Met[] = [];
	let bytes = 0;
	const waiting: Folder[] = [
		{ path: "", absolute: root, rules: reader.atStart(root) },
		...added.map((folder) => ({
			path: `${folder}/`,
			absolute: folder,
			rules: shifted(reader.atStart(folder), folder),
		})),
	];
	for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
		const entries = entriesOf(folder.absolute);
		const hasRules = folder.path !== "" && entries.some((entry) => entry.name === ".gitignore");
		const rules = hasRules ? reader.below(folder.rules, folder.absolute, folder.path) : folder.rules;
		for (const entry of entries) {
			if (SKIPPED.has(entry.name)) continue;
			const path = folder.path + entry.name;
			const absolute = `${folder.absolute}/${entry.name}`;
			const isFolder = entry.isDirectory();
			if (rules !== undefined && isIgnored(rules, isFolder ? `${path}/` : path)) continue;
			if (isFolder && without.has(absolute)) continue;
			const stats = statsOf(absolute);
			if (stats === undefined) continue;
			met.push({ path, absolute, stats });
			if (stats.isDirectory()) waiting.push({ path: `${path}/`, absolute, rules });
			else if (stats.size <= TREE_FILE_BYTES) bytes += Number(stats.size);
		}
		if (met.length > bounds.files) return tooMuch(`it has more than ${bounds.files} files`);
		if (bytes > bounds.bytes) return tooMuch(`its files are more than ${bounds.bytes / 1024 / 1024} MB`);
		const paced = pace();
		if (paced !== true && !(await paced))
			return tooMuch(`looking at it takes more than ${bounds.ms / 1000} s`);
	}
	return { ok: true, met };
}

/** Why a tree is not kept as a whole. */
export function tooMuch(why: string): { ok: false; why: string } {
	return { ok: false, why };
}

/** Rules of an added folder judge paths that begin with that folder. */
function shifted(rules: IgnoreRules | undefined, folder: string): IgnoreRules | undefined {
	return rules && { ...rules, skip: rules.skip + folder.length + 1, above: shifted(rules.above, folder) };
}

/** A folder that may not be read, or is gone by now, has no entries. */
function entriesOf(absolute: string): Dirent[] {
	try {
		return readdirSync(absolute, { withFileTypes: true });
	} catch {
		return [];
	}
}

function statsOf(absolute: string): BigIntStats | undefined {
	try {
		return lstatSync(absolute, { bigint: true, throwIfNoEntry: false });
	} catch {
		return undefined;
	}
}
