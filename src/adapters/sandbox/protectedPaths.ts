// Finds what steers programs in a workspace: the names of `policy/protectedNames.ts` at its top, `.git` also further
// down, and where a `.git` that is a file or a link leads. Only looks. What it saw of a folder it knows again by the
// folder's change time, which no command can set back.

import { type BigIntStats, lstatSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { PROTECTED_NAMES } from "../../policy/protectedNames.ts";
import { isInside } from "../../policy/sandboxProfile.ts";

/** A protected entry as it was seen. */
export interface ProtectedEntry {
	path: string;
	/** Kind, device and inode. */
	identity: string;
	isLink: boolean;
	/** Lies directly in a root. */
	isTop: boolean;
}

/** What was found; `targets` are real paths in the roots that the entries lead to, themselves included. */
export interface ProtectedPaths {
	entries: ProtectedEntry[];
	targets: string[];
}

/** How deep nested repositories are looked for. */
const DEPTH = 3;
/** In a larger tree those found so far are protected. */
const MOST_FOLDERS = 5_000;
/** Vendored trees, too large to be looked through before each command. */
const SKIPPED = new Set([
	"node_modules",
	".venv",
	"venv",
	"target",
	"vendor",
	"dist",
	"build",
	"__pycache__",
]);

interface FolderView {
	changed: string;
	folders: string[];
	found: string[];
}

/** A finder with a memory of its own; never throws for what cannot be read. */
export function createProtectedFinder(): (roots: readonly string[]) => ProtectedPaths {
	let known = new Map<string, FolderView>();
	return (roots) => {
		const seen = new Map<string, FolderView>();
		const entries = roots.flatMap((root) => walk(root, known, seen));
		known = seen;
		const targets = entries.flatMap((entry) => targetsOf(entry.path));
		return { entries, targets: [...new Set(targets)].filter((path) => inRoots(path, roots)) };
	};
}

/** Protected entries that a command made: those of `after` that were not there before, however they came. */
export function newEntries(
	before: readonly ProtectedEntry[],
	after: readonly ProtectedEntry[],
): ProtectedEntry[] {
	const identities = new Set(before.map(({ identity }) => identity));
	const tops = new Set(before.filter(({ isTop, isLink }) => isTop && !isLink).map(({ path }) => path));
	// One at the top was a mount that no command can replace: an editor of the person saved it anew.
	return after.filter(({ path, identity }) => !identities.has(identity) && !tops.has(path));
}

function walk(
	root: string,
	known: ReadonlyMap<string, FolderView>,
	seen: Map<string, FolderView>,
): ProtectedEntry[] {
	const entries: ProtectedEntry[] = [];
	let level = [root];
	for (let depth = 0; depth <= DEPTH; depth++) {
		const next: string[] = [];
		for (const folder of level) {
			if (seen.size >= MOST_FOLDERS) return entries;
			const view = look(folder, depth === 0, known.get(folder));
			if (view === undefined) continue;
			seen.set(folder, view);
			for (const path of view.found) entries.push(...entryAt(path, depth === 0));
			next.push(...view.folders);
		}
		level = next;
	}
	return entries;
}

function look(folder: string, isTop: boolean, known: FolderView | undefined): FolderView | undefined {
	try {
		const { ctimeNs, ino } = lstatSync(folder, { bigint: true });
		const changed = `${ctimeNs}:${ino}`;
		if (known?.changed === changed) return known;
		const view: FolderView = { changed, folders: [], found: [] };
		for (const entry of readdirSync(folder, { withFileTypes: true })) {
			const name = entry.name.toLowerCase();
			const path = join(folder, entry.name);
			if (isTop ? PROTECTED_NAMES.has(name) : name === ".git") view.found.push(path);
			else if (entry.isDirectory() && !SKIPPED.has(name)) view.folders.push(path);
		}
		return view;
	} catch {
		return undefined;
	}
}

function entryAt(path: string, isTop: boolean): ProtectedEntry[] {
	const stats = statsOf(path);
	if (stats === undefined) return [];
	const isLink = stats.isSymbolicLink();
	// A link can be deleted by a command and its inode used again; it keeps its change time as long as it stands.
	const kind = isLink ? `link:${stats.ctimeNs}` : stats.isDirectory() ? "folder" : "file";
	return [{ path, identity: `${kind}:${stats.dev}:${stats.ino}`, isLink, isTop }];
}

function statsOf(path: string): BigIntStats | undefined {
	try {
		return lstatSync(path, { throwIfNoEntry: false, bigint: true });
	} catch {
		return undefined;
	}
}

/** The entry's real path and, of a `.git` file, the repository it names with what that shares (gitrepository-layout(5)). */
function targetsOf(path: string): string[] {
	const real = realPath(path);
	if (real === undefined) return [];
	const gitDir = namedBy(real, /^gitdir: (.+?)\r?\n?$/);
	if (gitDir === undefined) return [real];
	const common = namedBy(join(gitDir, "commondir"), /^(.+?)\r?\n?$/);
	return [real, gitDir, ...(common === undefined ? [] : [common])];
}

/** The existing path that a small file names; undefined where it is no such file. */
function namedBy(file: string, pattern: RegExp): string | undefined {
	try {
		const stats = lstatSync(file);
		if (!stats.isFile() || stats.size > 4_096) return undefined;
		const name = pattern.exec(readFileSync(file, "utf8"))?.[1];
		return name === undefined ? undefined : realPath(resolve(dirname(file), name));
	} catch {
		return undefined;
	}
}

function realPath(path: string): string | undefined {
	try {
		return realpathSync(path);
	} catch {
		return undefined;
	}
}

function inRoots(path: string, roots: readonly string[]): boolean {
	return roots.some((root) => isInside(path, root));
}
