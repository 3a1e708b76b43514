// A full disk, a size limit and a broken disk, at each of the first writes and syncs; `npm run test:crash` does all.

import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createJsonlStore } from "../../src/adapters/sessionLog/jsonl.ts";
import { type Disk, realDisk } from "../../src/adapters/sessionLog/logFile.ts";
import { createWorkspace } from "../../src/adapters/workspace/nodeWorkspace.ts";
import { createWorld } from "../../src/adapters/world.ts";
import type { SessionStore } from "../../src/ports/sessionLog.ts";
import { createPrompts } from "../../src/runtime/prompts.ts";
import { createScheduler } from "../../src/runtime/scheduler.ts";
import { createSessions } from "../../src/runtime/sessions.ts";
import { checkLog } from "../../src/session/check.ts";
import { createTurnBench, type TurnBenchOptions } from "../support/turnBench.ts";
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

/** A session on a disk that is full while `disk.isFull`, its log with `disk.free` bytes left, and a scheduler over it. */
async function onDisk(options: Pick<TurnBenchOptions, "script" | "answers">) {
	const folder = mkdtempSync(join(tmpdir(), "agi-disk-"));
	const bench = await createTurnBench({ trusted: false, ...options });
	onTestFinished(async () => {
		await bench.remove();
		rmSync(folder, { recursive: true, force: true });
	});
	const state = { isFull: false, free: Infinity };
	const world = createWorld();
	const disk: Disk = {
		...realDisk,
		write(fd, bytes) {
			if (state.isFull) throw Object.assign(new Error("no space"), { code: "ENOSPC" });
			return realDisk.write(fd, bytes);
		},
	};
	const files = createJsonlStore({ folder, digest: world.digest, disk });
	const store: SessionStore = {
		...files,
		create: async (id) => ({ ...(await files.create(id)), freeBytes: () => state.free }),
	};
	const sessions = createSessions(store, world, () => undefined);
	const { cwd, projectId, startedOn, mode } = bench.session.state;
	const session = await sessions.create({ cwd, projectId, startedOn, mode, agiVersion: "test" });
	const prompts = createPrompts(() => undefined);
	const scheduler = createScheduler({
		session,
		contextFor: (signal) => ({ ...bench.contextFor(signal), session }),
		recovery: { session, workspace: await createWorkspace({ root: bench.root }), prompts },
		onTurnEnd: () => undefined,
	});
	const send = (text: string) =>
		session.save(() =>
			session.record({ do: "submitInput", text, target: "next_turn", wakeup: true, origin: "person" }),
		);
	/** What the log holds, once it is closed; it breaks no invariant. */
	const logged = async () => {
		await session.close();
		const { commits } = await sessions.read(session.state.sessionId);
		expect(checkLog(commits)).toEqual([]);
		return commits.flatMap((commit) => commit.events);
	};
	return { bench, disk: state, session, prompts, scheduler, send, logged };
}

const writeA = (id: string) => ({ id, name: "writeFile", args: { path: "a", content: "1" } });

describe("a call whose start does not reach a full disk", () => {
	it("is not run, and nobody is asked whether it was: it ends as not run, with the reason", async () => {
		const { bench, disk, session, prompts, scheduler, send, logged } = await onDisk({
			script: [{ calls: [writeA("c1")] }, { text: "ok" }],
			answers: ["yes"],
		});
		await send("write it");
		const fill = session.subscribe((told) => {
			if (told.kind === "facts")
				disk.isFull ||= told.events.some(({ type }) => type === "approval/requested");
		});
		await expect(scheduler.runWaiting()).rejects.toThrow("the disk is full");
		fill();
		disk.isFull = false;
		await send("go on");
		expect(await scheduler.runWaiting()).toMatchObject({ status: "completed", answer: "ok" });
		expect(prompts.open()).toEqual([]);
		expect(existsSync(join(bench.root, "a"))).toBe(false);
		const events = await logged();
		expect(events.filter((event) => event.type === "question/asked")).toEqual([]);
		expect(events.filter((event) => event.type === "tool/result")).toMatchObject([
			{ status: "cancelled", text: expect.stringMatching(/^writeFile was not run: .*the disk is full/) },
		]);
	});
});

describe("a disk with less than 1 MB left", () => {
	it("keeps calls with effects from starting and says why, and lets calls that read run", async () => {
		const { bench, disk, scheduler, send, logged } = await onDisk({
			script: [
				{ calls: [{ id: "c1", name: "listFiles", args: {} }, writeA("c2")] },
				{ calls: [writeA("c3")] },
				{ text: "ok" },
			],
			answers: ["yes", "yes"],
		});
		await send("write it");
		disk.free = 999_999;
		expect(await scheduler.runWaiting()).toMatchObject({ status: "completed" });
		const events = await logged();
		const starts = events.flatMap((event) => (event.type === "tool/start" ? [event.callId] : []));
		expect(starts).toEqual(["c1"]);
		expect(existsSync(join(bench.root, "a"))).toBe(false);
		expect(events.filter((event) => event.type === "tool/result").slice(1)).toMatchObject([
			{ callId: "c2", status: "error", text: expect.stringContaining("less than 1 MB free") },
			{ callId: "c3", status: "error" },
		]);
	});

	it("is one only below that: with 1 MB free they run", async () => {
		const { bench, disk, scheduler, send, logged } = await onDisk({
			script: [{ calls: [writeA("c1")] }, { text: "ok" }],
			answers: ["yes"],
		});
		disk.free = 1_000_000;
		await send("write it");
		await scheduler.runWaiting();
		expect(existsSync(join(bench.root, "a"))).toBe(true);
		await logged();
	});
});

describe("a turn that a full disk broke off", () => {
	it("says so at once, and tells it at its end when there is room again in the same process", async () => {
		const { disk, session, scheduler, logged } = await onDisk({
			script(_, index) {
				disk.isFull = index === 0;
				return disk.isFull ? { calls: [{ name: "listFiles", args: {} }] } : { text: "ok" };
			},
		});
		const submit = (text: string) =>
			session.record({ do: "submitInput", text, target: "next_turn", wakeup: true, origin: "person" });
		submit("one");
		await expect(scheduler.runWaiting()).rejects.toThrow(
			/could not be saved: the disk is full \(ENOSPC\)\. What was saved before is whole\. Free some space/,
		);
		submit("two");
		await expect(scheduler.runWaiting()).rejects.toThrow("the disk is full");
		disk.isFull = false;
		expect(await scheduler.runWaiting()).toMatchObject({ status: "completed", answer: "ok" });
		expect((await logged()).find((event) => event.type === "turn/end")).toMatchObject({
			code: "storage",
			reason: `Session ${session.state.sessionId} could not be saved: the disk is full (ENOSPC)`,
		});
	});
});
