// Finds processes by an environment entry that only one test gave its children. Linux only, as the tests that need it.

import { readdirSync, readFileSync } from "node:fs";

/** Command lines of the running processes whose environment holds `NAME=value`. */
export function markedProcesses(entry: string): string[] {
	const found: string[] = [];
	for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
		try {
			const environment = readFileSync(`/proc/${pid}/environ`, "latin1").split("\0");
			if (environment.includes(entry)) {
				found.push(readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim());
			}
		} catch {
			// Gone while we looked.
		}
	}
	return found;
}
