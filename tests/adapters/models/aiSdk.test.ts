import { afterEach, describe, expect, it } from "vitest";
import { normalBaseUrl } from "../../../src/adapters/models/aiSdk.ts";
import type { ModelRequest } from "../../../src/ports/model.ts";
import { type AskOptions, ask, DIALECTS } from "./ask.ts";
import { type ChatServer, type Frame, type Reply, startChatServer } from "./chatServer.ts";

const A = '{"path":"a.txt"}';
const B = '{"path":"b.txt"}';
const stop: Frame[] = [{ d: {}, f: "stop" }, "DONE"];
const toolEnd: Frame[] = [{ d: {}, f: "tool_calls" }, "DONE"];
const call = (value: unknown): Frame => ({ d: { tool_calls: [value] } });

let server: ChatServer | undefined;
afterEach(() => server?.close());

describe.each(DIALECTS)("createModel, dialect %s", (dialect) => {
	async function play(reply: Frame[] | Reply, options: Partial<AskOptions> = {}) {
		server = await startChatServer([Array.isArray(reply) ? { frames: reply } : reply]);
		return ask({ baseUrl: server.baseUrl, dialect, apiKey: "sk-test-CCC-1", ...options });
	}

	async function replyTo(frames: Frame[] | Reply) {
		const { outcome } = await play(frames);
		if (!outcome.ok) throw new Error(outcome.failure.message);
		return outcome.reply;
	}

	it("sends an image as a data URL beside the words of its message", async () => {
		const image = {
			source: "a.png",
			mediaType: "image/png",
			digest: "",
			width: 1,
			height: 1,
			base64: "iVBOR",
		};
		const { bodies } = await play([{ d: { content: "ok" }, f: "stop" }, "DONE"], {
			request: { system: "", tools: [], messages: [{ role: "user", text: "see", images: [image] }] },
		});
		expect(JSON.parse(bodies[0] ?? "").messages).toEqual([
			{
				role: "user",
				content: [
					{ type: "text", text: "see" },
					{ type: "image_url", image_url: { url: "data:image/png;base64,iVBOR" } },
				],
			},
		]);
	});

	it("reads text, usage and the server's own facts", async () => {
		const usage = {
			prompt_tokens: 100,
			completion_tokens: 10,
			total_tokens: 110,
			prompt_tokens_details: { cached_tokens: 90 },
		};
		const reply = await replyTo([
			{ d: { role: "assistant", content: "He" } },
			{ d: { content: "llo" }, f: "stop" },
			{ u: usage },
			"DONE",
		]);
		expect(reply).toEqual({
			text: "Hello",
			reasoning: "",
			calls: [],
			finish: "stop",
			usage: { inputTokens: 100, outputTokens: 10, cachedInputTokens: 90, reasoningTokens: 0 },
			metadata: { id: "chatcmpl-1", model: "m" },
		});
	});

	it.each<[string, Frame[], string[]]>([
		[
			"without index",
			[
				call({ id: "c_a", function: { name: "readFile", arguments: A } }),
				call({ id: "c_b", function: { name: "readFile", arguments: B } }),
			],
			["c_a", "c_b"],
		],
		[
			"under one index",
			[
				call({ index: 0, id: "c_a", function: { name: "readFile", arguments: A } }),
				call({ index: 0, id: "c_b", function: { name: "readFile", arguments: B } }),
			],
			["c_a", "c_b"],
		],
		[
			"interleaved",
			[
				call({ index: 0, id: "c_a", function: { name: "readFile", arguments: '{"path":' } }),
				call({ index: 1, id: "c_b", function: { name: "readFile", arguments: B } }),
				call({ index: 0, function: { arguments: '"a.txt"}' } }),
			],
			["c_a", "c_b"],
		],
	])("keeps two calls apart that come %s", async (_case, frames, ids) => {
		const reply = await replyTo([...frames, ...toolEnd]);
		expect(reply.calls).toEqual([
			{ id: ids[0], name: "readFile", arguments: A },
			{ id: ids[1], name: "readFile", arguments: B },
		]);
		expect(reply.finish).toBe("tool_calls");
	});

	it("makes an id where none comes, another one for each reply", async () => {
		const frames = [call({ index: 0, function: { name: "readFile", arguments: A } }), ...toolEnd];
		const first = await replyTo(frames);
		await server?.close();
		const second = await replyTo(frames);
		expect(first.calls[0]?.id).toMatch(/^call_[0-9a-f]{12}_0$/);
		expect(second.calls[0]?.id).not.toBe(first.calls[0]?.id);
	});

	it.each([[""], [null], [undefined]])("reads %j as no arguments", async (given) => {
		const reply = await replyTo([
			call({ index: 0, id: "c", function: { name: "listFiles", arguments: given } }),
			...toolEnd,
		]);
		expect(reply.calls).toEqual([{ id: "c", name: "listFiles", arguments: "{}" }]);
	});

	it("reads arguments that come as an object", async () => {
		const reply = await replyTo([
			call({ index: 0, id: "c", function: { name: "readFile", arguments: { path: "a.txt" } } }),
			...toolEnd,
		]);
		expect(reply.calls[0]?.arguments).toBe(A);
	});

	it("lets the calls decide where the reason is stop", async () => {
		const reply = await replyTo([
			{ d: { content: "Let me look." } },
			call({ index: 0, id: "c", function: { name: "readFile", arguments: A } }),
			...stop,
		]);
		expect(reply).toMatchObject({ text: "Let me look.", finish: "tool_calls", calls: [{ id: "c" }] });
	});

	it("keeps a call that the output limit cut as it came, and the reason length", async () => {
		const reply = await replyTo([
			call({ index: 0, id: "c", function: { name: "writeFile", arguments: '{"path":"no' } }),
			{ d: {}, f: "length" },
			"DONE",
		]);
		expect(reply).toMatchObject({ finish: "length", calls: [{ arguments: '{"path":"no' }] });
	});

	it.each<[string, Frame[]]>([
		[
			"reasoning_content",
			[
				{ d: { reasoning_content: "the user " } },
				{ d: { reasoning_content: "wants X" } },
				{ d: { content: "4." } },
			],
		],
		["reasoning", [{ d: { reasoning: "the user wants X" } }, { d: { content: "4." } }]],
		[
			"think tags cut in pieces",
			[
				{ d: { content: "<thi" } },
				{ d: { content: "nk>the user wants X</th" } },
				{ d: { content: "ink>4." } },
			],
		],
	])("keeps %s apart from the text", async (_case, frames) => {
		const { outcome, deltas } = await play([...frames, ...stop]);
		expect(outcome).toMatchObject({ ok: true, reply: { text: "4.", reasoning: "the user wants X" } });
		const shown = deltas.flatMap((delta) => (delta.type === "text" ? [delta.text] : []));
		expect(shown.join("")).toBe("4.");
	});

	it("reads chunks without role, id, index, model and created", async () => {
		const reply = await replyTo([
			{ raw: { choices: [{ delta: { content: "Hi" } }] } },
			{ raw: { choices: [{ finish_reason: "stop" }] } },
			"DONE",
		]);
		expect(reply).toMatchObject({ text: "Hi", finish: "stop" });
	});

	it("reads legal but unusual framing, and tells that the server is alive", async () => {
		const bytes = [
			": keep-alive\r\n\r\n",
			'data:{"choices":[{"index":0,"delta":{"role":"assistant","content":null,"tool_calls":null}}]}\r\n\r\n',
			'data:{"choices":[{"index":0,"delta":{"content":"He"}}]}\r\n: keep-alive\r\n\r\n',
			'data: {"choices":[{"index":0,"delta":{"content":"llo"},\r\ndata: "finish_reason":"stop"}]}\r\n\r\n',
			'data: {"choices":[],"usage":{"prompt_tokens":7,"completion_tokens":2,"total_tokens":9}}\r\n\r\ndata: [DONE]',
		];
		const { outcome, deltas } = await play(bytes.map((one) => ({ bytes: one })));
		expect(outcome).toMatchObject({
			ok: true,
			reply: { text: "Hello", usage: { inputTokens: 7, outputTokens: 2 } },
		});
		expect(deltas.map(({ type }) => type)).toContain("text");
	});

	it("tells each keep-alive that comes alone", async () => {
		const { promise, resolve } = Promise.withResolvers<void>();
		const frames: Frame[] = [
			{ bytes: ": keep-alive\n\n" },
			{ wait: promise },
			{ d: { content: "x" } },
			...stop,
		];
		const { deltas } = await play(frames, { onDelta: () => resolve() });
		expect(deltas[0]).toEqual({ type: "alive" });
	});

	it("reads a character that was cut between two pieces", async () => {
		const bytes = new TextEncoder().encode(
			'data: {"choices":[{"index":0,"delta":{"content":"名"},"finish_reason":"stop"}]}\n\n',
		);
		const at = bytes.indexOf(0xe5) + 1;
		const reply = await replyTo([{ bytes: bytes.slice(0, at) }, { bytes: bytes.slice(at) }, "DONE"]);
		expect(reply.text).toBe("名");
	});

	it.each([
		[{ prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }],
		[null],
		[{ prompt_tokens: null, completion_tokens: null, total_tokens: null }],
	])("has no usage where the server tells %j", async (usage) => {
		expect((await replyTo([{ d: { content: "x" }, f: "stop" }, { u: usage }, "DONE"])).usage).toBeUndefined();
	});

	it("counts a usage that is told in every chunk and in strings once", async () => {
		const reply = await replyTo([
			{ d: { content: "a" }, u: { prompt_tokens: "10", completion_tokens: "1" } },
			{ d: { content: "b" }, f: "stop", u: { prompt_tokens: "10", completion_tokens: "2" } },
			"DONE",
		]);
		expect(reply.usage).toMatchObject({ inputTokens: 10, outputTokens: 2 });
	});

	it("accepts a finish reason without an end marker, and ignores what follows the marker", async () => {
		expect(await replyTo([{ d: { content: "x" }, f: "stop" }])).toMatchObject({ text: "x" });
		await server?.close();
		expect(
			await replyTo([{ d: { content: "x" }, f: "stop" }, "DONE", { d: { content: "y" } }]),
		).toMatchObject({ text: "x" });
	});

	it("accepts an end marker without a finish reason and notes it", async () => {
		expect(await replyTo([{ d: { content: "x" } }, "DONE"])).toMatchObject({
			finish: "stop",
			metadata: { finishAssumed: true },
		});
	});

	it("reads a whole reply where the server did not stream", async () => {
		const message = {
			role: "assistant",
			content: null,
			tool_calls: [{ id: "c", type: "function", function: { name: "readFile", arguments: A } }],
		};
		const body = {
			id: "x",
			object: "chat.completion",
			created: 1,
			model: "m",
			choices: [{ index: 0, message, finish_reason: "tool_calls" }],
			usage: { prompt_tokens: 5, completion_tokens: 1, total_tokens: 6 },
		};
		const reply = await replyTo({ body: JSON.stringify(body) });
		expect(reply).toMatchObject({
			calls: [{ id: "c", name: "readFile", arguments: A }],
			usage: { inputTokens: 5 },
		});
	});

	it("ends with the reason refusal or content_filter", async () => {
		expect(await replyTo([{ d: { refusal: "No." } }, ...stop])).toMatchObject({
			text: "No.",
			finish: "refusal",
		});
		await server?.close();
		expect(await replyTo([{ d: { content: "I" } }, { d: {}, f: "content_filter" }, "DONE"])).toMatchObject({
			finish: "content_filter",
		});
	});

	it.each<[string, Frame[] | Reply, object, string]>([
		[
			"a clean end without reason and marker",
			[{ d: { content: "Step 1: " } }],
			{ kind: "network", retryable: true },
			"Step 1: ",
		],
		[
			"an error object inside the stream",
			[
				{ d: { content: "Thinking about" } },
				{ raw: { error: { message: "upstream overloaded", code: "overloaded", type: "server_error" } } },
				"DONE",
			],
			{
				kind: "overloaded",
				code: "overloaded",
				retryable: true,
				message: expect.stringContaining("upstream overloaded"),
			},
			"Thinking about",
		],
		[
			"an error that is a string",
			[{ d: { content: "a" } }, { raw: { error: "no luck" } }],
			{ message: expect.stringContaining("no luck") },
			"a",
		],
		[
			"an error event",
			[{ d: { content: "a" } }, { bytes: 'event: error\ndata: {"message":"gone","code":"rate_limit"}\n\n' }],
			{ kind: "rate_limit", message: expect.stringContaining("gone") },
			"a",
		],
		[
			"an event that is no JSON",
			[{ d: { content: "a" } }, { bytes: "data: {oops\n\n" }, { d: { content: "b" } }, ...stop],
			{ kind: "network", retryable: true },
			"a",
		],
		[
			"an error body with status 200",
			{ body: '{"error":{"message":"bad key","code":"invalid_api_key"}}' },
			{ kind: "auth", code: "invalid_api_key" },
			"",
		],
		[
			"a web page with status 200",
			{ body: "<!doctype html><title>Router</title>", headers: { "content-type": "text/html" } },
			{ kind: "invalid_request", message: expect.stringContaining("Router") },
			"",
		],
		["an empty body", { body: "" }, { kind: "network", retryable: true }, ""],
		[
			"a stop with neither text nor calls",
			[{ d: { content: "" } }, ...stop],
			{ kind: "unknown", retryable: true },
			"",
		],
		[
			"a reply that ends with the reason error",
			[{ d: { content: "a" } }, { d: {}, f: "network_error" }, "DONE"],
			{ kind: "network", code: "network_error" },
			"a",
		],
	])("fails at %s and keeps what had come", async (_case, reply, failure, text) => {
		const { outcome } = await play(reply);
		expect(outcome).toMatchObject({ ok: false, failure, partial: { text } });
	});

	it("keeps the calls that had come when the stream is cut off", async () => {
		const { outcome } = await play([
			call({ index: 0, id: "c", function: { name: "writeFile", arguments: '{"path":"a' } }),
		]);
		expect(outcome).toMatchObject({
			ok: false,
			partial: { calls: [{ id: "c", name: "writeFile", arguments: '{"path":"a' }] },
		});
		expect(outcome.ok ? outcome.reply.finish : outcome.partial.finish).toBeUndefined();
	});

	it("sends a protocol-valid history, the same bytes each time", async () => {
		const id = "x".repeat(64);
		const request: ModelRequest = {
			system: "Be brief.",
			messages: [
				{ role: "user", text: "read a" },
				{
					role: "assistant",
					text: "",
					reasoning: "I should read a.",
					calls: [{ id, name: "readFile", args: { path: "a.txt" } }],
				},
				{ role: "tool", id, name: "readFile", text: "alpha" },
			],
			tools: [
				{
					name: "readFile",
					description: "Reads.",
					inputSchema: { type: "object", properties: { path: { type: "string" } } },
				},
			],
			maxOutputTokens: 100,
		};
		const first = await play([{ d: { content: "x" } }, ...stop], { request });
		const body = JSON.parse(first.bodies[0] ?? "");
		const callId = body.messages[2].tool_calls[0].id;
		expect(callId).toMatch(/^call_[0-9a-f]{24}$/);
		const reasoning = dialect === "compatible" ? { reasoning_content: "I should read a." } : {};
		const toolCalls = [{ id: callId, type: "function", function: { name: "readFile", arguments: A } }];
		expect(body).toEqual({
			model: "m",
			max_tokens: 100,
			messages: [
				{ role: "system", content: "Be brief." },
				{ role: "user", content: "read a" },
				{ role: "assistant", content: null, tool_calls: toolCalls, ...reasoning },
				{ role: "tool", tool_call_id: callId, content: "alpha" },
			],
			tools: [
				{
					type: "function",
					function: { name: "readFile", description: "Reads.", parameters: request.tools[0]?.inputSchema },
				},
			],
			stream: true,
			stream_options: { include_usage: true },
		});
		await server?.close();
		expect((await play([{ d: { content: "x" } }, ...stop], { request })).bodies).toEqual(first.bodies);
	});

	it("sends reasoning back in the field it came in", async () => {
		const called = (reasoning: object, id: string) => ({
			role: "assistant" as const,
			text: "",
			...reasoning,
			calls: [{ id, name: "readFile", args: {} }],
		});
		const result = (id: string) => ({ role: "tool" as const, id, name: "readFile", text: "alpha" });
		const { bodies } = await play([{ d: { content: "x" } }, ...stop], {
			request: {
				system: "",
				tools: [],
				messages: [
					{ role: "user", text: "go" },
					called({ reasoning: "R1", reasoningField: "reasoning" }, "c1"),
					result("c1"),
					called({ reasoning: "R2", reasoningField: "reasoning_content" }, "c2"),
					result("c2"),
					called({ reasoning: "R3" }, "c3"),
					result("c3"),
					called({}, "c4"),
					result("c4"),
				],
			},
		});
		const fields = JSON.parse(bodies[0] ?? "").messages.flatMap((message: Record<string, unknown>) =>
			message["role"] === "assistant"
				? [Object.fromEntries(Object.entries(message).filter(([name]) => name.startsWith("reasoning")))]
				: [],
		);
		// The provider of api.openai.com sends none: that server tells none.
		const sent = [{ reasoning: "R1" }, { reasoning_content: "R2" }, { reasoning_content: "R3" }, {}];
		expect(fields).toEqual(dialect === "compatible" ? sent : [{}, {}, {}, {}]);
	});

	it("sends the key, and no authorization header without one", async () => {
		await play([{ d: { content: "x" } }, ...stop]);
		expect(server?.requests[0]?.headers.authorization).toBe("Bearer sk-test-CCC-1");
		await server?.close();
		await play([{ d: { content: "x" } }, ...stop], { apiKey: "" });
		expect(server?.requests[0]?.headers.authorization).toBeUndefined();
	});
});

describe("normalBaseUrl", () => {
	it.each([
		["https://h/v1/"],
		["https://h/v1/chat/completions"],
		[" https://h/v1 "],
		["https://h/v1/chat/completions/"],
	])("makes %j https://h/v1", (given) => {
		expect(normalBaseUrl(given)).toBe("https://h/v1");
	});
});
