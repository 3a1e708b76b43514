// What a headless run writes: the three formats, line by line, as scripts read them.

import { describe, expect, it } from "vitest";
import { ask, at, BYPASS, createProject, jsonLines, outcomes, runAgi, scripted } from "../support/program.ts";

const USAGE = {
	prompt_tokens: 100,
	completion_tokens: 10,
	total_tokens: 110,
	prompt_tokens_details: { cached_tokens: 40 },
	completion_tokens_details: { reasoning_tokens: 3 },
};

describe.concurrent("agi -p with --output-format text", () => {
	it("writes the answer and a newline, and nothing else on either stream", async () => {
		const project = createProject();
		const server = await scripted([{ text: "Hello there" }]);
		const ended = await runAgi(project, ["-p", "hi", ...at(server)]);
		expect(ended).toMatchObject({ code: 0, stdout: "Hello there\n", stderr: "" });
	});

	it("does not write what the model says before the last answer", async () => {
		const project = createProject({ "a.txt": "alpha\n" });
		const server = await scripted([
			{ text: "Let me look.", calls: [{ name: "readFile", args: { path: "a.txt" } }] },
			{ text: "It says alpha." },
		]);
		const ended = await runAgi(project, ["-p", "hi", ...at(server)]);
		expect(ended).toMatchObject({ code: 0, stdout: "It says alpha.\n" });
	});

	it("lists denials on stderr and still ends with 0 when the model answers", async () => {
		const project = createProject();
		const server = await scripted([
			{ calls: [{ name: "writeFile", args: { path: "n.txt", content: "x" } }] },
			{ text: "I may not write." },
		]);
		const ended = await runAgi(project, ["-p", "write", ...at(server)]);
		expect(ended).toMatchObject({ code: 0, stdout: "I may not write.\n" });
		expect(ended.stderr).toMatch(/^Denied: writeFile: .*nobody can be asked in this run \([^)]*\)\.$/m);
		expect(ended.stderr).toMatch(/^Run agi in a terminal.* --permission-mode, --allowed-tools\.$/m);
	});
});

describe.concurrent("agi -p with --output-format stream-json", () => {
	it("writes the init line first, with the model, folder, tools, mode and version", async () => {
		const project = createProject();
		const server = await scripted([{ text: "ok" }]);
		const { lines } = await ask(project, server, { flags: ["--permission-mode", "acceptEdits"] });
		expect(lines[0]).toEqual({
			type: "system",
			subtype: "init",
			session_id: expect.stringMatching(/\S/),
			model: "case-model",
			cwd: project.root,
			tools: server.requests[0]?.tools,
			permission_mode: "acceptEdits",
			version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
		});
	});

	it("writes one line for each message and each result, then the result with totals", async () => {
		const project = createProject({ "a.txt": "alpha\n" });
		const server = await scripted([
			{ text: "Looking.", calls: [{ id: "c1", name: "readFile", args: { path: "a.txt" } }], usage: USAGE },
			{ text: "alpha", usage: USAGE },
		]);
		const { lines, code } = await ask(project, server, { flags: [] });
		expect(lines.map((line) => line.type)).toEqual(["system", "assistant", "user", "assistant", "result"]);
		const [, said, result, answered, end] = lines;
		const [text, use] = said?.message?.content ?? [];
		expect(text).toEqual({ type: "text", text: "Looking." });
		expect(use).toMatchObject({ type: "tool_use", name: "readFile", input: { path: "a.txt" } });
		expect(said?.["step_id"]).not.toBe(answered?.["step_id"]);
		expect(result?.message).toEqual({
			role: "user",
			content: [
				{
					type: "tool_result",
					tool_use_id: use?.id,
					content: expect.stringContaining("alpha"),
					is_error: false,
					status: "result",
				},
			],
		});
		expect(end).toEqual({
			type: "result",
			subtype: "success",
			is_error: false,
			result: "alpha",
			session_id: lines[0]?.session_id,
			num_steps: 2,
			duration_ms: expect.any(Number),
			usage: { input_tokens: 200, output_tokens: 20, cached_input_tokens: 80, reasoning_tokens: 6 },
			total_cost_usd: null,
			permission_denials: [],
		});
		expect(code).toBe(0);
	});

	it("tells a denial in its result line and in the list at the end", async () => {
		const project = createProject();
		const server = await scripted([
			{ calls: [{ name: "runCommand", args: { command: "touch x" } }] },
			{ text: "no" },
		]);
		const { lines, result } = await ask(project, server, { flags: [] });
		const use = lines[1]?.message?.content[0];
		expect(outcomes(lines)).toEqual([
			{ status: "denied", text: expect.stringContaining("nobody can be asked") },
		]);
		expect(result.permission_denials).toEqual([
			{ tool_name: "runCommand", tool_use_id: use?.id, reason: expect.stringMatching(/\S/) },
		]);
	});

	it("tells what a subagent was denied and what it waited for, under its name", async () => {
		const project = createProject();
		const server = await scripted([
			{ calls: [{ name: "delegateToSubagent", args: { subagent: "explorer", task: "Look." } }] },
			{
				http: { status: 429, headers: { "retry-after-ms": "10" }, body: { error: { message: "slow down" } } },
			},
			{ calls: [{ name: "readFile", args: { path: "/etc/hosts" } }] },
			{ text: "I could not." },
			{ text: "ok" },
		]);
		const { lines, result, stderr } = await ask(project, server, { flags: [] });
		const reason = expect.stringContaining("nobody can be asked");
		const id = lines[1]?.message?.content[0]?.id;
		expect(result.permission_denials).toEqual([{ tool_name: "explorer.readFile", tool_use_id: id, reason }]);
		expect(stderr).toMatch(/^explorer: retry 1 of 3 in 1 s: .*slow down/m);
		expect(stderr).toMatch(/^Denied: explorer\.readFile: .*nobody can be asked/m);
		expect(lines.map(({ type }) => type)).toEqual(["system", "assistant", "user", "assistant", "result"]);
	});

	it("writes text as it comes only where partial messages are asked for", async () => {
		const project = createProject();
		const server = await scripted([{ text: "one two three four five six seven" }]);
		const flags = [...BYPASS, "--include-partial-messages"];
		const partial = (await ask(project, server, { flags })).lines.filter(
			(line) => line.type === "stream_event",
		);
		expect(partial.length).toBeGreaterThan(1);
		expect(partial.every((line) => line.event?.type === "text_delta")).toBe(true);
		expect(partial.map((line) => line.event?.text).join("")).toBe("one two three four five six seven");
		const { lines } = await ask(project, server);
		expect(lines.some((line) => line.type === "stream_event")).toBe(false);
	});

	it("takes text of a failed attempt back before the retry's text", async () => {
		const project = createProject();
		const server = await scripted([{ sse: [{ d: { content: "Half of" } }, "reset"] }, { text: "Whole." }]);
		const { lines, result, stderr } = await ask(project, server, { flags: ["--include-partial-messages"] });
		const events = lines.filter((line) => line.type === "stream_event").map((line) => line.event);
		expect(events.slice(0, 2)).toEqual([
			{ type: "text_delta", text: "Half of" },
			{ type: "text_withdrawn", text: "Half of" },
		]);
		expect(result).toMatchObject({ subtype: "success", result: "Whole." });
		expect(stderr).toMatch(/retry 1 of 3/);
	});
});

describe.concurrent("agi -p with --output-format json", () => {
	it("writes the result line alone", async () => {
		const project = createProject();
		const server = await scripted([{ text: "ok" }]);
		const ended = await runAgi(project, ["-p", "hi", ...at(server), "--output-format", "json"]);
		const lines = jsonLines(ended.stdout);
		expect(lines).toHaveLength(1);
		expect(lines[0]).toMatchObject({ type: "result", subtype: "success", result: "ok", num_steps: 1 });
	});

	it("knows the price of the offline model", async () => {
		const project = createProject({ "a.txt": "alpha\n" });
		const ended = await runAgi(project, ["-p", "read a.txt", "-m", "offline", "--output-format", "json"]);
		expect(jsonLines(ended.stdout)[0]).toMatchObject({ subtype: "success", total_cost_usd: 0 });
	});
});

describe.concurrent("agi", () => {
	it("prints its version, alone", async () => {
		const project = createProject();
		const [long, short] = await Promise.all([runAgi(project, ["--version"]), runAgi(project, ["-v"])]);
		expect(long).toMatchObject({ code: 0, stderr: "" });
		expect(long.stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
		expect(short.stdout).toBe(long.stdout);
	});

	it("prints help that names its commands and flags, no line wider than 110", async () => {
		const project = createProject();
		const { code, stdout } = await runAgi(project, ["--help"]);
		expect(code).toBe(0);
		for (const word of [
			"sessions",
			"models",
			"doctor",
			"config",
			"--print",
			"--permission-mode",
			"--max-cost",
		])
			expect(stdout).toContain(word);
		expect(Math.max(...stdout.split("\n").map((line) => line.length))).toBeLessThanOrEqual(110);
	});

	it("ends with 2 and names -p where there is no terminal to talk in", async () => {
		const project = createProject();
		for (const stdin of ["hi\n", undefined]) {
			const ended = await runAgi(project, ["-m", "offline"], stdin === undefined ? {} : { stdin });
			expect(ended).toMatchObject({ code: 2, stdout: "" });
			expect(ended.stderr).toMatch(/-p/);
			expect(ended.stderr.trim().split("\n")).toHaveLength(1);
		}
	});
});
