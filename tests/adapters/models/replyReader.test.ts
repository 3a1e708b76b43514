// Bodies with status 200 that are no reply, and replies whose text is not what it seems, over both of the SDK's providers.

import { afterEach, describe, expect, it } from "vitest";
import { ask, DIALECTS } from "./ask.ts";
import { type ChatServer, type Frame, type Reply, startChatServer } from "./chatServer.ts";

const stop: Frame[] = [{ d: {}, f: "stop" }, "DONE"];
const call: Frame[] = [
	{
		d: {
			tool_calls: [{ index: 0, id: "c", type: "function", function: { name: "listFiles", arguments: "{}" } }],
		},
	},
	{ d: {}, f: "tool_calls" },
	"DONE",
];

let server: ChatServer | undefined;
afterEach(() => server?.close());

describe.each(DIALECTS)("createReplyReader, dialect %s", (dialect) => {
	async function play(reply: Frame[] | Reply) {
		server = await startChatServer([Array.isArray(reply) ? { frames: reply } : reply]);
		return ask({ baseUrl: server.baseUrl, dialect, apiKey: "sk-test-CCC-1" });
	}

	it.each<[string, Reply, string]>([
		["plain words", { body: "upstream connect error" }, ': "upstream connect error".'],
		["words in pieces", { frames: [{ bytes: "upstream " }, { bytes: "gone\n\n" }] }, ': "upstream gone".'],
		["words behind a comment", { body: ": keep-alive\n\nno capacity" }, ': "no capacity".'],
		["null", { body: "null" }, ': "null".'],
		["a list", { body: "[]" }, "LLM_BASE_URL."],
		["an object without choices", { body: '{"result":"ok"}' }, ': "{"result":"ok"}".'],
		["a text in quotes", { body: '"busy"' }, ': ""busy"".'],
	])("tells the words of an answer that is no reply: %s", async (_case, reply, end) => {
		const { outcome } = await play(reply);
		if (outcome.ok) throw new Error("taken for a reply");
		expect(outcome.failure).toMatchObject({ kind: "unknown", retryable: true });
		expect(outcome.failure.message).toContain("answered with something that is no reply");
		expect(outcome.failure.message).toSatisfy((message: string) => message.endsWith(end));
	});

	it.each<[string, Reply]>([
		["nothing", { body: "" }],
		["blank lines", { body: "\n\n" }],
		["comments only", { body: ": keep-alive\n\n: keep-alive\n\n" }],
		["a field without data", { body: "retry: 3000\n\n" }],
	])("says that no reply came where %s came", async (_case, reply) => {
		const { outcome } = await play(reply);
		expect(outcome).toMatchObject({
			ok: false,
			failure: { kind: "network", message: expect.stringContaining("without a reply") },
		});
	});

	it("takes an event stream as one whatever comes before its first event", async () => {
		const { outcome } = await play([
			{ bytes: "retry: 3000\r\n: hi\r\n\r\n" },
			{ d: { content: "Hi" } },
			...stop,
		]);
		expect(outcome).toMatchObject({ ok: true, reply: { text: "Hi" } });
	});

	it("is a rate limit inside a reply though its words speak of billing", async () => {
		const error = { message: "Rate limited, see https://h/settings/billing", code: "rate_limit_exceeded" };
		const { outcome } = await play([{ d: { content: "x" } }, { raw: { error } }, "DONE"]);
		expect(outcome).toMatchObject({ ok: false, failure: { kind: "rate_limit", retryable: true } });
	});

	it.each([
		["reasoning_content", [{ d: { reasoning_content: "R" } }], "reasoning_content"],
		["reasoning", [{ d: { reasoning: "R" } }], "reasoning"],
		["both fields", [{ d: { reasoning: "R", reasoning_content: "R" } }], "reasoning_content"],
		["think tags", [{ d: { content: "<think>R</think>\n\n" } }], "content"],
		["parts of a list", [{ d: { content: [{ type: "thinking", thinking: "R" }] } }], "content"],
		["a lone closing tag", [{ d: { content: "R" } }, { d: { content: "</think>\n\n" } }], "content"],
	])("knows where the reasoning stood: %s", async (_case, frames, reasoningPlace) => {
		const { outcome } = await play([...frames, { d: { content: "Hi" } }, ...stop]);
		expect(outcome).toMatchObject({ ok: true, reply: { text: "Hi", reasoning: "R", reasoningPlace } });
	});

	it("knows no place where nothing was reasoned", async () => {
		const { outcome } = await play([{ d: { content: "Hi" } }, ...stop]);
		expect(outcome.ok && "reasoningPlace" in outcome.reply).toBe(false);
	});

	it("takes text back that a lone closing tag makes reasoning", async () => {
		const { promise, resolve } = Promise.withResolvers<void>();
		server = await startChatServer([
			{
				frames: [
					{ d: { content: "hmm I reason" } },
					{ wait: promise },
					{ d: { content: "\n</think>\n\nAnswer" } },
					...call,
				],
			},
		]);
		const { outcome, deltas } = await ask({
			baseUrl: server.baseUrl,
			dialect,
			apiKey: "k",
			onDelta: ({ type }) => type === "text" && resolve(),
		});
		expect(outcome).toMatchObject({
			ok: true,
			reply: { text: "Answer", reasoning: "hmm I reason\n", calls: [{ id: "c" }] },
		});
		expect(deltas.filter(({ type }) => type !== "alive")).toEqual([
			{ type: "text", text: "hmm I reason" },
			{ type: "rethought", text: "hmm I reason" },
			{ type: "reasoning", text: "\n" },
			{ type: "text", text: "Answer" },
			{ type: "call", name: "listFiles" },
		]);
	});

	it.each([
		["content", "text"],
		["reasoning_content", "reasoning"],
	])(
		"joins a character of %s that came in two halves, and marks a half without the other",
		async (field, kind) => {
			const say = (text: string): Frame => ({
				bytes: `data: {"choices":[{"delta":{"${field}":"${text}"}}]}\n\n`,
			});
			const { outcome, deltas } = await play([
				say("a\\ud83d"),
				say("\\ude00 bad \\ud83d end \\ude00"),
				say("\\ud83d"),
				{ d: { content: "." } },
				...stop,
			]);
			const whole = "a😀 bad � end ��";
			const wanted = kind === "text" ? { text: `${whole}.` } : { text: ".", reasoning: whole };
			expect(outcome).toMatchObject({ ok: true, reply: wanted });
			for (const delta of deltas) if ("text" in delta) expect(delta.text.isWellFormed()).toBe(true);
		},
	);

	it("makes the arguments of a call well-formed, raw and as escapes", async () => {
		const args = '{"path":"\ud83d \\ud83d \\ud83d\\ude00 \\\\ud83d \ud83d\ude00"}';
		const { outcome } = await play([
			{ d: { tool_calls: [{ index: 0, id: "c", function: { name: "readFile", arguments: args } }] } },
			{ d: {}, f: "tool_calls" },
			"DONE",
		]);
		expect(outcome).toMatchObject({
			ok: true,
			reply: { calls: [{ arguments: '{"path":"� \\ufffd \\ud83d\\ude00 \\\\ud83d \ud83d\ude00"}' }] },
		});
	});
});
