// Keeps the store of contents within its bound: the oldest go first. What the present files need is kept anew with the
// next tree, so the caller forgets its known one.

import { type Dirent, lstatSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { packsIn, singlesIn } from "./imageStore.ts";
import { indexOf } from "./packs.ts";

interface Stored {
	path: string;
	bytes: number;
	written: number;
}

/** Where the store holds more than `maxBytes`, removes the oldest contents down to half of it; true where it did. */
export function pruneStore(folder: string, maxBytes: number): boolean {
	const stored = [
		...storedIn(packsIn(folder)).filter(({ path }) => path.endsWith(".pack")),
		...entriesOf(singlesIn(folder)).flatMap(({ name }) => storedIn(join(singlesIn(folder), name))),
	];
	let total = stored.reduce((sum, { bytes }) => sum + bytes, 0);
	if (total <= maxBytes) return false;
	stored.sort((a, b) => a.written - b.written);
	for (const { path, bytes } of stored) {
		if (total <= maxBytes / 2) break;
		if (path.endsWith(".pack")) rmSync(indexOf(path), { force: true });
		rmSync(path, { force: true });
		total -= bytes;
	}
	return true;
}

function storedIn(folder: string): Stored[] {
	return entriesOf(folder).flatMap(({ name }) => {
		const path = join(folder, name);
		const stats = lstatSync(path, { throwIfNoEntry: false });
		return stats ? [{ path, bytes: stats.size, written: stats.mtimeMs }] : [];
	});
}

function entriesOf(folder: string): Dirent[] {
	try {
		return readdirSync(folder, { withFileTypes: true });
	} catch {
		return [];
	}
}
