// The tool `writeFile`: a whole file, new or overwritten. An overwritten text file keeps its encoding and line ends.

import * as z from "zod";
import type { Tool } from "../../ports/tool.ts";
import type { FileContent, TextEncoding } from "../../ports/workspace.ts";
import { notAFile, resolvePath, staleError, toToolError } from "./filePath.ts";
import { lazySchema } from "./lazySchema.ts";
import { fromLineFeeds } from "./lineEnds.ts";
import { prepareWrite } from "./plannedWrite.ts";

const PLAIN: TextEncoding = { charset: "utf-8", bom: false, eol: "\n", mixedEol: false };

const schema = lazySchema(() => z.strictObject({ path: z.string(), content: z.string() }));

/** The tool `writeFile`. */
export const writeFile: Tool<z.infer<ReturnType<typeof schema>>> = {
	name: "writeFile",
	description: "Write a whole file, making its folders. To change part of a file use editFile.",
	get schema() {
		return schema();
	},
	version: 1,
	effects: "possible",
	recovery: "reconcile",
	async prepare({ path, content }, context) {
		const resolved = await resolvePath(context, path);
		if (!resolved.ok) return resolved.error;
		const target = resolved.value;
		if (target.kind !== "file" && target.kind !== "missing") return notAFile(target);
		const read = target.kind === "file" ? await context.workspace.read(target) : undefined;
		if (read?.ok === false) return toToolError(read.error);
		const old = read?.value;
		const stale = old === undefined ? undefined : staleError(context, target, old.stamp);
		if (stale !== undefined) return stale;
		return prepareWrite(context, {
			path: target,
			old,
			...likeBefore(content, old),
			verb: old === undefined ? "Create" : "Overwrite",
			overwritesUnread: old !== undefined && context.seen(target.real) === undefined,
			done: `Successfully wrote ${content.length} characters to ${path}`,
		});
	},
};

/** The content in the kind of text that stood there before; line ends that the model wrote itself stay. */
function likeBefore(content: string, old: FileContent | undefined): { text: string; encoding: TextEncoding } {
	const encoding = old?.encoding;
	if (encoding === undefined || old?.bytes.length === 0) return { text: content, encoding: PLAIN };
	// The mark is written by the encoding; a second one would be a letter of the text.
	const text = encoding.bom && content.startsWith("\ufeff") ? content.slice(1) : content;
	return { text: encoding.mixedEol || text.includes("\r") ? text : fromLineFeeds(text, encoding), encoding };
}
