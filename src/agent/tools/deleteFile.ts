// The tool `deleteFile`: one file, or a link itself; never a folder, never what a link leads to.

import * as z from "zod";
import type { PolicyFacts } from "../../policy/facts.ts";
import type { PreparedCall, Tool, ToolContext } from "../../ports/tool.ts";
import type { ResolvedPath } from "../../ports/workspace.ts";
import type { ToolError } from "../../types.ts";
import { failed } from "../toolResults.ts";
import { previewDiff } from "./diffPreview.ts";
import { folderName, notAFile, pathFacts, resolvePath, staleError, toToolError } from "./filePath.ts";
import { lazySchema } from "./lazySchema.ts";
import { readable } from "./plannedWrite.ts";

const schema = lazySchema(() => z.strictObject({ path: z.string() }));

/** The tool `deleteFile`. */
export const deleteFile: Tool<z.infer<ReturnType<typeof schema>>> = {
	name: "deleteFile",
	description: "Delete one file (not a folder).",
	get schema() {
		return schema();
	},
	version: 1,
	effects: "possible",
	recovery: "reconcile",
	async prepare({ path }, context) {
		const resolved = await resolvePath(context, path);
		if (!resolved.ok) return resolved.error;
		const misnamed = folderName(resolved.value);
		if (resolved.value.isLink) return misnamed ?? prepareLink(resolved.value, context);
		if (resolved.value.kind !== "file") return notAFile(resolved.value);
		if (misnamed !== undefined) return misnamed;
		return prepareFile(resolved.value, context);
	},
};

async function prepareFile(path: ResolvedPath, context: ToolContext): Promise<PreparedCall | ToolError> {
	const read = await context.workspace.read(path);
	// What is too large to be shown can still be deleted.
	const stamp = read.ok
		? ({ ok: true, value: read.value.stamp } as const)
		: await context.workspace.stamp(path);
	if (!stamp.ok) return toToolError(stamp.error);
	const stale = staleError(context, path, stamp.value);
	if (stale !== undefined) return stale;
	const preview = read.ok
		? await previewDiff(path.shown, readable(read.value), undefined)
		: read.error.message;
	return {
		resources: [{ kind: "file", key: path.real, access: "write" }],
		summary: `Delete ${path.shown}`,
		preview,
		before: [stamp.value],
		after: [{ path: path.real, digest: null }],
		facts: {
			...pathFacts(path),
			...(context.seen(path.real) === undefined ? { overwritesUnread: true } : {}),
		},
		run: ({ workspace }) => remove(workspace, path, stamp.value.digest),
	};
}

/** Only the folder in which a link stands matters: its target is not touched. */
async function prepareLink(path: ResolvedPath, context: ToolContext): Promise<PreparedCall | ToolError> {
	const folder = await resolvePath(context, `${path.absolute}/..`);
	if (!folder.ok) return folder.error;
	const place = `${folder.value.real}/${path.absolute.split(/[\\/]/).at(-1)}`;
	const target = await context.workspace.stamp(path);
	const facts: PolicyFacts = {
		...(folder.value.inside ? {} : { outside: [place] }),
		...(path.isProtected || folder.value.isProtected ? { protectedPaths: [place] } : {}),
	};
	return {
		resources: [{ kind: "file", key: place, access: "write" }],
		summary: `Delete the link ${path.given} (its target ${path.shown} stays)`,
		before: [{ path: place, digest: target.ok ? target.value.digest : null }],
		after: [{ path: place, digest: null }],
		facts,
		run: ({ workspace }) => remove(workspace, path, undefined),
	};
}

async function remove(
	workspace: ToolContext["workspace"],
	path: ResolvedPath,
	expected: string | null | undefined,
) {
	const removed = await workspace.remove(path, expected === undefined ? {} : { expectedDigest: expected });
	if (!removed.ok) return failed(toToolError(removed.error));
	const observed = path.isLink ? {} : { observed: [{ path: path.real, digest: null }] };
	return { status: "result" as const, text: `Successfully deleted ${path.given}`, ...observed };
}
