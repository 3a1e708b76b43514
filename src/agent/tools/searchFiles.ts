// The tool `searchFiles`: lines that match a regular expression, bounded in hits and in letters. Files that usually
// hold secrets are looked into only where the call names one, which the policy then knows.

import * as z from "zod";
import type { FoundLine, LineSearchEnd } from "../../ports/search.ts";
import type { Tool } from "../../ports/tool.ts";
import type { ResolvedPath } from "../../ports/workspace.ts";
import { notAFile, pathFacts, resolvePath, showName } from "./filePath.ts";
import { lazySchema } from "./lazySchema.ts";
import { endOfSearch, globHint, pathPrefix } from "./searchOutcome.ts";

const MAX_HITS = 200;
const MAX_TEXT_LENGTH = 40_000;

const schema = lazySchema(() =>
	z.strictObject({
		pattern: z.string().describe("regex"),
		path: z.string().optional().describe("file or folder"),
		glob: z.string().optional(),
		ignoreCase: z.boolean().optional(),
		context: z.int().min(0).max(20).optional().describe("lines around"),
	}),
);

/** The tool `searchFiles`. */
export const searchFiles: Tool<z.infer<ReturnType<typeof schema>>> = {
	name: "searchFiles",
	description: "Search file contents, line by line.",
	get schema() {
		return schema();
	},
	version: 1,
	effects: "none",
	recovery: "none",
	async prepare({ pattern, path, glob, ignoreCase = false, context: around = 0 }, context) {
		const resolved = await resolvePath(context, path || ".");
		if (!resolved.ok) return resolved.error;
		const place = resolved.value;
		if (place.kind === "missing" || place.kind === "other") return notAFile(place);
		return {
			resources: [{ kind: place.kind === "file" ? "file" : "tree", key: place.real, access: "read" }],
			summary: `Search ${place.shown} for ${pattern}`,
			facts: pathFacts(place),
			async run({ search, signal }) {
				const found = await search.lines({
					path: place.real,
					pattern,
					...(glob ? { glob } : {}),
					ignoreCase,
					context: around,
					limit: MAX_HITS,
					includeSecrets: place.isSecret,
					signal,
				});
				if (!found.ok) return endOfSearch(found.error);
				return { status: "result", text: showHits({ pattern, place, around, glob }, found.value) };
			},
		};
	},
};

/** What was searched for, and where. */
interface Asked {
	pattern: string;
	place: ResolvedPath;
	around: number;
	glob: string | undefined;
}

function showHits({ pattern, place, around, glob }: Asked, found: LineSearchEnd): string {
	const { kept, hits } = takeLines(place, around, found.lines);
	const hint = hits === 0 && glob !== undefined ? globHint(glob) : undefined;
	const notes = [
		...(hint === undefined ? [] : [hint]),
		...(found.cut || hits < found.hits
			? [`[Showing the first ${hits} hits; there are more. Narrow pattern, path or glob.]`]
			: []),
		...(found.timedOut
			? ["[The search took too long and was ended; hits may be missing. Narrow path or glob.]"]
			: []),
		...(found.secretFiles > 0
			? [
					found.secretFiles === 1
						? "[1 file that usually holds secrets was left out.]"
						: `[${found.secretFiles} files that usually hold secrets were left out.]`,
				]
			: []),
	];
	const none = `No line matches ${pattern} in ${place.shown} (what git ignores and binary files are left out).`;
	return [...(hits === 0 ? [none] : kept), ...notes].join("\n");
}

/** The lines as text, as many as the bound allows; `--` stands between pieces that do not touch. */
function takeLines(
	place: ResolvedPath,
	around: number,
	lines: readonly FoundLine[],
): { kept: string[]; hits: number } {
	const kept: string[] = [];
	let hits = 0;
	let length = 0;
	let previous: FoundLine | undefined;
	for (const line of lines) {
		const mark = line.isHit ? ":" : "-";
		const path = place.kind === "file" ? place.shown : pathPrefix(place) + showName(line.path);
		const shown =
			line.line === 0 ? `${path}: ${line.text}` : `${path}${mark}${line.line}${mark} ${line.text}`;
		length += shown.length + 1;
		if (length > MAX_TEXT_LENGTH) break;
		const touches = previous?.path === line.path && previous.line + 1 === line.line;
		if (around > 0 && previous !== undefined && !touches) kept.push("--");
		kept.push(shown);
		hits += line.isHit ? 1 : 0;
		previous = line;
	}
	return { kept, hits };
}
