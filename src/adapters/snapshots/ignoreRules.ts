// What git ignores below a folder, by its `.gitignore` files, also where there is no repository. Reads those files only
// and runs no git: a repository's configuration may name programs.

import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import ignore, { type Ignore } from "ignore";

/** Rules that hold for a folder, those of the folders above behind them. */
export interface IgnoreRules {
	rules: Ignore;
	/** What goes before a path of the walk, and how much of its beginning goes away, for these rules to judge it. */
	prefix: string;
	skip: number;
	above: IgnoreRules | undefined;
}

/** Reads rules, and remembers what it made of a file as long as the file says the same: compiling them is slow. */
export interface RulesReader {
	/** The rules for the folder where a walk starts: its own, and those above it up to the repository's top. */
	atStart(root: string): IgnoreRules | undefined;
	/** The rules below a folder that has a `.gitignore`; `path` is the folder's, with a `/` at its end. */
	below(above: IgnoreRules | undefined, absolute: string, path: string): IgnoreRules | undefined;
}

const GIT_FOLDS_CASE = process.platform === "darwin" || process.platform === "win32";

/** A reader that knows nothing yet. */
export function createRulesReader(): RulesReader {
	const known = new Map<string, { text: string; rules: Ignore }>();

	function add(
		above: IgnoreRules | undefined,
		file: string,
		prefix: string,
		skip: number,
	): IgnoreRules | undefined {
		try {
			const text = readFileSync(file, "utf8");
			let entry = known.get(file);
			if (entry?.text !== text) entry = { text, rules: ignore({ ignorecase: GIT_FOLDS_CASE }).add(text) };
			known.set(file, entry);
			return { rules: entry.rules, prefix, skip, above };
		} catch {
			return above;
		}
	}

	return {
		atStart(root) {
			const folders = foldersToTop(root);
			const top = folders.length - 1;
			let found = add(
				undefined,
				join(folders[top] ?? root, ".git", "info", "exclude"),
				prefixBelow(folders, top),
				0,
			);
			for (let i = top; i >= 0; i--)
				found = add(found, join(folders[i] ?? root, ".gitignore"), prefixBelow(folders, i), 0);
			return found;
		},
		below: (above, absolute, path) => add(above, join(absolute, ".gitignore"), "", path.length),
	};
}

/** Whether the rules ignore a path of the walk; a folder's path ends in `/`. The nearest rule that speaks decides. */
export function isIgnored(rules: IgnoreRules | undefined, path: string): boolean {
	for (let at = rules; at !== undefined; at = at.above) {
		const verdict = at.rules.test(at.prefix + path.slice(at.skip));
		if (verdict.ignored) return true;
		if (verdict.unignored) return false;
	}
	return false;
}

/** A folder and those above it up to the repository's top; without a repository only the folder itself. */
function foldersToTop(root: string): string[] {
	const folders = [root];
	for (let folder = root; !existsSync(join(folder, ".git")); folder = dirname(folder)) {
		if (dirname(folder) === folder) return [root];
		folders.push(dirname(folder));
	}
	return folders;
}

/** The way from the `i`-th folder above down to the root, with a `/` at its end; "" for the root itself. */
function prefixBelow(folders: readonly string[], i: number): string {
	return folders
		.slice(0, i)
		.reverse()
		.map((folder) => `${basename(folder)}/`)
		.join("");
}
