// The library as a program uses it: a real server on loopback, a project in a temporary folder, the environment alone.

import { existsSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ModelMessage } from "ai";
import { jsonSchema, tool } from "ai";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import * as z from "zod";
import { executeTool, executeToolFromSet } from "../src/agent/executeTool.ts";
import { loadMemories, saveMemories } from "../src/agent/memory.ts";
import { readFile as ownReadFile } from "../src/agent/tools/readFile.ts";
import { type AgentCallbacks, createSession, runAgent, UsageTracker } from "../src/index.ts";
import { type ChatServer, type Frame, type Reply, startChatServer } from "./adapters/models/chatServer.ts";

const USAGE = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 };

function says(text: string): Reply {
	return {
		frames: [{ d: { role: "assistant", content: text } }, { d: {}, f: "stop" }, { u: USAGE }, "DONE"],
	};
}

function calls(...wanted: [name: string, args: Record<string, unknown>][]): Reply {
	const tool_calls = wanted.map(([name, args], index) => ({
		index,
		id: `call_${index}_${name}`,
		type: "function",
		function: { name, arguments: JSON.stringify(args) },
	}));
	const frames: Frame[] = [
		{ d: { role: "assistant", tool_calls } },
		{ d: {}, f: "tool_calls" },
		{ u: USAGE },
		"DONE",
	];
	return { frames };
}

let server: ChatServer | undefined;
let root: string;
let home: string;
const before = { cwd: process.cwd(), env: { ...process.env } };

beforeEach(async () => {
	home = await realpath(await mkdtemp(join(tmpdir(), "agi-library-")));
	root = join(home, "app");
	await mkdir(root);
	process.chdir(root);
});

afterEach(async () => {
	process.chdir(before.cwd);
	process.env = { ...before.env };
	await server?.close();
	server = undefined;
	await rm(home, { recursive: true, force: true });
});

/** A server that plays the replies, and an environment that leads to it. */
async function play(...replies: Reply[]): Promise<ChatServer> {
	server = await startChatServer(replies);
	process.env = {
		PATH: before.env["PATH"],
		AGI_HOME: join(home, "home"),
		LLM_BASE_URL: server.baseUrl,
		LLM_API_KEY: "key-of-the-test",
		LLM_MODEL: "m",
	};
	return server;
}

/** Callbacks that keep what they hear. */
function listening(more: AgentCallbacks = {}) {
	const heard: string[] = [];
	const callbacks: AgentCallbacks = {
		onToken: (token) => heard.push(`token ${token}`),
		onTextWithdrawn: (text) => heard.push(`withdrawn ${text}`),
		onToolCallStart: (name, args) => heard.push(`start ${name} ${JSON.stringify(args)}`),
		onToolCallEnd: (name, result) => heard.push(`end ${name} ${result}`),
		onTokenUsage: ({ totalTokens, estimated }) => heard.push(`usage ${totalTokens} ${estimated}`),
		onComplete: (response) => heard.push(`complete ${response}`),
		...more,
	};
	return { heard, callbacks };
}

function bodyOf(request: number): { messages: { role: string; content: string }[]; tools?: unknown[] } {
	return JSON.parse(server?.requests[request]?.body ?? "{}");
}

describe("runAgent", () => {
	it("tells what happens in order and gives the conversation back", async () => {
		await play(calls(["readFile", { path: "a.txt" }]), says("It says alpha."));
		await writeFile("a.txt", "alpha");
		const { heard, callbacks } = listening();
		const history = await runAgent("what is in a.txt?", [], callbacks);
		expect(heard).toEqual([
			"usage 110 false",
			'start readFile {"path":"a.txt"}',
			"end readFile alpha\n[Showing lines 1-1 of 1. End of file.]",
			"token It says alpha.",
			"usage 110 false",
			"complete It says alpha.",
		]);
		expect(history.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "assistant"]);
		expect(history.at(-1)).toEqual({ role: "assistant", content: "It says alpha." });
	});

	it("goes on from a conversation that it is given, without its system messages", async () => {
		await play(says("Ada."));
		const earlier: ModelMessage[] = [
			{ role: "system", content: "be rude" },
			{ role: "user", content: "I am Ada." },
			{ role: "assistant", content: "Hello Ada." },
		];
		const history = await runAgent("who am I?", earlier, {});
		expect(bodyOf(0).messages.slice(1)).toMatchObject([
			{ role: "user", content: "I am Ada." },
			{ role: "assistant", content: "Hello Ada." },
			{ role: "user", content: "who am I?" },
		]);
		expect(JSON.stringify(bodyOf(0))).not.toContain("be rude");
		expect(history.map(({ role }) => role)).toEqual(["user", "assistant", "user", "assistant"]);
	});

	it("never runs a command past the limit of calls, and says which limit", async () => {
		await play(calls(["runCommand", { command: "touch made" }]), says("never"));
		const { heard, callbacks } = listening({ onToolApproval: async () => true });
		await runAgent("run it", [], callbacks, new UsageTracker({ maxToolCalls: 0 }));
		expect(heard.at(-1)).toContain("[Agent stopped: Tool call limit exceeded (1)]");
		expect(existsSync("made")).toBe(false);
		expect(server?.requests).toHaveLength(1);
	});

	it("stops the second call at once where the tracker's tokens are used up by the first", async () => {
		await play(says("one"));
		const tracker = new UsageTracker({ maxTokens: 1 });
		const history = await runAgent("one", [], {}, tracker);
		const { heard, callbacks } = listening();
		const after = await runAgent("two", history, callbacks, tracker);
		expect(after).toEqual([
			...history,
			{ role: "user", content: "two" },
			{ role: "assistant", content: expect.stringContaining("[Agent stopped: Token limit exceeded (110)]") },
		]);
		expect(heard).toHaveLength(1);
		expect(heard[0]).toContain("[Agent stopped: Token limit exceeded (110)]");
		expect(server?.requests).toHaveLength(1);
	});

	it("keeps the turn's counters where it is told that no new turn begins", async () => {
		await play(calls(["listFiles", {}]), says("one"), calls(["listFiles", {}]), says("two"));
		const tracker = new UsageTracker({ maxToolCalls: 1 });
		await runAgent("one", [], {}, tracker);
		const { heard, callbacks } = listening();
		await runAgent("two", [], callbacks, tracker, undefined, undefined, { startNewTurn: false });
		expect(heard.at(-1)).toContain("Tool call limit exceeded (2)");
	});

	it.each<[string, AgentCallbacks["onToolApproval"]]>([
		["false", async () => false],
		["an error", async () => Promise.reject(new Error("the dialog broke"))],
		[
			"a thrown error",
			() => {
				throw new Error("the dialog broke");
			},
		],
	])("writes nothing where the answer is %s, and the call has its result", async (_, onToolApproval) => {
		await play(calls(["writeFile", { path: "a.txt", content: "x" }]), says("never"));
		const { heard, callbacks } = listening(onToolApproval ? { onToolApproval } : {});
		const history = await runAgent("write", [], callbacks);
		expect(existsSync("a.txt")).toBe(false);
		expect(heard.filter((line) => line.startsWith("end writeFile"))).toHaveLength(1);
		expect(history.filter(({ role }) => role === "tool")).toHaveLength(1);
	});

	it("writes after a yes, with the reason and a preview in the question", async () => {
		await play(calls(["writeFile", { path: "a.txt", content: "x" }]), says("done"));
		const asked: unknown[] = [];
		await runAgent("write", [], {
			onToolApproval: async (request) => {
				asked.push(request);
				return true;
			},
		});
		expect(readFileSync("a.txt", "utf8")).toBe("x");
		expect(asked).toEqual([
			{
				toolName: "writeFile",
				args: { path: "a.txt", content: "x" },
				reason: "It changes files.",
				preview: expect.stringContaining("+x"),
			},
		]);
	});

	it("tells a subagent's calls, questions and tokens under its name, and none of its words", async () => {
		await play(
			calls(["delegateToSubagent", { subagent: "reviewer", task: "Review." }]),
			calls(["readFile", { path: "a.txt" }], ["readFile", { path: "/etc/hosts" }]),
			says("No faults."),
			says("Fine."),
		);
		await writeFile("a.txt", "alpha");
		const { heard, callbacks } = listening({
			onToolApproval: async ({ toolName, args }) => {
				heard.push(`ask ${toolName} ${JSON.stringify(args)}`);
				return true;
			},
			onTokenUsage: ({ totalTokens, subagent }) => heard.push(`usage ${totalTokens} ${subagent}`),
			onToolCallEnd: (name) => heard.push(`end ${name}`),
		});
		await runAgent("review", [], callbacks);
		expect(heard).toEqual([
			"usage 110 undefined",
			'start delegateToSubagent {"subagent":"reviewer","task":"Review."}',
			"usage 110 reviewer",
			'start reviewer.readFile {"path":"a.txt"}',
			'start reviewer.readFile {"path":"/etc/hosts"}',
			'ask reviewer.readFile {"path":"/etc/hosts"}',
			"end reviewer.readFile",
			"end reviewer.readFile",
			"usage 110 reviewer",
			"end delegateToSubagent",
			"token Fine.",
			"usage 110 undefined",
			"complete Fine.",
		]);
	});

	it("ends where the answer to a subagent's question is no: nobody is asked anything more", async () => {
		await play(
			calls(["delegateToSubagent", { subagent: "reviewer", task: "Review." }]),
			calls(["readFile", { path: "/etc/hosts" }]),
			says("never"),
		);
		const { heard, callbacks } = listening({ onToolApproval: async () => false });
		await runAgent("review", [], callbacks);
		expect(heard.at(-1)).toBe("complete You said no; the turn has ended");
		expect(heard).toContainEqual(
			expect.stringMatching(/^end delegateToSubagent The user denied readFile .*hosts/),
		);
		expect(server?.requests).toHaveLength(2);
	});

	it("changes nothing in plan mode, whatever is answered", async () => {
		await play(calls(["writeFile", { path: "a.txt", content: "x" }]), says("A plan."));
		const { callbacks } = listening({ onToolApproval: async () => true });
		await runAgent("plan", [], callbacks, undefined, { mode: "plan" });
		expect(existsSync("a.txt")).toBe(false);
	});

	it("takes text back that a broken stream had shown, and asks again", async () => {
		let shown = () => {};
		const wait = new Promise<void>((resolve) => {
			shown = resolve;
		});
		await play({ frames: [{ d: { content: "Hal" } }, { wait }, "reset"] }, says("Hello."));
		const { heard, callbacks } = listening();
		callbacks.onToken = (token) => {
			heard.push(`token ${token}`);
			shown();
		};
		await runAgent("hi", [], callbacks);
		expect(heard.filter((line) => !line.startsWith("usage"))).toEqual([
			"token Hal",
			"withdrawn Hal",
			"token Hello.",
			"complete Hello.",
		]);
	});

	it("asks again after two rate limits, and not after a 400", async () => {
		const limited: Reply = { status: 429, headers: { "retry-after-ms": "1" }, body: "{}" };
		await play(limited, limited, says("At last."));
		await runAgent("hi", [], listening().callbacks);
		expect(server?.requests).toHaveLength(3);
		await server?.close();
		await play({ status: 400, body: '{"error":{"message":"no such field"}}' });
		const { heard, callbacks } = listening();
		await runAgent("hi", [], callbacks);
		expect(server?.requests).toHaveLength(1);
		expect(heard.at(-1)).toContain("no such field");
	});

	it("ends at the signal, also one that fired before", async () => {
		await play({ frames: [{ d: { content: "Once" } }, "hang"] });
		const controller = new AbortController();
		const { heard, callbacks } = listening({ onToken: () => controller.abort() });
		const history = await runAgent("tell", [], callbacks, undefined, undefined, controller.signal);
		expect(heard).toEqual([
			"withdrawn Once",
			expect.stringMatching(/^usage \d+ true$/),
			"complete The turn was cancelled",
		]);
		expect(history.at(-1)).toEqual({ role: "assistant", content: "The turn was cancelled" });
		const before = [
			{ role: "user", content: "old" },
			{ role: "assistant", content: "answer" },
		] as const;
		expect(await runAgent("tell", [...before], {}, undefined, undefined, AbortSignal.abort())).toEqual([
			...before,
			{ role: "user", content: "tell" },
			{ role: "assistant", content: "The turn was cancelled" },
		]);
		expect(server?.requests.length).toBeLessThanOrEqual(2);
	});

	it("ends the run and rejects with the error that a callback threw", async () => {
		await play(says("Hello."));
		const onToken = () => {
			throw new Error("a broken screen");
		};
		await expect(runAgent("hi", [], { onToken })).rejects.toThrow("a broken screen");
	});

	it("offers and runs only the tools that it is given, in the form of the AI SDK too", async () => {
		await play(calls(["add", { a: 1, b: 2 }], ["search", { q: "x" }]), says("3"));
		const add = tool({
			description: "adds",
			inputSchema: z.object({ a: z.number(), b: z.number() }),
			execute: async ({ a, b }) => ({ sum: a + b }),
		});
		const search = tool({
			inputSchema: jsonSchema<{ q: string }>({
				type: "object",
				properties: { q: { type: "string" } },
				required: ["q"],
			}),
			outputSchema: z.string(),
		});
		const { heard, callbacks } = listening();
		await runAgent("add", [], callbacks, undefined, undefined, undefined, {
			toolsOverride: { add, search, readFile: ownReadFile as never },
			systemPromptOverride: "You add.",
		});
		expect(bodyOf(0).tools).toMatchObject([
			{ function: { name: "add", description: "adds" } },
			{
				function: { name: "search", parameters: { properties: { q: { type: "string" } }, required: ["q"] } },
			},
			{ function: { name: "readFile" } },
		]);
		expect(bodyOf(0).messages[0]?.content).toMatch(/^You add\./);
		expect(heard.filter((line) => line.startsWith("end"))).toEqual([
			'end add {"sum":3}',
			"end search search has no executor here: the model's provider runs it.",
		]);
	});

	it("writes the diagnostics of the project", async () => {
		await mkdir(join(root, ".agent"));
		await play(calls(["listFiles", {}], ["listFiles", {}]), says("ok"));
		await runAgent("list", [], {});
		const lines = readFileSync(join(root, ".agent/logs/agent.jsonl"), "utf8").trim().split("\n");
		const events = lines.map((line) => (JSON.parse(line) as { event: string }).event);
		expect(events.filter((event) => /^tool_(exec|result)/.test(event))).toEqual([
			"tool_execution_started",
			"tool_execution_started",
			"tool_result",
			"tool_result",
		]);
		expect(lines.join()).not.toContain("key-of-the-test");
	});

	it("rejects with the way out where no model is set, and for a blank message", async () => {
		await play(says("x"));
		await expect(runAgent(" ", [], {})).rejects.toMatchObject({ exitCode: 42 });
		process.env = { AGI_HOME: join(home, "home") };
		await expect(runAgent("hi", [], {})).rejects.toMatchObject({ exitCode: 41 });
	});
});

describe("runAgent with memory", () => {
	const systemOf = (made: ChatServer, at: number) => JSON.stringify(made.requests[at]?.body);

	it.each([
		["by default", {}, true],
		["not where it is told so", { includeMemories: false }, false],
		["not beside instructions of the program's own", { systemPromptOverride: "Be brief." }, false],
		["beside those where it is told so", { systemPromptOverride: "Be brief.", includeMemories: true }, true],
	])("tells what is remembered %s", async (_, config, isTold) => {
		const made = await play(says("ok"));
		await saveMemories(
			[{ content: "I prefer TypeScript examples", category: "preference", createdAt: "2026-11-29" }],
			{ scope: "user" },
		);
		await runAgent("hi", [], {}, undefined, undefined, undefined, config);
		expect(systemOf(made, 0).includes("[preference, 2026-11-29] I prefer TypeScript examples")).toBe(isTold);
	});
});

describe("loadMemories and saveMemories", () => {
	const fact = (content: string) => ({ content, category: "fact", createdAt: "2026-11-29" }) as const;
	beforeEach(() => {
		process.env["AGI_HOME"] = join(home, "home");
	});

	it("give back what was saved, the user's first, and add nothing twice", async () => {
		expect(await loadMemories()).toEqual([]);
		await saveMemories([fact("The port is 8099"), fact("the port is 8099.")]);
		await saveMemories([{ ...fact("Tabs"), category: "preference" }], { scope: "user" });
		await saveMemories([fact("Tabs"), fact("The host is blue")]);
		expect(await loadMemories()).toEqual([
			{ ...fact("Tabs"), category: "preference" },
			fact("The port is 8099"),
			fact("The host is blue"),
		]);
	});

	it("take out of what was loaded only what is left out, and keep what others wrote meanwhile", async () => {
		await saveMemories([fact("one"), fact("two")]);
		const loaded = await loadMemories();
		const path = join(root, ".agent", "MEMORY.md");
		await writeFile(path, `${readFileSync(path, "utf8")}- a line of a person\n- [fact, 2026-01-02] theirs\n`);
		await saveMemories([fact("two"), fact("three")], { loaded });
		expect(readFileSync(path, "utf8")).toBe(
			"# Memory\n\n- [fact, 2026-11-29] two\n- a line of a person\n- [fact, 2026-01-02] theirs\n- [fact, 2026-11-29] three\n",
		);
	});

	it.each([
		["a key", "ghp_abcdefghijklmnopqrstuvwxyz0123456789", "password or key"],
		["nothing", " ", "empty"],
		["more than a line", "long ".repeat(200), "500 letters"],
	])("save none of them where one holds %s", async (_, content, why) => {
		await expect(saveMemories([fact("fine"), fact(content)])).rejects.toThrow(why);
		expect(await loadMemories()).toEqual([]);
	});

	it("are the memory of the free tool function", async () => {
		expect(await executeTool("memory", { action: "add", text: "The port is 8099" })).toContain("Remembered");
		expect(await executeTool("memory", { action: "search", text: "port" })).toContain(".agent/MEMORY.md:3");
		expect((await loadMemories()).map(({ content }) => content)).toEqual(["The port is 8099"]);
	});
});

describe("createSession", () => {
	it("gives a client that talks with the session until it is closed", async () => {
		await play(says("Hello."));
		const session = await createSession({ ephemeral: true });
		const ended = new Promise((resolve) =>
			session.client.listen((told) => told.kind === "turnEnded" && resolve(told.end)),
		);
		expect(await session.client.send({ do: "submit", text: "hi", target: "next_turn" })).toMatchObject({
			ok: true,
		});
		expect(await ended).toEqual({ status: "completed", answer: "Hello." });
		await session.close();
	});
});

describe("executeTool", () => {
	it("pages through a file with the last line that says so", async () => {
		const sections = Array.from({ length: 250 }, (_, i) => `## ${i}\n${"x".repeat(400)}\n\n`);
		await writeFile("long.md", `# Title\n\n${sections.join("")}`);
		const last = async (args: Record<string, unknown>) =>
			(await executeTool("readFile", { path: "long.md", limit: 200, ...args })).split("\n").at(-1);
		expect(await last({})).toBe("[Showing lines 1-200 of 753. Use offset to read more.]");
		expect(await last({ offset: 200 })).toBe("[Showing lines 201-400 of 753. Use offset to read more.]");
	});

	it("writes with the folders, as after a yes", async () => {
		expect(await executeTool("writeFile", { path: "deep/nested/file.txt", content: "hello" })).toBe(
			"Successfully wrote 5 characters to deep/nested/file.txt",
		);
		expect(readFileSync("deep/nested/file.txt", "utf8")).toBe("hello");
	});

	it.each([
		["readFile", { path: "gone.txt" }, /File not found: gone\.txt/],
		["runCommand", { command: "ls /nonexistent 2>&1" }, /No such file/],
		["runCommand", { command: "rm -rf /" }, /^Command blocked: /],
		["readFile", { path: "../secret.txt" }, /outside the workspace/],
		["writeFile", { path: "../app-sibling/x.txt", content: "x" }, /outside the workspace/],
		["readFile", { path: 3, extra: 1 }, /INVALID_ARGUMENT.*extra/],
		[
			"readFile",
			JSON.parse('{"path":"a","__proto__":1}'),
			/not run: __proto__: unknown argument\..*"__proto__":/,
		],
		[
			"updatePlan",
			{ items: [{ content: "x", status: "pending", z: 1 }] },
			/"items\.0\.z":"unknown argument"/,
		],
		["delegateToSubagent", { subagent: "explorer", task: "look" }, /a subagent needs a session/],
		["readFile", { path: "/proc/self/environ" }, /^Blocked: \/proc\/\d+\/environ holds the memory/],
		["flyAway", {}, /^Unknown tool: flyAway$/],
		["toString", {}, /^Unknown tool: toString$/],
	])("answers %s %j by a text and throws nothing", async (name, args, text) => {
		await writeFile(join(home, "secret.txt"), "secret");
		expect(await executeTool(name, args)).toMatch(text);
		expect(existsSync(join(home, "app-sibling"))).toBe(false);
	});

	it("bounds what a tool gives", async () => {
		const text = await executeTool("runCommand", { command: "seq 1 11000" });
		expect(text).toMatch(/\n\.\.\. \[\d+ lines truncated\] \.\.\.\n/);
		expect(text.length).toBeLessThanOrEqual(50_000);
	});
});

describe("executeToolFromSet", () => {
	const broken = {
		inputSchema: z.object({}),
		execute: async () => {
			throw new Error("it broke");
		},
	};
	const silent = { inputSchema: z.object({}), execute: async () => undefined };
	const provider = tool({ inputSchema: z.object({}), outputSchema: z.string() });

	it.each([
		["broken", "broken failed: it broke"],
		["silent", "(no output)"],
		["provider", "provider has no executor here: the model's provider runs it."],
		["other", "Unknown tool: other"],
	])("of a program's own tools answers %s by a text", async (name, text) => {
		expect(await executeToolFromSet({ broken, silent, provider }, name, {})).toContain(text);
	});
});
