// The tool `editFile`: literal text replaced in a text file. It reads, matches and computes in one step; an edit that
// cannot be applied exactly is refused with what the model needs to do better, and nobody is asked about it.

import * as z from "zod";
import type { Tool, ToolContext } from "../../ports/tool.ts";
import type { FileContent, ResolvedPath } from "../../ports/workspace.ts";
import type { ToolError } from "../../types.ts";
import { type Found, resolveFile, staleError, toolError, toToolError } from "./filePath.ts";
import { lazySchema } from "./lazySchema.ts";
import { toLineFeeds } from "./lineEnds.ts";
import { findNearestText } from "./nearestText.ts";
import { prepareWrite } from "./plannedWrite.ts";
import { replaceText, type TextEditEnd } from "./replaceText.ts";

const schema = lazySchema(() =>
	z.strictObject({
		path: z.string(),
		oldString: z.string().describe("exact text, unique in the file"),
		newString: z.string(),
		replaceAll: z.boolean().optional(),
	}),
);

/** The tool `editFile`. */
export const editFile: Tool<z.infer<ReturnType<typeof schema>>> = {
	name: "editFile",
	description: "Replace oldString by newString in a text file.",
	get schema() {
		return schema();
	},
	version: 1,
	effects: "possible",
	recovery: "reconcile",
	async prepare({ path, oldString, newString, replaceAll = false }, context) {
		const useless = checkStrings(oldString, newString);
		if (useless !== undefined) return useless;
		const found = await readForEdit(context, path);
		if (!found.ok) return found.error;
		const { target, old, text, encoding } = found.value;
		const edit = replaceText(text, encoding, { oldString, newString, replaceAll });
		if (edit.type !== "replaced") {
			return explain(edit, path, toLineFeeds(text, encoding), toLineFeeds(oldString, { eol: "\n" }));
		}
		const where = edit.count === 1 ? `in ${path} (line ${edit.lines[0]})` : `in ${path}`;
		return prepareWrite(context, {
			path: target,
			old,
			text: edit.text,
			encoding,
			verb: "Edit",
			overwritesUnread: false,
			done: `Successfully replaced ${edit.count} ${edit.count === 1 ? "occurrence" : "occurrences"} ${where}`,
		});
	},
};

interface EditableFile {
	target: ResolvedPath;
	old: FileContent;
	text: string;
	encoding: NonNullable<FileContent["encoding"]>;
}

async function readForEdit(context: ToolContext, path: string): Promise<Found<EditableFile>> {
	const resolved = await resolveFile(context, path);
	if (!resolved.ok) return resolved;
	const target = resolved.value;
	// A refused edit tells of the file's text; of such a file nothing may be told before its reading was allowed.
	if ((!target.inside || target.isSecret) && context.seen(target.real) === undefined) {
		const why = target.inside ? "usually holds secrets" : `is outside the workspace (${target.real})`;
		return refuse("CONFLICT", `${path} ${why}; read it with readFile before you edit it.`);
	}
	const read = await context.workspace.read(target);
	if (!read.ok) return { ok: false, error: toToolError(read.error) };
	const stale = staleError(context, target, read.value.stamp);
	if (stale !== undefined) return { ok: false, error: stale };
	const { text, encoding, bytes } = read.value;
	if (text === undefined || encoding === undefined) {
		return refuse(
			"INVALID_ARGUMENT",
			`${path} is a binary file of ${bytes.length} bytes, or in an unknown encoding; it was not edited.`,
		);
	}
	return { ok: true, value: { target, old: read.value, text, encoding } };
}

function checkStrings(oldString: string, newString: string): ToolError | undefined {
	if (oldString === "") {
		const message =
			"oldString is empty. To create or replace a whole file use writeFile; to append, put the file's last line into oldString and repeat it in newString before the new text.";
		return toolError("INVALID_ARGUMENT", message, { oldString: "must not be empty" });
	}
	if (toLineFeeds(oldString, { eol: "\n" }) !== toLineFeeds(newString, { eol: "\n" })) return undefined;
	return toolError("INVALID_ARGUMENT", "oldString and newString are the same; there is nothing to change.", {
		newString: "must differ from oldString",
	});
}

/** Why an edit cannot be applied, and what to do about it. */
function explain(
	end: Exclude<TextEditEnd, { type: "replaced" }>,
	path: string,
	text: string,
	wanted: string,
): ToolError {
	switch (end.type) {
		case "ambiguous": {
			const lines = end.lines.join(", ") + (end.count > end.lines.length ? ", …" : "");
			const message = `oldString occurs ${end.count} times in ${path} (lines ${lines}). Add text around it to make it unique, or set replaceAll.`;
			return toolError("INVALID_ARGUMENT", message, { oldString: `${end.count} matches` });
		}
		case "too_large":
			return toolError("TOO_LARGE", `${path} would grow past 64 MB by this edit; nothing was changed.`);
		case "not_found":
			return toolError("INVALID_ARGUMENT", `oldString was not found in ${path}. ${nearest(text, wanted)}`, {
				oldString: "no match",
			});
		default:
			return end satisfies never;
	}
}

function nearest(text: string, wanted: string): string {
	const near = findNearestText(text, wanted);
	if (near === undefined) return "Nothing in it is near; read the file again.";
	const range =
		near.firstLine === near.lastLine ? `line ${near.firstLine}` : `lines ${near.firstLine}-${near.lastLine}`;
	const hint = near.difference === undefined ? "" : ` (only ${near.difference} differs)`;
	return `The nearest text is ${range}${hint}; copy what you mean exactly:\n${near.text}`;
}

function refuse(type: ToolError["type"], message: string): { ok: false; error: ToolError } {
	return { ok: false, error: toolError(type, message) };
}
