// Looks up where the paths lead that a read-only command names, so that its judge need not guess: links followed,
// patterns resolved as the shell will. It only looks; a word it cannot look up is left out, which makes the judge ask.

import type { NamedPath } from "../../policy/facts.ts";
import { type PathWord, pathWords } from "../../policy/judgeParts.ts";
import { matchesName } from "../../policy/namePattern.ts";
import { isSecretPath } from "../../policy/secretNames.ts";
import type { ToolContext } from "../../ports/tool.ts";
import type { ResolvedPath } from "../../ports/workspace.ts";

/** All that is needed to look. */
type Looking = Pick<ToolContext, "workspace">;

/** Words, and files found by patterns, that are looked up for one command; beyond, the judge asks. */
const MAX_WORDS = 64;
const MAX_FOUND = 500;

/** Where the words of a command lead that starts in `folder` (absolute). */
export async function lookUpPaths(command: string, folder: string, context: Looking): Promise<NamedPath[]> {
	const words = pathWords(command);
	if (words.length === 0 || words.length > MAX_WORDS) return [];
	const found = await Promise.all(words.map((word) => lookUp(word, folder, context)));
	return found.flat();
}

async function lookUp(
	{ word, isGlob, isSearched }: PathWord,
	folder: string,
	context: Looking,
): Promise<NamedPath[]> {
	// A shell goes up from where a link led to, not from where it stands.
	if (/(^|\/)(?!\.{0,2}\/)[^/]+\/(.*\/)?\.\.(\/|$)/.test(word)) return [];
	const paths = isGlob
		? await expand(word, folder, context)
		: await resolved([absolute(word, folder)], context);
	if (paths === undefined) return [];
	const inside = isSearched ? await Promise.all(paths.map((path) => secretsIn(path, context))) : [];
	return [...paths, ...inside.flat()].map((path) => toNamed(word, path));
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

/** Files right in a folder that hold secrets: a search through it would show them. */
async function secretsIn(folder: ResolvedPath, context: Looking): Promise<ResolvedPath[]> {
	if (folder.kind !== "folder" || !folder.inside) return [];
	const entries = await context.workspace.list(folder);
	if (!entries.ok) return [];
	const secrets = entries.value.filter(({ name }) => isSecretPath([name]));
	return (
		(await resolved(
			secrets.map(({ name }) => `${folder.real}/${name}`),
			context,
		)) ?? []
	);
}
