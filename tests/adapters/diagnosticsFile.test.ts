import { lstat, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { openDiagnosticsFile } from "../../src/adapters/diagnosticsFile.ts";

let folder: string;
let agent: string;
beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), "agi-diagnostics-"));
	agent = join(folder, ".agent");
});
afterEach(async () => {
	await rm(folder, { recursive: true, force: true });
});
const written = (name = "agent.jsonl") => readFile(join(agent, "logs", name), "utf8");

describe("openDiagnosticsFile", () => {
	it("makes nothing on the disk before the first line", async () => {
		await openDiagnosticsFile(agent).close();
		expect(await readdir(folder)).toEqual([]);
	});

	it("writes lines in their order and makes the folder private and ignored by git", async () => {
		const file = openDiagnosticsFile(agent);
		for (let line = 0; line < 500; line++) file.write(`{"n":${line}}`);
		await file.close();
		const lines = (await written()).trimEnd().split("\n");
		expect(lines.map((line) => JSON.parse(line).n)).toEqual(Array.from({ length: 500 }, (_, n) => n));
		expect(await readFile(join(agent, ".gitignore"), "utf8")).toBe("project.json\nlogs/\n");
		expect((await stat(join(agent, "logs"))).mode & 0o777).toBe(0o700);
		expect((await stat(join(agent, "logs", "agent.jsonl"))).mode & 0o777).toBe(0o600);
	});

	it("writes soon without being asked to", async () => {
		const file = openDiagnosticsFile(agent);
		file.write("{}");
		await vi.waitFor(async () => expect(await written()).toBe("{}\n"));
		await file.close();
	});

	it("goes on after what is there and leaves a .gitignore of the person alone", async () => {
		await mkdir(join(agent, "logs"), { recursive: true });
		await writeFile(join(agent, "logs", "agent.jsonl"), "old\n");
		await writeFile(join(agent, ".gitignore"), "mine\n");
		const file = openDiagnosticsFile(agent);
		file.write("new");
		await file.close();
		expect(await written()).toBe("old\nnew\n");
		expect(await readFile(join(agent, ".gitignore"), "utf8")).toBe("mine\n");
	});

	it("begins a new file when the old one is full, and keeps one old file", async () => {
		const file = openDiagnosticsFile(agent, { maxBytes: 20 });
		for (const line of ["first line", "second line", "third line"]) {
			file.write(line);
			await file.flush();
		}
		await file.close();
		expect(await written("agent.1.jsonl")).toBe("second line\n");
		expect(await written()).toBe("third line\n");
	});

	it("makes the file again when the person removed it", async () => {
		const file = openDiagnosticsFile(agent);
		file.write("one");
		await file.flush();
		await rm(join(agent, "logs", "agent.jsonl"));
		file.write("two");
		await file.close();
		expect(await written()).toBe("two\n");
	});

	it("says once that it cannot write, and never throws", async () => {
		await writeFile(agent, "a file where the folder belongs");
		const told: string[] = [];
		const file = openDiagnosticsFile(agent, { onFailure: (message) => told.push(message) });
		for (const line of ["one", "two"]) {
			file.write(line);
			await file.flush();
		}
		await file.close();
		expect(told).toHaveLength(1);
		expect(told[0]).toContain(join(agent, "logs"));
	});

	it.each(["agent folder", "logs folder", "log file"])(
		"writes nothing through a link in place of the %s",
		async (place) => {
			const outside = join(folder, "outside");
			await mkdir(join(outside, "logs"), { recursive: true });
			const victim = join(outside, "logs", "agent.jsonl");
			await writeFile(victim, "untouched");
			if (place === "agent folder") await symlink(outside, agent);
			if (place === "logs folder") {
				await mkdir(agent);
				await symlink(join(outside, "logs"), join(agent, "logs"));
			}
			if (place === "log file") {
				await mkdir(join(agent, "logs"), { recursive: true });
				await symlink(victim, join(agent, "logs", "agent.jsonl"));
			}
			const told: string[] = [];
			const file = openDiagnosticsFile(agent, { onFailure: (message) => told.push(message) });
			file.write("planted");
			await file.close();
			expect(await readFile(victim, "utf8")).toBe("untouched");
			expect(told).toHaveLength(1);
			expect((await lstat(victim)).isFile()).toBe(true);
		},
	);

	it("takes no line after it was closed", async () => {
		const file = openDiagnosticsFile(agent);
		file.write("one");
		await file.close();
		file.write("two");
		await file.close();
		expect(await written()).toBe("one\n");
	});
});
