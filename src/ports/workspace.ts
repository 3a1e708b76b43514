// What agi needs of the file tree it works in. Paths come from models and are data: every one is resolved first, by
// its real path, and nothing is opened by a name that was not resolved.

import type { FileStamp } from "../types.ts";

/** Where a path really leads. */
export interface ResolvedPath {
	/** As the caller wrote it. */
	given: string;
	/** Absolute, `.` and `..` folded, links not followed. */
	absolute: string;
	/** Absolute with every link followed; for a path that does not exist, its deepest existing parent followed. */
	real: string;
	/** Inside the workspace folder or an added one, by real path. */
	inside: boolean;
	/** Relative to the workspace where inside, else `real`: what is shown. */
	shown: string;
	/** What stands there; `missing` also where a parent is missing. */
	kind: "file" | "folder" | "missing" | "other";
	/** True where the last component itself is a symbolic link. */
	isLink: boolean;
	/** A folder or file that agi never writes unasked (`.git`, `.agent`, …), compared without letter case. */
	isProtected: boolean;
	/** A file that usually holds secrets (`.env`, `*.pem`, `id_*`, …), compared without letter case. */
	isSecret: boolean;
}

/** How a text file's bytes map to its text, so that a write gives the same kind back. */
export interface TextEncoding {
	charset: "utf-8" | "utf-16le" | "utf-16be" | "latin1";
	bom: boolean;
	/** The line end that most lines have. */
	eol: "\n" | "\r\n" | "\r";
	/** True where lines have different ends. */
	mixedEol: boolean;
}

/** A file in memory. `text` is decoded without BOM, its line ends as they are on disk. */
export interface FileContent {
	path: ResolvedPath;
	bytes: Uint8Array;
	stamp: FileStamp;
	/** Permission bits, such as 0o644. */
	mode: number;
	/** Absent where the bytes are no text in a known encoding. */
	text?: string;
	encoding?: TextEncoding;
}

/** An expected failure of the file tree, told for a model. */
export interface WorkspaceError {
	kind:
		| "not_found"
		| "not_a_file"
		| "not_a_folder"
		| "invalid_path"
		| "outside"
		| "conflict"
		| "too_large"
		| "denied"
		| "failed"
		| "folder_gone";
	message: string;
}

export type WorkspaceResult<T> = { ok: true; value: T } | { ok: false; error: WorkspaceError };

export interface WriteOptions {
	/** What must stand there right before the write: digest of the bytes, or null for no file. Else `conflict`. */
	expectedDigest?: string | null;
	/** Permission bits for a new file; an old file keeps its own. */
	mode?: number;
}

/** Text as the bytes that a write would put on the disk. */
export interface EncodedText {
	bytes: Uint8Array;
	/** SHA-256 of the bytes, in hex. */
	digest: string;
}

export interface FolderEntry {
	name: string;
	kind: "file" | "folder" | "link" | "other";
}

/** None of these throws for what a file tree can do; all of them re-check the resolved path right before they act. */
export interface Workspace {
	/** Real path of the folder agi was started in. */
	readonly root: string;
	/** Real paths of added folders. */
	readonly added: readonly string[];
	/** Fails only where the path cannot name anything (NUL, empty, a vanished workspace folder). */
	resolve(path: string): Promise<WorkspaceResult<ResolvedPath>>;
	/** The whole file, at most `maxBytes` (default 64 MB), else `too_large`. */
	read(path: ResolvedPath, options?: { maxBytes?: number }): Promise<WorkspaceResult<FileContent>>;
	/**
	 * The bytes of `text` in an encoding that `read` told (line ends are left as they are in `text`). Fails where the
	 * encoding has no such character; never writes a replacement character instead.
	 */
	encode(text: string, encoding: TextEncoding): WorkspaceResult<EncodedText>;
	/** Stamp without content kept; digest null where there is no file. */
	stamp(path: ResolvedPath): Promise<WorkspaceResult<FileStamp>>;
	/** Atomic: old or new whole, never between. Makes parent folders. Follows a link that stays inside. */
	write(path: ResolvedPath, bytes: Uint8Array, options?: WriteOptions): Promise<WorkspaceResult<FileStamp>>;
	/** Removes a file or a link itself, never a folder. */
	remove(path: ResolvedPath, options?: { expectedDigest?: string | null }): Promise<WorkspaceResult<void>>;
	list(path: ResolvedPath): Promise<WorkspaceResult<FolderEntry[]>>;
	/** Device and inode of the deepest folder that exists above a real path: another folder has another. */
	folderIdentity(realPath: string): Promise<string>;
}
