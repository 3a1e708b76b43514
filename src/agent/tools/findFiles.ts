// The tool `findFiles`: files by glob, in order of path, without what git ignores.

import * as z from "zod";
import type { FileSearchEnd } from "../../ports/search.ts";
import type { Tool } from "../../ports/tool.ts";
import type { ResolvedPath } from "../../ports/workspace.ts";
import { failed } from "../toolResults.ts";
import { pathFacts, resolvePath, showName, toolError } from "./filePath.ts";
import { lazySchema } from "./lazySchema.ts";
import { endOfSearch, globHint, pathPrefix } from "./searchOutcome.ts";

const MAX_FILES = 300;

const schema = lazySchema(() =>
	z.strictObject({
		pattern: z.string().describe("glob, as src/**/*.ts"),
		path: z.string().optional().describe("folder"),
	}),
);

/** The tool `findFiles`. */
export const findFiles: Tool<z.infer<ReturnType<typeof schema>>> = {
	name: "findFiles",
	description: "Find files by glob, without what git ignores.",
	get schema() {
		return schema();
	},
	version: 1,
	effects: "none",
	recovery: "none",
	async prepare({ pattern, path }, context) {
		const resolved = await resolvePath(context, path || ".");
		if (!resolved.ok) return resolved.error;
		const folder = resolved.value;
		if (folder.kind === "missing") return toolError("NOT_FOUND", `Folder not found: ${path}`);
		if (folder.kind !== "folder") return toolError("INVALID_ARGUMENT", `${path} is not a folder.`);
		return {
			resources: [{ kind: "tree", key: folder.real, access: "read" }],
			summary: `Find ${pattern} in ${folder.shown}`,
			facts: pathFacts(folder),
			async run({ search, signal }) {
				const found = await search.files({ path: folder.real, glob: pattern, limit: MAX_FILES, signal });
				if (!found.ok) return endOfSearch(found.error);
				if (found.value.timedOut) {
					const message = `The search for ${pattern} took too long. Name a folder further down in path.`;
					return failed(toolError("TIMEOUT", message));
				}
				return { status: "result", text: showFiles(pattern, folder, found.value) };
			},
		};
	},
};

function showFiles(pattern: string, folder: ResolvedPath, found: FileSearchEnd): string {
	if (found.total === 0) {
		const hint = globHint(pattern);
		const none = `No file matches ${pattern} in ${folder.shown} (what git ignores is left out).`;
		return hint === undefined ? none : `${none}\n${hint}`;
	}
	const lines = found.paths.map((path) => pathPrefix(folder) + showName(path));
	const left = found.total - lines.length;
	const note = `[Showing ${lines.length} of ${found.total} files. Use a narrower pattern or a path.]`;
	return [...lines, ...(left > 0 ? [note] : [])].join("\n");
}
