// Commands of a session in the real sandbox: how they end, and that nothing of them is left.

import { spawn } from "node:child_process";
import { once } from "node:events";
import {
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	realpathSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createProcesses } from "../../../src/adapters/processes/nodeProcesses.ts";
import { type ChosenSandbox, chooseSandbox } from "../../../src/adapters/sandbox/chooseSandbox.ts";
import { createConfine } from "../../../src/adapters/sandbox/confine.ts";
import type { Processes, ProcessRequest } from "../../../src/ports/processes.ts";
import type { Sandbox } from "../../../src/ports/sandbox.ts";
import { hasBwrap } from "../../support/bwrap.ts";
import { markedProcesses } from "../../support/markedProcesses.ts";

let outer: string;
let root: string;
let chosen: ChosenSandbox;
beforeAll(async () => {
	outer = realpathSync(mkdtempSync(join(tmpdir(), "agi-boxed-")));
	root = join(outer, "ws");
	mkdirSync(root);
	chosen = await chooseSandbox({
		mode: "auto",
		env: process.env,
		roots: [root],
		cacheFolder: join(outer, "cache"),
	});
});
afterAll(() => rmSync(outer, { recursive: true, force: true }));

function boxed(sandbox: Sandbox = chosen.sandbox!): Processes {
	const places = { roots: [root], homes: [outer], agiFolders: [], quarantine: join(outer, "quarantine") };
	const confine = createConfine({ sandbox, writable: true, ...places });
	return createProcesses({ env: process.env, secretValues: [], confine });
}

function run(command: ProcessRequest["command"], over: Partial<ProcessRequest> = {}, processes = boxed()) {
	const { signal } = new AbortController();
	return processes.run({
		command,
		cwd: root,
		timeoutMs: 20_000,
		signal,
		sandbox: { network: false },
		...over,
	});
}

describe.skipIf(!hasBwrap)("a sandboxed command", () => {
	it("asked to end at its time limit can put its things in order", async () => {
		const end = await run(
			{ shell: "trap 'echo tidy; exit 3' TERM; echo up; sleep 950 & wait" },
			{ timeoutMs: 500, env: { TEST_MARK: root } },
		);
		expect(end).toMatchObject({ timedOut: true, treeEnded: true, exitCode: 3, output: "up\ntidy\n" });
		expect(markedProcesses(`TEST_MARK=${root}`)).toEqual([]);
	});

	it("that will not end is killed with all it started, daemons included", async () => {
		const stubborn = "trap '' TERM; setsid sh -c \"trap '' TERM; sleep 951\" & sleep 952";
		const end = await run({ shell: stubborn }, { timeoutMs: 300, env: { TEST_MARK: root } });
		expect(end).toMatchObject({ timedOut: true, treeEnded: true });
		expect(markedProcesses(`TEST_MARK=${root}`)).toEqual([]);
	});

	it("ends when it is cancelled", async () => {
		const controller = new AbortController();
		const end = await run(
			{ shell: "echo up; sleep 953" },
			{ signal: controller.signal, onOutput: () => controller.abort() },
		);
		expect(end).toMatchObject({ cancelled: true, treeEnded: true, output: "up\n" });
	});

	it("leaves no process in the background", async () => {
		const end = await run({ shell: "setsid sleep 954 & echo front" }, { env: { TEST_MARK: root } });
		expect(end).toMatchObject({ exitCode: 0, treeEnded: true, output: "front\n" });
		expect(markedProcesses(`TEST_MARK=${root}`)).toEqual([]);
	});

	it("reads its code from a folder of its own, and its input", async () => {
		const code = "process.stdout.write(require('node:fs').readdirSync('/tmp').length + process.cwd())";
		expect((await run({ code, language: "javascript" })).output).toMatch(new RegExp(`^\\d+${root}$`));
		expect((await run({ file: "/bin/cat", args: [], input: "in" })).output).toBe("in");
	});

	it("reads a skill of the person's own that lies in a hidden folder, and nothing else there", async () => {
		const config = join(outer, "config");
		mkdirSync(join(config, "skills/mine"), { recursive: true });
		writeFileSync(join(config, "skills/mine/run.sh"), "echo from the skill");
		writeFileSync(join(config, "credentials.json"), "secret");
		const confine = createConfine({
			sandbox: chosen.sandbox!,
			writable: true,
			roots: [root],
			homes: [outer],
			agiFolders: [config],
			readable: () => [join(config, "skills/mine"), join(config, "skills/gone")],
			quarantine: join(outer, "quarantine"),
		});
		const processes = createProcesses({ env: process.env, secretValues: [], confine });
		const shell = `sh ${config}/skills/mine/run.sh; cat ${config}/credentials.json; echo x > ${config}/skills/mine/new`;
		const { output } = await run({ shell }, {}, processes);
		expect(output).toContain("from the skill");
		expect(output).toMatch(/credentials\.json: No such file[\s\S]*Read-only file system/);
	});

	it("says what was taken away, and keeps it", async () => {
		const end = await run({ shell: "mkdir .idea && echo x > .idea/a" });
		expect(end.takenAway).toEqual([
			expect.stringMatching(/^It made \.idea, which steers programs.*moved to /),
		]);
		const [folder = ""] = readdirSync(join(outer, "quarantine"));
		expect(readFileSync(join(outer, "quarantine", folder, "1-.idea", "a"), "utf8")).toBe("x\n");
	});

	it("does not start where the sandbox cannot be set up, and says so", async () => {
		const broken: Sandbox = {
			kind: "bubblewrap",
			prepare(launch, profile) {
				const confined = chosen.sandbox!.prepare(launch, profile);
				return { ...confined, args: ["--bind", "/nowhere", "/nowhere", ...confined.args] };
			},
		};
		const end = await run({ shell: "echo ran > ran.txt" }, {}, boxed(broken));
		expect(end).toMatchObject({ startError: "the sandbox around it could not be set up." });
		expect(end.exitCode).toBeUndefined();
		expect(readdirSync(root)).not.toContain("ran.txt");
	});

	it("dies with agi, even by kill -9, and leaves no file behind", async () => {
		const at = (name: string) => new URL(`../../../src/adapters/${name}`, import.meta.url).href;
		const program = `
			import { createProcesses } from ${JSON.stringify(at("processes/nodeProcesses.ts"))};
			import { chooseSandbox } from ${JSON.stringify(at("sandbox/chooseSandbox.ts"))};
			import { createConfine } from ${JSON.stringify(at("sandbox/confine.ts"))};
			const [root, outer] = ${JSON.stringify([root, outer])};
			const { sandbox } = await chooseSandbox({ mode: "auto", env: process.env, roots: [root], cacheFolder: outer + "/cache" });
			const confine = createConfine({ sandbox, roots: [root], writable: true, homes: [outer], agiFolders: [], quarantine: outer + "/q" });
			await createProcesses({ env: process.env, secretValues: [], confine }).run({
				command: { shell: "setsid sleep 955 & echo up; sleep 956" },
				cwd: root, timeoutMs: 60000, signal: new AbortController().signal, sandbox: { network: false },
				env: { TEST_MARK: outer }, onOutput: () => process.kill(process.pid, "SIGKILL"),
			});`;
		const before = readdirSync(root);
		const agi = spawn(process.execPath, ["--input-type=module", "-e", program], { stdio: "inherit" });
		expect(await once(agi, "exit")).toEqual([null, "SIGKILL"]);
		await expect.poll(() => markedProcesses(`TEST_MARK=${outer}`)).toEqual([]);
		expect(readdirSync(root)).toEqual(before);
	});
});

describe("a command that needs a sandbox", () => {
	it("is not started where there is none", async () => {
		writeFileSync(join(root, "keep"), "");
		const end = await run({ shell: "rm keep" }, {}, createProcesses({ env: process.env, secretValues: [] }));
		expect(end.startError).toBe("it needs a sandbox, and there is none.");
		expect(readdirSync(root)).toContain("keep");
	});
});
