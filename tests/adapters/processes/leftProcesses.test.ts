import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { leftProcesses } from "../../../src/adapters/processes/leftProcesses.ts";
import { createProcesses } from "../../../src/adapters/processes/nodeProcesses.ts";
import { listPids } from "../../../src/adapters/processes/processTable.ts";

const processes = createProcesses({ env: process.env, secretValues: [] });

function start(shell: string, owner: string) {
	const { signal } = new AbortController();
	return processes.run({ command: { shell }, cwd: "/", timeoutMs: 60_000, signal, owner });
}

async function untilRunning(owner: string, count: number): Promise<number[]> {
	for (;;) {
		const pids = leftProcesses.runningOf(owner);
		if (pids.length >= count) return pids;
		await delay(5);
	}
}

describe.runIf(listPids() !== undefined)("leftProcesses", () => {
	it("finds all processes of a call by its owner, the oldest first, and of no other call", async () => {
		const owner = `s-1/cäll ${process.pid}\ud800`;
		const ran = start("sleep 61 & sleep 62 & wait", owner);
		const other = start("sleep 63", `${owner}2`);
		const pids = await untilRunning(owner, 3);
		expect(pids).toEqual(pids.toSorted((a, b) => a - b));
		await untilRunning(`${owner}2`, 1);
		expect(await leftProcesses.end(owner)).toBe("ended");
		expect(leftProcesses.runningOf(owner)).toEqual([]);
		expect((await ran).signal).toBe("SIGTERM");
		expect(leftProcesses.runningOf(`${owner}2`)).toHaveLength(1);
		expect(await leftProcesses.end(`${owner}2`)).toBe("ended");
		await other;
	});

	it("finds nothing of a call that has ended", async () => {
		await start("true", `s-2/${process.pid}`);
		expect(leftProcesses.runningOf(`s-2/${process.pid}`)).toEqual([]);
		expect(await leftProcesses.end(`s-2/${process.pid}`)).toBe("gone");
	});
});
