import { createHash } from "node:crypto";
import { describe, expect, it, onTestFinished } from "vitest";
import { clash } from "../../../src/agent/toolBatch.ts";
import { memory } from "../../../src/agent/tools/memory.ts";
import { toolSchema } from "../../../src/agent/tools/schemas.ts";
import type { AnyTool, PreparedCall } from "../../../src/ports/tool.ts";
import { findingOf } from "../../../src/runtime/reconcile.ts";
import { fateOf } from "../../../src/session/settle.ts";
import type { OpenCall } from "../../../src/session/state.ts";
import { createMemoryBench } from "../../support/memoryKeeper.ts";
import { createToolBench } from "../../support/toolContext.ts";

async function bench(options: { isProject?: boolean } = {}) {
	const kept = createMemoryBench(options);
	const tools = await createToolBench({ memory: kept.keeper });
	onTestFinished(() => tools.remove());
	return { ...kept, tools, call: (args: object) => tools.call(memory, args) };
}

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

const PROJECT = `# Notes of ours

- [fact, 2026-01-02] The port is 8099
- [instruction, 2026-01-03] Never touch the generated folder
- the staging host is blue
`;

describe("memory", () => {
	it("costs at most 450 bytes in a request", () => {
		expect(JSON.stringify(toolSchema(memory as unknown as AnyTool)).length).toBeLessThanOrEqual(450);
	});

	it("adds an entry with category and today's date, in the project's file, and records it", async () => {
		const { call, text, changes } = await bench();
		const { status, text: said } = await call({
			action: "add",
			text: "The port\nis  8099",
			category: "fact",
		});
		expect([status, said]).toEqual(["result", "Remembered in .agent/MEMORY.md: The port is 8099"]);
		expect(text("project")).toBe("# Memory\n\n- [fact, 2026-11-29] The port is 8099\n");
		expect(changes).toEqual([
			{
				scope: "project",
				path: ".agent/MEMORY.md",
				action: "added",
				text: "The port is 8099",
				digest: sha256(text("project")),
				by: "model",
			},
		]);
	});

	it("keeps a preference with the user, and everything where the folder is no project", async () => {
		const one = await bench();
		await one.call({ action: "add", text: "I prefer tabs", category: "preference" });
		expect(one.text("user")).toContain("- [preference, 2026-11-29] I prefer tabs");
		const two = await bench({ isProject: false });
		await two.call({ action: "add", text: "The port is 8099" });
		expect(two.text("user")).toContain("- [fact, 2026-11-29] The port is 8099");
		const { error } = await two.call({ action: "add", text: "x", scope: "project" });
		expect(error).toMatchObject({ type: "INVALID_ARGUMENT", message: expect.stringContaining("scope user") });
	});

	it("says so where it is remembered already, in other letter case and with a full stop", async () => {
		const { call, write, text, changes } = await bench();
		write("project", PROJECT);
		const { text: said } = await call({ action: "add", text: "the port is 8099." });
		expect(said).toContain("says so already");
		expect(text("project")).toBe(PROJECT);
		expect(changes).toEqual([]);
	});

	it("replaces one entry and keeps its category where none is given", async () => {
		const { call, write, text, changes } = await bench();
		write("project", PROJECT);
		await call({ action: "replace", old: "generated folder", text: "Never touch dist/" });
		expect(text("project")).toBe(
			PROJECT.replace(
				"- [instruction, 2026-01-03] Never touch the generated folder",
				"- [instruction, 2026-11-29] Never touch dist/",
			),
		);
		expect(changes).toMatchObject([{ action: "replaced", text: "Never touch dist/" }]);
	});

	it("removes one entry, a person's own line too", async () => {
		const { call, write, text, changes } = await bench();
		write("project", PROJECT);
		const { text: said } = await call({ action: "remove", old: "staging host" });
		expect(said).toBe("Forgotten in .agent/MEMORY.md: the staging host is blue");
		expect(text("project")).toBe(PROJECT.replace("- the staging host is blue\n", ""));
		expect(changes).toMatchObject([{ action: "removed", text: "the staging host is blue" }]);
	});

	it("asks for more words where several entries are meant, and for others where none is", async () => {
		const { call, write } = await bench();
		write("project", PROJECT);
		write("user", "- [fact, 2026-01-02] The port of the printer is 9100\n");
		const several = await call({ action: "remove", old: "port" });
		expect(several.error).toMatchObject({ type: "INVALID_ARGUMENT" });
		expect(several.text).toContain("The port is 8099");
		expect(several.text).toContain("printer");
		expect((await call({ action: "remove", old: "port", scope: "user" })).status).toBe("result");
		expect((await call({ action: "replace", old: "nothing like it", text: "x" })).error?.type).toBe(
			"NOT_FOUND",
		);
		expect((await call({ action: "replace", text: "x" })).error?.fields).toEqual({ old: "missing" });
	});

	it("searches only after the changes that stand before it in the same message", async () => {
		const { tools } = await bench();
		const change = await tools.prepare(memory, { action: "add", text: "The port is 8099" });
		const search = await tools.prepare(memory, { action: "search", text: "port" });
		expect(change.resources.some((a) => search.resources.some((b) => clash(a, b)))).toBe(true);
		expect(search.resources.some((a) => search.resources.some((b) => clash(a, b)))).toBe(false);
	});

	it("finds lines with file, line and version, in both files", async () => {
		const { call, write } = await bench();
		write("project", PROJECT);
		write("user", "- [fact, 2026-01-02] The port of the printer is 9100\n");
		const version = sha256(PROJECT).slice(0, 8);
		const { text: said } = await call({ action: "search", text: "port" });
		expect(said).toContain(`.agent/MEMORY.md:3 (version ${version}): - [fact, 2026-01-02] The port is 8099`);
		expect(said).toMatch(/USER\.md:1 \(version [0-9a-f]{8}\): .*printer/);
		expect((await call({ action: "search", text: "blue host" })).text).toContain(".agent/MEMORY.md:5");
		expect((await call({ action: "search", text: "unicorn" })).text).toBe("Nothing of this is remembered.");
		expect((await call({ action: "search", scope: "user" })).text).not.toContain("MEMORY.md");
	});

	it.each([
		["a known key", "the password is hunter2-hunter2", "password or key"],
		["what looks like a key", "use ghp_abcdefghijklmnopqrstuvwxyz0123456789", "password or key"],
		["the mark that stands for one", "the key is [redacted: API key]", "password or key"],
		["nothing", " \n ", "empty"],
		["more than a line", "long ".repeat(200), "at most 500 letters"],
	])("keeps no entry that holds %s", async (_, text, why) => {
		const { call, keeper } = await bench();
		const { error } = await call({ action: "add", text });
		expect(error?.message).toContain(why);
		expect(keeper.files.read("project")).toMatchObject({ value: { digest: null } });
	});

	it("adds to what another process wrote between question and answer, and says so", async () => {
		const { tools, write, text } = await bench();
		write("project", "- a\n");
		const prepared = await tools.prepare(memory, { action: "add", text: "mine" });
		expect(prepared.before).toMatchObject([{ digest: sha256("- a\n") }]);
		expect(prepared.after).toMatchObject([{ digest: sha256("- a\n- [fact, 2026-11-29] mine\n") }]);
		write("project", "- a\n- theirs\n");
		const { text: said } = await tools.run(prepared);
		expect(said).toContain("Somebody else had changed it meanwhile; that was kept.");
		expect(text("project")).toBe("- a\n- theirs\n- [fact, 2026-11-29] mine\n");
	});

	it.each([
		{ action: "replace", old: "8099", text: "The port is 9000" },
		{ action: "remove", old: "8099" },
	])("is a conflict where the entry to $action was changed meanwhile", async (args) => {
		const { tools, write, text } = await bench();
		write("project", PROJECT);
		const prepared = await tools.prepare(memory, args);
		const theirs = PROJECT.replace("8099", "8100");
		write("project", theirs);
		expect((await tools.run(prepared)).error?.type).toBe("CONFLICT");
		expect(text("project")).toBe(theirs);
	});

	it("leaves stamps that tell after a crash whether it was done, of the user's file too", async () => {
		const { tools } = await bench();
		const prepared = await tools.prepare(memory, {
			action: "add",
			text: "I like it",
			category: "preference",
		});
		const call = started(prepared);
		expect(prepared.before).toMatchObject([{ digest: null }]);
		expect(await findingOf(call, tools.context.workspace)).toBe("before");
		await tools.run(prepared);
		expect(await findingOf(call, tools.context.workspace)).toBe("after");
	});

	it("may be searched again after a crash", async () => {
		const { tools } = await bench();
		const call = started(await tools.prepare(memory, { action: "search", text: "port" }));
		expect(fateOf(call)).toMatchObject({
			do: "end",
			end: { status: "cancelled", text: expect.stringContaining("may be called again") },
		});
	});

	it("cannot remember where a run has no memory", async () => {
		const tools = await createToolBench();
		onTestFinished(() => tools.remove());
		expect((await tools.call(memory, { action: "search" })).error?.type).toBe("FAILED");
	});
});

/** The call as the log of a process that died in it tells it. */
function started({ before = [], after = [] }: PreparedCall): OpenCall {
	const { version: toolVersion, effects, recovery } = memory;
	return {
		callId: "c",
		providerId: "c",
		name: "memory",
		args: {},
		effects,
		recovery,
		toolVersion,
		verdict: "allow",
		started: { idempotencyKey: "k", before, after },
	};
}
