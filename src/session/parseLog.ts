// Reads a whole session log: which commits are readable, where a torn tail begins, which lines are damaged.
// It only tells; cutting a tail or refusing a session is the store's part.

import type { Commit } from "./events.ts";
import { type Crc32, parseLine } from "./line.ts";
import { upcast } from "./upcast.ts";

/** What a log's bytes hold. */
export interface LogReading {
	/** Every readable commit, in rising order of `seq`. */
	commits: Commit[];
	/** Bytes up to and with the last good newline: where a torn tail is cut. */
	wholeBytes: number;
	/** Bytes after that. */
	tornBytes: number;
	/** Damage before the tail. Lines count from 1. */
	damage?: { lines: number[]; message: string };
}

interface LineFault {
	line: number;
	message: string;
}

const NEWLINE = 10;
const NAMED_FAULTS = 5;
/** `{"v":`, which every line begins with. */
const LINE_START = [0x7b, 0x22, 0x76, 0x22, 0x3a];

/**
 * Takes the bytes of a log. Incomplete lines at the very end, behind a readable one, are a torn write (they were never
 * acknowledged), and so is a beginning of the very first one; an incomplete line elsewhere, a changed line anywhere and a
 * wrong sequence number are damage. Throws `AgiError` `LOG_VERSION_NEWER` only.
 */
export function parseLog(bytes: Uint8Array, crc32: Crc32): LogReading {
	const commits: Commit[] = [];
	const faults: LineFault[] = [];
	let torn: LineFault[] = [];
	let wholeBytes = 0;
	let lastSeq = 0;
	let gapAllowed = false;
	let line = 0;
	for (let start = 0; start < bytes.length; ) {
		const newline = bytes.indexOf(NEWLINE, start);
		if (newline === -1) break;
		line += 1;
		const parsed = parseLine(bytes.subarray(start, newline), crc32);
		start = newline + 1;
		if (!parsed.ok && parsed.fault === "incomplete") {
			torn.push({ line, message: parsed.message });
			continue;
		}
		// A line that is not torn follows, so what looked like a torn tail was damage.
		faults.push(...torn);
		gapAllowed ||= torn.length > 0;
		torn = [];
		wholeBytes = start;
		if (!parsed.ok) {
			faults.push({ line, message: parsed.message });
			gapAllowed = true;
			continue;
		}
		const commit = upcast(parsed.commit);
		if (commit.seq !== lastSeq + 1 && !(gapAllowed && commit.seq > lastSeq)) {
			faults.push({ line, message: `it has number ${commit.seq} where ${lastSeq + 1} belongs` });
		}
		if (commit.seq > lastSeq) {
			commits.push(commit);
			lastSeq = commit.seq;
			gapAllowed = false;
		}
	}
	const tornBytes = bytes.length - wholeBytes;
	const foreign = commits.length > 0 || tornBytes === 0 ? [] : [...torn, ...foreignStart(bytes, line)];
	if (foreign.length > 0)
		return { commits, wholeBytes, tornBytes: 0, damage: describeDamage([...faults, ...foreign]) };
	const reading = { commits, wholeBytes, tornBytes };
	return faults.length === 0 ? reading : { ...reading, damage: describeDamage(faults) };
}

/**
 * What stands alone in a log is its torn first write where it begins like one, or with the zeros that a power cut leaves;
 * else it may have been anything.
 */
function foreignStart(bytes: Uint8Array, lines: number): LineFault[] {
	const start = bytes.subarray(0, LINE_START.length);
	const isTorn = bytes[0] === 0 || start.every((byte, at) => byte === LINE_START[at]);
	return lines > 0 || isTorn ? [] : [{ line: 1, message: "it is no line of a session" }];
}

function describeDamage(faults: LineFault[]): { lines: number[]; message: string } {
	const named = faults.slice(0, NAMED_FAULTS).map((fault) => `line ${fault.line}: ${fault.message}`);
	if (faults.length > NAMED_FAULTS) named.push(`and ${faults.length - NAMED_FAULTS} more`);
	return { lines: faults.map((fault) => fault.line), message: named.join("; ") };
}
