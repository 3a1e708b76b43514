// The adapter against its contract, and what only it promises.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createProcesses } from "../../../src/adapters/processes/nodeProcesses.ts";
import type { Processes, ProcessRequest } from "../../../src/ports/processes.ts";
import { processesContract } from "../../contracts/processes.ts";
import { markedProcesses } from "../../support/markedProcesses.ts";

describe("createProcesses", () => {
	processesContract(() => createProcesses({ env: process.env, secretValues: [] }));
});

function run(processes: Processes, command: ProcessRequest["command"], env?: Record<string, string>) {
	const { signal } = new AbortController();
	return processes.run({
		command,
		cwd: tmpdir(),
		timeoutMs: 20_000,
		signal,
		...(env !== undefined && { env }),
	});
}

describe("the environment of a command", () => {
	it("holds no secret, in shells and in code, but what the person set otherwise", async () => {
		const env: NodeJS.ProcessEnv = {
			...process.env,
			OPENAI_API_KEY: "sk-test-AAA",
			AGI_API_KEY: "sk-test-BBB",
			X: "sk-test-CCC",
			MYAPP_MODE: "dev",
		};
		const processes = createProcesses({ env, secretValues: ["sk-test-CCC"] });
		const ends = await Promise.all([
			run(processes, { shell: "env" }),
			run(processes, { code: "console.log(JSON.stringify(process.env))", language: "javascript" }),
		]);
		for (const { output } of ends) {
			expect(output).not.toMatch(/sk-test-|API_KEY/);
			expect(output).toContain("MYAPP_MODE");
			expect(output).toContain(env["PATH"]);
			expect(output).toContain("AGI_CALL");
		}
	});

	it("takes what the request adds before all else, and tells the folder it is in", async () => {
		const processes = createProcesses({
			env: { PATH: process.env["PATH"], PWD: "/elsewhere" },
			secretValues: [],
		});
		const end = await run(processes, { file: "env", args: [] }, { PAGER: "less", EXTRA: "1" });
		expect(end.output).toMatch(/^PAGER=less$/m);
		expect(end.output).toMatch(/^EXTRA=1$/m);
		expect(end.output).toContain(`PWD=${tmpdir()}\n`);
	});
});

describe("the choice of a program", () => {
	it("falls back to sh where there is no bash", async () => {
		const bin = mkdtempSync(join(tmpdir(), "agi-bin-"));
		symlinkSync("/bin/sh", join(bin, "sh"));
		const processes = createProcesses({ env: { PATH: bin }, secretValues: [] });
		expect((await run(processes, { shell: "echo $0" })).output).toBe(`${bin}/sh\n`);
		rmSync(bin, { recursive: true });
	});

	it("says which program is missing", async () => {
		const processes = createProcesses({ env: { PATH: "/nowhere:relative" }, secretValues: [] });
		expect((await run(processes, { shell: "true" })).startError).toContain("bash");
		expect((await run(processes, { code: "1", language: "python" })).startError).toContain("python3");
		expect(await run(processes, { code: "console.log(1)", language: "javascript" })).toMatchObject({
			output: "1\n",
		});
	});
});

describe("the end of agi itself", () => {
	it("takes running commands with it and leaves nothing in the temp folder", async () => {
		const temp = mkdtempSync(join(tmpdir(), "agi-exit-"));
		const module = new URL("../../../src/adapters/processes/nodeProcesses.ts", import.meta.url).href;
		const program = `
			import { createProcesses } from ${JSON.stringify(module)};
			void createProcesses({ env: process.env, secretValues: [] }).run({
				command: { shell: "setsid sleep 983 & echo up; sleep 982" },
				cwd: "/", timeoutMs: 60000, signal: new AbortController().signal,
				env: { TEST_MARK: ${JSON.stringify(temp)} },
				onOutput: () => process.exit(0),
			});`;
		const agi = spawn(process.execPath, ["--input-type=module", "-e", program], {
			env: { ...process.env, TMPDIR: temp },
			stdio: "inherit",
		});
		const [code] = await once(agi, "exit");
		expect(code).toBe(0);
		await expect.poll(() => markedProcesses(`TEST_MARK=${temp}`)).toEqual([]);
		expect(readdirSync(temp)).toEqual([]);
		rmSync(temp, { recursive: true });
	});
});

describe("a system without FIFOs", () => {
	it("still gives the output of both streams", async () => {
		const module = new URL("../../../src/adapters/processes/nodeProcesses.ts", import.meta.url).href;
		const program = `
			import { createProcesses } from ${JSON.stringify(module)};
			const end = await createProcesses({ env: process.env, secretValues: [] }).run({
				command: { shell: "echo out; echo err >&2; exit 3" },
				cwd: "/", timeoutMs: 20000, signal: new AbortController().signal,
			});
			console.log(JSON.stringify([end.exitCode, end.output.split("\\n").sort()]));`;
		const agi = spawn(process.execPath, ["--input-type=module", "-e", program], {
			env: { ...process.env, TMPDIR: "/nowhere" },
			stdio: ["ignore", "pipe", "inherit"],
		});
		let output = "";
		agi.stdout.on("data", (chunk) => {
			output += chunk;
		});
		await once(agi, "close");
		expect(JSON.parse(output)).toEqual([3, ["", "err", "out"]]);
	});
});
