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

/** Where the argument leads. */
export async function resolvePath(context: ToolContext, path: string): Promise<Found<ResolvedPath>> {
	const resolved = await context.workspace.resolve(path);
	return resolved.ok ? resolved : { ok: false, error: toToolError(resolved.error) };
}

/** Where the argument leads, if a file stands there. */
export async function resolveFile(context: ToolContext, path: string): Promise<Found<ResolvedPath>> {
	const resolved = await resolvePath(context, path);
	if (!resolved.ok || resolved.value.kind === "file") return resolved;
	return { ok: false, error: notAFile(resolved.value) };
}

/** Why what stands at a path is not the file that was asked for. */
export function notAFile(path: ResolvedPath): ToolError {
	if (path.kind === "missing") return toolError("NOT_FOUND", `File not found: ${path.given}`);
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
