// Large content beside a session's log, one file per SHA-256. Owns the folder `blobs`; what a blob means is the log's.

import { mkdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { errorCode, replaceFile, syncFolder } from "./durable.ts";
import { blobDamaged, blobMissing } from "./failures.ts";

const DIGEST = /^[0-9a-f]{64}$/;

/** SHA-256 in hex. */
export type Digest = (bytes: Uint8Array) => string;

/** Where a session keeps its blobs and how they are named. */
export interface BlobFolder {
	sessionId: string;
	/** `<session folder>/blobs`; made with the first blob. */
	path: string;
	digest: Digest;
}

/** Stores bytes, on the disk when it resolves; twice the same is one file. Rejects with the file system's error. */
export async function putBlob(blobs: BlobFolder, bytes: Uint8Array): Promise<string> {
	const name = blobs.digest(bytes);
	const path = join(blobs.path, name);
	if (!(await holds(blobs, path, name))) {
		if ((await mkdir(blobs.path, { recursive: true, mode: 0o700 })) !== undefined)
			await syncFolder(dirname(blobs.path));
		await replaceFile(path, bytes, { sync: true });
	}
	// Also for one that was there: a process that died may have left its name unsynced.
	await syncFolder(blobs.path);
	return name;
}

/** The bytes stored under a digest. Rejects with `BLOB_MISSING` or `BLOB_DAMAGED`. */
export async function getBlob(blobs: BlobFolder, name: string): Promise<Uint8Array> {
	if (!DIGEST.test(name)) throw blobMissing(blobs.sessionId, name);
	let bytes: Uint8Array;
	try {
		bytes = await readFile(join(blobs.path, name));
	} catch (error) {
		throw errorCode(error) === "ENOENT" ? blobMissing(blobs.sessionId, name) : error;
	}
	if (blobs.digest(bytes) !== name) throw blobDamaged(blobs.sessionId, name);
	return bytes;
}

/** Whether the file is there with the bytes of its name; a damaged one is written anew. */
async function holds(blobs: BlobFolder, path: string, name: string): Promise<boolean> {
	try {
		return blobs.digest(await readFile(path)) === name;
	} catch {
		return false;
	}
}
