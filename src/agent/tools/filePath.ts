// What every file tool does with a path that a model wrote: resolve it, refuse what cannot be meant, and tell the
// policy where it leads. Decides nothing about what is allowed.

import type { PolicyFacts } from "../../policy/facts.ts";
import type { ToolContext } from "../../ports/tool.ts";
import type { ResolvedPath, WorkspaceError } from "../../ports/workspace.ts";
import type { FileStamp, ToolError, ToolErrorType } from "../../types.ts";

/** A value, or the error that ends the call. */
export type Found<T> = { ok: true; value: T } | { ok: false; error: ToolError };

const TYPES: Record<WorkspaceError["kind"], ToolErrorType> = {
	not_found: "NOT_FOUND",
	not_a_file: "INVALID_ARGUMENT",
	not_a_folder: "INVALID_ARGUMENT",
	invalid_path: "INVALID_ARGUMENT",
	outside: "DENIED",
	conflict: "CONFLICT",
	too_large: "TOO_LARGE",
	denied: "FAILED",
	failed: "FAILED",
	folder_gone: "FAILED",
};

/** A failure of the file tree as the model reads it. */
export function toToolError(error: WorkspaceError): ToolError {
	return toolError(TYPES[error.kind], error.message);
}

/** An error that the same call would meet again. */
export function toolError(type: ToolErrorType, message: string, fields?: Record<string, string>): ToolError {
	return { type, message, retryable: false, ...(fields === undefined ? {} : { fields }) };
}

/** Where an argument of this name leads. */
export async function resolvePath(
	context: ToolContext,
	path: string,
	argument = "path",
): Promise<Found<ResolvedPath>> {
	const resolved = await context.workspace.resolve(path);
	if (resolved.ok) return resolved;
	const { kind, message } = resolved.error;
	const fields = kind === "invalid_path" ? { [argument]: message } : undefined;
	return { ok: false, error: toolError(TYPES[kind], message, fields) };
}

/** Where the argument leads, if a file stands there. */
export async function resolveFile(context: ToolContext, path: string): Promise<Found<ResolvedPath>> {
	const resolved = await resolvePath(context, path);
	if (!resolved.ok || resolved.value.kind === "file") return resolved;
	return { ok: false, error: notAFile(resolved.value) };
}

/** Why what stands at a path is not the file that was asked for. */
export function notAFile(path: ResolvedPath): ToolError {
	if (path.kind === "missing")
		return toolError("NOT_FOUND", `File not found: ${path.given}${unspeakableName(path.given)}`);
	if (path.kind === "folder") {
		return toolError(
			"INVALID_ARGUMENT",
			`${path.given} is a folder, not a file. Use listFiles to see what is in it.`,
		);
	}
	return toolError(
		"INVALID_ARGUMENT",
		`${path.given} is no regular file (a device, pipe, socket or circle of links); it was not opened.`,
	);
}

/** What is told of a name as lists show it where its bytes are no UTF-8: no argument can name such a file. */
function unspeakableName(given: string): string {
	if (!given.includes("\ufffd")) return "";
	return ". Its name is no UTF-8 where it shows \ufffd: reach it by runCommand with ? in that place.";
}

/** The error where a path that is to be a file ends as only a folder's does; undefined where it does not. */
export function folderName({ given }: ResolvedPath): ToolError | undefined {
	if (!/\/\.{0,2}$/.test(given)) return undefined;
	const message = `${given} names a folder, as its end says, not a file. Give the path of the file itself.`;
	return toolError("INVALID_ARGUMENT", message, { path: "names a folder" });
}

/** What the policy must know of a path. */
export function pathFacts(path: ResolvedPath): PolicyFacts {
	return {
		...(path.inside ? {} : { outside: [path.real] }),
		...(path.isProtected ? { protectedPaths: [path.real] } : {}),
		...(path.isSecret ? { secretPaths: [path.real] } : {}),
	};
}

/** The path for a person: where it leads, and the link that was named if it is another place. */
export function describePath(path: ResolvedPath): string {
	return path.isLink ? `${path.shown} (through the link ${path.given})` : path.shown;
}

/** The error where a file is no longer what this session last saw; undefined where it is, or was never seen. */
export function staleError(context: ToolContext, path: ResolvedPath, now: FileStamp): ToolError | undefined {
	const seen = context.seen(path.real);
	if (seen === undefined || seen.digest === now.digest) return undefined;
	return toolError("CONFLICT", `${path.given} changed since it was read; read it again, then decide anew.`);
}

/** A name with its control characters made visible, so that it stays on its line. */
export function showName(name: string): string {
	return name.replace(
		/[\x00-\x1f\x7f-\x9f]/g,
		(char) => `\\x${char.charCodeAt(0).toString(16).padStart(2, "0")}`,
	);
}
