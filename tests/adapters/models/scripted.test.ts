import { describe, expect, it } from "vitest";
import { createScriptedModel } from "../../../src/adapters/models/scripted.ts";
import type { ModelDelta, ModelRequest } from "../../../src/ports/model.ts";

const REQUEST: ModelRequest = { system: "s", messages: [{ role: "user", text: "hi" }], tools: [] };

function options(signal = new AbortController().signal) {
	const bodies: string[] = [];
	const deltas: ModelDelta[] = [];
	const onPrepared = async (body: string) => void bodies.push(body);
	return { bodies, deltas, signal, onPrepared, onDelta: (delta: ModelDelta) => void deltas.push(delta) };
}

describe("createScriptedModel", () => {
	it("plays its replies in order, shows each body first and keeps the requests", async () => {
		const model = createScriptedModel([
			{ text: "one" },
			{ calls: [{ name: "readFile", args: { path: "a" } }] },
		]);
		const seen = options();
		expect(await model.stream(REQUEST, seen)).toMatchObject({
			ok: true,
			reply: { text: "one", finish: "stop" },
		});
		expect(await model.stream(REQUEST, seen)).toMatchObject({
			ok: true,
			reply: {
				finish: "tool_calls",
				calls: [{ id: "call_1_0", name: "readFile", arguments: '{"path":"a"}' }],
			},
		});
		expect(model.requests.map(({ body }) => body)).toEqual(seen.bodies);
		expect(seen.deltas).toEqual([
			{ type: "text", text: "one" },
			{ type: "call", name: "readFile" },
		]);
	});

	it("fails past its end and says so", async () => {
		const outcome = await createScriptedModel([]).stream(REQUEST, options());
		expect(outcome).toMatchObject({ ok: false, failure: { kind: "invalid_request", retryable: false } });
	});

	it("fails with what had come", async () => {
		const failure = { kind: "network" as const, message: "gone", retryable: true };
		const outcome = await createScriptedModel([{ text: "half", failure }]).stream(REQUEST, options());
		expect(outcome).toMatchObject({ ok: false, failure, partial: { text: "half" } });
	});

	it("hangs until the abort, then is cancelled with what had come", async () => {
		const controller = new AbortController();
		const pending = createScriptedModel([{ reasoning: "hm", hang: true }]).stream(
			REQUEST,
			options(controller.signal),
		);
		controller.abort();
		expect(await pending).toMatchObject({ ok: false, failure: { kind: "cancelled" } });
	});

	it("sends nothing and rejects where the body was refused", async () => {
		const model = createScriptedModel([{ text: "x" }]);
		const refused = { ...options(), onPrepared: () => Promise.reject(new Error("disk full")) };
		await expect(model.stream(REQUEST, refused)).rejects.toThrow("disk full");
		expect(model.requests).toEqual([]);
	});
});
