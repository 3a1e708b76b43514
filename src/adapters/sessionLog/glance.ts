// What a log tells without being read whole: its first commit, and which state it is in. Changes nothing and takes no
// lock. Synchronous: a thousand small reads are quicker so than through the thread pool.

import { closeSync, fstatSync, openSync, readdirSync, readSync } from "node:fs";
import { join } from "node:path";
import type { LogMark } from "../../ports/sessionLog.ts";
import type { Commit } from "../../session/events.ts";
import { parseLog } from "../../session/parseLog.ts";
import { crc32 } from "./crc32.ts";

const NEWLINE = 10;
const FIRST_READ = 65_536;
/** As many bytes as the end of a line has from its checksum on. */
const TAIL_LENGTH = 11;

/** The first commit of a log; undefined where its first line is not whole. Throws like `parseLog` and `openSync`. */
export function readFirstCommit(path: string): Commit | undefined {
	const file = openSync(path, "r");
	try {
		for (let size = FIRST_READ; ; size *= 2) {
			const bytes = readAt(file, 0, size);
			const newline = bytes.indexOf(NEWLINE);
			if (newline >= 0) return parseLog(bytes.subarray(0, newline + 1), crc32).commits[0];
			if (bytes.length < size) return undefined;
		}
	} finally {
		closeSync(file);
	}
}

/** The marks of a project's logs: size and last checksum each. [] where there is no such folder. */
export function readMarks(folder: string, projectId: string): LogMark[] {
	return namesIn(folder).flatMap((sessionId) => {
		const mark = readMark(join(folder, sessionId, "log.jsonl"));
		return mark === undefined ? [] : [{ sessionId, projectId, ...mark }];
	});
}

function readMark(path: string): Pick<LogMark, "mark" | "bytes"> | undefined {
	let file: number;
	try {
		file = openSync(path, "r");
	} catch {
		return undefined;
	}
	try {
		const { size } = fstatSync(file);
		if (size === 0) return undefined;
		const tail = readAt(file, Math.max(0, size - TAIL_LENGTH), TAIL_LENGTH).toString("latin1");
		return { mark: `${size} ${tail}`, bytes: size };
	} catch {
		return undefined;
	} finally {
		closeSync(file);
	}
}

function readAt(file: number, position: number, length: number): Buffer {
	const bytes = Buffer.alloc(length);
	return bytes.subarray(0, readSync(file, bytes, 0, length, position));
}

function namesIn(folder: string): string[] {
	try {
		return readdirSync(folder);
	} catch {
		return [];
	}
}
