// The file calls that make something last: whole-file replacement and syncing of folders. Owns no meaning of a file.

import { open, rename, rm } from "node:fs/promises";

/** Codes by which a file system says that it cannot sync a folder at all, which is no failed sync. */
const NO_FOLDER_SYNC = new Set(["EINVAL", "ENOTSUP", "EPERM", "EISDIR", "EACCES"]);

/** Puts a folder's entries on the disk, so that a new file's name survives a power cut. Rejects where the disk fails. */
export async function syncFolder(path: string): Promise<void> {
	try {
		const folder = await open(path, "r");
		try {
			await folder.sync();
		} finally {
			await folder.close();
		}
	} catch (error) {
		if (!NO_FOLDER_SYNC.has(errorCode(error) ?? "")) throw error;
	}
}

/**
 * Replaces a file (mode 0600) so that its name always leads to the old or the new bytes, whole. With `sync` the bytes
 * are on the disk before the name is; the folder is then the caller's to sync. Rejects with the file system's error and
 * leaves no part behind.
 */
export async function replaceFile(
	path: string,
	content: Uint8Array | string,
	options: { sync: boolean },
): Promise<void> {
	const draft = `${path}.new`;
	try {
		const file = await open(draft, "w", 0o600);
		try {
			await file.writeFile(content);
			if (options.sync) await file.sync();
		} finally {
			await file.close();
		}
		await rename(draft, path);
	} catch (error) {
		await rm(draft, { force: true }).catch(() => {});
		throw error;
	}
}

/** The system's code of a failed call, such as `ENOSPC`. */
export function errorCode(error: unknown): string | undefined {
	return (error as NodeJS.ErrnoException | undefined)?.code;
}
