// A tree on the disk: the images of a workspace with the stamps they were read at, so that what did not change is not
// read again, by this or a later process. A cache: a file that cannot be read as one is an empty tree.

import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { FileImage } from "../../session/events.ts";

/** One image and the stamp that its file had; "" where the file was so young that its stamp proves nothing. */
export interface TreeEntry {
	stamp: string;
	image: FileImage;
}

/** By path. */
export type Tree = Map<string, TreeEntry>;

const FORMAT = 1;

type Line = [path: string, kind: FileImage["kind"], stamp: string, ...rest: (string | number | null)[]];

/** Replaces the file. Throws the file system's error. */
export function writeTree(file: string, tree: Tree): void {
	const lines: Line[] = [];
	for (const { stamp, image } of tree.values()) {
		const { path, kind, digest, mode, size, unkept } = image;
		lines.push([path, kind, stamp, digest ?? null, mode ?? null, size ?? null, unkept ?? null]);
	}
	mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
	const draft = `${file}.${randomBytes(4).toString("hex")}`;
	try {
		writeFileSync(draft, JSON.stringify({ format: FORMAT, lines }), { mode: 0o600 });
		renameSync(draft, file);
	} catch (error) {
		rmSync(draft, { force: true });
		throw error;
	}
}

/** The tree in the file; undefined where there is none of this format. */
export function readTree(file: string): Tree | undefined {
	try {
		const stored = JSON.parse(readFileSync(file, "utf8")) as { format: unknown; lines: Line[] };
		if (stored.format !== FORMAT) return undefined;
		return new Map(stored.lines.map((line) => [line[0], entryOf(line)]));
	} catch {
		return undefined;
	}
}

function entryOf([path, kind, stamp, digest, mode, size, unkept]: Line): TreeEntry {
	return {
		stamp,
		image: {
			path,
			kind,
			...(typeof digest === "string" ? { digest } : {}),
			...(typeof mode === "number" ? { mode } : {}),
			...(typeof size === "number" ? { size } : {}),
			...(typeof unkept === "string" ? { unkept } : {}),
		},
	};
}
