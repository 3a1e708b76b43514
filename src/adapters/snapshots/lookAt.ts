// What stands at one path, as an image. Reads only, follows no link, opens nothing but regular files.

import {
	type BigIntStats,
	closeSync,
	constants,
	fstatSync,
	lstatSync,
	openSync,
	readFileSync,
	readlinkSync,
} from "node:fs";
import { isAbsolute, join, relative, sep } from "node:path";
import type { FileImage } from "../../session/events.ts";
import { digestOf } from "./imageStore.ts";

/** A larger file is told apart by its time and inode; its content is not kept. */
export const TREE_FILE_BYTES = 2 * 1024 * 1024;
/** The same for a file that a tool names: as large as a tool can read. */
export const NAMED_FILE_BYTES = 64 * 1024 * 1024;

/** An image, and the content that stands under its digest. */
export interface Look {
	image: FileImage;
	bytes?: Uint8Array;
}

/** The path of an image as an absolute one. */
export function absoluteOf(root: string, path: string): string {
	return isAbsolute(path) ? path : join(root, path);
}

/** The path of an image for an absolute one: relative inside the workspace. */
export function imagePathOf(root: string, path: string): string {
	const way = isAbsolute(path) ? relative(root, path) : path;
	return way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way) ? path : way.split(sep).join("/");
}

/** Looks at `path`. Whatever cannot be read is an image that says so. */
export function lookAt(root: string, path: string, maxBytes: number): Look {
	const absolute = absoluteOf(root, path);
	try {
		const stats = lstatSync(absolute, { bigint: true, throwIfNoEntry: false });
		return stats === undefined
			? { image: { path, kind: "none" } }
			: lookAtKnown(path, absolute, stats, maxBytes);
	} catch (error) {
		// A parent that is a file now is no error: nothing stands there.
		if ((error as NodeJS.ErrnoException).code === "ENOTDIR") return { image: { path, kind: "none" } };
		return { image: { path, kind: "other", unkept: "it could not be read" } };
	}
}

/** The same, for one whose stats are known. */
export function lookAtKnown(path: string, absolute: string, stats: BigIntStats, maxBytes: number): Look {
	const mode = Number(stats.mode & 0o7777n);
	if (stats.isDirectory()) return { image: { path, kind: "folder", mode } };
	if (stats.isSymbolicLink()) {
		const bytes = readlinkSync(absolute, { encoding: "buffer" });
		return { image: { path, kind: "link", digest: digestOf(bytes) }, bytes };
	}
	if (!stats.isFile()) return { image: { path, kind: "other", unkept: "it is no regular file" } };
	const size = Number(stats.size);
	if (size > maxBytes) return unreadFile(path, stats, `it is larger than ${maxBytes / 1024 / 1024} MB`);
	try {
		const { bytes, opened } = readRegular(absolute);
		const image: FileImage = { path, kind: "file", digest: digestOf(bytes), mode, size: bytes.length };
		return opened ? { image, bytes } : unreadFile(path, stats, "it is no regular file");
	} catch {
		return unreadFile(path, stats, "it could not be read");
	}
}

/** Told apart by its time and inode instead of its content. */
function unreadFile(path: string, stats: BigIntStats, unkept: string): Look {
	const digest = `unread-${stats.mtimeNs}-${stats.ino}`;
	const mode = Number(stats.mode & 0o7777n);
	return { image: { path, kind: "file", digest, mode, size: Number(stats.size), unkept } };
}

function readRegular(absolute: string): { bytes: Uint8Array; opened: boolean } {
	const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
	const file = openSync(absolute, flags);
	try {
		return fstatSync(file).isFile()
			? { bytes: readFileSync(file), opened: true }
			: { bytes: new Uint8Array(), opened: false };
	} finally {
		closeSync(file);
	}
}
