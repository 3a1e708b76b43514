// The file system's error codes as sentences for a model. Nothing here looks at the disk.

import type { WorkspaceError, WorkspaceResult } from "../../ports/workspace.ts";

/** Result of a failure, told in one sentence. */
export function refuse(kind: WorkspaceError["kind"], message: string): { ok: false; error: WorkspaceError } {
	return { ok: false, error: { kind, message } };
}

/** Translates what the file system threw while doing `deed` (such as "Writing a.txt"). Foreign errors are thrown on. */
export function refuseFor(error: unknown, deed: string): WorkspaceResult<never> {
	switch (errorCode(error)) {
		case "ENOENT":
			return refuse("not_found", `${deed} failed: it is not there.`);
		case "EISDIR":
			return refuse("not_a_file", `${deed} failed: it is a folder.`);
		case "ENOTDIR":
			return refuse("not_a_folder", `${deed} failed: a part of the path is a file, not a folder.`);
		case "EACCES":
		case "EPERM":
			return refuse("denied", `${deed} failed: the system does not permit it to this user.`);
		case "EROFS":
			return refuse("denied", `${deed} failed: the file system is read-only.`);
		case "ELOOP":
			return refuse("conflict", `${deed} failed: a symbolic link stands there now. Try again.`);
		case "ENOSPC":
		case "EDQUOT":
			return refuse(
				"failed",
				`${deed} failed: no space is left on the device. Free some space and try again.`,
			);
		case "EFBIG":
			return refuse("too_large", `${deed} failed: it would be larger than the system allows.`);
		case "ENAMETOOLONG":
			return refuse("failed", `${deed} failed: the path or one of its names is too long.`);
		case undefined:
			throw error;
		default:
			return refuse("failed", `${deed} failed: ${(error as Error).message}.`);
	}
}

/** The `code` of a system error; undefined for anything else. */
export function errorCode(error: unknown): string | undefined {
	return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}
