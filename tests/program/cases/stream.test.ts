// What servers do to an event stream, end to end: each kind reaches the tools, the next request and the answer as a
// well-behaved server would have had it. Later parts bring: a smaller request after an overflow (compaction), so here an
// overflow must end the run in one request and one sentence; Esc during a wait (screen), tested here as a signal.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Frame, Reply, WireMessage } from "../../support/caseServer.ts";
import {
	ask,
	at,
	BYPASS,
	createProject,
	eventsOf,
	outcomes,
	runAgi,
	scripted,
	startAgi,
	until,
} from "../../support/program.ts";

const FILES = { "a.txt": "alpha\n", "b.txt": "beta\n" };

function callFrame(call: { index?: number; id?: string; name?: string; args?: unknown }): Frame {
	const { index, id, name, args } = call;
	return {
		d: {
			tool_calls: [
				{
					...(index === undefined ? {} : { index }),
					...(id === undefined ? {} : { id, type: "function" }),
					function: { ...(name === undefined ? {} : { name }), arguments: args },
				},
			],
		},
	};
}

function stream(...frames: Frame[]): Reply {
	return { sse: [...frames, "DONE"] };
}

function callsOf(messages: WireMessage[] = []) {
	return messages.flatMap((message) => message.tool_calls ?? []);
}

function argsOf(messages: WireMessage[] = []): unknown[] {
	return callsOf(messages).map((call) => JSON.parse(call.function.arguments));
}

describe.concurrent("calls in a stream", () => {
	it.each([
		["carry no index", [undefined, undefined]],
		["share one index but not their id", [0, 0]],
		["have indexes that skip", [1, 4]],
	])("stay apart where they %s", async (_, [first, second]) => {
		const server = await scripted([
			stream(
				callFrame({
					...(first === undefined ? {} : { index: first }),
					id: "c_a",
					name: "readFile",
					args: '{"path":"a.txt"}',
				}),
				callFrame({
					...(second === undefined ? {} : { index: second }),
					id: "c_b",
					name: "searchFiles",
					args: '{"pattern":"beta"}',
				}),
				{ d: {}, f: "tool_calls" },
			),
			{ text: "done" },
		]);
		const { result } = await ask(createProject(FILES), server);
		expect(result.result).toBe("done");
		const messages = server.requests[1]?.messages;
		expect(callsOf(messages).map((call) => [call.id, call.function.name])).toEqual([
			["c_a", "readFile"],
			["c_b", "searchFiles"],
		]);
		expect(argsOf(messages)).toEqual([{ path: "a.txt" }, { pattern: "beta" }]);
		expect(server.results()).toEqual([
			expect.stringMatching(/^alpha/),
			expect.stringMatching(/b\.txt:1: beta/),
		]);
		expect(server.violations).toEqual([]);
	});

	it("get an id of their own where the server sends none, the same one in every later request", async () => {
		const read = (path: string) =>
			stream(callFrame({ index: 0, name: "readFile", args: JSON.stringify({ path }) }), {
				d: {},
				f: "tool_calls",
			});
		const server = await scripted([read("a.txt"), read("b.txt"), { text: "done" }]);
		await ask(createProject(FILES), server);
		const [, second, third] = server.requests.map((request) =>
			callsOf(request.messages).map((call) => call.id),
		);
		expect(new Set(third).size).toBe(2);
		expect(third?.[0]).toBe(second?.[0]);
		expect(server.results()).toEqual([expect.stringMatching(/^alpha/), expect.stringMatching(/^beta/)]);
		expect(server.violations).toEqual([]);
	});

	it("run although the server says stop", async () => {
		const server = await scripted([
			stream(
				{ d: { content: "Let me look." } },
				callFrame({ index: 0, id: "c1", name: "readFile", args: '{"path":"a.txt"}' }),
				{ d: {}, f: "stop" },
			),
			{ text: "It says alpha." },
		]);
		const { result } = await ask(createProject(FILES), server);
		expect(result).toMatchObject({ result: "It says alpha.", num_steps: 2 });
	});

	it.each([
		["an empty text", ""],
		["nothing", undefined],
		["an object in place of its text", {}],
	])("run with no arguments where the server sends %s", async (_, args) => {
		const server = await scripted([
			stream(callFrame({ index: 0, id: "c1", name: "listFiles", args }), { d: {}, f: "tool_calls" }),
			{ text: "done" },
		]);
		await ask(createProject(FILES), server);
		expect(argsOf(server.requests[1]?.messages)).toEqual([{}]);
		expect(server.results()).toEqual([expect.stringContaining("[file] a.txt")]);
	});

	it("are taken without an invented prefix, and an unknown name is answered with the right ones", async () => {
		const named = (name: string) => ({ name, args: { path: "a.txt" } });
		const server = await scripted([
			{ calls: [named("functions.readFile"), named("default_api:readFile"), named("open_the_file")] },
			{ text: "done" },
		]);
		const { lines, result } = await ask(createProject(FILES), server);
		expect(result.result).toBe("done");
		const ends = outcomes(lines);
		expect(ends.map((end) => end.status)).toEqual(["result", "result", "error"]);
		expect(ends[2]?.text).toMatch(/Unknown tool: open_the_file.*readFile.*writeFile/s);
		expect(server.violations).toEqual([]);
	});

	it("never run half: one that the output limit cut leaves the file alone, and the model is told", async () => {
		const project = createProject({ "notes.md": "line 1\nline 2\nline 3\n" });
		const half = '{"path":"notes.md","content":"line 1\\nline';
		const server = await scripted([
			stream(callFrame({ index: 0, id: "c1", name: "writeFile", args: half }), { d: {}, f: "length" }),
			{ text: "In smaller parts." },
		]);
		const { result } = await ask(project, server);
		expect(result.result).toBe("In smaller parts.");
		expect(project.read("notes.md")).toBe("line 1\nline 2\nline 3\n");
		const sent = server.requests[1]?.messages ?? [];
		expect(callsOf(sent)).toEqual([]);
		expect(sent.at(-1)?.content).toMatch(/token limit.*not run/s);
		expect(server.violations).toEqual([]);
	});
});

describe.concurrent("a stream that breaks", () => {
	it.each(["reset", "end"] as const)(
		"is no short answer where it ends by %s without a finish",
		async (broken) => {
			const project = createProject();
			const server = await scripted([
				{ sse: [{ d: { content: "First back up the " } }, broken] },
				{ text: "First back up all." },
			]);
			const { result, lines } = await ask(project, server);
			expect(result).toMatchObject({ subtype: "success", result: "First back up all." });
			expect(lines.filter((line) => line.type === "assistant")).toHaveLength(1);
			expect(eventsOf(project).find((event) => event.type === "attempt/end")).toMatchObject({
				outcome: "failed",
				text: "First back up the ",
				failure: { kind: "network", retryable: true },
			});
			expect(server.requests[1]?.body.equals(server.requests[0]?.body ?? Buffer.alloc(0))).toBe(true);
		},
	);

	it("fails the run where no retry brings a whole answer", async () => {
		const cut: Reply = { sse: [{ d: { content: "Half" } }, "end"] };
		const server = await scripted([cut, cut, cut, cut]);
		const { code, result } = await ask(createProject(), server);
		expect(code).toBe(1);
		expect(result).toMatchObject({
			subtype: "error_model",
			error: expect.stringMatching(/cut off before its end/),
		});
		expect(server.requests).toHaveLength(4);
	});

	it("is an error where the server puts one into it, with the server's code kept", async () => {
		const project = createProject();
		const error = { message: "upstream overloaded", code: "overloaded", type: "server_error" };
		const server = await scripted([
			stream({ d: { content: "Thinking about" } }, { raw: { error } }),
			{ text: "Fine now" },
		]);
		const { result, stderr } = await ask(project, server);
		expect(result.result).toBe("Fine now");
		expect(stderr).toContain("upstream overloaded");
		expect(eventsOf(project).find((event) => event.type === "attempt/end")).toMatchObject({
			failure: { code: "overloaded", kind: "overloaded" },
		});
		expect((await ask(project, server, { flags: ["-c"] })).code).toBe(0);
	});
});

describe.concurrent("a server that asks for patience", () => {
	const limited = (headers: Record<string, string>): Reply => ({
		http: { status: 429, headers, body: { error: { message: "slow down" } } },
	});
	const waited = (server: Awaited<ReturnType<typeof scripted>>) =>
		(server.requests[1]?.at ?? 0) - (server.requests[0]?.at ?? 0);

	it.each([
		["seconds", () => ({ "retry-after": "1" }), 1000],
		["milliseconds", () => ({ "retry-after-ms": "700" }), 700],
		["a date", () => ({ "retry-after": new Date(Date.now() + 2000).toUTCString() }), 900],
	])("is not asked again before a wait told as %s is over", async (_, headers, least) => {
		const server = await scripted([() => limited(headers()), { text: "ok" }]);
		const { result } = await ask(createProject(), server);
		expect(result.result).toBe("ok");
		expect(server.requests).toHaveLength(2);
		expect(waited(server)).toBeGreaterThanOrEqual(least);
	});

	it("is not waited for over hours: the run ends at once and tells the wait", async () => {
		const server = await scripted([limited({ "retry-after": "7200" })]);
		const { code, result } = await ask(createProject(), server);
		expect(code).toBe(1);
		expect(result.error).toMatch(/2 hours/);
		expect(server.requests).toHaveLength(1);
	});

	it("keeps nobody from leaving during a wait, which is told on stderr", async () => {
		const server = await scripted([limited({ "retry-after": "50" })]);
		const run = startAgi(createProject(), ["-p", "hi", ...at(server)]);
		await until("the wait", () => /retry 1 of 3 in 5\d s/.test(run.stderr()));
		run.kill("SIGINT");
		expect((await run.ended).code).toBe(130);
	});
});

describe.concurrent("a conversation that does not fit the window", () => {
	it.each([
		[400, { message: "This model's maximum context length is 8192 tokens, you asked for 9000" }],
		[400, { message: "the request (9000 tokens) exceeds the available context size (8192 tokens)" }],
		[400, { message: "input is too big", code: "context_length_exceeded" }],
		[400, { message: "prompt is too long: 9000 tokens > 8192 maximum" }],
		[413, { message: "entity too large" }],
	])("ends the run in one request, whatever the server's words are (%i %o)", async (status, error) => {
		const server = await scripted([{ http: { status, body: { error } } }]);
		const { code, result } = await ask(createProject(), server);
		expect(code).toBe(1);
		expect(result.error).toMatch(/does not fit the window of case-model/);
		expect(server.requests).toHaveLength(1);
	});
});

describe.concurrent("a message that is longer than the window", () => {
	it("is told and taken back, so that the next run of the session goes on without it", async () => {
		const project = createProject();
		mkdirSync(join(project.home, "config"), { recursive: true });
		writeFileSync(join(project.home, "config", "settings.json"), '{"contextWindow": 4000}');
		const server = await scripted([{ text: "ok" }]);
		const long = await ask(project, server, { prompt: "many words ".repeat(2_400) });
		expect(long.code).toBe(1);
		expect(long.result.error).toMatch(/does not fit the window.*The message was taken back/);
		const short = await ask(project, server, { prompt: "short", flags: [...BYPASS, "-c"] });
		expect(short.code).toBe(0);
		expect(server.requests).toHaveLength(1);
		expect(server.requests[0]?.messages.slice(1).map(({ content }) => content)).toEqual(["short"]);
	});

	it("leaves only a mark for later runs where the server refused it", async () => {
		const project = createProject();
		const error = {
			message: "This model's maximum context length is 8192 tokens",
			code: "context_length_exceeded",
		};
		const server = await scripted([{ http: { status: 400, body: { error } } }, { text: "ok" }]);
		const long = await ask(project, server, { prompt: "many words ".repeat(9_000) });
		expect(long.code).toBe(1);
		expect(long.result.error).toMatch(/Later turns carry only a mark in the place of the message/);
		const short = await ask(project, server, { prompt: "short", flags: [...BYPASS, "-c"] });
		expect(short.code).toBe(0);
		expect(short.result.result).toBe("ok");
		expect(JSON.stringify(server.requests.at(-1)?.messages)).not.toContain("many words many words");
	});
});

describe.concurrent("an unusual but legal stream", () => {
	it("is read with CRLF, comments, missing blanks, nulls and usage in a last chunk of its own", async () => {
		const chunk = (delta: unknown, finish: string | null = null) =>
			JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] });
		const usage = JSON.stringify({
			choices: [],
			usage: { prompt_tokens: 7, completion_tokens: 2, total_tokens: 9 },
		});
		const bytes = [
			": keep-alive\r\n\r\n",
			`data:${chunk({ role: "assistant", content: null, tool_calls: null })}\r\n\r\n`,
			`: between\r\ndata: ${chunk({ content: "He" })}\r\n\r\n`,
			`data: ${chunk({ content: "llo" })}\r\n\r\n: keep-alive\r\n\r\n`,
			`data: ${chunk({}, "stop")}\r\n\r\ndata: ${usage}\r\n\r\ndata: [DONE]\r\n\r\n`,
		].join("");
		const server = await scripted([{ bytes }]);
		const { result, stderr } = await ask(createProject(), server, { flags: [] });
		expect(result).toMatchObject({ result: "Hello", usage: { input_tokens: 7, output_tokens: 2 } });
		expect(stderr).toBe("");
	});

	it("has its thoughts in tags taken out of the answer, and the same tags in code left alone", async () => {
		const project = createProject();
		const code = "Use it so:\n```html\n<think>visible</think>\n```";
		const server = await scripted([
			stream(
				{ d: { content: "<thi" } },
				{ d: { content: "nk>two and two</th" } },
				{ d: { content: "ink>The answer is 4." } },
				{ d: {}, f: "stop" },
			),
			{ text: code },
			{ calls: [{ name: "writeFile", args: { path: "t.md", content: "<think>kept</think>\n" } }] },
			{ text: "done" },
		]);
		expect((await ask(project, server)).result.result).toBe("The answer is 4.");
		expect((await ask(project, server, { flags: ["-c"] })).result.result).toBe(code);
		expect((await ask(project, server, { flags: ["-c", "--permission-mode", "acceptEdits"] })).code).toBe(0);
		expect(project.read("t.md")).toBe("<think>kept</think>\n");
		expect(JSON.stringify(server.requests.at(-1)?.messages)).not.toContain("two and two");
	});
});

describe.concurrent("usage", () => {
	it("counts cached tokens inside the prompt, not on top, over two turns", async () => {
		const project = createProject();
		const usage = {
			prompt_tokens: 1000,
			completion_tokens: 10,
			total_tokens: 1010,
			prompt_tokens_details: { cached_tokens: 900 },
		};
		const server = await scripted([{ text: "ok", usage }]);
		const { result } = await ask(project, server);
		expect(result.usage).toMatchObject({ input_tokens: 1000, cached_input_tokens: 900, output_tokens: 10 });
		await ask(project, server, { flags: ["-c"] });
		const ends = eventsOf(project).filter((event) => event.type === "attempt/end");
		expect(ends.reduce((sum, end) => sum + (end.usage?.inputTokens ?? 0), 0)).toBe(2000);
	});

	it.each([
		["none", undefined],
		["zeros", { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }],
		["null", null],
	])("is estimated where the server tells %s", async (_, usage) => {
		const server = await scripted([
			stream(
				{ d: { content: "some words to count" } },
				{ d: {}, f: "stop", ...(usage === undefined ? {} : { u: usage }) },
			),
		]);
		const project = createProject();
		const { result } = await ask(project, server);
		expect(result.usage?.["input_tokens"]).toBeGreaterThan(100);
		expect(result.usage?.["output_tokens"]).toBeGreaterThan(0);
		expect(eventsOf(project).find((event) => event.type === "attempt/end")).toMatchObject({
			usageEstimated: true,
		});
	});
});

describe.concurrent("reasoning", () => {
	it.each<[string, Frame[], Record<string, string>]>([
		["reasoning", [{ d: { reasoning: "R" } }], { reasoning: "R" }],
		["reasoning_content", [{ d: { reasoning_content: "R" } }], { reasoning_content: "R" }],
		["think tags", [{ d: { content: "<think>R</think>\n\n" } }], {}],
	])("goes back as it came, in %s, in each later request and start", async (_, frames, sent) => {
		const project = createProject(FILES);
		const read = (path: string) =>
			callFrame({ index: 0, id: path, name: "readFile", args: `{"path":"${path}"}` });
		const server = await scripted([
			stream(...frames, read("a.txt"), { d: {}, f: "tool_calls" }),
			stream(...frames, read("b.txt"), { d: {}, f: "tool_calls" }),
			{ text: "done" },
			{ text: "again" },
		]);
		await ask(project, server);
		await ask(project, server, { prompt: "next", flags: ["-c"] });
		const histories = server.requests.map(({ messages }) => messages);
		expect(histories).toHaveLength(4);
		histories.slice(1).forEach((messages, i) => {
			expect(messages.slice(0, histories[i]?.length)).toEqual(histories[i]);
		});
		const asking = histories[3]?.filter((message) => message.tool_calls) ?? [];
		expect(asking.map((message) => fieldsOf(message))).toEqual([sent, sent]);
	});

	it("takes text back that a closing tag alone makes reasoning", async () => {
		const project = createProject();
		const server = await scripted([
			stream(
				{ d: { content: "hmm I reason " } },
				{ d: { content: "</think>\n\nAnswer" } },
				{ d: {}, f: "stop" },
			),
		]);
		const { lines, result } = await ask(project, server, { flags: ["--include-partial-messages"] });
		expect(result).toMatchObject({ subtype: "success", result: "Answer" });
		const shown = lines.reduce((text, { event }) => {
			if (event?.type === "text_withdrawn") return text.replace(event.text, "");
			return event?.type === "text_delta" ? text + event.text : text;
		}, "");
		expect(shown).toBe("Answer");
	});
});

it("writes no hidden characters of a server's words to a terminal", async () => {
	const project = createProject();
	const message = "x \u202eevil\u202c \u001b[31m\u200b";
	const server = await scripted([{ http: { status: 400, body: { error: { message } } } }]);
	const { code, stderr } = await runAgi(project, ["-p", "hi", ...at(server)]);
	expect(code).toBe(1);
	expect(stderr).toContain("<U+202E>evil");
	expect(stderr).not.toMatch(/[\u202a-\u202e\u200b\u001b]/);
});

function fieldsOf(message: WireMessage): Record<string, unknown> {
	return Object.fromEntries(Object.entries(message).filter(([name]) => name.startsWith("reasoning")));
}
