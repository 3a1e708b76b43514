// Real pipes for the output of commands. Node's own "pipe" is a socket, on which `/dev/stdout` and `/dev/stderr` cannot
// be opened ("No such device or address"; nodejs/node#21941), and stdout and stderr would be two of them, read in no
// certain order. Node has no pipe(2), so FIFOs are made in batches and unlinked as soon as they are open: nothing is left
// on the disk, whatever happens to this process. Making one costs a process, so where the system lets an unlinked FIFO be
// opened once more by its descriptor, one that was read to its end serves the next command.

import { spawnSync } from "node:child_process";
import { closeSync, constants, existsSync, mkdtempSync, openSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Both ends of a pipe, as open file descriptors that belong to the caller; the reading end does not block. */
export interface OutputPipe {
	read: number;
	write: number;
	/** To be called once, when both ends are closed. `readToEnd`: the end of its output was seen, so nobody can write to it
	 * any more and nothing is left in it. */
	release(readToEnd: boolean): void;
}

/** One `mkfifo` process makes this many. */
const BATCH = 8;
const READ = constants.O_RDONLY | constants.O_NONBLOCK;
/** Opening a name in here opens its file anew (proc_pid_fd(5)). */
const OWN_FDS = "/proc/self/fd";
const canReopen = existsSync(OWN_FDS);

/** Each holds one FIFO that nobody writes to. */
const spareReaders: number[] = [];
const sparePipes: OutputPipe[] = [];

/** A fresh pipe; undefined where the system has no FIFOs, or no descriptor is left. */
export function takeOutputPipe(): OutputPipe | undefined {
	if (spareReaders.length === 0 && sparePipes.length === 0) makePipes();
	const reader = spareReaders.pop();
	if (reader === undefined) return sparePipes.pop();
	try {
		const { read, write } = openBothEnds(`${OWN_FDS}/${reader}`);
		return {
			read,
			write,
			release: (readToEnd) => (readToEnd ? void spareReaders.push(reader) : closeSync(reader)),
		};
	} catch {
		closeSync(reader);
		return undefined;
	}
}

function makePipes(): void {
	let folder: string | undefined;
	try {
		folder = mkdtempSync(join(tmpdir(), "agi-pipes-"));
		const paths = Array.from({ length: BATCH }, (_, index) => join(folder!, String(index)));
		if (spawnSync("mkfifo", ["-m", "600", ...paths], { stdio: "ignore" }).status !== 0) return;
		for (const path of paths) {
			if (canReopen) spareReaders.push(openSync(path, READ));
			else sparePipes.push({ ...openBothEnds(path), release: () => {} });
		}
	} catch {
		// A full descriptor table or a temp folder without FIFOs: what could be opened is still good.
	} finally {
		if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
	}
}

function openBothEnds(path: string): { read: number; write: number } {
	// The reader first and without waiting; then the writer finds it and does not wait either.
	const read = openSync(path, READ);
	try {
		return { read, write: openSync(path, constants.O_WRONLY) };
	} catch (error) {
		closeSync(read);
		throw error;
	}
}
