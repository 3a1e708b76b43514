// Patterns over paths: `*` and `?` within one name, `**` over any number of names, a pattern that ends in `/` for all
// below it. Text alone; whoever asks has followed the links before.

import { matchesName } from "./namePattern.ts";
import { absolutePath } from "./places.ts";

/** What a pattern is relative to: the workspace folder, and home for `~/`. */
export interface PatternPlaces {
	root: string;
	home: string;
}

/** Longest path, in names, that is compared; a longer one is matched by a strict pattern and by no other. */
const MAX_NAMES = 100;

/**
 * Whether an absolute path, or one relative to the root, matches. `isStrict`, for ask and deny: letter case does not
 * count, and a pattern that names a folder covers all below it.
 */
export function matchesPath(
	pattern: string,
	path: string,
	places: PatternPlaces,
	isStrict: boolean,
): boolean {
	const [wanted, real] = [namesOf(pattern, places), namesOf(path, places)];
	if (real.length > MAX_NAMES || wanted.length > MAX_NAMES) return isStrict;
	const fold = (name: string) => (isStrict ? name.toLowerCase() : name);
	const globs = (pattern.endsWith("/") ? [...wanted, "**"] : wanted).map(fold);
	return matchesNames(globs, real.map(fold), isStrict);
}

/** Whether the pattern names one path and no other. */
export function isLiteral(pattern: string): boolean {
	return !/[*?]/.test(pattern) && !pattern.endsWith("/");
}

/** Whether the pattern itself says that it reaches out of the workspace. */
export function isAbsolutePattern(pattern: string): boolean {
	return pattern.startsWith("/") || pattern.startsWith("~/");
}

function namesOf(path: string, { root, home }: PatternPlaces): string[] {
	const full = path.startsWith("~/") ? `${home}/${path.slice(2)}` : path;
	return (absolutePath(full, root) ?? "").split("/").filter((name) => name !== "");
}

/** Row by row over the names, so that no pattern takes more than their product of steps. */
function matchesNames(globs: readonly string[], names: readonly string[], isPrefixEnough: boolean): boolean {
	let reached = new Set([0]);
	const skipStars = (at: Set<number>) => {
		for (const index of at) if (globs[index] === "**") at.add(index + 1);
		return at;
	};
	skipStars(reached);
	for (const name of names) {
		const next = new Set<number>();
		for (const index of reached) {
			const glob = globs[index];
			if (glob === "**") next.add(index);
			else if (glob !== undefined && matchesName(glob, name)) next.add(index + 1);
			else if (glob === undefined && isPrefixEnough) return true;
		}
		reached = skipStars(next);
	}
	return reached.has(globs.length);
}
