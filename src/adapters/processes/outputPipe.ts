// Real pipes for the output of commands. Node's own "pipe" is a socket, on which `/dev/stdout` and `/dev/stderr` cannot
// be opened ("No such device or address"; nodejs/node#21941), and stdout and stderr would be two of them, read in no
// certain order. Node has no pipe(2), so FIFOs are made in batches and unlinked as soon as both ends are open: nothing
// is left on the disk, whatever happens to this process.

import { spawnSync } from "node:child_process";
import { closeSync, constants, mkdtempSync, openSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Both ends of a pipe, as open file descriptors; the reading end does not block. */
export interface OutputPipe {
	read: number;
	write: number;
}

/** One `mkfifo` process makes this many. */
const BATCH = 8;
const spare: OutputPipe[] = [];

/** A fresh pipe whose ends belong to the caller; undefined where the system has no FIFOs. */
export function takeOutputPipe(): OutputPipe | undefined {
	if (spare.length === 0) spare.push(...makePipes());
	return spare.pop();
}

function makePipes(): OutputPipe[] {
	const pipes: OutputPipe[] = [];
	let folder: string | undefined;
	try {
		folder = mkdtempSync(join(tmpdir(), "agi-pipes-"));
		const paths = Array.from({ length: BATCH }, (_, index) => join(folder!, String(index)));
		if (spawnSync("mkfifo", ["-m", "600", ...paths], { stdio: "ignore" }).status !== 0) return [];
		for (const path of paths) pipes.push(openBothEnds(path));
	} catch {
		// A full descriptor table or a temp folder without FIFOs: what could be opened is still good.
	} finally {
		if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
	}
	return pipes;
}

function openBothEnds(path: string): OutputPipe {
	// The reader first and without waiting; then the writer finds it and does not wait either.
	const read = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
	try {
		return { read, write: openSync(path, constants.O_WRONLY) };
	} catch (error) {
		closeSync(read);
		throw error;
	}
}
