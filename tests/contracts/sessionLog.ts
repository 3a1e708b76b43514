// What every session store promises, as a suite that each one runs.

import { createHash } from "node:crypto";
import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { SessionLog, SessionStore } from "../../src/ports/sessionLog.ts";
import type { Commit } from "../../src/session/events.ts";

/** SHA-256 in hex. */
export function digest(bytes: string | Uint8Array): string {
	return createHash("sha256").update(bytes).digest("hex");
}

/** A small commit with a number and a text. */
export function commitOf(seq: number, text = `message ${seq}`): Commit {
	return {
		v: 1,
		seq,
		at: "2026-11-29T17:20:31.120Z",
		events: [{ type: "user/message", messageId: `message-${seq}`, text, origin: "person" }],
	};
}

/** Waits until the file system would give a file another time: two writes within one tick have the same. */
async function nextFileTime(): Promise<void> {
	const folder = await mkdtemp(join(tmpdir(), "agi-tick-"));
	const probe = join(folder, "probe");
	const timeNow = async () => {
		await writeFile(probe, "x");
		return (await stat(probe, { bigint: true })).mtimeNs;
	};
	const before = await timeNow();
	while ((await timeNow()) === before);
	await rm(folder, { recursive: true });
}

/** Runs the suite over stores that `makeStore` makes, each of them new and empty. */
export function describeSessionStore(name: string, makeStore: () => Promise<SessionStore>): void {
	describe(`${name} keeps the promises of a session store`, () => {
		it("gives back every commit in order after it was closed and opened again", async () => {
			const store = await makeStore();
			const log = await store.create("one");
			const commits = [commitOf(1), commitOf(2, "häßlich \ud800 \n\u2028 🙂"), commitOf(3)];
			for (const commit of commits) await log.append(commit);
			await log.sync();
			await log.close();
			const { opening, log: again } = await store.open("one");
			expect(opening).toMatchObject({ commits, tornBytes: 0 });
			await again.append(commitOf(4));
			await again.close();
			expect((await store.read("one")).commits.map((commit) => commit.seq)).toEqual([1, 2, 3, 4]);
		});

		it("lets a reader in while the session is written, and shows it what was appended", async () => {
			const store = await makeStore();
			const log = await store.create("one");
			await log.append(commitOf(1));
			expect((await store.read("one")).commits).toEqual([commitOf(1)]);
			await log.close();
		});

		it("keeps no tie to an object that the caller changes after the append", async () => {
			const store = await makeStore();
			const log = await store.create("one");
			const commit = commitOf(1);
			await log.append(commit);
			commit.events.length = 0;
			await log.close();
			expect((await store.read("one")).commits).toEqual([commitOf(1)]);
		});

		it("refuses a second writer until the first one closes", async () => {
			const store = await makeStore();
			const log = await store.create("one");
			await expect(store.open("one")).rejects.toMatchObject({ code: "SESSION_LOCKED", exitCode: 42 });
			await log.close();
			const { log: second } = await store.open("one");
			await second.close();
		});

		it("refuses a commit that does not follow the last one, and takes the right one after that", async () => {
			const store = await makeStore();
			const log = await store.create("one");
			await log.append(commitOf(1));
			for (const seq of [1, 3]) {
				await expect(async () => log.append(commitOf(seq))).rejects.toMatchObject({ code: "LOG_SEQ_WRONG" });
			}
			await log.append(commitOf(2));
			await log.close();
			expect((await store.read("one")).commits).toEqual([commitOf(1), commitOf(2)]);
		});

		it("refuses a second session under an id that is taken", async () => {
			const store = await makeStore();
			await (await store.create("one")).close();
			await expect(store.create("one")).rejects.toMatchObject({ code: "SESSION_ID_REFUSED", exitCode: 42 });
		});

		it("tells open and read of an id that no session has", async () => {
			const store = await makeStore();
			for (const id of ["none", "../none", ""]) {
				await expect(store.open(id)).rejects.toMatchObject({ code: "SESSION_NOT_FOUND", exitCode: 42 });
				await expect(store.read(id)).rejects.toMatchObject({ code: "SESSION_NOT_FOUND", exitCode: 42 });
			}
		});

		it("lists the session that was written last first, and none without a commit", async () => {
			const store = await makeStore();
			const logs = new Map<string, SessionLog>();
			for (const id of ["a", "b", "c", "empty"]) logs.set(id, await store.create(id));
			const appends: [string, number][] = [
				["a", 1],
				["b", 1],
				["c", 1],
				["a", 2],
			];
			for (const [id, seq] of appends) {
				await logs.get(id)?.append(commitOf(seq));
				await nextFileTime();
			}
			for (const log of logs.values()) await log.close();
			expect(await store.list()).toEqual(["a", "c", "b"]);
		});

		it("gives the first commit, and nothing of a session without one", async () => {
			const store = await makeStore();
			const log = await store.create("one");
			expect(await store.first("one")).toBeUndefined();
			for (const seq of [1, 2]) await log.append(commitOf(seq));
			await log.close();
			expect(await store.first("one")).toEqual(commitOf(1));
			await expect(store.first("none")).rejects.toMatchObject({ code: "SESSION_NOT_FOUND" });
		});

		it("marks each log that holds something, with another mark after every commit", async () => {
			const store = await makeStore();
			const marks = new Set<string>();
			const log = await store.create("one");
			expect(await store.marks()).toEqual([]);
			for (let seq = 1; seq <= 10; seq++) {
				await log.append(commitOf(seq));
				const [mark] = await store.marks();
				expect(mark?.sessionId).toBe("one");
				expect(await store.marks()).toEqual([mark]);
				marks.add(mark?.mark ?? "");
			}
			expect(marks.size).toBe(10);
			await log.close();
		});

		it("deletes a session once it is closed, and only that one", async () => {
			const store = await makeStore();
			const logs = [await store.create("one"), await store.create("two")];
			for (const log of logs) await log.append(commitOf(1));
			await logs[0]?.putBlob(new Uint8Array(3));
			await expect(store.remove("one")).rejects.toMatchObject({ code: "SESSION_LOCKED", exitCode: 42 });
			for (const log of logs) await log.close();
			await store.remove("one");
			expect(await store.list()).toEqual(["two"]);
			await expect(store.read("one")).rejects.toMatchObject({ code: "SESSION_NOT_FOUND" });
			await expect(store.remove("one")).rejects.toMatchObject({ code: "SESSION_NOT_FOUND", exitCode: 42 });
			await (await store.create("one")).close();
		});

		it("stores a blob once under its SHA-256 and gives it to writer and reader", async () => {
			const store = await makeStore();
			const log = await store.create("one");
			const bytes = new Uint8Array([0, 255, 10, 13]);
			const name = digest(bytes);
			const again = await Promise.all([1, 2, 3].map(() => log.putBlob(bytes)));
			expect(again).toEqual([name, name, name]);
			expect(Uint8Array.from(await log.getBlob(name))).toEqual(bytes);
			const reader = await store.read("one");
			expect(Uint8Array.from(await reader.getBlob(name))).toEqual(bytes);
			await log.close();
		});

		it("rejects with BLOB_MISSING for content that was never stored", async () => {
			const store = await makeStore();
			const log = await store.create("one");
			for (const name of [digest("nothing"), "../log.jsonl", ""]) {
				await expect(log.getBlob(name)).rejects.toMatchObject({ code: "BLOB_MISSING" });
			}
			await log.close();
		});

		it("closes twice without harm and refuses to write after that", async () => {
			const store = await makeStore();
			const log = await store.create("one");
			await log.close();
			await log.close();
			await expect(async () => log.append(commitOf(1))).rejects.toMatchObject({ code: "LOG_CLOSED" });
			await expect(log.sync()).rejects.toMatchObject({ code: "LOG_CLOSED" });
			await expect(log.putBlob(new Uint8Array(1))).rejects.toMatchObject({ code: "LOG_CLOSED" });
		});

		it("does not let go of a session that was opened again when its first log is closed twice", async () => {
			const store = await makeStore();
			const first = await store.create("one");
			await first.close();
			const { log: second } = await store.open("one");
			await first.close();
			await expect(store.open("one")).rejects.toMatchObject({ code: "SESSION_LOCKED" });
			await second.close();
		});
	});
}
