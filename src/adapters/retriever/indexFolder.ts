// Brings the index of files up to date with a folder, a slice at a time, so that whoever types meanwhile does not notice.
// Reads only files that changed. Files that usually hold secrets, that git ignores, or that are no text are left out.

import { hash } from "node:crypto";
import { type BigIntStats, lstatSync, readFileSync } from "node:fs";
import { relative, resolve } from "node:path";
import { isSecretPath } from "../../policy/secretNames.ts";
import type { Search } from "../../ports/search.ts";
import type { FileIndex, FileState, IndexedFile } from "./fileIndex.ts";
import { wordsOf } from "./words.ts";

/** Files that are looked at, and bytes of one, at most. */
const MOST_FILES = 20_000;
const MOST_BYTES = 256 * 1024;

/** How long one slice may work before it rests, in milliseconds. */
const SLICE_MS = 6;

/** What is indexed, and how gently. */
export interface IndexedFolder {
	/** Real path. */
	root: string;
	/** Files that count wherever they lie, by absolute path, git-ignored ones too; what is not there counts for nothing. */
	extra: readonly string[];
	search: Search;
	/** Called after each slice; resolves when the next one may begin. */
	rest(): Promise<void>;
	signal: AbortSignal;
}

/** Resolves once every file was looked at, or at an abort, after which a later call goes on. Rejects like the index. */
export async function indexFolder(index: FileIndex, folder: IndexedFolder): Promise<void> {
	const { root, extra, search, signal } = folder;
	const listed = await search.files({ path: root, glob: "*", limit: MOST_FILES, signal });
	if (!listed.ok || signal.aborted) return;
	const inside = listed.value.paths.filter((path) => !isSecretPath(path.split("/")));
	const paths = new Set([...inside, ...extra.map((path) => nameIn(root, path))]);
	const known = index.states();
	let changed: IndexedFile[] = [];
	const gone = new Set(known.keys());
	let started = performance.now();
	const endSlice = async () => {
		if (changed.length > 0) index.put(changed);
		changed = [];
		await folder.rest();
		started = performance.now();
	};
	for (const path of paths) {
		const file = look(root, path, known.get(path));
		if (file !== "missing") gone.delete(path);
		if (typeof file === "object") changed.push(file);
		if (performance.now() - started >= SLICE_MS) await endSlice();
		if (signal.aborted) return;
	}
	// What a search did not come to before its time ran out may still be there.
	if (!listed.value.timedOut) index.drop([...gone]);
	await endSlice();
	if (!listed.value.timedOut) index.complete();
}

/** The file where it has changed; what it holds is not told where it is too large or no text. */
function look(root: string, path: string, known: FileState | undefined): IndexedFile | "same" | "missing" {
	const place = resolve(root, path);
	try {
		const stats = lstatSync(place, { bigint: true });
		if (!stats.isFile()) return "missing";
		if (known && isSame(known, stats)) return "same";
		const state = { path, size: Number(stats.size), mtimeNs: String(stats.mtimeNs) };
		if (stats.size > MOST_BYTES) return { ...state, digest: "", words: new Set() };
		const bytes = readFileSync(place);
		const words = bytes.includes(0) ? new Set<string>() : wordsOf(bytes.toString("utf8"));
		return { ...state, digest: hash("sha256", bytes, "hex"), words };
	} catch {
		return "missing";
	}
}

/** A path as the index names it. */
function nameIn(root: string, path: string): string {
	const name = relative(root, path);
	return name.startsWith("..") ? path : name;
}

function isSame({ size, mtimeNs }: FileState, stats: BigIntStats): boolean {
	return BigInt(size) === stats.size && mtimeNs === String(stats.mtimeNs);
}
