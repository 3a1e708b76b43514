// The checks of the customer's course that need the built program and no screen. Those of single parts (tracker, cut of
// results, retries) are also in their own test files; a subagent's review is in cases/agents.test.ts, blocked commands are
// in cases/security.test.ts, paths outside the workspace in cases/files.test.ts.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
	ask,
	at,
	BYPASS,
	createProject,
	eventsOf,
	outcomes,
	type Project,
	runAgi,
	scripted,
} from "../support/program.ts";

interface Diagnostic {
	timestamp: string;
	conversationId: string;
	runId: string;
	event: string;
	data: Record<string, unknown>;
	/** Of a subagent's line. */
	subagent?: string;
	parentId?: string;
}

function diagnostics(project: Project): Diagnostic[] {
	return project
		.read(".agent/logs/agent.jsonl")
		.trim()
		.split("\n")
		.map((line) => JSON.parse(line) as Diagnostic);
}

/** Starts and results of tools in the order of the diagnostic log, as `+name` and `-name`. */
function toolOrder(project: Project): string[] {
	return diagnostics(project)
		.filter(({ event }) => event === "tool_execution_started" || event === "tool_result")
		.map(({ event, data }) => `${event === "tool_result" ? "-" : "+"}${data["toolName"]}`);
}

function read(path: string) {
	return { name: "readFile", args: { path } };
}

describe.concurrent("limits", () => {
	it("stop the first call where none is allowed: it never runs, and the answer says why", async () => {
		const project = createProject();
		mkdirSync(join(project.home, "config"), { recursive: true });
		writeFileSync(join(project.home, "config", "settings.json"), '{"limits":{"toolCallsPerTurn":0}}');
		const server = await scripted([
			{ calls: [{ name: "runCommand", args: { command: "pwd > ran" } }] },
			{ text: "no" },
		]);
		const ended = await runAgi(project, ["-p", "run pwd", ...at(server), ...BYPASS]);
		expect(ended.code).toBe(53);
		expect(ended.stdout).toMatch(/^\[Agent stopped: Tool call limit exceeded \(1\)\]/);
		expect(ended.stderr).toMatch(/limits\.toolCallsPerTurn\.?\n$/);
		expect(existsSync(project.path("ran"))).toBe(false);
		expect(server.requests).toHaveLength(1);
	});

	it("of a session outlive its turns: a second message is stopped before a request", async () => {
		const project = createProject();
		const server = await scripted([{ text: "first" }, { text: "never" }]);
		const flags = ["--max-tokens", "1"];
		await ask(project, server, { flags });
		const second = await ask(project, server, { flags: ["-c", ...flags] });
		expect(second.code).toBe(53);
		expect(second.result.result).toMatch(/^\[Agent stopped: Token limit exceeded \(\d+\)\]/);
		expect(server.requests).toHaveLength(1);
	});
});

describe.concurrent("results", () => {
	it("of a long file come page by page with the range on the last line", async () => {
		const parts = Array.from({ length: 250 }, (_, i) => [`## Part ${i + 1}`, "x".repeat(400), ""]);
		const project = createProject({ "long.md": ["# Title", "", ...parts.flat(), ""].join("\n") });
		const page = (offset: number) => ({ name: "readFile", args: { path: "long.md", offset, limit: 200 } });
		const server = await scripted([{ calls: [page(0)] }, { calls: [page(200)] }, { text: "ok" }]);
		const { lines } = await ask(project, server);
		expect(outcomes(lines).map((end) => end.text.split("\n").at(-1))).toEqual([
			"[Showing lines 1-200 of 753. Use offset to read more.]",
			"[Showing lines 201-400 of 753. Use offset to read more.]",
		]);
	});

	it("longer than 50,000 letters are cut once, the same way for the screen, the log and the model", async () => {
		const project = createProject();
		const command = `seq -f '%g ${"x".repeat(40)}' 3000`;
		const server = await scripted([{ calls: [{ name: "runCommand", args: { command } }] }, { text: "ok" }]);
		const { lines } = await ask(project, server);
		const shown = outcomes(lines)[0]?.text ?? "";
		expect(shown.length).toBeLessThanOrEqual(50_000);
		expect(shown).toMatch(/^1 x+\n2 x+\n[\s\S]*\n\.\.\. \[\d+ lines truncated\] \.\.\.\n[\s\S]*\n3000 x+$/);
		const cut = Number(/\[(\d+) lines truncated\]/.exec(shown)?.[1]);
		// Two lines of its own: what is missing, and where the whole is.
		expect(shown.split("\n").length - 2 + cut).toBe(3000);
		expect(server.results()).toEqual([shown]);
		const logged = await runAgi(project, ["sessions", "show", String(lines[0]?.session_id), "--json"]);
		expect(logged.stdout).toContain(JSON.stringify(shown));
	});
});

describe.concurrent("calls of one message", () => {
	it("that only read start together: both have started before either has a result", async () => {
		const project = createProject({ "a.txt": "alpha\n", "b.txt": "beta\n" });
		const server = await scripted([{ calls: [read("a.txt"), read("b.txt")] }, { text: "ok" }]);
		await ask(project, server);
		expect(toolOrder(project)).toEqual(["+readFile", "+readFile", "-readFile", "-readFile"]);
	});

	it("keep their order around a write: read and read, write, read", async () => {
		const project = createProject({ "a.txt": "alpha\n", "b.txt": "beta\n" });
		const write = { name: "writeFile", args: { path: "a.txt", content: "gamma\n" } };
		const calls = [read("a.txt"), read("b.txt"), write, read("a.txt")];
		const server = await scripted([{ calls }, { text: "ok" }]);
		await ask(project, server);
		expect(toolOrder(project)).toEqual([
			...["+readFile", "+readFile", "-readFile", "-readFile"],
			...["+writeFile", "-writeFile", "+readFile", "-readFile"],
		]);
		expect(server.results()[0]).toMatch(/^alpha/);
		expect(server.results()[3]).toMatch(/^gamma/);
	});
});

describe.concurrent("a write that nobody may allow", () => {
	it("does not happen in a headless run, its call has its result, and --allowed-tools lets it happen", async () => {
		const project = createProject();
		const script = [
			{ calls: [{ name: "writeFile", args: { path: "n.txt", content: "x" } }] },
			{ text: "ok" },
		];
		const refused = await ask(project, await scripted(script), { flags: [] });
		expect(outcomes(refused.lines).map((end) => end.status)).toEqual(["denied"]);
		expect(existsSync(project.path("n.txt"))).toBe(false);
		const allowed = await ask(project, await scripted(script), { flags: ["--allowed-tools", "writeFile"] });
		expect(outcomes(allowed.lines).map((end) => end.status)).toEqual(["result"]);
		expect(project.read("n.txt")).toBe("x");
	});

	it("is also refused where the tool is switched off, whatever the mode", async () => {
		const project = createProject();
		const server = await scripted([
			{ calls: [{ name: "writeFile", args: { path: "n.txt", content: "x" } }] },
			{ text: "ok" },
		]);
		const { lines } = await ask(project, server, { flags: [...BYPASS, "--disallowed-tools", "writeFile"] });
		expect(outcomes(lines).map((end) => end.status)).toEqual(["denied"]);
		expect(existsSync(project.path("n.txt"))).toBe(false);
	});
});

describe.concurrent(".agent/logs/agent.jsonl", () => {
	it("tells every event of a run, in order, each with its time, conversation and run", async () => {
		const project = createProject({ "a.txt": "alpha\n" });
		const write = { name: "writeFile", args: { path: "b.txt", content: "x" } };
		const server = await scripted([{ calls: [read("a.txt")] }, { calls: [write] }, { text: "alpha" }]);
		const { lines } = await ask(project, server, { prompt: "read a.txt", flags: [] });
		const written = diagnostics(project);
		const asked = ["llm_call_started", "llm_call_completed"];
		expect(written.map(({ event }) => event)).toEqual([
			...["agent_run_started", ...asked, "tool_call", "tool_execution_started", "tool_result"],
			...[...asked, "tool_call", "approval", "tool_result"],
			...[...asked, "agent_run_completed"],
		]);
		const dataOf = (name: string) => written.find(({ event }) => event === name)?.data;
		expect(dataOf("agent_run_started")).toMatchObject({ model: "case-model", userMessageLength: 10 });
		expect(dataOf("llm_call_completed")).toMatchObject({
			inputTokens: 100,
			outputTokens: 10,
			toolCallCount: 1,
		});
		expect(dataOf("tool_call")).toMatchObject({ toolName: "readFile", args: { path: "a.txt" } });
		expect(dataOf("approval")).toMatchObject({ toolName: "writeFile", approved: false });
		expect(dataOf("tool_result")).toMatchObject({ toolName: "readFile", resultLength: expect.any(Number) });
		expect(dataOf("agent_run_completed")).toMatchObject({ responseLength: 5 });
		expect(new Set(written.map((line) => line.conversationId))).toEqual(new Set([lines[0]?.session_id]));
		expect(new Set(written.map((line) => line.runId)).size).toBe(1);
		for (const line of written) expect(line.timestamp).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/);
	});
});

describe.concurrent("a trace that could not be sent", () => {
	it("is told in the diagnostics and nowhere else, and leaves the run as it was", async () => {
		const project = createProject();
		const server = await scripted([{ text: "ok" }]);
		const env = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1" };
		const ended = await runAgi(project, ["-p", "hi", ...at(server)], { env });
		expect(ended).toMatchObject({ code: 0, stdout: "ok\n", stderr: "" });
		expect(diagnostics(project).at(-1)).toMatchObject({
			event: "error",
			data: {
				message: expect.stringMatching(/could not be sent to http:\/\/127\.0\.0\.1:1\/v1\/traces/),
				context: "sending the trace to the collector",
			},
		});
	});
});

describe.concurrent("a trace that could not be sent, with --debug", () => {
	it("is told in one line at the end, also where no diagnostics are written", async () => {
		const project = createProject();
		const env = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1" };
		for (const flags of [[], ["--ephemeral"]]) {
			const server = await scripted([{ text: "ok" }]);
			const ended = await runAgi(project, ["-p", "hi", "--debug", ...flags, ...at(server)], { env });
			expect(ended).toMatchObject({ code: 0, stdout: "ok\n" });
			expect(ended.stderr).toMatch(
				/^The trace could not be sent to http:\/\/127\.0\.0\.1:1\/v1\/traces: .*\n$/,
			);
		}
	});
});

describe.concurrent("the lines of a subagent in .agent/logs/agent.jsonl", () => {
	it("tell every event of its run under its own session, beside those of the run it works for", async () => {
		const project = createProject({ "a.txt": "alpha\n" });
		const task = { subagent: "explorer", task: "Read a.txt." };
		const server = await scripted([
			{ calls: [{ name: "delegateToSubagent", args: task }] },
			{ calls: [read("a.txt")] },
			{ text: "alpha" },
			{ text: "It says alpha." },
		]);
		const { lines } = await ask(project, server);
		const parentId = lines[0]?.session_id;
		const [parents, childs] = [false, true].map((isChild) =>
			diagnostics(project).filter(({ conversationId }) => (conversationId !== parentId) === isChild),
		);
		const asked = ["llm_call_started", "llm_call_completed"];
		const called = ["tool_call", "tool_execution_started", "tool_result"];
		const whole = ["agent_run_started", ...asked, ...called, ...asked, "agent_run_completed"];
		expect(childs?.map(({ event }) => event)).toEqual(whole);
		expect(parents?.map(({ event }) => event)).toEqual(whole);
		expect(new Set(childs?.map(({ conversationId }) => conversationId)).size).toBe(1);
		for (const line of childs ?? []) expect(line).toMatchObject({ subagent: "explorer", parentId });
		for (const line of parents ?? []) expect(line).not.toHaveProperty("subagent");
		expect(childs?.find(({ event }) => event === "tool_call")?.data).toMatchObject({ toolName: "readFile" });
	});
});

describe.concurrent("a failed request", () => {
	it("is sent again after each of two refusals for too many requests, the same bytes each time", async () => {
		const busy = {
			http: { status: 429, headers: { "retry-after-ms": "10" }, body: { error: { message: "slow down" } } },
		};
		const project = createProject();
		const server = await scripted([busy, busy, { text: "ok" }]);
		const { result } = await ask(project, server);
		expect(result).toMatchObject({ subtype: "success", result: "ok", num_steps: 1 });
		const bodies = server.requests.map((request) => request.body.toString("utf8"));
		expect(new Set(bodies).size).toBe(1);
		expect(bodies).toHaveLength(3);
		const ends = eventsOf(project).filter((event) => event.type === "attempt/end");
		expect(ends.map((end) => end.outcome)).toEqual(["failed", "failed", "accepted"]);
	});

	it("is not sent again where the server calls it wrong", async () => {
		const server = await scripted([{ http: { status: 400, body: { error: { message: "bad tools" } } } }]);
		const { code, result } = await ask(createProject(), server);
		expect(code).toBe(1);
		expect(result.error).toMatch(/bad tools/);
		expect(server.requests).toHaveLength(1);
	});
});

describe.concurrent("a plan", () => {
	it("kept by the model is a fact of the session, and plan mode is left by the next start's mode", async () => {
		const project = createProject();
		const items = [{ content: "write planning-test.txt", status: "pending" }];
		const write = { name: "writeFile", args: { path: "planning-test.txt", content: "x" } };
		const server = await scripted([
			{ calls: [{ name: "updatePlan", args: { items } }] },
			{ text: "This is the plan." },
			{ calls: [write] },
			{ text: "done" },
		]);
		const planned = await ask(project, server, { flags: ["--permission-mode", "plan"] });
		expect(planned.result.subtype).toBe("success");
		expect(existsSync(project.path("planning-test.txt"))).toBe(false);
		expect(eventsOf(project).find((event) => event.type === "plan/replaced")).toMatchObject({ items });
		const flags = ["-c", "--permission-mode", "acceptEdits"];
		const executed = await ask(project, server, { prompt: "Execute the approved plan.", flags });
		expect(executed.result.subtype).toBe("success");
		expect(readFileSync(project.path("planning-test.txt"), "utf8")).toBe("x");
	});
});

describe.concurrent("a memory", () => {
	const wish = ["-p", "Remember that I prefer TypeScript examples", "-m", "offline"];

	it("is kept with category and date, and stands in the next session's request", async () => {
		const project = createProject();
		const first = await runAgi(project, [...wish, "--trust"]);
		expect([first.code, first.stderr]).toEqual([0, ""]);
		const server = await scripted([{ text: "ok" }]);
		await ask(project, server, { flags: ["--trust"] });
		expect(String(server.requests[0]?.body)).toMatch(
			/- \[preference, \d{4}-\d{2}-\d{2}\] I prefer TypeScript examples/,
		);
	});

	it("is not made by a run that nobody watches in a folder that nobody trusts, which says why", async () => {
		const project = createProject();
		const { code, stdout } = await runAgi(project, wish);
		expect(code).toBe(0);
		expect(stdout).toMatch(/This failed: Remember that .*\n.*This folder is not trusted.*--trust/);
		const server = await scripted([{ text: "ok" }]);
		await ask(project, server, { flags: [] });
		expect(String(server.requests[0]?.body)).not.toContain("TypeScript");
	});
});
