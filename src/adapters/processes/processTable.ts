// Reads which processes there are: from /proc on Linux, from `ps` elsewhere. Only looks, never signals. Reads are
// synchronous: a scan is a few milliseconds of tiny kernel files, each slower to hand to a thread than to read.

import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";

/** A process that is running; zombies are left out, they have ended. */
export interface ProcessEntry {
	pid: number;
	parent: number;
	group: number;
	/** Session id; 0 where it cannot be told. */
	session: number;
	/** Tells a process from a later one with the same pid. */
	identity: string;
}

const hasProc = existsSync("/proc/self/stat");

/** Every running process. */
export function readProcessTable(): ProcessEntry[] {
	return hasProc ? readProc() : readPs();
}

/** Pids as text; undefined where there is no /proc. */
export function listPids(): string[] | undefined {
	return hasProc ? readdirSync("/proc").filter((name) => /^\d/.test(name)) : undefined;
}

/**
 * Pids that were given out after `pid`, as far as their processes are still there. Costs one small read while no process
 * has been started since. Undefined where the system does not tell the newest pid, or pids have begun anew from below.
 */
export function pidsAfter(pid: number): string[] | undefined {
	// The fifth field is the newest pid (proc_loadavg(5)).
	const newest = hasProc ? Number(readIfThere("/proc/loadavg").trim().split(" ")[4]) : Number.NaN;
	if (newest === pid) return [];
	return newest > pid ? listPids()?.filter((other) => Number(other) > pid) : undefined;
}

/** Whether a process was started with the environment entry `NAME=value`; false where that cannot be read. */
export function hasEnvironmentEntry(pid: number | string, entry: string): boolean {
	if (!hasProc) return false;
	const environment = readIfThere(`/proc/${pid}/environ`);
	return environment.startsWith(`${entry}\0`) || environment.includes(`\0${entry}\0`);
}

/** The entry `NAME=value` of that name that a process was started with; undefined where there is none or none is told. */
export function environmentEntry(pid: number | string, name: string): string | undefined {
	if (!hasProc) return undefined;
	return readIfThere(`/proc/${pid}/environ`)
		.split("\0")
		.find((entry) => entry.startsWith(`${name}=`));
}

function readProc(): ProcessEntry[] {
	const entries: ProcessEntry[] = [];
	for (const pid of listPids() ?? []) {
		const stat = readIfThere(`/proc/${pid}/stat`);
		// The second field is the program's name in brackets and may itself hold brackets and blanks (proc_pid_stat(5)).
		const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
		const [state, parent, group, session] = fields;
		if (stat === "" || state === "Z" || state === "X") continue;
		entries.push({
			pid: Number(pid),
			parent: Number(parent),
			group: Number(group),
			session: Number(session),
			identity: `${pid}:${fields[19]}`,
		});
	}
	return entries;
}

/** The table as POSIX `ps` tells it. */
export function readPs(): ProcessEntry[] {
	const listing = spawnSync("ps", ["-A", "-o", "pid=,ppid=,pgid=,stat="], { encoding: "utf8" });
	const entries: ProcessEntry[] = [];
	for (const row of (listing.stdout ?? "").split("\n")) {
		const [pid, parent, group, state] = row.trim().split(/\s+/);
		if (pid === undefined || state === undefined || state.startsWith("Z")) continue;
		entries.push({
			pid: Number(pid),
			parent: Number(parent),
			group: Number(group),
			session: 0,
			identity: pid,
		});
	}
	return entries;
}

function readIfThere(path: string): string {
	try {
		return readFileSync(path, "latin1");
	} catch {
		return "";
	}
}
