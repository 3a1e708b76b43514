// One line of a session log: a commit as JSON whose last member is the CRC32 of the bytes before it.
// Owns the bytes of a line and nothing else: no file, no order of lines, no meaning of an event.

import { type Commit, LOG_VERSION } from "./events.ts";

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

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

const NEWLINE = 10;
/** What stands around the checksum, as bytes. */
const BEFORE = encoder.encode(',"c":"');
const AFTER = encoder.encode('"}');
const CHECKSUM_LENGTH = 8;
const TAIL_LENGTH = BEFORE.length + CHECKSUM_LENGTH + AFTER.length;

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
	const bodyEnd = line.length - TAIL_LENGTH;
	const checksum = bodyEnd < 0 ? undefined : checksumAt(line, bodyEnd);
	if (checksum === undefined)
		return { ok: false, fault: "incomplete", message: "it has no checksum at its end" };
	const body = line.subarray(0, bodyEnd);
	if (crc32(body) !== checksum) {
		if (body.includes(0)) return { ok: false, fault: "incomplete", message: "it holds zeros" };
		return { ok: false, fault: "changed", message: `its checksum does not match${laterVersion(line)}` };
	}
	const commit = parseCommit(line);
	return commit ? { ok: true, commit } : { ok: false, fault: "changed", message: "it is not a commit" };
}

/** The checksum of a tail that begins at `at`; undefined where there is no tail. By bytes: a long log has many lines. */
function checksumAt(line: Uint8Array, at: number): number | undefined {
	const digits = at + BEFORE.length;
	if (!holdsAt(line, at, BEFORE) || !holdsAt(line, digits + CHECKSUM_LENGTH, AFTER)) return undefined;
	let checksum = 0;
	for (let i = digits; i < digits + CHECKSUM_LENGTH; i++) {
		const digit = hexDigit(line[i]!);
		if (digit === undefined) return undefined;
		checksum = checksum * 16 + digit;
	}
	return checksum;
}

function holdsAt(line: Uint8Array, at: number, expected: Uint8Array): boolean {
	return expected.every((byte, i) => line[at + i] === byte);
}

/** The value of `0`-`9` or `a`-`f`. */
function hexDigit(byte: number): number | undefined {
	if (byte >= 48 && byte <= 57) return byte - 48;
	return byte >= 97 && byte <= 102 ? byte - 87 : undefined;
}

/** The commit of a line, its checksum being one more member; undefined where it is none. */
function parseCommit(line: Uint8Array): StoredCommit | undefined {
	let value: Partial<StoredCommit>;
	try {
		value = JSON.parse(decoder.decode(line));
	} catch {
		return undefined;
	}
	const { v, seq, at, events } = value;
	if (!isCount(v) || !isCount(seq) || typeof at !== "string" || !Array.isArray(events)) return undefined;
	if (!events.every(isEvent)) return undefined;
	return { v, seq, at, events };
}

/** Nothing of such a line can be trusted, its version neither; but that may be why its checksum is another one. */
function laterVersion(line: Uint8Array): string {
	const { v = 0 } = parseCommit(line) ?? {};
	return v > LOG_VERSION ? `; where a newer agi wrote it (log version ${v}), update agi` : "";
}

function isEvent(value: unknown): boolean {
	return typeof (value as { type?: unknown } | null)?.type === "string";
}

function isCount(value: unknown): value is number {
	return Number.isSafeInteger(value) && (value as number) > 0;
}
