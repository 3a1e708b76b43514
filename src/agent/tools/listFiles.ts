// The tool `listFiles`: what is in one folder, by name. Never what is in the folders below.

import * as z from "zod";
import type { Tool } from "../../ports/tool.ts";
import type { FolderEntry } from "../../ports/workspace.ts";
import { failed } from "../toolResults.ts";
import { pathFacts, resolvePath, showName, toolError, toToolError } from "./filePath.ts";
import { lazySchema } from "./lazySchema.ts";

const MAX_ENTRIES = 1_000;

const LABELS: Record<FolderEntry["kind"], string> = {
	folder: "dir",
	file: "file",
	link: "link",
	other: "other",
};

const schema = lazySchema(() =>
	z.strictObject({ directory: z.string().optional().describe("default: the workspace") }),
);

/** The tool `listFiles`. */
export const listFiles: Tool<z.infer<ReturnType<typeof schema>>> = {
	name: "listFiles",
	description: "List the entries of one folder.",
	get schema() {
		return schema();
	},
	version: 1,
	effects: "none",
	recovery: "none",
	async prepare({ directory }, context) {
		// Some models send an empty text for an argument that they leave out.
		const resolved = await resolvePath(context, directory || ".", "directory");
		if (!resolved.ok) return resolved.error;
		const folder = resolved.value;
		if (folder.kind === "missing") return toolError("NOT_FOUND", `Folder not found: ${directory}`);
		if (folder.kind !== "folder") return toolError("INVALID_ARGUMENT", `${directory} is not a folder.`);
		return {
			resources: [{ kind: "tree", key: folder.real, access: "read" }],
			summary: `List ${folder.shown}`,
			facts: pathFacts(folder),
			async run({ workspace }) {
				const entries = await workspace.list(folder);
				if (!entries.ok) return failed(toToolError(entries.error));
				return { status: "result", text: showEntries(folder.shown, entries.value) };
			},
		};
	},
};

function showEntries(directory: string, entries: FolderEntry[]): string {
	if (entries.length === 0) return `The folder ${directory} is empty.`;
	const sorted = entries.toSorted((a, b) => (a.name < b.name ? -1 : 1));
	const lines = sorted
		.slice(0, MAX_ENTRIES)
		.map((entry) => `[${LABELS[entry.kind]}] ${showName(entry.name)}`);
	const left = sorted.length - lines.length;
	return [
		...lines,
		...(left > 0 ? [`[${left} more of ${sorted.length} entries are not shown. Use findFiles.]`] : []),
	].join("\n");
}
