// Globs as models write them: `*`, `?`, `[a-z]`, `{a,b}`, `**`, a leading `!`. Matching takes time linear in pattern
// times path, so that no pattern can hang the program. Never looks at the disk.

/** Alternatives that `{a,b}` may unfold to; the rest is not looked at. */
const MAX_ALTERNATIVES = 200;

/** One place of a name: a run of characters, or one character with a test. */
type NamePart = "run" | ((char: string) => boolean);

/** One place of a path: a run of folders, or one name. */
type PathPart = "run" | NamePart[];

export interface GlobPattern {
	/** Whether a path, relative and with `/`, matches. */
	matches(path: string): boolean;
	/** Plain name globs of which each matching path has one; undefined where that cannot be told. */
	names: string[] | undefined;
}

/** Reads a glob. Without a slash it matches names at any depth; with one it is relative to the searched folder. */
export function parseGlob(glob: string): GlobPattern {
	const inverted = glob.startsWith("!");
	const alternatives = unfold((inverted ? glob.slice(1) : glob).replace(/^\.?\/+/, "")).map((one) =>
		one.endsWith("/") ? `${one}**` : one,
	);
	const patterns = alternatives.map((one) =>
		(one.includes("/") ? one : `**/${one}`).split("/").map(parsePathPart),
	);
	const names = alternatives.map((one) => one.slice(one.lastIndexOf("/") + 1));
	return {
		matches: (path) => {
			const parts = path.split("/").map((name) => [...name]);
			return patterns.some((pattern) => matchRuns(pattern, parts, matchName)) !== inverted;
		},
		names:
			!inverted && names.every((name) => /^[\w.*?+@-]+$/.test(name) && name !== "**") ? names : undefined,
	};
}

/** Unfolds the first `{a,b}`, and what is left of it in turn; braces without a partner stand for themselves. */
function unfold(glob: string): string[] {
	const done: string[] = [];
	const open = [glob];
	while (open.length > 0 && done.length < MAX_ALTERNATIVES) {
		const next = open.shift() as string;
		const group = /\{([^{}]*,[^{}]*)\}/.exec(next);
		if (group === null) done.push(next);
		else if (open.length < MAX_ALTERNATIVES) {
			const before = next.slice(0, group.index);
			const after = next.slice(group.index + group[0].length);
			open.push(...(group[1] as string).split(",").map((choice) => before + choice + after));
		}
	}
	return done;
}

function parsePathPart(part: string): PathPart {
	if (part === "**") return "run";
	const parts: NamePart[] = [];
	for (const [token] of part.matchAll(/\*+|\\.|\[!?\^?\]?[^\]]*\]|./gsu)) {
		if (token.startsWith("*")) parts.push("run");
		else if (token === "?") parts.push(() => true);
		else if (token.length > 2 && token.startsWith("[")) parts.push(parseClass(token.slice(1, -1)));
		else {
			const literal = token.length > 1 && token.startsWith("\\") ? token.slice(1) : token;
			parts.push((char) => char === literal);
		}
	}
	return parts;
}

function parseClass(body: string): (char: string) => boolean {
	const inverted = /^[!^]/.test(body);
	const ranges = [...(inverted ? body.slice(1) : body).matchAll(/(.)-(.)|(.)/gsu)].map(
		([, from, to, single]) => [from ?? single, to ?? single] as [string, string],
	);
	return (char) => ranges.some(([from, to]) => from <= char && char <= to) !== inverted;
}

function matchName(part: PathPart, chars: string[]): boolean {
	return part !== "run" && matchRuns(part, chars, (one, char) => one !== "run" && one(char));
}

/** Wildcard matching: on a mismatch only the last run has to take one item more. */
function matchRuns<P, I>(
	pattern: readonly P[],
	items: readonly I[],
	matchOne: (part: P, item: I) => boolean,
): boolean {
	let at = 0;
	let item = 0;
	let lastRun = -1;
	let runEnd = 0;
	while (item < items.length) {
		const part = pattern[at];
		if (part === "run") {
			lastRun = at++;
			runEnd = item;
		} else if (part !== undefined && matchOne(part, items[item] as I)) {
			at += 1;
			item += 1;
		} else if (lastRun >= 0) {
			at = lastRun + 1;
			item = ++runEnd;
		} else return false;
	}
	while (pattern[at] === "run") at += 1;
	return at === pattern.length;
}
