// Opens files and folders so that what was resolved is what is touched: no link is followed, and on Linux the opened
// thing is asked for its own path before anything is read or written. Never opens what may hang or act by being opened.

import { createHash } from "node:crypto";
import {
	type BigIntStats,
	closeSync,
	constants,
	existsSync,
	fstatSync,
	fsyncSync,
	lstatSync,
	mkdirSync,
	openSync,
	read,
	readlinkSync,
	readSync,
	realpathSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import type { WorkspaceResult } from "../../ports/workspace.ts";
import type { FileStamp } from "../../types.ts";
import { errorCode, refuse } from "./fsErrors.ts";

/** Up to this size a read stays on the thread: it is shorter than the way to the pool and back. */
const SMALL_FILE_BYTES = 256 * 1024;
const PIECE_BYTES = 1024 * 1024;

const readAsync = promisify(read);
const seesOwnFiles = existsSync("/proc/self/fd");

/** A file that is open for reading; `close` must be called. */
export interface OpenFile {
	fd: number;
	stats: BigIntStats;
}

/** A folder held open: names in it are reached through it, wherever its path leads meanwhile. */
export interface OpenFolder {
	/** Path by which a name in the folder is reached. */
	at(name: string): string;
	/** Makes renames in it durable. */
	sync(): void;
	close(): void;
}

/** Opens a regular file by its real path, or refuses; nothing was read yet. Throws the system's errors. */
export function openRegular(real: string, shown: string): WorkspaceResult<OpenFile> {
	const before = lstatSync(real);
	if (before.isDirectory()) return refuse("not_a_file", `${shown} is a folder, not a file.`);
	if (!before.isFile())
		return refuse("not_a_file", `${shown} is no regular file (${describeKind(before)}); it was not opened.`);
	const fd = openSync(real, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
	try {
		const stats = fstatSync(fd, { bigint: true });
		if (stats.isFile() && leadsTo(fd, real)) return { ok: true, value: { fd, stats } };
		closeSync(fd);
		return refuse("conflict", `${shown} was replaced while it was opened. Try again.`);
	} catch (error) {
		closeSync(fd);
		throw error;
	}
}

/** Opens a folder by its real path; with `create` missing folders are made, each inside the one just verified. */
export function openFolder(real: string, create: boolean): OpenFolder {
	const missing: string[] = [];
	let here = real;
	while (create && !existsSync(here)) {
		missing.unshift(basename(here));
		here = dirname(here);
	}
	let folder = openVerified(here, here);
	for (const name of missing) {
		const parent = folder;
		here = join(here, name);
		try {
			makeFolder(parent.at(name));
			parent.sync();
			folder = openVerified(parent.at(name), here);
		} finally {
			parent.close();
		}
	}
	return folder;
}

/** All bytes from the start to the end, or undefined where there are more than `maxBytes`. */
export async function readWhole(file: OpenFile, maxBytes: number): Promise<Uint8Array | undefined> {
	const pieces: Buffer[] = [];
	let total = 0;
	// One byte more than the size: a file that did not grow ends within the first call.
	let room = Math.min(Number(file.stats.size), maxBytes) + 1;
	for (;;) {
		const piece = Buffer.allocUnsafe(room);
		const count =
			room <= SMALL_FILE_BYTES
				? readSync(file.fd, piece, 0, room, total)
				: (await readAsync(file.fd, piece, 0, room, total)).bytesRead;
		total += count;
		if (total > maxBytes) return undefined;
		if (count > 0) pieces.push(piece.subarray(0, count));
		if (count === 0 || (count < room && total === Number(file.stats.size))) break;
		room = Math.min(Math.max(room, 64 * 1024), PIECE_BYTES);
	}
	return pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces, total);
}

/** SHA-256 of the whole file, without leaving the thread: nothing of agi can happen between this and what follows. */
export function digestOf(file: OpenFile): string {
	const hash = createHash("sha256");
	const piece = Buffer.allocUnsafe(Math.min(Number(file.stats.size) + 1, PIECE_BYTES));
	let position = 0;
	for (;;) {
		const count = readSync(file.fd, piece, 0, piece.length, position);
		if (count === 0) return hash.digest("hex");
		hash.update(piece.subarray(0, count));
		position += count;
	}
}

/** A stamp out of what the system says of a file. */
export function stampOf(path: string, digest: string, stats: BigIntStats): FileStamp {
	return {
		path,
		digest,
		size: Number(stats.size),
		mtimeNs: stats.mtimeNs.toString(),
		inode: stats.ino.toString(),
	};
}

function openVerified(path: string, real: string): OpenFolder {
	if (process.platform === "win32") {
		if (realpathSync.native(path) !== real) throw moved(real);
		return { at: (name) => join(real, name), sync: () => {}, close: () => {} };
	}
	const fd = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
	if (!leadsTo(fd, real)) {
		closeSync(fd);
		throw moved(real);
	}
	const base = seesOwnFiles ? `/proc/self/fd/${fd}` : real;
	return { at: (name) => `${base}/${name}`, sync: () => syncFolder(fd), close: () => closeSync(fd) };
}

/** Some file systems cannot sync a folder; a file in it was written all the same. */
function syncFolder(fd: number): void {
	try {
		fsyncSync(fd);
	} catch (error) {
		if (errorCode(error) !== "EINVAL" && errorCode(error) !== "ENOTSUP") throw error;
	}
}

/** Whether an open file still is what stands at `real`; a volume that folds case may tell it in its stored spelling. */
function leadsTo(fd: number, real: string): boolean {
	const own = seesOwnFiles ? readlinkSync(`/proc/self/fd/${fd}`) : realpathSync.native(real);
	return own === real || own.toLowerCase() === real.toLowerCase();
}

function makeFolder(path: string): void {
	try {
		mkdirSync(path);
	} catch (error) {
		// Made by somebody else in this moment: then it is opened and verified like any other.
		if (errorCode(error) !== "EEXIST") throw error;
	}
}

function moved(real: string): Error {
	return Object.assign(new Error(`${real} now leads elsewhere`), { code: "ELOOP" });
}

function describeKind(stats: { isFIFO(): boolean; isSocket(): boolean; isSymbolicLink(): boolean }): string {
	if (stats.isFIFO()) return "a named pipe";
	if (stats.isSocket()) return "a socket";
	return stats.isSymbolicLink() ? "a symbolic link" : "a device";
}
