// Ends a command together with everything it started, also what left its process group or lost its parent. Never
// signals a process that does not belong to the command.

import { setTimeout as delay } from "node:timers/promises";
import {
	hasEnvironmentEntry,
	listPids,
	type ProcessEntry,
	pidsAfter,
	readProcessTable,
} from "./processTable.ts";

/** How the processes of a command are known: its first one leads a session of its own, and all of them inherit one
 * environment entry that no other process has. */
export interface ProcessTree {
	leader: number;
	/** `NAME=value`. */
	marker: string;
	/** When it was started, by `performance.now()`. */
	startedAt: number;
	/** The leader holds a pid namespace: the kernel ends all of the tree at once with it, so it is asked last. */
	isNamespace?: boolean;
}

/** Between the polite signal and the final one. */
const GRACE_MS = 500;
/** A system cannot give out all its pids within this time, so that the newest is above all that came since. */
const PIDS_LAST_MS = 500;
/** When to give up on processes that even SIGKILL does not end. */
const LIMIT_MS = 2500;

/** Whether something of the tree may still run after its leader has ended. Cheap: after a short command it looks only at
 * pids newer than the leader's. */
export function mayHaveLeftovers(tree: ProcessTree): boolean {
	if (groupExists(tree.leader)) return true;
	const isShort = performance.now() - tree.startedAt < PIDS_LAST_MS;
	const candidates = (isShort ? pidsAfter(tree.leader) : undefined) ?? listPids() ?? [];
	return candidates.some((pid) => hasEnvironmentEntry(pid, tree.marker));
}

/**
 * Asks every process of the tree to end (SIGTERM), then ends those that stay (SIGKILL), until none is left. Resolves with
 * the number of processes it found and whether all are gone; never rejects.
 */
export async function endTree(tree: ProcessTree): Promise<{ found: number; gone: boolean }> {
	const known = new Set<string>();
	const asked = new Set<string>();
	const startedAt = performance.now();
	for (let pause = 5; ; pause = Math.min(pause * 2, 50)) {
		const members = findMembers(tree, known);
		if (members.length === 0) return { found: known.size, gone: true };
		const elapsed = performance.now() - startedAt;
		if (elapsed > LIMIT_MS) return { found: known.size, gone: false };
		for (const member of members) {
			if (elapsed >= GRACE_MS) send(member.pid, "SIGKILL");
			else if (!asked.has(member.identity) && !(tree.isNamespace && member.pid === tree.leader))
				send(member.pid, "SIGTERM");
			asked.add(member.identity);
		}
		await delay(pause);
	}
}

/** Waits for the kernel to have ended a namespace whose leader is gone; whether it has. Never rejects. */
export async function untilGone(tree: ProcessTree): Promise<boolean> {
	const startedAt = performance.now();
	for (let pause = 1; mayHaveLeftovers(tree); pause = Math.min(pause * 2, 50)) {
		if (performance.now() - startedAt > LIMIT_MS) return false;
		await delay(pause);
	}
	return true;
}

/** Ends what can be ended without waiting: for the moment in which agi itself ends. */
export function killTreeNow(tree: ProcessTree): void {
	for (const member of findMembers(tree, new Set())) send(member.pid, "SIGKILL");
}

/** The running processes of the tree; adds them to `known`, so that they are found again when their parent is gone. */
function findMembers(tree: ProcessTree, known: Set<string>): ProcessEntry[] {
	const table = readProcessTable().filter((entry) => entry.pid !== process.pid);
	const members = new Map<number, ProcessEntry>();
	for (const entry of table) if (belongsByItself(tree, entry, known)) members.set(entry.pid, entry);
	for (let before = -1; before < members.size; ) {
		before = members.size;
		for (const entry of table) if (members.has(entry.parent)) members.set(entry.pid, entry);
	}
	for (const member of members.values()) known.add(member.identity);
	return [...members.values()];
}

function belongsByItself(tree: ProcessTree, entry: ProcessEntry, known: ReadonlySet<string>): boolean {
	return (
		entry.group === tree.leader ||
		entry.session === tree.leader ||
		known.has(entry.identity) ||
		hasEnvironmentEntry(entry.pid, tree.marker)
	);
}

function groupExists(leader: number): boolean {
	try {
		process.kill(-leader, 0);
		return true;
	} catch (error) {
		return (error as NodeJS.ErrnoException).code === "EPERM";
	}
}

function send(pid: number, signal: NodeJS.Signals): void {
	try {
		process.kill(pid, signal);
	} catch {
		// Gone already, or another user's: the next look at the table tells which.
	}
}
