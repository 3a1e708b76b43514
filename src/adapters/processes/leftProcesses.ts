// Finds what outlived the agi that had started it, by the mark of its call in the environment, and ends it. Only Linux
// tells the environment of a process; elsewhere nothing is found.

import type { LeftProcesses } from "../../ports/processes.ts";
import { CALL_MARKER, ownerMark } from "./planStart.ts";
import { environmentEntry, listPids } from "./processTable.ts";
import { endTree } from "./processTree.ts";

interface Left {
	pid: number;
	/** `NAME=value`, the same for all processes of one start. */
	marker: string;
}

/** What is left of calls on this machine. */
export const leftProcesses: LeftProcesses = {
	runningOf: (owner) => findLeft(owner).map(({ pid }) => pid),
	async end(owner) {
		const left = findLeft(owner);
		if (left.length === 0) return "gone";
		const firsts = new Map(left.toReversed().map(({ pid, marker }) => [marker, pid]));
		const ends = [...firsts].map(([marker, leader]) => endTree({ leader, marker, startedAt: 0 }));
		return (await Promise.all(ends)).every(({ gone }) => gone) ? "ended" : "stays";
	},
};

function findLeft(owner: string): Left[] {
	const mark = ownerMark(owner);
	return (listPids() ?? []).flatMap((pid) => {
		const marker = environmentEntry(pid, CALL_MARKER);
		return marker?.endsWith(mark) && Number(pid) !== process.pid ? [{ pid: Number(pid), marker }] : [];
	});
}
