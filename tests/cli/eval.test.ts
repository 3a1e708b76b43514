import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { storeTrust } from "../../src/adapters/trustStore.ts";
import { type CommandLine, parseArguments } from "../../src/cli/arguments.ts";
import { evalCommand } from "../../src/cli/eval.ts";
import { parseCases } from "../../src/evals/readCases.ts";
import { createProject, runAgi } from "../support/program.ts";
import { type Desk, openDesk, recordSession } from "../support/recordedSession.ts";

let desk: Desk;
beforeEach(() => {
	desk = openDesk();
});
afterEach(() => desk.remove());

async function run(...words: string[]) {
	const parsed = parseArguments(["eval", ...words]) as CommandLine<"eval">;
	const code = await evalCommand(parsed, desk.around).catch((error) => {
		desk.around.err(error.message);
		return error.exitCode as number;
	});
	return { code, ...desk.taken() };
}

function writeCases(name: string, cases: unknown): void {
	mkdirSync(join(desk.project, ".agent", "evals"), { recursive: true });
	writeFileSync(join(desk.project, ".agent", "evals", name), JSON.stringify(cases, undefined, "\t"));
}

const READ = {
	id: "read",
	purpose: "p",
	data: { prompt: "Read a.txt" },
	target: { category: "golden", expectedTools: ["readFile"] },
};
const JOB = {
	id: "make",
	purpose: "p",
	data: { prompt: "Create b.txt with the content: hi", verify: "grep -q hi b.txt && test -f a.txt" },
	target: { category: "task-completion", originalTask: "t" },
};

describe("evalCommand", () => {
	it("runs the cases of .agent/evals with the offline model where nothing is configured", async () => {
		writeCases("own.json", [READ]);
		const { code, out } = await run();
		expect(code).toBe(0);
		expect(out).toContain("rules, no AI");
		expect(out).toMatch(/own {2}1 case {2,}1\.000/);
		expect(readdirSync(join(desk.project, ".agent", "logs", "evals"))).toHaveLength(1);
	});

	it("lets the file's own thresholds decide the exit code", async () => {
		writeCases("own.json", { thresholds: { "pass@1": 1 }, cases: [{ ...READ, data: { prompt: "Hmm" } }] });
		const { code, out } = await run("--json");
		expect(code).toBe(1);
		expect(JSON.parse(out)).toMatchObject({
			ok: false,
			suites: [{ missed: ["pass@1 is 0.000, below its threshold 1"] }],
		});
	});

	it("refuses bad cases with file and line", async () => {
		writeCases("own.json", [{ ...READ, target: { category: "golden", expectedTools: ["readfile"] } }]);
		const { code, err } = await run();
		expect(code).toBe(42);
		expect(err).toMatch(/own\.json:\d+: read: no tool "readfile" is offered\. Did you mean readFile\?/);
	});

	it("refuses a threshold for a score that does not exist", async () => {
		writeCases("own.json", { thresholds: { toolsSelceted: 1 }, cases: [READ] });
		expect((await run()).err).toContain('there is no score "toolsSelceted"');
	});

	it("runs no command of an untrusted folder", async () => {
		writeCases("jobs.json", [JOB]);
		const { code, err } = await run();
		expect(code).toBe(42);
		expect(err).toContain(
			"make runs a command of this folder: grep -q hi b.txt && test -f a.txt. Read the cases, then trust the folder at a start of agi, or add --trust.",
		);
	});

	it("says where first cases come from where there are none", async () => {
		const { code, err } = await run();
		expect(code).toBe(42);
		expect(err).toContain("`agi eval init` writes first ones");
	});

	it("init writes cases of the newest sessions, and never over a file", async () => {
		await recordSession(desk, ["What is here?"], [{ calls: [{ name: "listFiles" }] }, { text: "Nothing." }]);
		expect((await run("init")).code).toBe(0);
		const path = join(desk.project, ".agent", "evals", "recorded.json");
		expect(parseCases(readFileSync(path, "utf8"), path).cases).toHaveLength(1);
		expect(await run("init")).toMatchObject({ code: 42, err: expect.stringContaining("is there already") });
	});

	it("init says what is missing where there is no session yet", async () => {
		expect(await run("init")).toMatchObject({
			code: 42,
			err: expect.stringContaining("Work with agi first"),
		});
	});
});

describe("the program's agi eval", () => {
	it("does a job of a folder whose trust is stored, in a copy, and leaves the repository as it was", async () => {
		const project = createProject({ "a.txt": "here", ".agent/evals/jobs.json": JSON.stringify([JOB]) });
		storeTrust(join(project.home, "data"), project.root, "2026-01-01T00:00:00.000Z");
		const { code, stdout, stderr } = await runAgi(project, ["eval", "-m", "offline", "--json"]);
		expect(stderr).toBe("");
		expect(code).toBe(0);
		expect(JSON.parse(stdout)).toMatchObject({ ok: true, suites: [{ name: "jobs", passAt1: { mean: 1 } }] });
		expect(existsSync(project.path("b.txt"))).toBe(false);
	});
});
