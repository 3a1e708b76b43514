// Looks up where the paths lead that a read-only command names, so that its judge need not guess: links followed,
// patterns resolved as the shell will. It only looks; a word it cannot look up is left out, which makes the judge ask.

import type { NamedPath } from "../../policy/facts.ts";
import { type PathWord, pathWords } from "../../policy/judgeParts.ts";
import { matchesName } from "../../policy/namePattern.ts";
import type { Searched } from "../../policy/readOnly.ts";
import { isSecretPath } from "../../policy/secretNames.ts";
import type { ToolContext } from "../../ports/tool.ts";
import type { ResolvedPath } from "../../ports/workspace.ts";

/** All that is needed to look. */
type Looking = Pick<ToolContext, "workspace">;

/** Words, and files found by patterns, that are looked up for one command; beyond, the judge asks. */
const MAX_WORDS = 64;
const MAX_FOUND = 500;

/** Entries of folders that one search is looked through for. */
const MAX_ENTRIES = 10_000;
/** Folders of what was fetched or built: no secrets of this project, but keys that others made for their tests. */
const FOREIGN: ReadonlySet<string> = new Set(["node_modules", ".git", ".venv", "venv", "vendor", "target"]);

/** Where the words of a command lead that starts in `folder` (absolute). */
export async function lookUpPaths(command: string, folder: string, context: Looking): Promise<NamedPath[]> {
	const words = pathWords(command);
	if (words.length === 0 || words.length > MAX_WORDS) return [];
	const found = await Promise.all(words.map((word) => lookUp(word, folder, context)));
	return found.flat();
}

async function lookUp(
	{ word, isGlob, searched }: PathWord,
	folder: string,
	context: Looking,
): Promise<NamedPath[]> {
	// A shell goes up from where a link led to, not from where it stands.
	if (/(^|\/)(?!\.{0,2}\/)[^/]+\/(.*\/)?\.\.(\/|$)/.test(word)) return [];
	const paths = isGlob
		? await expand(word, folder, context)
		: await resolved([absolute(word, folder)], context);
	if (paths === undefined) return [];
	const named = paths.map((path) => toNamed(word, path));
	if (searched === undefined) return named;
	for (const path of paths) {
		const secrets = await secretsBelow(path, searched, context);
		if (secrets === undefined) return [...named, { ...toNamed(word, path), isVast: true }];
		if (secrets.length > 0) return [...named, ...secrets.map((secret) => toNamed(word, secret))];
	}
	return named;
}

function toNamed(word: string, { real, inside, isSecret }: ResolvedPath): NamedPath {
	return { word, real, inside, isSecret };
}

function absolute(word: string, folder: string): string {
	return word.startsWith("/") ? word : `${folder === "/" ? "" : folder}/${word}`;
}

async function resolved(
	paths: readonly string[],
	{ workspace }: Looking,
): Promise<ResolvedPath[] | undefined> {
	const all = await Promise.all(paths.map((path) => workspace.resolve(path)));
	const values = all.flatMap((one) => (one.ok ? [one.value] : []));
	return values.length === all.length ? values : undefined;
}

/** What a pattern finds, and the folder it looks in; undefined where that is too much or cannot be known. */
async function expand(word: string, folder: string, context: Looking): Promise<ResolvedPath[] | undefined> {
	const names = absolute(word, folder).split("/");
	const first = names.findIndex((name) => /[*?[]/.test(name));
	// A `..` behind a pattern leads out of whatever the pattern finds.
	if (names.slice(first).some((name) => name === ".." || name.includes("["))) return undefined;
	let reached = await resolved([names.slice(0, first).join("/") || "/"], context);
	const seen = [...(reached ?? [])];
	for (const name of names.slice(first).filter((one) => one !== "" && one !== ".")) {
		if (!reached || reached.length > MAX_FOUND) return undefined;
		// A pattern may look into a folder only where a read there is free.
		if (reached.some(({ inside }) => !inside)) return seen;
		const below = await Promise.all(reached.map((path) => namesIn(path, name, context)));
		reached = await resolved(below.flat(), context);
		seen.push(...(reached ?? []));
	}
	return reached && seen;
}

async function namesIn(folder: ResolvedPath, glob: string, { workspace }: Looking): Promise<string[]> {
	if (folder.kind !== "folder") return [];
	const entries = await workspace.list(folder);
	if (!entries.ok) return [];
	const isHidden = (name: string) => name.startsWith(".");
	return entries.value
		.filter(({ name }) => matchesName(glob, name) && (isHidden(glob) || !isHidden(name)))
		.map(({ name }) => `${folder.real}/${name}`);
}

/** The first files of secrets below a folder that a search would show; undefined where too much lies below it. */
async function secretsBelow(
	folder: ResolvedPath,
	searched: Searched,
	context: Looking,
): Promise<ResolvedPath[] | undefined> {
	if (folder.kind !== "folder" || !folder.inside) return [];
	const folders = [folder.real];
	let entries = 0;
	for (const real of folders) {
		const listed = await context.workspace.list({ ...folder, real, shown: real, given: real });
		if (!listed.ok) continue;
		entries += listed.value.length;
		if (entries > MAX_ENTRIES) return undefined;
		const shown = listed.value.filter(({ name }) => searched === "all" || !name.startsWith("."));
		const paths = shown.map(({ name }) => `${real === "/" ? "" : real}/${name}`);
		const secrets = paths.filter((_, at) => isSecretPath([shown[at]!.name]));
		if (secrets.length > 0) return (await resolved(secrets, context)) ?? [];
		folders.push(...paths.filter((_, at) => shown[at]!.kind === "folder" && !FOREIGN.has(shown[at]!.name)));
	}
	return [];
}
