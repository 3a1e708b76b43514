// The tool executeCode over real interpreters.

import { readdirSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createProcesses } from "../../../src/adapters/processes/nodeProcesses.ts";
import { executeCode } from "../../../src/agent/tools/executeCode.ts";
import { toolSchema } from "../../../src/agent/tools/schemas.ts";
import type { AnyTool, ToolContext } from "../../../src/ports/tool.ts";
import { createToolBench, type ToolBench } from "../../support/toolContext.ts";

let bench: ToolBench;

const processes = createProcesses({ env: process.env, secretValues: [] });
const open = (parts: Partial<ToolContext> = {}) => createToolBench({ processes, ...parts });

beforeEach(async () => {
	bench = await open();
});
afterEach(() => bench.remove());

describe("executeCode", () => {
	it("costs a request little", () => {
		expect(JSON.stringify(toolSchema(executeCode as unknown as AnyTool)).length).toBeLessThanOrEqual(450);
	});

	it.each([
		[{ code: "console.log(process.cwd())" }],
		[
			{
				code: "const where: string = process.cwd();\nconsole.log(where satisfies string)",
				language: "typescript",
			},
		],
		[{ code: "import os\nprint(os.getcwd())", language: "python" }],
	])("runs %j in the workspace and leaves nothing there", async (args) => {
		expect(await bench.call(executeCode, args)).toEqual({ status: "result", text: bench.root });
		expect(readdirSync(bench.root)).toEqual([]);
	});

	it.each([
		"import path from 'node:path'; console.log(await path.sep)",
		"console.log(require('node:path').sep)",
	])("takes both kinds of modules: %s", async (code) => {
		expect((await bench.call(executeCode, { code })).text).toBe("/");
	});

	it("tells exit code and message of code that failed", async () => {
		const outcome = await bench.call(executeCode, { code: "throw new Error('on purpose')" });
		expect(outcome).toMatchObject({ status: "error", error: { type: "FAILED" } });
		expect(outcome.text).toMatch(/^Code failed \(exit code 1\):\n[\s\S]*on purpose/);
	});

	it("says so where code prints nothing", async () => {
		expect((await bench.call(executeCode, { code: "1 + 1" })).text).toBe(
			"Code completed successfully (no output)",
		);
	});

	it("ends code at the limit of the settings", async () => {
		const strict = await open({ limits: { commandSeconds: 0.3 } });
		const outcome = await strict.call(executeCode, { code: "setInterval(() => {}, 1000)" });
		expect(outcome).toMatchObject({
			error: {
				type: "TIMEOUT",
				message: expect.stringMatching(
					/^Code timed out after 0\.3 s .*limits\.toolSeconds .*raise it to 120/,
				),
			},
		});
		await strict.remove();
	});

	it("finds the end of input at once", async () => {
		const outcome = await bench.call(executeCode, { code: "input('name? ')", language: "python" });
		expect(outcome.text).toContain("EOFError");
	});

	it("tells the policy the whole code and clashes with every file call", async () => {
		const prepared = await bench.prepare(executeCode, { code: "a()\nb()" });
		expect(prepared).toMatchObject({
			preview: "a()\nb()",
			summary: "Run 2 lines of javascript",
			facts: { code: { language: "javascript", text: "a()\nb()" } },
		});
		expect(prepared.resources).toContainEqual({ kind: "tree", key: bench.root, access: "write" });
	});

	it.each([
		["no code", { code: "" }],
		["another language", { code: "puts 1", language: "ruby" }],
		["an unknown argument", { code: "1", args: [] }],
	])("refuses %s", async (_, args) => {
		expect((await bench.call(executeCode, args)).error?.type).toBe("INVALID_ARGUMENT");
	});

	it("refuses where the settings ask for a sandbox", async () => {
		const boxed = await open({ config: { sandboxCommands: true } });
		expect((await boxed.call(executeCode, { code: "1" })).error?.type).toBe("DENIED");
		await boxed.remove();
	});
});
