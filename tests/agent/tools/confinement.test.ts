// How a command of the model will run, and what the model reads when the sandbox stopped it.

import { afterEach, describe, expect, it } from "vitest";
import { executeCode } from "../../../src/agent/tools/executeCode.ts";
import { runCommand } from "../../../src/agent/tools/runCommand.ts";
import type { ProcessEnd, ProcessRequest } from "../../../src/ports/processes.ts";
import type { SandboxState } from "../../../src/ports/sandbox.ts";
import { createToolBench, type ToolBench } from "../../support/toolContext.ts";

let bench: ToolBench | undefined;
afterEach(() => bench?.remove());

const full: SandboxState = {
	kind: "bubblewrap",
	level: "full",
	network: false,
	writable: true,
	required: false,
};
const ended: ProcessEnd = {
	exitCode: 0,
	timedOut: false,
	cancelled: false,
	treeEnded: true,
	backgroundEnded: 0,
	output: "",
	outputBytes: 0,
	durationMs: 1,
};

/** A bench with a sandbox in this state, whose commands end like this; what was asked of the processes comes back too. */
async function open(state: Partial<SandboxState> = {}, end: Partial<ProcessEnd> = {}) {
	const requests: ProcessRequest[] = [];
	const found = { ...full, ...state };
	bench = await createToolBench({
		sandbox: { state: () => found, check: async () => found },
		processes: {
			async run(request) {
				requests.push(request);
				return { ...ended, ...end };
			},
		},
		limits: { commandSeconds: 600 },
	});
	return { bench, requests };
}

describe("runCommand, with a sandbox", () => {
	it("runs in it, and tells the policy and the person so", async () => {
		const { bench, requests } = await open();
		const prepared = await bench.prepare(runCommand, { command: "make" });
		expect(prepared.facts).toMatchObject({ command: "make", sandboxed: true });
		expect(prepared.sandbox).toEqual({ level: "full", writable: true, network: false });
		await bench.run(prepared);
		expect(requests).toMatchObject([{ sandbox: { network: false }, timeoutMs: 120_000 }]);
	});

	it("says that what a command left in the background was ended, where nobody counted it", async () => {
		const { bench } = await open();
		const text = async (args: object) => (await bench.call(runCommand, args)).text;
		expect(await text({ command: "server & echo up" })).toMatch(
			/\n\[What it did not wait for was ended with it: nothing outlives its command\.\]$/,
		);
		expect(await text({ command: "make && make test" })).not.toContain("outlives");
		expect(await text({ command: "server & echo up", unsandboxed: true })).not.toContain("outlives");
	});

	it("says nothing of the background where a command was ended, or what it left was counted", async () => {
		for (const end of [{ timedOut: true }, { cancelled: true }, { startError: "no bash." }]) {
			const { bench } = await open({}, end);
			expect((await bench.call(runCommand, { command: "server & echo up" })).text).not.toContain("outlives");
			await bench.remove();
		}
		const { bench } = await open({}, { backgroundEnded: 2 });
		expect(
			(await bench.call(runCommand, { command: "server & echo up" })).text.match(/outlives/g),
		).toHaveLength(1);
	});

	it("asks for the network, or for no sandbox, where the model does", async () => {
		const { bench, requests } = await open();
		const network = await bench.prepare(runCommand, { command: "make", network: true });
		expect(network.facts).toMatchObject({ sandboxed: true, wantsNetwork: true });
		expect(network.sandbox?.network).toBe(true);
		const free = await bench.prepare(runCommand, { command: "make", unsandboxed: true });
		expect(free.facts).toMatchObject({ unsandboxed: true });
		expect(free.facts).not.toHaveProperty("sandboxed");
		expect(free.sandbox).toEqual({ level: "none", writable: true, network: true });
		await bench.run(network);
		await bench.run(free);
		expect(requests[0]).toMatchObject({ sandbox: { network: true } });
		expect(requests[1]).not.toHaveProperty("sandbox");
	});

	it("runs with the person's rights where there is none, and says so beforehand", async () => {
		const { bench, requests } = await open({ kind: "none", level: "none" });
		const prepared = await bench.prepare(runCommand, { command: "make" });
		expect(prepared.facts).not.toHaveProperty("sandboxed");
		expect(prepared.sandbox?.level).toBe("none");
		await bench.run(prepared);
		expect(requests[0]).not.toHaveProperty("sandbox");
	});

	it("refuses where one is required and missing, and an exit from one that is required", async () => {
		const missing = await open({ level: "none", refusal: "Not run: there is none." });
		expect(await missing.bench.call(runCommand, { command: "make" })).toMatchObject({
			error: { type: "DENIED", message: "Not run: there is none." },
		});
		await missing.bench.remove();
		const { bench } = await open({ required: true });
		const exit = await bench.call(runCommand, { command: "make", unsandboxed: true });
		expect(exit.error?.type).toBe("DENIED");
	});

	it("gives a container 30 seconds", async () => {
		const { bench, requests } = await open({ kind: "docker", level: "partial" });
		await bench.call(runCommand, { command: "make" });
		expect(requests[0]?.timeoutMs).toBe(30_000);
	});

	it.each([
		"cp: Read-only file system",
		"Error: EROFS: open",
		"connect ENETUNREACH 1.2.3.4",
		"Could not resolve host: x",
	])("tells the cause and how to ask after: %s", async (output) => {
		const { bench, requests } = await open({}, { exitCode: 1, output });
		const { text } = await bench.call(runCommand, { command: "make" });
		expect(text).toMatch(/The sandbox may have stopped it\. It may write in the workspace and in \/tmp only/);
		expect(text).toMatch(/by a new call with network: true or unsandboxed: true; the person decides\.\]$/);
		expect(requests).toHaveLength(1);
	});

	it("says that nothing can be written in a folder that is not trusted", async () => {
		const { bench } = await open({ writable: false }, { exitCode: 1, output: "Read-only file system" });
		const { text } = await bench.call(runCommand, { command: "make" });
		expect(text).toContain("This folder is not trusted: it may write in /tmp only.");
	});

	it.each<[string, Partial<SandboxState>, Partial<ProcessEnd>]>([
		["a success", {}, { output: "Read-only file system" }],
		["another failure", {}, { exitCode: 1, output: "2 tests failed" }],
		["a time limit", {}, { timedOut: true, signal: "SIGTERM", output: "EPERM" }],
		["a failure without a sandbox", { level: "none" }, { exitCode: 1, output: "Read-only file system" }],
	])("does not blame the sandbox for %s", async (_, state, end) => {
		const { bench } = await open(state, end);
		expect((await bench.call(runCommand, { command: "make" })).text).not.toContain("sandbox");
	});

	it("tells what was taken away", async () => {
		const { bench } = await open({}, { takenAway: ["It made .git, so that was moved."] });
		expect((await bench.call(runCommand, { command: "make" })).text).toContain(
			"[It made .git, so that was moved.]",
		);
	});
});

describe("executeCode, with a sandbox", () => {
	it("runs in it, and names runCommand as the way to ask for more", async () => {
		const { bench, requests } = await open({}, { exitCode: 1, output: "EROFS" });
		const { text } = await bench.call(executeCode, { code: "1" });
		expect(requests).toMatchObject([{ sandbox: { network: false } }]);
		expect(text).toContain("by a runCommand with network: true or unsandboxed: true");
	});
});
