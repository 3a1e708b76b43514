// Passages of the project's files: those that the question names, then what the index of files knows, and where that is
// not ready, what a text search finds. Every text is read anew from its file, through the workspace and its guards.

import { hash } from "node:crypto";
import { relative, resolve } from "node:path";
import type { Passage, RetrievalScope, Retriever } from "../../ports/retriever.ts";
import type { Search } from "../../ports/search.ts";
import type { Workspace } from "../../ports/workspace.ts";
import type { FileIndex, FoundFiles } from "./fileIndex.ts";
import { bestWindows, firstWindow, type WordWeights } from "./windows.ts";
import { queryWords } from "./words.ts";

/** Files that are read for one question, windows of one file, and bytes of one. */
const MOST_READ = 30;
const WINDOWS = 2;
const MOST_BYTES = 256 * 1024;
/** Lines that a text search brings at most, and files whose names are looked at. */
const MOST_LINES = 400;
const MOST_NAMES = 20_000;

/** What a file that the question names, or whose name it names, is worth more. */
const NAMED = 0.3;

/** Where files are looked for. */
export interface FilePlace {
	workspace: Workspace;
	search: Search;
	/** Files that count wherever they lie, by absolute path: memory. */
	extra: readonly string[];
	/** The index, where it can be used now; `isComplete` tells whether every file is in it. */
	index(): Promise<FileIndex | undefined>;
}

/** A retriever over the files of a workspace. */
export function createFileRetriever(place: FilePlace): Retriever {
	return {
		async search(query, scope) {
			const words = queryWords(query);
			if (words.length === 0) return { passages: [], notes: [] };
			const named = await namedFiles(place, query);
			const { found, notes } = await findFiles(place, words, scope);
			const passages: Passage[] = [];
			for (const path of [...new Set([...named, ...found.paths])].slice(0, MOST_READ)) {
				if (scope.signal.aborted) break;
				passages.push(...(await passagesOf(place, path, { weights: found.weights, named, scope })));
			}
			return { passages: passages.sort((one, other) => other.score - one.score), notes };
		},
	};
}

/** Files whose paths the question holds. */
async function namedFiles({ workspace }: FilePlace, query: string): Promise<string[]> {
	const paths = query.match(/[\w@.~/-]*[\w-](?:\.\w+|\/[\w.-]+)/g) ?? [];
	const named: string[] = [];
	for (const path of paths.slice(0, 5)) {
		const resolved = await workspace.resolve(path.replace(/:\d+$/, ""));
		if (resolved.ok && resolved.value.kind === "file" && resolved.value.inside)
			named.push(relative(workspace.root, resolved.value.real));
	}
	return named;
}

async function findFiles(
	place: FilePlace,
	words: readonly string[],
	scope: RetrievalScope,
): Promise<{ found: FoundFiles; notes: string[] }> {
	const { root } = place.workspace;
	const mayRead = (path: string) => scope.mayRead?.(resolve(root, path)) ?? true;
	const notes: string[] = [];
	try {
		const index = await place.index();
		if (index?.isComplete) return { found: index.find(words, mayRead, MOST_READ), notes };
		notes.push("The index of this project's files is not ready yet; a plain text search was used instead.");
	} catch (error) {
		const reason = error instanceof Error ? error.message : String(error);
		notes.push(`${reason}; a plain text search was used instead.`);
	}
	return { found: await searchText(place, words, mayRead, scope), notes };
}

/** Files that hold the most of the words, by a search line by line. */
async function searchText(
	{ search, workspace }: FilePlace,
	words: readonly string[],
	mayRead: (path: string) => boolean,
	{ signal }: RetrievalScope,
): Promise<FoundFiles> {
	const scope = { path: workspace.root, signal };
	const look = { pattern: words.join("|"), ignoreCase: true, context: 0, includeSecrets: false };
	const [lines, names] = await Promise.all([
		search.lines({ ...scope, ...look, limit: MOST_LINES }),
		search.files({ ...scope, glob: "*", limit: MOST_NAMES }),
	]);
	const held = new Map<string, Set<string>>();
	const add = (path: string, text: string) => {
		const known = held.get(path) ?? new Set();
		for (const word of words) if (text.includes(word)) known.add(word);
		held.set(path, known);
	};
	for (const { path, text } of lines.ok ? lines.value.lines : []) add(path, text.toLowerCase());
	for (const path of names.ok ? names.value.paths : []) add(path, path.toLowerCase());
	const ranked = [...held]
		.filter(([path, { size }]) => size > 0 && mayRead(path))
		.sort(([a, one], [b, other]) => other.size - one.size || (a < b ? -1 : 1));
	return {
		paths: ranked.slice(0, MOST_READ).map(([path]) => path),
		weights: new Map(words.map((word) => [word, 1])),
	};
}

async function passagesOf(
	{ workspace, extra }: FilePlace,
	path: string,
	{ weights, named, scope }: { weights: WordWeights; named: readonly string[]; scope: RetrievalScope },
): Promise<Passage[]> {
	const resolved = await workspace.resolve(path);
	if (!resolved.ok || resolved.value.kind !== "file" || resolved.value.isSecret) return [];
	const { real, inside, shown } = resolved.value;
	if (!inside && !extra.includes(path)) return [];
	if (scope.mayRead?.(real) === false) return [];
	const content = await workspace.read(resolved.value, { maxBytes: MOST_BYTES });
	if (!content.ok || content.value.text === undefined) return [];
	const { text, bytes } = content.value;
	const isNamed =
		named.includes(path) || [...weights.keys()].some((word) => shown.toLowerCase().includes(word));
	const windows = bestWindows(text, weights, WINDOWS);
	if (windows.length === 0 && isNamed) windows.push(firstWindow(text, 0));
	const version = hash("sha256", bytes, "hex").slice(0, 8);
	return windows.map(({ line, text: piece, score }) => ({
		...{ source: shown, version, line, text: piece },
		score: Math.min(1, score + (isNamed ? NAMED : 0)),
	}));
}
