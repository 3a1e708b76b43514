// Puts images back where others stand: removals first, then folders, then files and links, then the folders' modes.
// Looks at each path right before it is touched, reaches it through its verified folder, and never follows a link.

import { randomBytes } from "node:crypto";
import {
	chmodSync,
	closeSync,
	constants,
	fchmodSync,
	fchownSync,
	fsyncSync,
	ftruncateSync,
	lstatSync,
	mkdirSync,
	openSync,
	renameSync,
	rmdirSync,
	type Stats,
	symlinkSync,
	unlinkSync,
	writeSync,
} from "node:fs";
import { basename, dirname } from "node:path";
import { setImmediate } from "node:timers/promises";
import type { FileChange, FileImage } from "../../session/events.ts";
import { sameImage } from "../../session/fileChanges.ts";
import type { LeftPath } from "../../session/rewindPlan.ts";
import { type OpenFolder, openFolder } from "../workspace/openFile.ts";
import type { ImageStore } from "./imageStore.ts";
import { absoluteOf } from "./lookAt.ts";

/** What a restore works with. `look` sees a path as it is now, in the way the given image was seen. */
export interface RestoreParts {
	root: string;
	store: ImageStore;
	look(image: FileImage): FileImage;
}

/** After so many paths the thread is given back. */
const PATHS_AT_ONCE = 20;

/** Carries out the changes as far as the tree still is what they start from. Resolves with what was left, and why. */
export async function restoreFiles(changes: readonly FileChange[], parts: RestoreParts): Promise<LeftPath[]> {
	const left: LeftPath[] = [];
	const failed = new Set<string>();
	let done = 0;

	async function each(
		chosen: FileChange[],
		act: (change: FileChange, absolute: string) => void,
	): Promise<void> {
		for (const change of chosen) {
			const { path } = change.after;
			if (failed.has(path)) continue;
			try {
				act(change, absoluteOf(parts.root, path));
			} catch (error) {
				failed.add(path);
				left.push({ path, why: reasonOf(error) });
			}
			if (++done % PATHS_AT_ONCE === 0) await setImmediate();
		}
	}

	const check = ({ before }: FileChange) => {
		if (!sameImage(parts.look(before), before)) throw new Error("it was changed in this moment");
	};
	const byDepth = changes.toSorted((a, b) => a.after.path.length - b.after.path.length);
	const leaving = byDepth
		.filter(({ before, after }) => before.kind !== "none" && before.kind !== after.kind)
		.reverse();
	const folders = byDepth.filter(({ after }) => after.kind === "folder");
	const contents = byDepth.filter(({ after }) => after.kind === "file" || after.kind === "link");

	await each(changes.filter(isLost(parts.store)), () => {
		throw new Error("its old content is not kept");
	});
	await each(
		folders.filter(({ before }) => before.kind === "folder"),
		(change, absolute) => {
			check(change);
			// Until its entries are back, the folder has to take them.
			chmodSync(absolute, (change.after.mode ?? 0o755) | 0o700);
		},
	);
	await each(leaving, (change, absolute) => {
		check(change);
		inFolder(absolute, false, (at) => (change.before.kind === "folder" ? rmdirSync(at) : unlinkSync(at)));
	});
	await each(
		folders.filter(({ before }) => before.kind !== "folder"),
		(_, absolute) => inFolder(absolute, true, (at) => mkdirSync(at, 0o700)),
	);
	await each(contents, (change, absolute) => {
		if (change.before.kind === change.after.kind) check(change);
		inFolder(absolute, true, (at, folder) => putBack(change.after, at, folder, parts.store));
	});
	await each(folders.toReversed(), ({ after }, absolute) => chmodSync(absolute, after.mode ?? 0o755));
	return left;
}

/** Whether a change leads to a content that is not there. */
function isLost(store: ImageStore): (change: FileChange) => boolean {
	return ({ before, after }) => {
		if (after.kind === "other" || after.unkept !== undefined) return true;
		if (after.kind !== "file" && after.kind !== "link") return false;
		if (before.kind === after.kind && before.digest === after.digest) return false;
		return after.digest === undefined || !store.has(after.digest);
	};
}

function inFolder(absolute: string, create: boolean, act: (at: string, folder: OpenFolder) => void): void {
	const folder = openFolder(dirname(absolute), create);
	try {
		act(folder.at(basename(absolute)), folder);
		folder.sync();
	} finally {
		folder.close();
	}
}

function putBack(image: FileImage, at: string, folder: OpenFolder, store: ImageStore): void {
	const old = lstatSync(at, { throwIfNoEntry: false });
	const bytes = image.digest === undefined ? undefined : store.get(image.digest);
	if (bytes === undefined) throw new Error("its old content is not kept");
	if (image.kind === "link") {
		if (old?.isSymbolicLink()) unlinkSync(at);
		symlinkSync(Buffer.from(bytes), at);
	} else if (old?.isFile() && old.nlink > 1) writeInPlace(image, at, bytes);
	else writeBeside(image, at, folder, bytes, old);
}

function writeBeside(
	image: FileImage,
	at: string,
	folder: OpenFolder,
	bytes: Uint8Array,
	old: Stats | undefined,
): void {
	if (old !== undefined && !old.isFile()) throw new Error("something else stands there");
	const draft = folder.at(`.agi-${randomBytes(6).toString("hex")}.tmp`);
	const file = openSync(draft, "wx", 0o600);
	try {
		writeAll(file, bytes);
		if (old !== undefined) keepOwner(file, old);
		fchmodSync(file, image.mode ?? 0o644);
		fsyncSync(file);
		renameSync(draft, at);
	} catch (error) {
		unlinkSync(draft);
		throw error;
	} finally {
		closeSync(file);
	}
}

/** Where this user may not give the owner back, the file is this user's. */
function keepOwner(file: number, old: Stats): void {
	try {
		fchownSync(file, old.uid, old.gid);
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code !== "EPERM") throw error;
	}
}

/** The other names of a hard link keep leading to the same file. */
function writeInPlace(image: FileImage, at: string, bytes: Uint8Array): void {
	const file = openSync(at, constants.O_WRONLY | (constants.O_NOFOLLOW ?? 0));
	try {
		writeAll(file, bytes);
		ftruncateSync(file, bytes.length);
		fchmodSync(file, image.mode ?? 0o644);
		fsyncSync(file);
	} finally {
		closeSync(file);
	}
}

function writeAll(file: number, bytes: Uint8Array): void {
	for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at, bytes.length - at, at);
}

function reasonOf(error: unknown): string {
	const { code, message } = error as NodeJS.ErrnoException;
	if (code === "ENOTEMPTY" || code === "EEXIST") return "the folder holds files that are not part of this";
	return code === undefined ? message : `the system refused it (${code})`;
}
