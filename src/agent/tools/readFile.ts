// The tool `readFile`: a page of a text file. What it shows is bounded in lines and in letters, and always says its range.

import * as z from "zod";
import type { Tool } from "../../ports/tool.ts";
import type { FileContent } from "../../ports/workspace.ts";
import type { ToolOutcome } from "../../types.ts";
import { failed } from "../toolResults.ts";
import { pathFacts, resolveFile, toolError, toToolError } from "./filePath.ts";
import { lazySchema } from "./lazySchema.ts";
import { toLineFeeds } from "./lineEnds.ts";
import { MAX_LINE_LENGTH, pageNote, takePage } from "./linePage.ts";

const DEFAULT_LINES = 200;

const schema = lazySchema(() =>
	z.strictObject({
		path: z.string(),
		offset: z.int().min(0).optional().describe("lines to skip"),
		limit: z.int().min(1).optional().describe("default 200"),
	}),
);

/** The tool `readFile`. */
export const readFile: Tool<z.infer<ReturnType<typeof schema>>> = {
	name: "readFile",
	description: "Read a text file, by pages of lines.",
	get schema() {
		return schema();
	},
	version: 1,
	effects: "none",
	recovery: "none",
	async prepare({ path, offset = 0, limit = DEFAULT_LINES }, context) {
		const resolved = await resolveFile(context, path);
		if (!resolved.ok) return resolved.error;
		return {
			resources: [{ kind: "file", key: resolved.value.real, access: "read" }],
			summary: `Read ${resolved.value.shown}`,
			facts: pathFacts(resolved.value),
			async run({ workspace }) {
				const content = await workspace.read(resolved.value);
				return content.ok ? showPage(content.value, offset, limit) : failed(toToolError(content.error));
			},
		};
	},
};

function showPage(content: FileContent, offset: number, limit: number): ToolOutcome {
	const { path, bytes, stamp, text, encoding } = content;
	if (text === undefined || encoding === undefined) {
		const message = `${path.given} is a binary file of ${bytes.length} bytes; it has no text to read.`;
		return failed(toolError("INVALID_ARGUMENT", message));
	}
	const observed = [stamp];
	if (bytes.length === 0)
		return { status: "result", text: `The file ${path.given} is empty (0 bytes).`, observed };
	const lines = toLineFeeds(text, encoding).split("\n");
	if (offset >= lines.length) {
		const message = `offset ${offset} is past the end: ${path.given} has ${lines.length} lines.`;
		return failed(toolError("INVALID_ARGUMENT", message, { offset: `at most ${lines.length - 1}` }));
	}
	const shown = takePage(lines, offset, limit, cutLine);
	const notes = [
		...(encoding.charset === "latin1" ? ["[Not UTF-8: read as Latin-1; edits keep that encoding.]"] : []),
		pageNote(offset, shown.length, lines.length),
	];
	return { status: "result", text: [...shown, ...notes].join("\n"), observed };
}

function cutLine(line: string): string {
	if (line.length <= MAX_LINE_LENGTH) return line;
	return `${line.slice(0, MAX_LINE_LENGTH).toWellFormed()}… [line cut: it has ${line.length} characters; searchFiles shows a piece around a pattern]`;
}
