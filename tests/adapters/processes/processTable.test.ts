// The table of processes, as /proc and as ps tell it.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect, it } from "vitest";
import {
	hasEnvironmentEntry,
	listPids,
	pidsAfter,
	readProcessTable,
	readPs,
} from "../../../src/adapters/processes/processTable.ts";

describe.each([
	["readProcessTable", readProcessTable],
	["readPs", readPs],
])("%s", (_, read) => {
	it("finds a child with its parent and its group", async () => {
		const child = spawn("sleep", ["60"], { detached: true, stdio: "ignore" });
		try {
			await once(child, "spawn");
			expect(read().find(({ pid }) => pid === child.pid)).toMatchObject({
				parent: process.pid,
				group: child.pid,
			});
		} finally {
			child.kill("SIGKILL");
			await once(child, "exit");
		}
		expect(read().some(({ pid }) => pid === child.pid)).toBe(false);
	});
});

describe.runIf(listPids() !== undefined)("hasEnvironmentEntry", () => {
	it("matches a whole entry only", async () => {
		const child = spawn("sleep", ["60"], {
			env: { PATH: process.env["PATH"], AGI_CALL: "12-3" },
			stdio: "ignore",
		});
		try {
			await once(child, "spawn");
			expect(hasEnvironmentEntry(child.pid!, "AGI_CALL=12-3")).toBe(true);
			expect(hasEnvironmentEntry(child.pid!, "AGI_CALL=12-")).toBe(false);
			expect(hasEnvironmentEntry(child.pid!, "CALL=12-3")).toBe(false);
		} finally {
			child.kill("SIGKILL");
			await once(child, "exit");
		}
	});
});

describe.runIf(listPids() !== undefined)("pidsAfter", () => {
	it("holds a process that was started since, and not the older ones", async () => {
		const first = spawn("sleep", ["60"], { stdio: "ignore" });
		const second = spawn("sleep", ["60"], { stdio: "ignore" });
		try {
			const newer = pidsAfter(first.pid!);
			// Undefined only where pids began anew from below between the two.
			if (second.pid! > first.pid!) expect(newer).toContain(String(second.pid));
			expect(newer ?? []).not.toContain(String(process.pid));
			expect(newer ?? []).not.toContain(String(first.pid));
		} finally {
			for (const child of [first, second]) {
				child.kill("SIGKILL");
				await once(child, "exit");
			}
		}
	});

	it("cannot be told of a pid that no process has had yet", () => {
		expect(pidsAfter(2 ** 30)).toBeUndefined();
	});
});
