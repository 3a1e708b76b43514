import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { createScriptedModel } from "../../src/adapters/models/scripted.ts";
import type { ShownModel } from "../../src/rpc/protocol.ts";
import type { Listener } from "../../src/runtime/publish.ts";
import type { SessionEvent } from "../../src/session/events.ts";
import type { LiveDelta } from "../../src/session/live.ts";
import { emptyState } from "../../src/session/state.ts";
import { activateModel, createModelSwitch } from "../../src/wire/activeModel.ts";
import { watchWindow } from "../../src/wire/contextWindow.ts";

let server: Server | undefined;

afterEach(async () => {
	server?.closeAllConnections();
	await new Promise((closed) => (server ? server.close(closed) : closed(undefined)));
	server = undefined;
});

/** A watch over a model whose window is `window`, or assumed, at a server that says it is 8,000. */
async function bench(
	window: number | undefined,
	real = 8_000,
	profile = "vllm",
	windows: (baseUrl: string) => Map<string, number> = () => new Map(),
) {
	let asked = 0;
	server = createServer((_, response) => {
		asked++;
		response.end(JSON.stringify({ data: [{ id: "scripted", owned_by: "vllm", max_model_len: real }] }));
	});
	await new Promise<void>((listening) => server!.listen(0, "127.0.0.1", listening));
	const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
	const model = createScriptedModel([], { baseUrl, profile });
	const own = window === undefined ? {} : { contextWindow: window };
	const models = createModelSwitch(await activateModel({ kind: "given", model }, own), own, () => undefined);
	const told: LiveDelta[] = [];
	let listener: Listener = () => undefined;
	let heard: (model: ShownModel) => void = () => undefined;
	const learned = new Promise<ShownModel>((resolve) => {
		heard = resolve;
	});
	const stop = watchWindow({
		session: {
			subscribe: (given) => {
				listener = given;
				return () => undefined;
			},
			tell: (delta) => void told.push(delta),
			state: { ...emptyState(), windows: windows(baseUrl) },
		},
		models,
		isSet: window !== undefined,
		onLearned: (shown) => heard(shown),
	});
	const tell = (event: SessionEvent) =>
		listener({ kind: "facts", seq: 1, at: "2026-11-29T12:00:00.000Z", events: [event] });
	return { models, told, learned, tell, stop, asked: () => asked };
}

const STARTED: SessionEvent = { type: "attempt/start", attemptId: "a", stepId: "s", requestId: "r" };
const overflow = (contextWindow: number): SessionEvent => ({
	type: "attempt/end",
	attemptId: "a",
	outcome: "failed",
	text: "",
	reasoning: "",
	calls: [],
	failure: { kind: "context_overflow", message: "too long", retryable: false, contextWindow },
	durationMs: 1,
});

describe("watchWindow", () => {
	it("believes a local server that gives less than was set, and says so", async () => {
		const { models, told, learned, tell, stop } = await bench(32_000);
		tell(STARTED);
		expect((await learned).contextWindow).toBe(8_000);
		expect(models.current().limits).toEqual({ contextWindow: 8_000, outputReserve: 1_000 });
		expect(told).toMatchObject([
			{ type: "notice", text: expect.stringContaining("8,000 tokens, not 32,000") },
		]);
		stop();
	});

	it("takes a larger window than the assumed one without a word", async () => {
		const { models, told, learned, tell, stop } = await bench(undefined, 262_144);
		tell(STARTED);
		await learned;
		expect(models.current().config.contextWindow).toBe(262_144);
		expect(told).toEqual([]);
		stop();
	});

	it("asks no server that is not said to be one of the local ones", async () => {
		const { models, tell, stop, asked } = await bench(32_000, 8_000, "custom");
		tell(STARTED);
		// Were it asked, this request would be the second one there.
		await fetch(`${models.current().config.baseUrl}/models`);
		expect(asked()).toBe(1);
		stop();
	});

	it("goes by what the server named when it refused a request of this session before", async () => {
		const told = (baseUrl: string) => new Map([[`${baseUrl} scripted`, 4_096]]);
		const { models, stop } = await bench(undefined, 8_000, "custom", told);
		expect(models.current().limits.contextWindow).toBe(4_096);
		stop();
	});

	it("learns from an overflow that names the window, but never more than was set", async () => {
		const { models, tell, stop } = await bench(16_000);
		tell(overflow(20_000));
		expect(models.current().limits.contextWindow).toBe(16_000);
		tell(overflow(4_096));
		expect(models.current().limits.contextWindow).toBe(4_096);
		stop();
	});
});
