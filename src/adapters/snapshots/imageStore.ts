// Contents of files beside the sessions of a project, by SHA-256: one file each, or many in a pack. Folders have mode
// 0700, files 0600. Which file had a content and when is the log's to know.

import { hash } from "node:crypto";
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, statSync, writeSync } from "node:fs";
import { open } from "node:fs/promises";
import { dirname, join } from "node:path";
import { openPacks } from "./packs.ts";

/** Contents by digest. */
export interface ImageStore {
	/** Stores bytes without waiting for the disk. Throws the file system's error. */
	put(digest: string, bytes: Uint8Array): void;
	/** On the disk when it resolves. */
	putSynced(digest: string, bytes: Uint8Array): Promise<void>;
	/** `put` for many: they are there once it is finished. */
	putMany(): { put(digest: string, bytes: Uint8Array): void; finish(): void };
	has(digest: string): boolean;
	/** The bytes of a digest; undefined where they are not kept any more, or damaged. */
	get(digest: string): Uint8Array | undefined;
}

/** A store in `folder`, which is made with the first content. */
export function openImageStore(folder: string): ImageStore {
	const packs = openPacks(packsIn(folder));
	const shards = new Set<string>();
	const synced = new Set<string>();

	const fileOf = (digest: string) => join(singlesIn(folder), digest.slice(0, 2), digest.slice(2));

	const write = (digest: string, bytes: Uint8Array): void => {
		const path = fileOf(digest);
		// A process that died while it wrote has left a shorter file: the size tells, and the same bytes are written again.
		if (statSync(path, { throwIfNoEntry: false })?.size === bytes.length) return;
		const shard = dirname(path);
		if (!shards.has(shard)) mkdirSync(shard, { recursive: true, mode: 0o700 });
		shards.add(shard);
		const file = openSync(path, "w", 0o600);
		try {
			for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
		} finally {
			closeSync(file);
		}
	};

	return {
		put(digest, bytes) {
			if (!packs.has(digest)) write(digest, bytes);
		},
		async putSynced(digest, bytes) {
			if (synced.has(digest)) return;
			write(digest, bytes);
			const file = await open(fileOf(digest), "r");
			try {
				await file.sync();
			} finally {
				await file.close();
			}
			await syncFolder(dirname(fileOf(digest)));
			synced.add(digest);
		},
		putMany() {
			const pack = packs.start();
			return {
				put(digest, bytes) {
					if (!packs.has(digest) && !existsSync(fileOf(digest))) pack.put(digest, bytes);
				},
				finish: pack.finish,
			};
		},
		has: (digest) => packs.has(digest) || existsSync(fileOf(digest)),
		get(digest) {
			try {
				const bytes = packs.get(digest) ?? readFileSync(fileOf(digest));
				return digestOf(bytes) === digest ? bytes : undefined;
			} catch {
				return undefined;
			}
		},
	};
}

/** Where a store has its packs. */
export function packsIn(folder: string): string {
	return join(folder, "packs");
}

/** Where a store has the contents that are files of their own. */
export function singlesIn(folder: string): string {
	return join(folder, "contents");
}

/** SHA-256 in hex. */
export function digestOf(bytes: Uint8Array): string {
	return hash("sha256", bytes, "hex");
}

async function syncFolder(path: string): Promise<void> {
	const folder = await open(path, "r");
	try {
		await folder.sync();
	} catch {
		// Some file systems cannot sync a folder; its file was synced all the same.
	} finally {
		await folder.close();
	}
}
