// The tool runCommand over real processes.

import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createProcesses } from "../../../src/adapters/processes/nodeProcesses.ts";
import { runCommand } from "../../../src/agent/tools/runCommand.ts";
import { toolSchema } from "../../../src/agent/tools/schemas.ts";
import type { AnyTool, ToolContext } from "../../../src/ports/tool.ts";
import { createToolBench, type ToolBench } from "../../support/toolContext.ts";

const benches: ToolBench[] = [];
let bench: ToolBench;

async function open(parts: Partial<ToolContext> = {}): Promise<ToolBench> {
	const processes = createProcesses({ env: process.env, secretValues: [] });
	const made = await createToolBench({ processes, ...parts });
	benches.push(made);
	return made;
}

beforeEach(async () => {
	bench = await open();
});
afterEach(async () => {
	for (const made of benches.splice(0)) await made.remove();
});

describe("runCommand", () => {
	it("costs a request little", () => {
		expect(JSON.stringify(toolSchema(runCommand as unknown as AnyTool)).length).toBeLessThanOrEqual(450);
	});

	it("gives the output itself as its result", async () => {
		expect(await bench.call(runCommand, { command: "pwd; echo err >&2" })).toEqual({
			status: "result",
			text: `${bench.root}\nerr`,
		});
	});

	it("says so where a command prints nothing", async () => {
		const { text } = await bench.call(runCommand, { command: "true" });
		expect(text).toBe("Command completed successfully (no output)");
	});

	it("tells exit code and output of a command that failed", async () => {
		const outcome = await bench.call(runCommand, { command: "ls /nonexistent 2>&1; exit 7" });
		expect(outcome).toMatchObject({ status: "error", error: { type: "FAILED", retryable: false } });
		expect(outcome.text).toMatch(/^Command failed \(exit code 7\):\n.*No such file/);
	});

	it("begins a failure alike where there was no output", async () => {
		const outcome = await bench.call(runCommand, { command: "exit 7" });
		expect(outcome.text).toBe("Command failed (exit code 7):");
		expect(outcome.error?.message).toBe("Command failed (exit code 7)");
	});

	it("tells the signal that ended a command", async () => {
		const outcome = await bench.call(runCommand, { command: "echo so far; kill -9 $$" });
		expect(outcome).toMatchObject({ status: "error", text: "Command failed (signal SIGKILL):\nso far" });
	});

	it("takes the status of a pipe's last part", async () => {
		expect(await bench.call(runCommand, { command: "false | true" })).toMatchObject({ status: "result" });
	});

	it("ends a command at its time limit and keeps its output so far", async () => {
		const outcome = await bench.call(runCommand, { command: "echo so far; sleep 60", timeout: 0.3 });
		expect(outcome).toMatchObject({ status: "error", error: { type: "TIMEOUT" } });
		expect(outcome.text).toBe("Command timed out after 0.3 s and was ended:\nso far");
	});

	it("never takes longer than the settings allow", async () => {
		const strict = await open({ limits: { commandSeconds: 0.2 } });
		const outcome = await strict.call(runCommand, { command: "sleep 60", timeout: 3000 });
		expect(outcome.text).toBe(
			"Command timed out after 0.2 s and was ended (limits.toolSeconds allows no more: raise it to 3000 to give it that long)",
		);
	});

	it("tells processes that it left in the background and that they were ended", async () => {
		const outcome = await bench.call(runCommand, {
			command: "sleep 300 & sleep 301 >/dev/null & echo front done",
		});
		expect(outcome).toEqual({
			status: "result",
			text: "front done\n[2 background processes were ended: nothing outlives its command.]",
		});
	});

	it("is cancelled when the signal comes, once nothing of it is left", async () => {
		const abort = new AbortController();
		const cancelled = await open({ signal: abort.signal, onOutput: () => abort.abort() });
		expect(await cancelled.call(runCommand, { command: "echo up; sleep 60" })).toEqual({
			status: "cancelled",
			text: "Command was cancelled and ended:\nup",
			error: { type: "CANCELLED", message: "Command was cancelled and ended.", retryable: false },
		});
	});

	it("says that the outcome is unknown where a cancelled command could not be ended", async () => {
		const abort = new AbortController();
		const cancelled = await open({ signal: abort.signal, onOutput: () => abort.abort() });
		const outlive = "env -i setsid bash -c '>stays; while [ -e stays ]; do sleep 0.05; done'";
		const command = `(${outlive} &); until [ -e stays ]; do sleep 0.02; done; echo up; sleep 60`;
		const outcome = await cancelled.call(runCommand, { command });
		rmSync(join(cancelled.root, "stays"));
		expect(outcome).toMatchObject({ status: "outcome_unknown", error: { type: "OUTCOME_UNKNOWN" } });
		expect(outcome.text).toContain("may still run");
	});

	it("says that a shell keeps nothing where a command only changes its shell", async () => {
		const { text } = await bench.call(runCommand, { command: "cd /tmp" });
		expect(text).toContain("(no output)\n[The next command starts in a new shell");
		expect((await bench.call(runCommand, { command: ". /dev/null" })).text).toContain("new shell");
		expect((await bench.call(runCommand, { command: "cd / && pwd" })).text).toBe("/");
	});

	describe("before it runs", () => {
		it("clashes with every file call of the workspace and shows the whole command", async () => {
			const command = `echo ${"x".repeat(200)}\necho more`;
			const prepared = await bench.prepare(runCommand, { command });
			expect(prepared.resources).toEqual([
				{ kind: "process", key: "commands", access: "write" },
				{ kind: "tree", key: bench.root, access: "write" },
			]);
			expect(prepared).toMatchObject({ preview: command, facts: { command } });
			expect(prepared.summary.length).toBeLessThan(100);
		});

		it("resolves the folder and tells the policy where it lies outside", async () => {
			mkdirSync(join(bench.root, "sub"));
			const inside = await bench.prepare(runCommand, { command: "pwd", cwd: "sub" });
			expect(inside.facts).toEqual({ command: "pwd" });
			expect((await bench.run(inside)).text).toBe(join(bench.root, "sub"));
			const outside = await bench.prepare(runCommand, { command: "pwd", cwd: ".." });
			expect(outside.facts).toEqual({ command: "pwd", outside: [bench.outer] });
			expect(outside.resources).toContainEqual({ kind: "tree", key: bench.outer, access: "write" });
		});

		it("refuses a folder that is none", async () => {
			writeFileSync(join(bench.root, "file"), "");
			expect((await bench.call(runCommand, { command: "pwd", cwd: "gone" })).error).toMatchObject({
				type: "NOT_FOUND",
				message: "Folder not found: gone",
			});
			expect((await bench.call(runCommand, { command: "pwd", cwd: "file" })).error).toMatchObject({
				type: "INVALID_ARGUMENT",
				fields: { cwd: "is not a folder" },
			});
		});

		it.each([
			["an empty command", { command: " \n" }],
			["a time limit of nothing", { command: "true", timeout: 0 }],
			["an unknown argument", { command: "true", workdir: "." }],
		])("refuses %s", async (_, args) => {
			expect((await bench.call(runCommand, args)).error?.type).toBe("INVALID_ARGUMENT");
		});

		it("refuses where the settings ask for a sandbox, and says how to go on", async () => {
			const boxed = await open({ config: { sandboxCommands: true } });
			const { error } = await boxed.call(runCommand, { command: "true" });
			expect(error).toMatchObject({ type: "DENIED" });
			expect(error?.message).toContain("Unset SANDBOX_COMMANDS");
		});
	});

	it("says that the workspace folder is gone", async () => {
		rmSync(bench.root, { recursive: true });
		const { text } = await bench.call(runCommand, { command: "true" });
		expect(text).toBe(`Command could not be started: The folder ${bench.root} no longer exists.`);
	});
});
