// The file tree of a real disk behind the workspace port. Every act goes by the real path that `resolve` told and
// checks it again as it opens it; nothing here decides whether an act is allowed.

import { createHash } from "node:crypto";
import { accessSync, closeSync, constants, lstatSync, readdirSync, realpathSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, join } from "node:path";
import type {
	EncodedText,
	FileContent,
	FolderEntry,
	ResolvedPath,
	TextEncoding,
	Workspace,
	WorkspaceResult,
} from "../../ports/workspace.ts";
import { AgiError, type FileStamp } from "../../types.ts";
import { errorCode, refuse, refuseFor } from "./fsErrors.ts";
import { digestOf, type OpenFile, openFolder, openRegular, readWhole, stampOf } from "./openFile.ts";
import { conflictWith, removeFile, replaceFile } from "./replaceFile.ts";
import { exists, folderGone, type Roots, resolvePath } from "./resolvePath.ts";
import { decodeText, encodeText } from "./textEncoding.ts";

const DEFAULT_MAX_BYTES = 64 * 1024 * 1024;

export interface WorkspaceOptions {
	/** The folder agi works in. */
	root: string;
	/** Folders that count as inside, too. */
	added?: readonly string[];
	/** What `~` stands for; the user's home folder where absent. */
	home?: string;
}

/** The workspace of a folder. Rejects with code `WORKSPACE_MISSING` where it or an added one is not a folder. */
export async function createWorkspace(options: WorkspaceOptions): Promise<Workspace> {
	const roots: Roots = {
		root: realFolder(options.root, "Start agi in one that does."),
		added: (options.added ?? []).map((path) => realFolder(path, "Give --add-dir one that does.")),
		home: options.home ?? homedir(),
	};
	return {
		root: roots.root,
		added: roots.added,
		resolve: async (path) => resolvePath(roots, path),
		read: async (path, { maxBytes = DEFAULT_MAX_BYTES } = {}) => readFile(roots, path, maxBytes),
		encode,
		stamp: async (path) => stampFile(path),
		write: async (path, bytes, write = {}) =>
			exists(roots.root) ? replaceFile(path, bytes, sha256(bytes), write) : folderGone(roots.root),
		remove: async (path, { expectedDigest } = {}) => removePath(path, expectedDigest),
		list: async (path) => listFolder(roots, path),
		folderIdentity: async (path) => folderIdentity(dirname(path)),
	};
}

function folderIdentity(folder: string): string {
	const stats = lstatSync(folder, { bigint: true, throwIfNoEntry: false });
	if (stats) return `${folder} ${stats.dev}:${stats.ino}`;
	const above = dirname(folder);
	return above === folder ? folder : folderIdentity(above);
}

function realFolder(path: string, wayOut: string): string {
	try {
		const real = realpathSync.native(path);
		accessSync(real, constants.X_OK);
		if (statSync(real).isDirectory()) return real;
	} catch (error) {
		if (errorCode(error) === undefined) throw error;
	}
	throw new AgiError(
		"WORKSPACE_MISSING",
		`The folder ${path} does not exist or cannot be entered. ${wayOut}`,
		{
			exitCode: 42,
		},
	);
}

async function readFile(
	roots: Roots,
	path: ResolvedPath,
	maxBytes: number,
): Promise<WorkspaceResult<FileContent>> {
	let open: OpenFile | undefined;
	try {
		const opened = openRegular(path.real, path.shown);
		if (!opened.ok) return opened;
		open = opened.value;
		const size = Number(open.stats.size);
		if (size > maxBytes) return tooLarge(path, maxBytes, size);
		const bytes = await readWhole(open, maxBytes);
		if (bytes === undefined) return tooLarge(path, maxBytes);
		const stamp = { ...stampOf(path.real, sha256(bytes), open.stats), size: bytes.length };
		return {
			ok: true,
			value: { path, bytes, stamp, mode: Number(open.stats.mode) & 0o7777, ...decodeText(bytes) },
		};
	} catch (error) {
		return notThere(error) ? missing(roots, path, "File") : refuseFor(error, `Reading ${path.shown}`);
	} finally {
		if (open !== undefined) closeSync(open.fd);
	}
}

function encode(text: string, encoding: TextEncoding): WorkspaceResult<EncodedText> {
	const bytes = encodeText(text, encoding);
	return "problem" in bytes
		? refuse("failed", bytes.problem)
		: { ok: true, value: { bytes, digest: sha256(bytes) } };
}

function stampFile(path: ResolvedPath): WorkspaceResult<FileStamp> {
	let open: OpenFile | undefined;
	try {
		const opened = openRegular(path.real, path.shown);
		if (!opened.ok) return opened;
		open = opened.value;
		return { ok: true, value: stampOf(path.real, digestOf(open), open.stats) };
	} catch (error) {
		if (notThere(error)) return { ok: true, value: { path: path.real, digest: null } };
		return refuseFor(error, `Reading ${path.shown}`);
	} finally {
		if (open !== undefined) closeSync(open.fd);
	}
}

/** A link is removed where it stands, in its real folder, never its target. */
function removePath(path: ResolvedPath, expected: string | null | undefined): WorkspaceResult<void> {
	if (!path.isLink)
		return removeFile(path.real, path.shown, () => conflictWith(path.real, path.shown, expected));
	try {
		const place = join(realpathSync.native(dirname(path.absolute)), basename(path.absolute));
		return removeFile(place, path.given, (reached) => {
			if (lstatSync(reached).isSymbolicLink()) return undefined;
			return refuse("conflict", `${path.given} is no longer a link; nothing was removed.`);
		});
	} catch (error) {
		return refuseFor(error, `Removing ${path.given}`);
	}
}

function listFolder(roots: Roots, path: ResolvedPath): WorkspaceResult<FolderEntry[]> {
	if (path.kind === "file" || path.kind === "other") {
		return refuse("not_a_folder", `${path.shown} is not a folder.`);
	}
	try {
		const folder = openFolder(path.real, false);
		try {
			const entries = readdirSync(folder.at("."), { withFileTypes: true });
			return { ok: true, value: entries.map((entry) => ({ name: entry.name, kind: kindOf(entry) })) };
		} finally {
			folder.close();
		}
	} catch (error) {
		return notThere(error) ? missing(roots, path, "Folder") : refuseFor(error, `Listing ${path.shown}`);
	}
}

function kindOf(entry: {
	isFile(): boolean;
	isDirectory(): boolean;
	isSymbolicLink(): boolean;
}): FolderEntry["kind"] {
	if (entry.isFile()) return "file";
	if (entry.isDirectory()) return "folder";
	return entry.isSymbolicLink() ? "link" : "other";
}

function missing(roots: Roots, path: ResolvedPath, what: "File" | "Folder"): WorkspaceResult<never> {
	return exists(roots.root)
		? refuse("not_found", `${what} not found: ${path.given}`)
		: folderGone(roots.root);
}

function notThere(error: unknown): boolean {
	return errorCode(error) === "ENOENT" || errorCode(error) === "ENOTDIR";
}

function tooLarge(path: ResolvedPath, maxBytes: number, size?: number): WorkspaceResult<never> {
	const told = size === undefined ? "larger" : `${size} bytes, larger`;
	return refuse("too_large", `${path.shown} is ${told} than the ${maxBytes} bytes that are read at once.`);
}

function sha256(bytes: Uint8Array): string {
	return createHash("sha256").update(bytes).digest("hex");
}
