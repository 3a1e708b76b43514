// Many contents in one file: a first snapshot of thousands of files would take seconds as thousands of files. A pack is
// written once, its index after it; a pack without an index was never finished and holds nothing.

import { randomBytes } from "node:crypto";
import {
	closeSync,
	mkdirSync,
	openSync,
	readdirSync,
	readFileSync,
	readSync,
	writeFileSync,
	writeSync,
} from "node:fs";
import { join } from "node:path";

/** Contents that were written many at once. */
export interface Packs {
	has(digest: string): boolean;
	/** The bytes stored under a digest, unverified; undefined where no pack has them. Throws the file system's error. */
	get(digest: string): Uint8Array | undefined;
	/** Starts a pack; its contents are there once it is finished. */
	start(): PackWriter;
}

export interface PackWriter {
	put(digest: string, bytes: Uint8Array): void;
	finish(): void;
}

interface Place {
	pack: string;
	offset: number;
	length: number;
}

const WRITE_BYTES = 1024 * 1024;

/** The packs in `folder`; their indexes are read at the first question. */
export function openPacks(folder: string): Packs {
	let index: Map<string, Place> | undefined;
	const places = () => {
		index ??= readIndexes(folder);
		return index;
	};
	return {
		has: (digest) => places().has(digest),
		get(digest) {
			const place = places().get(digest);
			return place && readPlace(place);
		},
		start: () => startPack(folder, places()),
	};
}

function startPack(folder: string, places: Map<string, Place>): PackWriter {
	mkdirSync(folder, { recursive: true, mode: 0o700 });
	const pack = join(folder, `${Date.now()}-${randomBytes(4).toString("hex")}.pack`);
	const file = openSync(pack, "wx", 0o600);
	const mine = new Map<string, Place>();
	let waiting: Uint8Array[] = [];
	let waitingBytes = 0;
	let offset = 0;

	const write = () => {
		const bytes = Buffer.concat(waiting);
		for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
		waiting = [];
		waitingBytes = 0;
	};

	return {
		put(digest, bytes) {
			if (mine.has(digest)) return;
			mine.set(digest, { pack, offset, length: bytes.length });
			waiting.push(bytes);
			waitingBytes += bytes.length;
			offset += bytes.length;
			if (waitingBytes >= WRITE_BYTES) write();
		},
		finish() {
			try {
				write();
			} finally {
				closeSync(file);
			}
			const lines = [...mine].map(([digest, place]) => `${digest} ${place.offset} ${place.length}\n`);
			writeFileSync(indexOf(pack), lines.join(""), { mode: 0o600 });
			for (const [digest, place] of mine) places.set(digest, place);
		},
	};
}

/** The index file of a pack. */
export function indexOf(pack: string): string {
	return pack.replace(/\.pack$/, ".index");
}

function readIndexes(folder: string): Map<string, Place> {
	const places = new Map<string, Place>();
	for (const name of namesIn(folder)) {
		if (!name.endsWith(".index")) continue;
		const pack = join(folder, name.replace(/\.index$/, ".pack"));
		for (const line of readFileSync(join(folder, name), "utf8").split("\n")) {
			const [digest, offset, length] = line.split(" ");
			if (digest && length) places.set(digest, { pack, offset: Number(offset), length: Number(length) });
		}
	}
	return places;
}

function namesIn(folder: string): string[] {
	try {
		return readdirSync(folder);
	} catch {
		return [];
	}
}

function readPlace({ pack, offset, length }: Place): Uint8Array {
	const bytes = Buffer.alloc(length);
	const file = openSync(pack, "r");
	try {
		readSync(file, bytes, 0, length, offset);
	} finally {
		closeSync(file);
	}
	return bytes;
}
