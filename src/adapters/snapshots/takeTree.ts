// Makes a tree of what the walk met: what a known tree has with the same stamp is taken from there, the rest is read and
// its content kept.

import type { BigIntStats } from "node:fs";
import type { ImageStore } from "./imageStore.ts";
import { lookAtKnown, TREE_FILE_BYTES } from "./lookAt.ts";
import type { Tree } from "./treeFile.ts";
import { type Met, type Pacer, tooMuch } from "./walkTree.ts";

/** A file that changed so shortly before it was read may change again without another stamp. */
const YOUNG_NS = 100_000_000n;

/** So many new paths are worth a pack. */
const MANY_NEW = 100;

export type Taking = { ok: true; tree: Tree; isKnown: boolean } | { ok: false; why: string };

/** The tree; `isKnown` where it is `known` unchanged. Throws where a content cannot be stored. */
export async function takeTree(
	met: readonly Met[],
	{ known, store, pace }: { known: Tree; store: ImageStore; pace: Pacer },
): Promise<Taking> {
	const tree: Tree = new Map();
	const youngFrom = BigInt(Date.now()) * 1_000_000n - YOUNG_NS;
	let isKnown = met.length === known.size;
	const isMany = met.length > known.size + MANY_NEW;
	const target = isMany ? store.putMany() : { put: store.put, finish: () => undefined };
	try {
		for (const { path, absolute, stats } of met) {
			const stamp = stampOf(stats);
			const old = known.get(path);
			if (old !== undefined && old.stamp === stamp) {
				tree.set(path, old);
				continue;
			}
			isKnown = false;
			const look = lookIfThere(path, absolute, stats);
			if (look === undefined) continue;
			if (look.bytes !== undefined && look.image.digest !== undefined)
				target.put(look.image.digest, look.bytes);
			const isYoung = !stats.isDirectory() && stats.ctimeNs > youngFrom;
			tree.set(path, { stamp: isYoung ? "" : stamp, image: look.image });
			const paced = pace();
			if (paced !== true && !(await paced)) return tooMuch("reading its files takes too long");
		}
	} finally {
		target.finish();
	}
	return { ok: true, tree, isKnown };
}

/** A link that is gone by now is left out. */
function lookIfThere(
	path: string,
	absolute: string,
	stats: BigIntStats,
): ReturnType<typeof lookAtKnown> | undefined {
	try {
		return lookAtKnown(path, absolute, stats, TREE_FILE_BYTES);
	} catch {
		return undefined;
	}
}

/** A folder's times tell of its entries, which are looked at themselves. */
function stampOf(stats: BigIntStats): string {
	const { size, mode, mtimeNs, ctimeNs, ino } = stats;
	return stats.isDirectory() ? `${mode}` : `${size}.${mode}.${mtimeNs}.${ctimeNs}.${ino}`;
}
