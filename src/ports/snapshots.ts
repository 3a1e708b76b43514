// What undo needs of the file tree: to see what stands at paths, to keep it where no repository and no command reaches
// it, and to put it back. Paths are as in `FileImage`; an absolute path inside the workspace is taken as well.

import type { FileChange, FileImage } from "../session/events.ts";
import type { LeftPath } from "../session/rewindPlan.ts";

/** Every path of the workspace that is kept, or why the tree is not kept as a whole. */
export type TreeTaking = { ok: true; images: ReadonlyMap<string, FileImage> } | { ok: false; why: string };

/** None of these rejects or throws for what a file tree can do, but for `kept` and `takeTree`'s disk errors. */
export interface Snapshots {
	/**
	 * Keeps what stands at these paths; where nothing does, missing folders above are images too. `kept` resolves once
	 * every content is on the disk, and rejects with the file system's error where one cannot be stored.
	 */
	keep(paths: readonly string[]): { images: FileImage[]; kept: Promise<void> };
	/** What stands now at the paths of `images`, looked at as they were: for comparing with them. Keeps nothing. */
	look(images: readonly FileImage[]): FileImage[];
	/**
	 * The whole workspace, without what git ignores, its contents kept. Bounded in time, files and bytes. `as`: found
	 * again under this name by `openTree`, also by a later process, until `closeTree`.
	 */
	takeTree(as?: string): Promise<TreeTaking>;
	openTree(name: string): Promise<ReadonlyMap<string, FileImage> | undefined>;
	closeTree(name: string): void;
	/**
	 * Puts `after` where `before` stands. A path where something else stands by now is left alone, as is one whose content
	 * is not kept. Never follows a link. Resolves with what was left.
	 */
	restore(changes: readonly FileChange[]): Promise<LeftPath[]>;
}
