import { spawnSync } from "node:child_process";
import {
	cpSync,
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	readlinkSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { runEvals } from "../../src/evals/runEvals.ts";
import { loadSuite } from "../../src/evals/suites.ts";
import type { WorkspaceData, WorkspaceTarget } from "../../src/evals/types.ts";
import { copyProject, runWorkspaceTask } from "../../src/evals/workspaceTask.ts";
import { evalOptions, servedModel, temporaryFolder } from "../support/evalRun.ts";
import { type PlayReply, startPlayServer } from "../support/playServer.ts";
import { AGI, atFileEnd } from "../support/program.ts";

const NAMES = readdirSync("evals/workspaces");
const PATH = `${dirname(process.execPath)}:${process.env["PATH"] ?? ""}`;

function taskOf(name: string): { data: WorkspaceData; target: WorkspaceTarget; file: string } {
	const [given] = loadSuite(`evals/workspaces/${name}/task.json`).cases;
	return { data: given!.data as WorkspaceData, target: given!.target as WorkspaceTarget, file: given!.file };
}

function has(program: string): boolean {
	return spawnSync("/bin/sh", ["-c", `command -v ${program}`], { env: { PATH } }).status === 0;
}

/** Every file below a folder, by its path in it. */
function filesOf(folder: string): [path: string, content: string][] {
	return readdirSync(folder, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map((entry) => join(entry.parentPath, entry.name))
		.map((path) => [path.slice(folder.length + 1), readFileSync(path, "utf8")]);
}

describe("the tasks of evals/workspaces", () => {
	it.for(NAMES)(
		"%s fails as it is and passes with its solution, which leaves protected files alone",
		(name, { skip }) => {
			const { data, target } = taskOf(name);
			skip(!(data.needs ?? []).every(has), `it needs ${data.needs}`);
			const copy = temporaryFolder();
			cpSync(`evals/workspaces/${name}/project`, copy, { recursive: true });
			const check = () =>
				spawnSync("/bin/sh", ["-c", data.verify], { cwd: copy, env: { PATH, HOME: copy } }).status;
			expect(check()).not.toBe(0);
			for (const [path, content] of filesOf(`evals/workspaces/${name}/solution`)) {
				const isProtected = target.unchanged?.some((pattern) =>
					pattern.endsWith("/**") ? path.startsWith(pattern.slice(0, -2)) : path === pattern,
				);
				expect(isProtected, `${path} is protected`).toBe(false);
				writeFileSync(join(copy, path), content);
			}
			expect(check()).toBe(0);
		},
	);

	it("protect at least the check of every project", () => {
		expect(NAMES.filter((name) => (taskOf(name).target.unchanged ?? []).length === 0)).toEqual([]);
	});
});

describe("copyProject", () => {
	it("leaves a link relative, so that a job which writes through it meets the copy", async () => {
		const from = temporaryFolder();
		const to = join(temporaryFolder(), "copy");
		writeFileSync(join(from, "a.txt"), "original");
		symlinkSync("a.txt", join(from, "link.txt"));
		await copyProject(from, to);
		writeFileSync(join(to, "link.txt"), "changed");
		expect(readlinkSync(join(to, "link.txt"))).toBe("a.txt");
		expect(readFileSync(join(from, "a.txt"), "utf8")).toBe("original");
		expect(readFileSync(join(to, "a.txt"), "utf8")).toBe("changed");
	});

	it("leaves out what is not the project's own, and of .agent what no model is told", async () => {
		const from = temporaryFolder();
		const to = join(temporaryFolder(), "copy");
		const kept = ["src/a.txt", ".agent/MEMORY.md", ".agent/skills/x/SKILL.md"];
		for (const path of [...kept, ".git/HEAD", "node_modules/a/b", "dist/c", ".agent/logs/d"]) {
			mkdirSync(dirname(join(from, path)), { recursive: true });
			writeFileSync(join(from, path), "");
		}
		await copyProject(from, to);
		expect(
			filesOf(to)
				.map(([path]) => path)
				.sort(),
		).toEqual(kept.sort());
	});
});

describe("runWorkspaceTask", () => {
	async function runWith(name: string, script: readonly PlayReply[]) {
		const server = await startPlayServer((request) => {
			const results = request.messages.filter(({ role }) => role === "tool").length;
			return script[Math.min(results, script.length - 1)] ?? {};
		});
		atFileEnd(() => server.close());
		const { data, target, file } = taskOf(name);
		return runWorkspaceTask(data, target, {
			model: servedModel(server.baseUrl),
			agi: [resolve(AGI)],
			repository: process.cwd(),
			file,
			env: { PATH, HOME: temporaryFolder() },
		});
	}
	const write = (path: string, content: string) => ({
		calls: [{ name: "writeFile", args: { path, content } }],
	});
	const MEDIAN = readFileSync("evals/workspaces/py-median/solution/stats.py", "utf8");

	it("lets the built program work in a copy and believes only the check", async () => {
		const read = { calls: [{ name: "readFile", args: { path: "stats.py" } }] };
		const { output, usage } = await runWith("py-median", [
			read,
			write("stats.py", MEDIAN),
			{ text: "Mended." },
		]);
		expect(output).toMatchObject({
			verified: true,
			broken: [],
			text: "Mended.",
			toolCallOrder: ["readFile", "writeFile"],
		});
		expect(output.steps[1]?.toolResults?.[0]?.result).toContain("Successfully wrote");
		expect(usage.inputTokens).toBe(300);
		expect(existsSync("evals/workspaces/py-median/project/.agent")).toBe(false);
	});

	it("does not believe a model that only says so", async () => {
		const { output } = await runWith("py-median", [{ text: "All tests pass now." }]);
		expect(output.verified).toBe(false);
		expect(output.checkOutput).toContain("test_even");
	});

	it("puts a deleted test back before the check, and names it", async () => {
		const remove = { calls: [{ name: "deleteFile", args: { path: "test_stats.py" } }] };
		const { output } = await runWith("py-median", [remove, { text: "All tests pass now." }]);
		expect(output).toMatchObject({ verified: false, broken: ["test_stats.py"] });
	});

	it("gives the way to the network to program and check, and the person's keys to neither", async () => {
		const folder = temporaryFolder();
		mkdirSync(join(folder, "project"));
		writeFileSync(join(folder, "project", "a.txt"), "x");
		const server = await startPlayServer(() => ({ text: "ok" }));
		atFileEnd(() => server.close());
		const data = { prompt: "go", project: "project", verify: "env; exit 1" };
		const { output } = await runWorkspaceTask(
			data,
			{ category: "task-completion", originalTask: "go" },
			{
				model: servedModel(server.baseUrl),
				agi: [resolve(AGI)],
				repository: folder,
				file: join(folder, "task.json"),
				env: {
					PATH,
					HOME: folder,
					https_proxy: "http://127.0.0.1:9",
					NODE_EXTRA_CA_CERTS: "/no/such.pem",
					OPENAI_API_KEY: "sk-should-not-travel",
					AWS_SECRET_ACCESS_KEY: "neither-this",
				},
			},
		);
		for (const passed of ["PATH=", "https_proxy=http://127.0.0.1:9", "NODE_EXTRA_CA_CERTS=/no/such.pem"])
			expect(output.checkOutput).toContain(passed);
		expect(output.checkOutput).not.toMatch(/should-not-travel|neither-this/);
	});

	it("rejects with what is missing where a program that the check needs is not there", async () => {
		const { data, target, file } = taskOf("py-median");
		const options = {
			model: servedModel("http://127.0.0.1:1"),
			agi: [AGI],
			repository: ".",
			file,
			env: { PATH },
		};
		await expect(
			runWorkspaceTask({ ...data, needs: ["no-such-program"] }, target, options),
		).rejects.toMatchObject({ code: "UNMET_NEED" });
	});
});

describe("runEvals with jobs", () => {
	it("clears away the copy of a job that is ended in the middle, before it reports", async () => {
		const temporary = temporaryFolder();
		vi.stubEnv("TMPDIR", temporary);
		const stop = new AbortController();
		const server = await startPlayServer(() => {
			stop.abort();
			return { calls: [{ name: "runCommand", args: { command: "sleep 600" } }] };
		});
		atFileEnd(() => server.close());
		const options = evalOptions(servedModel(server.baseUrl), {
			agi: [resolve(AGI)],
			env: { PATH, HOME: temporaryFolder() },
			signal: stop.signal,
		});
		const { run, exitCode, reason } = await runEvals(
			[loadSuite("evals/workspaces/py-median/task.json")],
			options,
		);
		vi.unstubAllEnvs();
		expect(run.suites[0]?.skipped).toBe(1);
		expect(exitCode).toBe(130);
		expect(reason).toContain(`--resume ${run.id} goes on`);
		// The folders of this test's own options stand there too.
		expect(readdirSync(temporary).filter((name) => !name.startsWith("agi-evals-test-"))).toEqual([]);
	});

	it("tells agi the skills and memory of the copied repository and its person", async () => {
		const repository = temporaryFolder();
		const configFolder = temporaryFolder();
		const server = await startPlayServer(() => ({ text: "ok" }));
		atFileEnd(() => server.close());
		mkdirSync(join(repository, ".agent", "skills", "release"), { recursive: true });
		mkdirSync(join(repository, ".agent", "evals"));
		writeFileSync(
			join(repository, ".agent", "skills", "release", "SKILL.md"),
			"---\nname: release\ndescription: skill-says\n---\nDo it.\n",
		);
		writeFileSync(join(repository, ".agent", "MEMORY.md"), "- memory-says\n");
		writeFileSync(join(configFolder, "AGENTS.md"), "person-says");
		const { output } = await runWorkspaceTask(
			{ prompt: "go", verify: "test -f .agent/MEMORY.md && ! test -e .agent/evals" },
			{ category: "task-completion", originalTask: "go" },
			{
				model: servedModel(server.baseUrl),
				agi: [resolve(AGI)],
				repository,
				file: join(repository, ".agent", "evals", "jobs.json"),
				prompts: { cwd: repository, configFolder, trusted: true },
				env: { PATH, HOME: temporaryFolder() },
			},
		);
		expect(output.verified).toBe(true);
		const asked = JSON.stringify(server.requests);
		for (const word of ["skill-says", "memory-says", "person-says"]) expect(asked).toContain(word);
	});
});
