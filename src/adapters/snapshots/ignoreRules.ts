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

const GIT_FOLDS_CASE = process.platform === "darwin" || process.platform === "win32";

/** The rules for the folder where a walk starts: its own, and those above it up to the repository's top. */
export function rulesAtStart(root: string): IgnoreRules | undefined {
	const folders = [root];
	for (let folder = root; !existsSync(join(folder, ".git")); folder = dirname(folder)) {
		if (dirname(folder) === folder) {
			// No repository: only what stands in the folder itself counts.
			folders.length = 1;
			break;
		}
		folders.push(dirname(folder));
	}
	let found: IgnoreRules | undefined;
	const top = folders.at(-1) ?? root;
	found = addRules(found, join(top, ".git", "info", "exclude"), prefixBelow(folders, folders.length - 1), 0);
	for (let i = folders.length - 1; i >= 0; i--)
		found = addRules(found, join(folders[i] ?? root, ".gitignore"), prefixBelow(folders, i), 0);
	return found;
}

/** The rules below a folder that has a `.gitignore`; `path` is the folder's, with a `/` at its end. */
export function rulesBelow(above: IgnoreRules | undefined, absolute: string, path: string): IgnoreRules | undefined {
	return addRules(above, join(absolute, ".gitignore"), "", path.length);
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

function addRules(
	above: IgnoreRules | undefined,
	file: string,
	prefix: string,
	skip: number,
): IgnoreRules | undefined {
	try {
		const rules = ignore({ ignorecase: GIT_FOLDS_CASE }).add(readFileSync(file, "utf8"));
		return { rules, prefix, skip, above };
	} catch {
		return above;
	}
}

/** The way from the `i`-th folder above down to the root, with a `/` at its end; "" for the root itself. */
function prefixBelow(folders: readonly string[], i: number): string {
	return folders
		.slice(0, i)
		.reverse()
		.map((folder) => `${basename(folder)}/`)
		.join("");
}
