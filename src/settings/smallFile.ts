// Reads the small text files that a person writes for agi. It knows nothing of what is in them.

import { lstat, readFile, stat } from "node:fs/promises";

/** A file's text, or why it could not be read. A missing file is neither. */
export type FileText =
	| { state: "absent" }
	| { state: "text"; text: string }
	| { state: "unreadable"; reason: string };

const LARGEST_FILE = 1_000_000;

/**
 * Reads a regular file of at most 1 MB as UTF-8. Never rejects, and never waits for a device or a pipe. `refuseLink`: a
 * link is unreadable, wherever it leads.
 */
export async function readSmallFile(path: string, { refuseLink = false } = {}): Promise<FileText> {
	try {
		const found = await (refuseLink ? lstat(path) : stat(path));
		if (found.isSymbolicLink())
			return { state: "unreadable", reason: "it is a link; put the file itself there" };
		if (!found.isFile()) return { state: "unreadable", reason: "it is not a file" };
		if (found.size > LARGEST_FILE) return { state: "unreadable", reason: "it is larger than 1 MB" };
		return { state: "text", text: await readFile(path, "utf8") };
	} catch (error) {
		const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
		if (code === "ENOENT" || code === "ENOTDIR") return { state: "absent" };
		return { state: "unreadable", reason: code };
	}
}
