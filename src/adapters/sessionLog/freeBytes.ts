// How much room a disk has left. A call takes microseconds, so nothing is remembered.

import { type StatsFs, statfsSync } from "node:fs";

/** Bytes that this user may still write where `folder` lies; Infinity where the system cannot tell. */
export function freeBytes(
	folder: string,
	statfs: (path: string) => Pick<StatsFs, "bavail" | "bsize" | "blocks"> = statfsSync,
): number {
	try {
		const { bavail, bsize, blocks } = statfs(folder);
		// A file system without a size of its own, as some in user space are, has no blocks at all.
		return blocks === 0 ? Infinity : bavail * bsize;
	} catch {
		return Infinity;
	}
}
