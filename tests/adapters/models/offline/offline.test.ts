// The offline model as a Model: body, deltas, usage, ids, abort.

import { describe, expect, it } from "vitest";
import { createOfflineModel } from "../../../../src/adapters/models/offline/offline.ts";
import type { ModelDelta, ModelRequest } from "../../../../src/ports/model.ts";

const TOOLS = ["readFile", "listFiles"].map((name) => ({
	name,
	description: `${name}.`,
	inputSchema: { type: "object" },
}));

function ask(text: string): ModelRequest {
	return { system: "You are agi.", messages: [{ role: "user", text }], tools: TOOLS };
}

async function stream(
	request: ModelRequest,
	abort?: { controller: AbortController; when: "before" | "prepared" | "delta" },
) {
	const controller = abort?.controller ?? new AbortController();
	const bodies: string[] = [];
	const deltas: ModelDelta[] = [];
	if (abort?.when === "before") controller.abort();
	const outcome = await createOfflineModel().stream(request, {
		signal: controller.signal,
		async onPrepared(body) {
			bodies.push(body);
			if (abort?.when === "prepared") controller.abort();
		},
		onDelta(delta) {
			deltas.push(delta);
			if (abort?.when === "delta") controller.abort();
		},
	});
	return { outcome, bodies, deltas };
}

describe("createOfflineModel", () => {
	it("names itself offline and has no address", () => {
		expect(createOfflineModel()).toMatchObject({ name: "offline", profile: "offline", baseUrl: "" });
	});

	it("streams its text in small pieces that add up to the reply, without splitting a character", async () => {
		const { outcome, deltas } = await stream(ask(`Reply exactly: ${"😀".repeat(40)} 你好  world`));
		const pieces = deltas.map((delta) => (delta.type === "text" ? delta.text : ""));
		expect(pieces.length).toBeGreaterThan(2);
		expect(pieces.every((piece) => piece.isWellFormed())).toBe(true);
		const text = `（离线模型，不是 AI）\n\n${"😀".repeat(40)} 你好  world`;
		expect(pieces.join("")).toBe(text);
		expect(outcome).toMatchObject({ ok: true, reply: { text, calls: [], finish: "stop" } });
	});

	it("asks for a tool with an id that counts the calls so far", async () => {
		const request = ask("list files then read a.ts");
		const first = await stream(request);
		expect(first.outcome).toMatchObject({
			ok: true,
			reply: {
				text: "",
				finish: "tool_calls",
				calls: [{ id: "offline_1", name: "listFiles", arguments: "{}" }],
			},
		});
		expect(first.deltas).toEqual([{ type: "call", name: "listFiles" }]);
		request.messages.push(
			{ role: "assistant", text: "", calls: [{ id: "offline_1", name: "listFiles", args: {} }] },
			{ role: "tool", id: "offline_1", name: "listFiles", text: "[file] a.ts" },
		);
		expect((await stream(request)).outcome).toMatchObject({
			reply: { calls: [{ id: "offline_2", name: "readFile", arguments: '{"path":"a.ts"}' }] },
		});
	});

	it("prepares the body of a Chat Completions request once, and estimates usage from it", async () => {
		const request = ask("list files");
		request.messages.push(
			{ role: "assistant", text: "", calls: [{ id: "c1", name: "listFiles", args: {} }] },
			{ role: "tool", id: "c1", name: "listFiles", text: "[file] a.ts" },
		);
		const { outcome, bodies } = await stream(request);
		expect(bodies.map((body) => JSON.parse(body))).toEqual([
			{
				model: "offline",
				messages: [
					{ role: "system", content: "You are agi." },
					{ role: "user", content: "list files" },
					{
						role: "assistant",
						content: null,
						tool_calls: [{ id: "c1", type: "function", function: { name: "listFiles", arguments: "{}" } }],
					},
					{ role: "tool", tool_call_id: "c1", content: "[file] a.ts" },
				],
				tools: TOOLS.map(({ name, description, inputSchema }) => ({
					type: "function",
					function: { name, description, parameters: inputSchema },
				})),
			},
		]);
		const text = outcome.ok ? outcome.reply.text : "";
		expect(outcome).toMatchObject({
			reply: {
				usage: {
					inputTokens: Math.ceil((bodies[0] ?? "").length / 4),
					outputTokens: Math.ceil(text.length / 4),
				},
			},
		});
	});

	it("rejects with the error of onPrepared and streams nothing", async () => {
		const deltas: ModelDelta[] = [];
		const failing = createOfflineModel().stream(ask("hello"), {
			signal: new AbortController().signal,
			onPrepared: () => Promise.reject(new Error("the log is full")),
			onDelta: (delta) => deltas.push(delta),
		});
		await expect(failing).rejects.toThrow("the log is full");
		expect(deltas).toEqual([]);
	});

	it.each([
		["before", 0, 0],
		["prepared", 1, 0],
		["delta", 1, 1],
	] as const)("ends as cancelled when aborted: %s", async (when, prepared, streamed) => {
		const { outcome, bodies, deltas } = await stream(ask("hello"), {
			controller: new AbortController(),
			when,
		});
		const partial = { text: deltas.map((delta) => (delta.type === "text" ? delta.text : "")).join("") };
		expect(outcome).toMatchObject({ ok: false, failure: { kind: "cancelled", retryable: false }, partial });
		expect([bodies.length, deltas.length]).toEqual([prepared, streamed]);
	});
});
