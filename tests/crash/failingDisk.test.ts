// A full disk, a size limit and a broken disk, at each of the first writes and syncs; `npm run test:crash` does all.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createJsonlStore } from "../../src/adapters/sessionLog/jsonl.ts";
import { realDisk } from "../../src/adapters/sessionLog/logFile.ts";
import { createWorkspace } from "../../src/adapters/workspace/nodeWorkspace.ts";
import { createWorld } from "../../src/adapters/world.ts";
import { createPrompts } from "../../src/runtime/prompts.ts";
import { createScheduler } from "../../src/runtime/scheduler.ts";
import { createSessions } from "../../src/runtime/sessions.ts";
import { createTurnBench } from "../support/turnBench.ts";
import { failureAt } from "./failingDisk.ts";

describe.each([
	["ENOSPC", "write"],
	["EFBIG", "write"],
	["EIO", "write"],
	["EIO", "sync"],
] as const)("a session whose disk fails with %s at a %s", (code, call) => {
	it("says so, keeps what was saved, and is worked on to its end by the next start", async () => {
		const folder = mkdtempSync(join(tmpdir(), "agi-disk-"));
		try {
			for (let at = 1; at <= 5; at++)
				expect({ at, ...(await failureAt(join(folder, String(at)), code, call, at)) }).toEqual({
					at,
					met: true,
					faults: [],
				});
		} finally {
			rmSync(folder, { recursive: true, force: true });
		}
	});
});

describe("a turn that a full disk broke off", () => {
	it("says so at once, and tells it at its end when there is room again in the same process", async () => {
		const folder = mkdtempSync(join(tmpdir(), "agi-disk-"));
		let isFull = false;
		const bench = await createTurnBench({
			script(_, index) {
				isFull = index === 0;
				return isFull ? { calls: [{ name: "listFiles", args: {} }] } : { text: "ok" };
			},
		});
		try {
			const world = createWorld();
			const disk = {
				...realDisk,
				write(fd: number, bytes: Uint8Array) {
					if (isFull) throw Object.assign(new Error("no space"), { code: "ENOSPC" });
					return realDisk.write(fd, bytes);
				},
			};
			const sessions = createSessions(
				createJsonlStore({ folder, digest: world.digest, disk }),
				world,
				() => undefined,
			);
			const { cwd, projectId, startedOn, mode } = bench.session.state;
			const session = await sessions.create({ cwd, projectId, startedOn, mode, agiVersion: "test" });
			const workspace = await createWorkspace({ root: bench.root });
			const scheduler = createScheduler({
				session,
				contextFor: (signal) => ({ ...bench.contextFor(signal), session }),
				recovery: { session, workspace, prompts: createPrompts(() => undefined) },
				onTurnEnd: () => undefined,
			});
			const submit = (text: string) =>
				session.record({ do: "submitInput", text, target: "next_turn", wakeup: true, origin: "person" });
			submit("one");
			await expect(scheduler.runWaiting()).rejects.toThrow(
				/could not be saved: the disk is full \(ENOSPC\)\. What was saved before is whole\. Free some space/,
			);
			submit("two");
			await expect(scheduler.runWaiting()).rejects.toThrow("the disk is full");
			isFull = false;
			expect(await scheduler.runWaiting()).toMatchObject({ status: "completed", answer: "ok" });
			const { sessionId } = session.state;
			await session.close();
			const ends = (await sessions.read(sessionId)).commits
				.flatMap((commit) => commit.events)
				.filter((event) => event.type === "turn/end");
			expect(ends[0]).toMatchObject({
				code: "storage",
				reason: `Session ${sessionId} could not be saved: the disk is full (ENOSPC)`,
			});
		} finally {
			await bench.remove();
			rmSync(folder, { recursive: true, force: true });
		}
	});
});
