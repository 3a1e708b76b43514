// Writes and removes single files so that old or new stands there whole, at every moment, with the old one's mode and
// owner. Whether the file is still the expected one is looked at right before the rename, on the same turn of the loop.

import { randomBytes } from "node:crypto";
import { accessSync, closeSync, constants, lstatSync, renameSync, type Stats, unlinkSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { basename, dirname } from "node:path";
import type { ResolvedPath, WorkspaceResult, WriteOptions } from "../../ports/workspace.ts";
import type { FileStamp } from "../../types.ts";
import { errorCode, refuse, refuseFor } from "./fsErrors.ts";
import { digestOf, type OpenFolder, openFolder, openRegular, readWhole, stampOf } from "./openFile.ts";

/** A write as its steps share it. */
interface Replacement {
	folder: OpenFolder;
	name: string;
	path: ResolvedPath;
	bytes: Uint8Array;
	/** SHA-256 of `bytes`. */
	digest: string;
	options: WriteOptions;
}

/** Puts `bytes` at `path.real`, parents made; see `Workspace.write`. */
export async function replaceFile(
	path: ResolvedPath,
	bytes: Uint8Array,
	digest: string,
	options: WriteOptions,
): Promise<WorkspaceResult<FileStamp>> {
	let folder: OpenFolder | undefined;
	try {
		folder = openFolder(dirname(path.real), true);
		const job = { folder, name: basename(path.real), path, bytes, digest, options };
		const old = lookAt(folder.at(job.name));
		if (old?.isDirectory()) return refuse("not_a_file", `${path.shown} is a folder, not a file.`);
		if (old !== undefined && !old.isFile())
			return refuse("not_a_file", `${path.shown} is no regular file; it was left alone.`);
		const conflict = checkExpected(job);
		if (conflict !== undefined) return conflict;
		if (old !== undefined) accessSync(folder.at(job.name), constants.W_OK);
		return old !== undefined && old.nlink > 1 ? await writeInPlace(job, old) : await writeBeside(job, old);
	} catch (error) {
		return refuseFor(error, `Writing ${path.shown}`);
	} finally {
		folder?.close();
	}
}

/** Removes the file, or the link itself, at `real` (its last name not followed); see `Workspace.remove`. */
export function removeFile(
	real: string,
	shown: string,
	check: (reached: string) => WorkspaceResult<never> | undefined,
): WorkspaceResult<void> {
	let folder: OpenFolder | undefined;
	try {
		folder = openFolder(dirname(real), false);
		const reached = folder.at(basename(real));
		const stats = lookAt(reached);
		if (stats === undefined) return refuse("not_found", `File not found: ${shown}`);
		if (stats.isDirectory()) return refuse("not_a_file", `${shown} is a folder; only files are removed.`);
		if (!stats.isFile() && !stats.isSymbolicLink()) {
			return refuse("not_a_file", `${shown} is no regular file; it was left alone.`);
		}
		const conflict = check(reached);
		if (conflict !== undefined) return conflict;
		unlinkSync(reached);
		folder.sync();
		return { ok: true, value: undefined };
	} catch (error) {
		return refuseFor(error, `Removing ${shown}`);
	} finally {
		folder?.close();
	}
}

/** `conflict` where the digest at `real` is not the expected one; undefined where it is, or nothing is expected. */
export function conflictWith(
	real: string,
	shown: string,
	expected: string | null | undefined,
): WorkspaceResult<never> | undefined {
	if (expected === undefined) return undefined;
	const now = currentDigest(real, shown);
	if (!now.ok) return now;
	if (now.value === expected) return undefined;
	if (expected === null) return refuse("conflict", `${shown} exists by now; read it before writing it.`);
	const change = now.value === null ? "is gone" : "changed";
	return refuse("conflict", `${shown} ${change} since it was read; nothing was written. Read it again.`);
}

/** The common way: a temporary file beside it, then a rename. */
async function writeBeside(job: Replacement, old: Stats | undefined): Promise<WorkspaceResult<FileStamp>> {
	const { folder, name, path, options } = job;
	const temporary = folder.at(`.agi-${randomBytes(6).toString("hex")}.tmp`);
	let handle: FileHandle | undefined;
	let renamed = false;
	try {
		handle = await openTemporary(temporary, old, options.mode);
		// A folder that takes no new file may still hold one that can be written.
		if (handle === undefined) return await writeInPlace(job, old as Stats);
		if (!(await takeOwner(handle, old))) return await writeInPlace(job, old as Stats);
		await handle.writeFile(job.bytes);
		const mode = old === undefined ? options.mode : old.mode & 0o7777;
		if (mode !== undefined) await handle.chmod(mode);
		await handle.sync();
		const conflict = checkExpected(job);
		if (conflict !== undefined) return conflict;
		renameSync(temporary, folder.at(name));
		renamed = true;
		folder.sync();
		return { ok: true, value: stampOf(path.real, job.digest, await handle.stat({ bigint: true })) };
	} finally {
		await handle?.close();
		if (handle !== undefined && !renamed) unlinkSync(temporary);
	}
}

/** Readable by nobody else until it has its mode; a new file has its final mode, which the umask shapes, from the start. */
async function openTemporary(
	path: string,
	old: Stats | undefined,
	mode?: number,
): Promise<FileHandle | undefined> {
	try {
		return await open(path, "wx", old === undefined && mode === undefined ? 0o666 : 0o600);
	} catch (error) {
		const code = errorCode(error);
		if (old !== undefined && (code === "EACCES" || code === "EPERM")) return undefined;
		throw error;
	}
}

/** Gives the temporary file the old one's owner and group; false where this user may not. */
async function takeOwner(handle: FileHandle, old: Stats | undefined): Promise<boolean> {
	if (old === undefined || process.platform === "win32") return true;
	const mine = await handle.stat();
	if (mine.uid === old.uid && mine.gid === old.gid) return true;
	try {
		await handle.chown(old.uid, old.gid);
		return true;
	} catch (error) {
		if (errorCode(error) === "EPERM" || errorCode(error) === "EINVAL") return false;
		throw error;
	}
}

/** Hard links and foreign owners survive only so. Not atomic: a write that fails puts the old bytes back. */
async function writeInPlace(job: Replacement, old: Stats): Promise<WorkspaceResult<FileStamp>> {
	const target = job.folder.at(job.name);
	const handle = await open(
		target,
		constants.O_RDWR | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0),
	);
	try {
		const stats = await handle.stat({ bigint: true });
		if (!stats.isFile() || stats.ino !== BigInt(old.ino)) {
			return refuse(
				"conflict",
				`${job.path.shown} was replaced while it was written; nothing was written. Read it again.`,
			);
		}
		const before = await readWhole({ fd: handle.fd, stats }, Number.MAX_SAFE_INTEGER);
		const conflict = checkExpected(job);
		if (conflict !== undefined) return conflict;
		try {
			await overwrite(handle, job.bytes);
		} catch (error) {
			if (before !== undefined) await overwrite(handle, before);
			throw error;
		}
		return { ok: true, value: stampOf(job.path.real, job.digest, await handle.stat({ bigint: true })) };
	} finally {
		await handle.close();
	}
}

async function overwrite(handle: FileHandle, bytes: Uint8Array): Promise<void> {
	let written = 0;
	while (written < bytes.length) {
		written += (await handle.write(bytes, written, bytes.length - written, written)).bytesWritten;
	}
	await handle.truncate(bytes.length);
	await handle.sync();
}

function checkExpected(job: Replacement): WorkspaceResult<never> | undefined {
	return conflictWith(job.path.real, job.path.shown, job.options.expectedDigest);
}

function lookAt(path: string): Stats | undefined {
	return lstatSync(path, { throwIfNoEntry: false });
}

/** The digest at a real path now, null where nothing stands. Throws the system's errors. */
function currentDigest(real: string, shown: string): WorkspaceResult<string | null> {
	if (lookAt(real) === undefined) return { ok: true, value: null };
	const opened = openRegular(real, shown);
	if (!opened.ok) return opened;
	try {
		return { ok: true, value: digestOf(opened.value) };
	} finally {
		closeSync(opened.value.fd);
	}
}
