// Snapshots of a workspace in a folder of agi's own, never in the repository: contents by digest, the last tree as a
// cache, and the trees that open turns began with. Needs no git and touches none.

import { hash } from "node:crypto";
import { rmSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Snapshots, TreeTaking } from "../../ports/snapshots.ts";
import type { FileImage } from "../../session/events.ts";
import { diskCause } from "../diskCause.ts";
import { createRulesReader } from "./ignoreRules.ts";
import { openImageStore } from "./imageStore.ts";
import { absoluteOf, imagePathOf, type Look, lookAt, NAMED_FILE_BYTES, TREE_FILE_BYTES } from "./lookAt.ts";
import { pruneStore } from "./pruneStore.ts";
import { restoreFiles } from "./restoreFiles.ts";
import { takeTree } from "./takeTree.ts";
import { readTree, type Tree, writeTree } from "./treeFile.ts";
import { createPacer, type TreeBounds, tooMuch, walkTree } from "./walkTree.ts";

export interface SnapshotsOptions {
	/** `<data>/projects/<project id>/snapshots`; made with the first image. */
	folder: string;
	/** Real paths of the workspace and of the folders added to it. */
	root: string;
	added?: readonly string[];
	/** Folders that are never part of a tree, such as agi's own. */
	without?: readonly string[];
	bounds?: Partial<TreeBounds>;
	/** How much all contents may take on the disk. */
	storeBytes?: number;
}

const BOUNDS: TreeBounds = { files: 20_000, bytes: 1024 ** 3, ms: 5_000 };
const STORE_BYTES = 4 * 1024 ** 3;

/** Snapshots of one workspace. Touches no disk before it is used. */
export function createSnapshots(options: SnapshotsOptions): Snapshots {
	const { root, folder } = options;
	const bounds = { ...BOUNDS, ...options.bounds };
	const added = (options.added ?? []).filter((path) => !path.startsWith(`${root}/`));
	const without = new Set([folder, ...(options.without ?? [])]);
	const reader = createRulesReader();
	const store = openImageStore(folder);
	// Sessions of one project may start in different folders of it.
	const cacheFile = join(
		folder,
		`tree-${hash("sha256", [root, ...added].join("\n"), "hex").slice(0, 16)}.json`,
	);
	let known: Tree | undefined;
	/** A tree that was too much once is not tried again by this process. */
	let refusal: string | undefined;

	const look = (image: FileImage): FileImage =>
		lookAt(root, image.path, hasTreeBound(image) ? TREE_FILE_BYTES : NAMED_FILE_BYTES).image;

	const openFile = (name: string) => join(folder, "open", `${name}.json`);

	async function take(as: string | undefined): Promise<TreeTaking> {
		if (refusal !== undefined) return tooMuch(refusal);
		const pace = createPacer(bounds.ms);
		known ??= firstKnown();
		const walk = await walkTree({ root, added, without, reader }, bounds, pace);
		const taken = walk.ok ? await takeTree(walk.met, { known, store, pace }) : walk;
		if (!taken.ok) {
			refusal = taken.why;
			return taken;
		}
		known = taken.tree;
		if (!taken.isKnown) writeTree(cacheFile, known);
		if (as !== undefined) writeTree(openFile(as), known);
		return { ok: true, images: imagesOf(known) };
	}

	/** Only the first time: a store grows slowly. What a prune took away must not count as kept. */
	function firstKnown(): Tree {
		const isPruned = pruneStore(folder, options.storeBytes ?? STORE_BYTES);
		return (isPruned ? undefined : readTree(cacheFile)) ?? new Map();
	}

	return {
		keep(paths) {
			const looks = withMissingParents(root, paths).map((path) => lookAt(root, path, NAMED_FILE_BYTES));
			return { images: looks.map(({ image }) => image), kept: keepAll(looks).catch(inWords) };
		},
		look: (images) => images.map(look),
		takeTree: (as) => take(as).catch(inWords),
		async openTree(name) {
			const tree = readTree(openFile(name));
			return tree && imagesOf(tree);
		},
		closeTree(name) {
			try {
				rmSync(openFile(name), { force: true });
			} catch {
				// What cannot be removed is only space: the log says that its turn is settled.
			}
		},
		restore: (changes) => restoreFiles(changes, { root, store, look }),
	};

	async function keepAll(looks: readonly Look[]): Promise<void> {
		for (const { image, bytes } of looks)
			if (bytes !== undefined && image.digest !== undefined) await store.putSynced(image.digest, bytes);
	}
}

/** What the disk answered ends up in sentences for a person. */
function inWords(error: unknown): never {
	throw new Error(diskCause(error), { cause: error });
}

/** Whether an image was made within the smaller bound, so that the same file compares equal. */
function hasTreeBound(image: FileImage): boolean {
	return image.kind === "file" && image.unkept !== undefined && (image.size ?? 0) <= NAMED_FILE_BYTES;
}

function imagesOf(tree: Tree): Map<string, FileImage> {
	return new Map([...tree].map(([path, { image }]) => [path, image]));
}

/** The paths as images name them, those of missing folders above missing files before them. */
function withMissingParents(root: string, paths: readonly string[]): string[] {
	const all = new Set<string>();
	for (const path of paths) {
		const chain = [imagePathOf(root, path)];
		for (
			let above = dirname(absoluteOf(root, path));
			above !== dirname(above) && lookAt(root, above, 0).image.kind === "none";
			above = dirname(above)
		)
			chain.unshift(imagePathOf(root, above));
		for (const one of chain) all.add(one);
	}
	return [...all];
}
