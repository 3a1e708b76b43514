import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
	appendFileSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { createJsonlStore, type JsonlStoreOptions } from "../../../src/adapters/sessionLog/jsonl.ts";
import { realDisk } from "../../../src/adapters/sessionLog/logFile.ts";
import { commitOf, describeSessionStore, digest } from "../../contracts/sessionLog.ts";
import { hasBwrap } from "../../support/bwrap.ts";

const MODULE = new URL("../../../src/adapters/sessionLog/jsonl.ts", import.meta.url).href;
const folders: string[] = [];

function tempFolder(): string {
	const folder = mkdtempSync(join(tmpdir(), "agi-sessions-"));
	folders.push(folder);
	return folder;
}

function storeIn(folder: string, options: Partial<JsonlStoreOptions> = {}) {
	return createJsonlStore({ folder, digest, ...options });
}

/** A closed session `one` with so many commits; returns the path of its log. */
async function makeSession(folder: string, commits: number): Promise<string> {
	const log = await storeIn(folder).create("one");
	for (let seq = 1; seq <= commits; seq++) await log.append(commitOf(seq));
	await log.close();
	return join(folder, "one", "log.jsonl");
}

/** A module with `store` and `commitOf` in its scope. */
function moduleOf(folder: string, body: string): string {
	return `
		import { createHash } from "node:crypto";
		import { createJsonlStore } from ${JSON.stringify(MODULE)};
		const digest = (bytes) => createHash("sha256").update(bytes).digest("hex");
		const store = createJsonlStore({ folder: ${JSON.stringify(folder)}, digest });
		const commitOf = (seq, text) => ({ v: 1, seq, at: "2026-11-29T17:20:31.120Z",
			events: [{ type: "user/message", messageId: "message-" + seq, text, origin: "person" }] });
		${body}`;
}

/** Runs a module in another node process. */
function runChild(folder: string, body: string, shellPrefix = "") {
	const code = moduleOf(folder, body);
	const command = `${shellPrefix} exec "$0" --input-type=module -e "$1"`;
	return spawn("bash", ["-c", command, process.execPath, code], { stdio: ["pipe", "pipe", "pipe"] });
}

async function outputOf(child: ReturnType<typeof runChild>): Promise<string> {
	let output = "";
	for (const stream of [child.stdout, child.stderr])
		stream.on("data", (part) => {
			output += part;
		});
	await once(child, "close");
	return output.trim();
}

afterEach(() => {
	for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

describeSessionStore("createJsonlStore", async () =>
	storeIn(join(tempFolder(), "projects", "p", "sessions")),
);

describe("createJsonlStore on disk", () => {
	it("makes folders that only the user can enter and files that only the user can read", async () => {
		const folder = join(tempFolder(), "a", "b");
		const log = await storeIn(folder).create("one");
		await log.putBlob(new Uint8Array(3));
		await log.append(commitOf(1));
		const paths = ["", "a", "a/b", "a/b/one", "a/b/one/blobs"]
			.slice(1)
			.map((path) => join(folder, "../..", path));
		for (const path of paths) expect(statSync(path).mode & 0o777).toBe(0o700);
		const files = readdirSync(join(folder, "one"), { recursive: true, withFileTypes: true }).filter((f) =>
			f.isFile(),
		);
		expect(files.map((file) => file.name).sort()).toEqual(
			[digest(new Uint8Array(3)), "lock.db", "lock.json", "log.jsonl"].sort(),
		);
		for (const file of files) expect(statSync(join(file.parentPath, file.name)).mode & 0o777).toBe(0o600);
		await log.close();
	});

	it("opens after a cut at every byte of the log, tells what it dropped, and appends a whole line after it", async () => {
		const folder = tempFolder();
		const path = await makeSession(folder, 2);
		const whole = readFileSync(path);
		for (let length = 0; length <= whole.length; length++) {
			writeFileSync(path, whole.subarray(0, length));
			const { log, opening } = await storeIn(folder).open("one");
			const kept = whole.subarray(0, length).filter((byte) => byte === 10).length;
			expect(opening.commits).toHaveLength(kept);
			expect(statSync(path).size).toBe(length - opening.tornBytes);
			await log.append(commitOf(kept + 1, "after the cut"));
			await log.close();
			const { commits, tornBytes, damage } = await storeIn(folder).read("one");
			expect({ seqs: commits.length, tornBytes, damage }).toEqual({
				seqs: kept + 1,
				tornBytes: 0,
				damage: undefined,
			});
		}
	});

	it("tells a reader of a torn tail without cutting it", async () => {
		const folder = tempFolder();
		const path = await makeSession(folder, 2);
		appendFileSync(path, '{"v":1,');
		const before = readFileSync(path);
		expect(await storeIn(folder).read("one")).toMatchObject({ tornBytes: 7 });
		expect(readFileSync(path)).toEqual(before);
	});

	it("refuses to write a log that is damaged in the middle, names the line, leaves every byte, and can be read", async () => {
		const folder = tempFolder();
		const path = await makeSession(folder, 3);
		const bytes = readFileSync(path);
		bytes[30] = bytes[30]! ^ 1;
		writeFileSync(path, bytes);
		for (let time = 0; time < 2; time++) {
			await expect(storeIn(folder).open("one")).rejects.toMatchObject({
				code: "SESSION_DAMAGED",
				exitCode: 42,
				message: expect.stringMatching(/at its beginning \(line 1: .*agi sessions show one$/),
				copyOffer: undefined,
			});
		}
		expect(readFileSync(path)).toEqual(bytes);
		const reading = await storeIn(folder).read("one");
		expect(reading.commits.map((commit) => commit.seq)).toEqual([2, 3]);
		expect(reading.damage?.lines).toEqual([1]);
	});

	it("offers a copy of a damaged log whose beginning can be read", async () => {
		const folder = tempFolder();
		const path = await makeSession(folder, 3);
		const bytes = readFileSync(path);
		const second = bytes.indexOf("\n") + 30;
		bytes[second] = bytes[second]! ^ 1;
		writeFileSync(path, bytes);
		await expect(storeIn(folder).open("one")).rejects.toMatchObject({
			code: "SESSION_DAMAGED",
			exitCode: 42,
			sessionId: "one",
			message: expect.stringMatching(/line 2: .*agi -r one --fork-session$/),
			copyOffer: expect.stringMatching(/line 2: .*can still be read\.$/),
		});
	});

	it("changes no byte of a session that is opened and closed without input", async () => {
		const folder = tempFolder();
		const path = await makeSession(folder, 2);
		const before = readFileSync(path);
		const { log } = await storeIn(folder).open("one");
		await log.close();
		expect(readFileSync(path)).toEqual(before);
	});

	it("finds and lists the sessions of other projects where it knows their folder", async () => {
		const projectsFolder = tempFolder();
		const here = storeIn(join(projectsFolder, "here", "sessions"), { projectsFolder });
		await makeSession(join(projectsFolder, "there", "sessions"), 1);
		expect(await here.list()).toEqual([]);
		expect(await here.list({ allProjects: true })).toEqual(["one"]);
		expect((await here.read("one")).commits).toHaveLength(1);
	});

	it("refuses an id that is no plain file name", async () => {
		const store = storeIn(tempFolder());
		for (const id of ["../up", "a/b", ".", "", "a\0b"]) {
			await expect(store.create(id)).rejects.toMatchObject({ code: "SESSION_ID_REFUSED" });
		}
	});

	it("says which folder is at fault where sessions cannot be made", async () => {
		const file = join(tempFolder(), "file");
		writeFileSync(file, "");
		await expect(storeIn(join(file, "sessions")).create("one")).rejects.toMatchObject({
			code: "SESSION_OPEN_FAILED",
			message: expect.stringContaining(file),
		});
	});

	it("writes a damaged blob anew, and refuses to give it out before that", async () => {
		const folder = tempFolder();
		const log = await storeIn(folder).create("one");
		const bytes = Buffer.from("content");
		const name = await log.putBlob(bytes);
		writeFileSync(join(folder, "one", "blobs", name), "contents");
		await expect(log.getBlob(name)).rejects.toMatchObject({ code: "BLOB_DAMAGED" });
		await log.putBlob(bytes);
		expect(Buffer.from(await log.getBlob(name))).toEqual(bytes);
		await log.close();
	});

	it("gives back the partial text of an attempt that a crash interrupted, and ignores one it cannot read", async () => {
		const folder = tempFolder();
		await makeSession(folder, 1);
		const partial = { attemptId: "attempt-1", text: "so far", reasoning: "" };
		const contents: [string, unknown][] = [
			[JSON.stringify(partial), partial],
			['{"attemptId":"a"', undefined],
			["3", undefined],
		];
		for (const [content, expected] of contents) {
			writeFileSync(join(folder, "one", "partial.json"), content);
			const opened = await storeIn(folder).open("one");
			expect(opened.partial).toEqual(expected);
			await opened.log.close();
		}
	});
});

describe("createJsonlStore with a log that others write", () => {
	it("appends nothing after foreign bytes, and leaves those alone", async () => {
		const folder = tempFolder();
		const log = await storeIn(folder).create("one");
		await log.append(commitOf(1));
		const path = join(folder, "one", "log.jsonl");
		appendFileSync(path, "foreign\n");
		const before = readFileSync(path);
		for (let time = 0; time < 2; time++) {
			await expect(async () => log.append(commitOf(2))).rejects.toMatchObject({ code: "LOG_FENCED" });
		}
		expect(readFileSync(path)).toEqual(before);
		await log.close();
	});

	it("appends nothing to a log that was replaced or deleted", async () => {
		const folder = tempFolder();
		const log = await storeIn(folder).create("one");
		await log.append(commitOf(1));
		const path = join(folder, "one", "log.jsonl");
		const content = readFileSync(path);
		// The old file is still open, so the new one cannot get its inode.
		rmSync(path);
		await expect(async () => log.append(commitOf(2))).rejects.toMatchObject({ code: "LOG_FENCED" });
		writeFileSync(path, content);
		await expect(async () => log.append(commitOf(2))).rejects.toMatchObject({ code: "LOG_FENCED" });
		expect(readFileSync(path)).toEqual(content);
		await log.close();
	});
});

describe("createJsonlStore with a disk that fails", () => {
	it("leaves no part of a line that hit the file size limit, and saves again once it can", async () => {
		const folder = tempFolder();
		// 16 blocks of 1 KiB; bash counts `ulimit -f` in those.
		const child = runChild(
			folder,
			`const log = await store.create("one");
			await log.append(commitOf(1, "small"));
			const codes = [];
			for (let time = 0; time < 2; time++) {
				try {
					log.append(commitOf(2, "x".repeat(20_000)));
				} catch (error) {
					codes.push(error.code, error.message);
				}
			}
			await log.append(commitOf(2, "small again"));
			await log.close();
			console.log(JSON.stringify(codes));`,
			"ulimit -f 16;",
		);
		const codes = JSON.parse(await outputOf(child));
		expect(codes.filter((_: string, i: number) => i % 2 === 0)).toEqual([
			"LOG_WRITE_FAILED",
			"LOG_WRITE_FAILED",
		]);
		expect(codes[1]).toMatch(/size limit \(EFBIG\)/);
		const reading = await storeIn(folder).read("one");
		expect(reading).toMatchObject({
			commits: [commitOf(1, "small"), commitOf(2, "small again")],
			tornBytes: 0,
		});
		expect(reading.damage).toBeUndefined();
	});

	it("never glues a line to a part that could not be cut off at once", async () => {
		const folder = tempFolder();
		let failing = false;
		const fail = () => Object.assign(new Error("no space left"), { code: "ENOSPC" });
		const disk = {
			...realDisk,
			write(fd: number, bytes: Uint8Array) {
				if (failing && bytes.length < 50) throw fail();
				return realDisk.write(fd, failing ? bytes.subarray(0, bytes.length - 40) : bytes);
			},
			truncate(fd: number, size: number) {
				if (failing) throw fail();
				realDisk.truncate(fd, size);
			},
		};
		const log = await storeIn(folder, { disk }).create("one");
		await log.append(commitOf(1));
		failing = true;
		for (let time = 0; time < 3; time++) {
			await expect(async () => log.append(commitOf(2))).rejects.toMatchObject({ code: "LOG_WRITE_FAILED" });
		}
		failing = false;
		await log.append(commitOf(2));
		await log.close();
		const reading = await storeIn(folder).read("one");
		expect(reading).toMatchObject({ commits: [commitOf(1), commitOf(2)], tornBytes: 0 });
	});

	it("writes a line whole where the system takes a few bytes at a time", async () => {
		const folder = tempFolder();
		const disk = {
			...realDisk,
			write: (fd: number, bytes: Uint8Array) => realDisk.write(fd, bytes.subarray(0, 7)),
		};
		const log = await storeIn(folder, { disk }).create("one");
		await log.append(commitOf(1));
		await log.close();
		expect((await storeIn(folder).read("one")).commits).toEqual([commitOf(1)]);
	});

	it.runIf(hasBwrap)(
		"says which folder is on a read-only disk and what to do, and changes nothing",
		async () => {
			const folder = join(tempFolder(), "sessions");
			const log = await storeIn(folder).create("old");
			log.append(commitOf(1));
			await log.close();
			// What a process that died has left.
			writeFileSync(join(folder, "old", "lock.json"), "{}");
			const code = moduleOf(
				folder,
				`for (const act of [() => store.open("old"), () => store.create("new")])
				await act().catch(({ code, exitCode, message }) => console.log(code, exitCode, message));
			console.log((await store.read("old")).commits.length);`,
			);
			const mounts = `mount --bind ${folder} ${folder} && mount -o remount,ro,bind ${folder}`;
			const run = ["-c", `${mounts} && exec "$0" --input-type=module -e "$1"`, process.execPath, code];
			const told = execFileSync("unshare", ["-Urm", "bash", ...run], { encoding: "utf8" })
				.trim()
				.split("\n");
			expect(told).toEqual([
				expect.stringMatching(
					new RegExp(
						`^SESSION_OPEN_FAILED 1 Session old cannot be written in ${folder}/old: the disk is read-only \\(EROFS\\)\\. Make that folder writable`,
					),
				),
				expect.stringMatching(
					new RegExp(
						`^SESSION_OPEN_FAILED 1 The folder ${folder}/new for this session could not be made: the disk is read-only \\(EROFS\\)\\. Mend that, set AGI_HOME`,
					),
				),
				"1",
			]);
		},
	);

	it("refuses everything after a failed sync and never syncs again, but gives the lock back", async () => {
		const folder = tempFolder();
		let syncs = 0;
		const disk = {
			...realDisk,
			async sync() {
				syncs += 1;
				throw Object.assign(new Error("input/output error"), { code: "EIO" });
			},
		};
		const log = await storeIn(folder, { disk }).create("one");
		await log.append(commitOf(1));
		const failed = { code: "LOG_SYNC_FAILED", message: expect.stringMatching(/EIO.*--resume one/) };
		await expect(log.sync()).rejects.toMatchObject(failed);
		await expect(log.sync()).rejects.toMatchObject(failed);
		await expect(async () => log.append(commitOf(2))).rejects.toMatchObject(failed);
		await expect(log.putBlob(new Uint8Array(1))).rejects.toMatchObject(failed);
		await expect(log.close()).rejects.toMatchObject(failed);
		expect(syncs).toBe(1);
		const { log: again, opening } = await storeIn(folder).open("one");
		expect(opening.commits).toEqual([commitOf(1)]);
		await again.close();
	});

	it("syncs once for several commits, and not at all where nothing is new", async () => {
		let syncs = 0;
		const disk = {
			...realDisk,
			sync(fd: number) {
				syncs += 1;
				return realDisk.sync(fd);
			},
		};
		const log = await storeIn(tempFolder(), { disk }).create("one");
		await log.append(commitOf(1));
		await log.append(commitOf(2));
		await Promise.all([log.sync(), log.sync()]);
		await log.sync();
		expect(syncs).toBe(1);
		await log.close();
	});
});

describe("createJsonlStore with other processes", () => {
	const hold = `const log = await store.create("one");
		await log.append(commitOf(1, "held"));
		process.stdin.resume();
		console.log("ready");`;

	it("refuses a session that another process holds, names that process, and is free at once after kill -9", async () => {
		const folder = tempFolder();
		const child = runChild(folder, hold);
		await once(child.stdout, "data");
		const locked = {
			code: "SESSION_LOCKED",
			exitCode: 42,
			message: expect.stringMatching(new RegExp(`process ${child.pid} since \\d{4}-.*agi sessions fork one`)),
		};
		await expect(storeIn(folder).open("one")).rejects.toMatchObject(locked);
		child.kill("SIGSTOP");
		await expect(storeIn(folder).open("one")).rejects.toMatchObject(locked);
		child.kill("SIGKILL");
		await once(child, "exit");
		const { log, opening } = await storeIn(folder).open("one");
		expect(opening.commits).toEqual([commitOf(1, "held")]);
		await log.close();
	});

	it("is free after kill -9 although a child of the holder lives on", async () => {
		const folder = tempFolder();
		const child = runChild(
			folder,
			`${hold}
			const { spawn } = await import("node:child_process");
			const sleeper = spawn("sleep", ["60"], { detached: true, stdio: "ignore" });
			console.log("sleeper", sleeper.pid);`,
		);
		let output = "";
		while (!/sleeper \d+/.test(output)) output += (await once(child.stdout, "data"))[0];
		const sleeper = Number(/sleeper (\d+)/.exec(output)?.[1]);
		try {
			child.kill("SIGKILL");
			await once(child, "exit");
			const { log } = await storeIn(folder).open("one");
			await log.close();
			expect(() => process.kill(sleeper, 0)).not.toThrow();
		} finally {
			process.kill(sleeper, "SIGKILL");
		}
	});

	it("prints no warning on the way", async () => {
		const child = runChild(tempFolder(), `await (await store.create("one")).close();`);
		expect(await outputOf(child)).toBe("");
	});
});
