// One line of a session log: a commit as JSON whose last member is the CRC32 of the bytes before it.
// Owns the bytes of a line and nothing else: no file, no order of lines, no meaning of an event.

import type { Commit } from "./events.ts";

/** CRC32 (zlib's polynomial) of some bytes, as an unsigned 32-bit number. The adapter brings the fast one. */
export type Crc32 = (bytes: Uint8Array) => number;

/** A line whose checksum holds, of whichever version wrote it. */
export interface StoredCommit {
	v: number;
	seq: number;
	at: string;
	events: unknown[];
}

/**
 * What a line turned out to be. `incomplete`: it has no checksum at its end or holds zeros, as a write that was cut
 * leaves it. `changed`: it was written whole and is different now.
 */
export type ParsedLine =
	| { ok: true; commit: StoredCommit }
	| { ok: false; fault: "incomplete" | "changed"; message: string };

const NEWLINE = 10;
/** `,"c":"` + 8 hex digits + `"}` */
const TAIL_LENGTH = 16;
const TAIL = /^,"c":"([0-9a-f]{8})"\}$/;

const encoder = new TextEncoder();
const strictDecoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const lenientDecoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** The bytes of one line, its newline included. JSON escapes every newline of the content, so there is only this one. */
export function encodeLine(commit: Commit, crc32: Crc32): Uint8Array {
	const { v, seq, at, events } = commit;
	const body = encoder.encode(JSON.stringify({ v, seq, at, events }).slice(0, -1));
	const line = new Uint8Array(body.length + TAIL_LENGTH + 1);
	line.set(body);
	line.set(encoder.encode(`,"c":"${crc32(body).toString(16).padStart(8, "0")}"}`), body.length);
	line[line.length - 1] = NEWLINE;
	return line;
}

/** Reads one line given without its newline. Never throws. */
export function parseLine(line: Uint8Array, crc32: Crc32): ParsedLine {
	const bodyEnd = Math.max(0, line.length - TAIL_LENGTH);
	const checksum = TAIL.exec(lenientDecoder.decode(line.subarray(bodyEnd)))?.[1];
	if (checksum === undefined)
		return { ok: false, fault: "incomplete", message: "it has no checksum at its end" };
	const body = line.subarray(0, bodyEnd);
	if (crc32(body) !== Number.parseInt(checksum, 16)) {
		if (body.includes(0)) return { ok: false, fault: "incomplete", message: "it holds zeros" };
		return { ok: false, fault: "changed", message: "its checksum does not match" };
	}
	const commit = parseCommit(body);
	return commit ? { ok: true, commit } : { ok: false, fault: "changed", message: "it is not a commit" };
}

/** The commit of a body (a JSON object without its closing brace), or undefined where it is none. */
function parseCommit(body: Uint8Array): StoredCommit | undefined {
	let value: Partial<StoredCommit>;
	try {
		value = JSON.parse(`${strictDecoder.decode(body)}}`);
	} catch {
		return undefined;
	}
	const { v, seq, at, events } = value;
	if (!isCount(v) || !isCount(seq) || typeof at !== "string" || !Array.isArray(events)) return undefined;
	if (!events.every(isEvent)) return undefined;
	return { v, seq, at, events };
}

function isEvent(value: unknown): boolean {
	return typeof (value as { type?: unknown } | null)?.type === "string";
}

function isCount(value: unknown): value is number {
	return Number.isSafeInteger(value) && (value as number) > 0;
}
