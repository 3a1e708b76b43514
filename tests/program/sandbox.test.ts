// The sandbox in the built program: what runs unasked, what is asked, what a command is told, and the way around it.

import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { hasBwrap } from "../support/bwrap.ts";
import {
	ask,
	createProject,
	eventsOf,
	outcomes,
	type Project,
	runAgi,
	scripted,
} from "../support/program.ts";

const TRUST = ["--trust"] as const;

async function play(
	project: Project,
	calls: { name?: string; args: object }[],
	flags: readonly string[],
	env?: Record<string, string>,
) {
	const server = await scripted([
		...calls.map(({ name = "runCommand", args }, index) => ({ calls: [{ id: `c${index}`, name, args }] })),
		{ text: "done" },
	] as never);
	const ended = await ask(project, server, { flags, ...(env ? { env } : {}) });
	return { ...ended, ends: outcomes(ended.lines) };
}

function settings(project: Project, sandbox: object): void {
	mkdirSync(join(project.home, "config"), { recursive: true });
	writeFileSync(join(project.home, "config", "settings.json"), JSON.stringify({ sandbox }));
}

describe.skipIf(!hasBwrap)("a trusted folder with a full sandbox", () => {
	it("runs commands and code unasked, in walls that hold", async () => {
		const project = createProject({ "a.txt": "a\n" });
		const { ends, code } = await play(
			project,
			[
				{ args: { command: "cat a.txt > b.txt && mkdir out && ls" } },
				{ name: "executeCode", args: { code: "require('node:fs').writeFileSync('c.txt', 'c')" } },
				{ args: { command: "echo evil > .git/commondir" } },
				{ args: { command: "echo x > ../beside.txt; echo x > /usr/agi-probe" } },
				{ args: { command: "mkdir -p dep/.git" } },
			],
			TRUST,
		);
		expect(code).toBe(0);
		expect(ends.map(({ status }) => status)).toEqual(["result", "result", "error", "error", "result"]);
		expect(project.read("b.txt")).toBe("a\n");
		expect(project.read("c.txt")).toBe("c");
		expect(ends[2]?.text).toMatch(/Read-only file system[\s\S]*The sandbox may have stopped it/);
		expect(existsSync(project.path(".git", "commondir"))).toBe(false);
		expect(existsSync(join(project.outer, "beside.txt"))).toBe(false);
		expect(ends[4]?.text).toContain("It made dep/.git");
		expect(existsSync(project.path("dep", ".git"))).toBe(false);
		const rules = eventsOf(project).flatMap((event) =>
			event.type === "policy/decided" ? [event.verdict] : [],
		);
		expect(rules).toEqual(["allow", "allow", "allow", "allow", "allow"]);
	});

	it("still asks for the network, for an exit, and about commands that are asked every time", async () => {
		const { ends } = await play(
			createProject(),
			[
				{ args: { command: "make fetch", network: true } },
				{ args: { command: "make out", unsandboxed: true } },
				{ args: { command: "git push" } },
			],
			[...TRUST, "--allowed-tools", "runCommand"],
		);
		expect(ends.map(({ status }) => status)).toEqual(["denied", "denied", "denied"]);
		expect(ends[0]?.text).toContain("the network");
		expect(ends[1]?.text).toContain("full rights");
	});
});

describe("a machine without a sandbox", () => {
	it("asks about every command, also in a trusted folder", async () => {
		const project = createProject();
		settings(project, { mode: "none" });
		const { ends } = await play(project, [{ args: { command: "touch x" } }], TRUST);
		expect(ends).toEqual([{ status: "denied", text: expect.stringContaining("with the user's rights") }]);
		expect(existsSync(project.path("x"))).toBe(false);
	});

	it("runs commands unasked where the person vouches for the machine, until text of strangers came in", async () => {
		const project = createProject({}, "app");
		writeFileSync(join(project.outer, "strange.txt"), "read me\n");
		const { ends } = await play(
			project,
			[
				{ args: { command: "touch made && echo $HOME" } },
				{ args: { command: "make out", unsandboxed: true } },
				{ args: { command: "cat ../strange.txt" } },
				{ args: { command: "touch later" } },
			],
			[...TRUST, "--sandbox", "external"],
		);
		expect(ends.map(({ status }) => status)).toEqual(["result", "denied", "result", "denied"]);
		expect(ends[0]?.text).toContain(project.outer);
		expect(existsSync(project.path("later"))).toBe(false);
	});

	it("ends a headless run with 44 before the first request where the sandbox is required", async () => {
		const project = createProject();
		settings(project, { mode: "seatbelt", required: true });
		const server = await scripted([{ text: "never asked" }]);
		const { code, stderr } = await ask(project, server, { flags: [] });
		expect(code).toBe(44);
		expect(stderr).toMatch(/require a sandbox \(sandbox.required\)/);
		expect(server.requests).toEqual([]);
	});
});

describe("agi sandbox", () => {
	it.skipIf(!hasBwrap)("runs a command in the walls, with its output and its exit code", async () => {
		const project = createProject();
		const line = "cat; touch made; touch /usr/agi-probe; exit 7";
		const { code, stdout, stderr } = await runAgi(project, ["sandbox", "--trust", "--", "sh", "-c", line], {
			stdin: "piped",
		});
		expect({ code, stdout }).toEqual({ code: 7, stdout: "piped" });
		expect(stderr).toContain("Read-only file system");
		expect(existsSync(project.path("made"))).toBe(true);
	});

	it.skipIf(!hasBwrap)("gives it the rights of this folder, which is not trusted by itself", async () => {
		const project = createProject();
		const { code, stderr } = await runAgi(project, ["sandbox", "--", "touch", "made"]);
		expect(code).not.toBe(0);
		expect(stderr).toMatch(/not trusted, so commands write only in a \/tmp of their own/);
		expect(existsSync(project.path("made"))).toBe(false);
	});

	it.skipIf(!hasBwrap)(
		"ends as a shell does where there is no such program, or it cannot be run",
		async () => {
			const project = createProject({ plain: "not a program" });
			const missing = await runAgi(project, ["sandbox", "--", "agi-no-such-program"]);
			expect([missing.code, missing.stderr]).toEqual([127, expect.stringContaining("agi-no-such-program")]);
			expect((await runAgi(project, ["sandbox", "--", "./plain"])).code).toBe(126);
		},
	);

	it("runs nothing without one, and ends with 44", async () => {
		const project = createProject();
		settings(project, { mode: "none" });
		const { code, stderr } = await runAgi(project, ["sandbox", "--", "touch", "made"]);
		expect(code).toBe(44);
		expect(stderr).toContain("There is no sandbox to run it in.");
		expect(existsSync(project.path("made"))).toBe(false);
	});
});
