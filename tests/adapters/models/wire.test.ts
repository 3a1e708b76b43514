import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createModel } from "../../../src/adapters/models/aiSdk.ts";
import { type AskOptions, ask, DIALECTS, HELLO } from "./ask.ts";
import { type ChatServer, type Frame, type Reply, startChatServer } from "./chatServer.ts";

const KEY = "sk-test-CCC-1";
const HI: Frame[] = [{ d: { content: "Hi" } }, { d: {}, f: "stop" }, "DONE"];

let server: ChatServer | undefined;
afterEach(() => server?.close());

describe.each(DIALECTS)("createWire, dialect %s", (dialect) => {
	async function play(reply: Frame[] | Reply, options: Partial<AskOptions> = {}) {
		server = await startChatServer([Array.isArray(reply) ? { frames: reply } : reply]);
		return ask({ baseUrl: server.baseUrl, dialect, apiKey: KEY, ...options });
	}

	it("shows the body once, byte for byte as the server gets it, before the first byte leaves", async () => {
		let sentBefore = -1;
		const request = {
			...HELLO,
			messages: [{ role: "user" as const, text: 'naïve "名" \u2028 \\ \ud83d\ude00' }],
		};
		const onPrepared = async () => {
			sentBefore = server?.requests.length ?? -1;
		};
		const { bodies } = await play(HI, { request, onPrepared });
		expect(sentBefore).toBe(0);
		expect(server?.requests.map(({ body }) => body)).toEqual(bodies);
	});

	it("sends no half of a character, wherever it comes from", async () => {
		const half = "bad \ud83d end";
		const request = {
			system: half,
			messages: [
				{ role: "user" as const, text: half },
				{
					role: "assistant" as const,
					text: half,
					calls: [{ id: "c", name: "readFile", args: { path: "a" } }],
				},
				{ role: "tool" as const, id: "c", name: "readFile", text: `${half} \\ud83d` },
			],
			tools: [],
		};
		const { bodies } = await play(HI, { request });
		const texts = JSON.parse(bodies[0] ?? "").messages.map(({ content }: { content: string }) => content);
		expect(texts).toEqual(["bad � end", "bad � end", "bad � end", "bad � end \\ud83d"]);
		expect(bodies[0]).not.toMatch(/[^\\]\\ud83d/);
		expect(server?.requests.map(({ body }) => body)).toEqual(bodies);
	});

	it("sends nothing and rejects with the same error where the body was refused", async () => {
		const error = new Error("disk full");
		await expect(play(HI, { onPrepared: () => Promise.reject(error) })).rejects.toBe(error);
		expect(server?.requests).toEqual([]);
	});

	it("sends nothing where the abort came first", async () => {
		const { outcome, bodies } = await play(HI, { signal: AbortSignal.abort() });
		expect(outcome).toMatchObject({ ok: false, failure: { kind: "cancelled" } });
		expect([bodies, server?.requests]).toEqual([[], []]);
	});

	it("sends nothing where the abort came while the body was shown", async () => {
		const controller = new AbortController();
		const onPrepared = async () => controller.abort();
		const { outcome } = await play(HI, { signal: controller.signal, onPrepared });
		expect(outcome).toMatchObject({ ok: false, failure: { kind: "cancelled" } });
		expect(server?.requests).toEqual([]);
	});

	it.each<[string, Frame[], string]>([
		["in the middle of the text", [{ d: { content: "Hal" } }, "hang"], "text"],
		["before the first byte of the reply", ["hang"], ""],
	])("is cancelled soon %s, with what had come", async (_case, frames, trigger) => {
		const controller = new AbortController();
		const onDelta = ({ type }: { type: string }) => type === trigger && controller.abort();
		const wanted = trigger === "" ? whenAsked(() => controller.abort()) : Promise.resolve();
		const { outcome } = await play(frames, {
			signal: controller.signal,
			onDelta: (delta) => void onDelta(delta),
		});
		await wanted;
		expect(outcome).toMatchObject({
			ok: false,
			failure: { kind: "cancelled" },
			partial: { text: trigger && "Hal" },
		});
	});

	it("fails with a time-out where a reply falls silent, and keeps what had come", async () => {
		const { outcome } = await play([{ d: { content: "Hal" } }, "hang"], { chunkTimeoutMs: 50 });
		expect(outcome).toMatchObject({
			ok: false,
			failure: { kind: "timeout", retryable: true },
			partial: { text: "Hal" },
		});
	});

	it("fails with a time-out where no reply begins", async () => {
		const { outcome } = await play(["hang"], { firstByteTimeoutMs: 50 });
		expect(outcome).toMatchObject({ ok: false, failure: { kind: "timeout", retryable: true } });
	});

	it("does not time out while keep-alives come", async () => {
		// Only the timers of the code under test are stopped; the sockets go on.
		vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
		try {
			const gates = Array.from({ length: 6 }, () => Promise.withResolvers<void>());
			const beats = gates.flatMap(({ promise }): Frame[] => [{ bytes: ": ping\n\n" }, { wait: promise }]);
			let beat = 0;
			const onDelta = () => {
				vi.advanceTimersByTime(40);
				gates[beat++]?.resolve();
			};
			const { outcome } = await play([...beats, ...HI], { chunkTimeoutMs: 50, onDelta });
			expect(outcome).toMatchObject({ ok: true, reply: { text: "Hi" } });
			expect(beat).toBeGreaterThanOrEqual(6);
		} finally {
			vi.useRealTimers();
		}
	});

	it("takes a reply as whole whose connection falls silent behind the finish reason", async () => {
		const { outcome } = await play([{ d: { content: "Hi" }, f: "stop" }, "hang"], { chunkTimeoutMs: 50 });
		expect(outcome).toMatchObject({ ok: true, reply: { text: "Hi", finish: "stop" } });
	});

	it("takes a reply as whole whose connection breaks behind the finish reason", async () => {
		const { promise, resolve } = Promise.withResolvers<void>();
		const frames: Frame[] = [{ d: { content: "Hi" }, f: "stop" }, { wait: promise }, "reset"];
		const { outcome } = await play(frames, { onDelta: () => resolve() });
		expect(outcome).toMatchObject({ ok: true, reply: { text: "Hi", finish: "stop" } });
	});

	it("fails at a reset and keeps what had come", async () => {
		const { promise, resolve } = Promise.withResolvers<void>();
		const frames: Frame[] = [{ d: { content: "Step 1: " } }, { wait: promise }, "reset"];
		const { outcome } = await play(frames, { onDelta: () => resolve() });
		expect(outcome).toMatchObject({
			ok: false,
			failure: { kind: "network", retryable: true },
			partial: { text: "Step 1: " },
		});
	});

	it("never tells the key, whatever the server echoes", async () => {
		const echo = `bad header Authorization: Bearer ${KEY}`;
		const bodies = [
			`{"error":{"message":"${echo}","code":"${KEY}"}}`,
			echo,
			`<html><title>${KEY}</title></html>`,
		];
		for (const status of [200, 400, 401, 404, 429, 500]) {
			for (const body of bodies) {
				const { outcome } = await play({ status, body });
				expect(outcome.ok).toBe(false);
				expect(JSON.stringify(outcome)).not.toContain(KEY);
				await server?.close();
			}
		}
	});

	it.each([
		["retry-after", "2", 2000],
		["retry-after-ms", "1500", 1500],
		["retry-after", new Date(Date.now() + 3_600_000).toUTCString(), 3_600_000],
	])("tells the wait of a 429 with %s: %s", async (name, value, expected) => {
		const { outcome } = await play({ status: 429, headers: { [name]: value }, body: "{}" });
		const wait = outcome.ok ? 0 : (outcome.failure.retryAfterMs ?? 0);
		expect(outcome).toMatchObject({
			ok: false,
			failure: { kind: "rate_limit", retryable: true, status: 429 },
		});
		expect(wait).toBeLessThanOrEqual(expected);
		expect(wait).toBeGreaterThan(expected - 60_000);
	});

	it.each<[string, object]>([
		["a rate limit in its code", { code: "rate_limit_exceeded", type: "tokens" }],
		["a rate limit in its status", { code: 429, status: "RESOURCE_EXHAUSTED" }],
		["no code", {}],
	])("tells the wait of a 429 that speaks of billing, with %s", async (_case, facts) => {
		const message = "Rate limit reached, please try again in 2s. Upgrade at https://h/settings/billing";
		const body = JSON.stringify({ error: { message, ...facts } });
		const { outcome } = await play({ status: 429, headers: { "retry-after": "2" }, body });
		expect(outcome).toMatchObject({
			ok: false,
			failure: { kind: "rate_limit", retryable: true, status: 429, retryAfterMs: 2000 },
		});
	});

	it.each([
		[401, "auth", false],
		[403, "auth", false],
		[408, "timeout", true],
		[413, "context_overflow", false],
	])("lets the status %i decide where a gateway sends a web page", async (status, kind, retryable) => {
		const headers = { "content-type": "text/html" };
		const { outcome } = await play({ status, headers, body: "<html><title>Go away</title></html>" });
		expect(outcome).toMatchObject({ ok: false, failure: { kind, retryable, status } });
	});

	it("sends one request whatever the answer: the caller retries", async () => {
		await play({ status: 503, body: "{}" });
		expect(server?.requests).toHaveLength(1);
	});

	it("does not follow a redirect with the key", async () => {
		const { outcome } = await play({ status: 307, headers: { location: "http://127.0.0.1:9/v1" }, body: "" });
		expect(outcome).toMatchObject({ ok: false, failure: { kind: "invalid_request", retryable: false } });
	});

	it("names the host where nothing answers", async () => {
		server = await startChatServer([{}]);
		const { baseUrl } = server;
		await server.close();
		const { outcome } = await ask({ baseUrl, dialect });
		expect(outcome).toMatchObject({
			ok: false,
			failure: {
				kind: "network",
				code: "ECONNREFUSED",
				message: expect.stringContaining(new URL(baseUrl).host),
			},
		});
	});

	it("fails and does not throw where the key or the URL fits no request", async () => {
		const bad = await play(HI, { apiKey: "sk-bad\nkey-12345" });
		expect(bad.outcome).toMatchObject({ ok: false, failure: { kind: "auth" } });
		const { outcome } = await ask({ baseUrl: "no url", dialect, apiKey: KEY });
		expect(outcome).toMatchObject({ ok: false, failure: { kind: "invalid_request", retryable: false } });
	});

	it("keeps two requests apart that run at once", async () => {
		server = await startChatServer([{ frames: HI }]);
		const model = createModel({
			name: "m",
			profile: "custom",
			baseUrl: server.baseUrl,
			dialect,
			apiKey: KEY,
		});
		const texts = ["one", "two", "three"];
		const bodies = await Promise.all(
			texts.map(async (text) => {
				let seen = "";
				const outcome = await model.stream(
					{ ...HELLO, messages: [{ role: "user", text }] },
					{
						signal: new AbortController().signal,
						onPrepared: async (body) => {
							seen = body;
						},
						onDelta: () => {},
					},
				);
				expect(outcome.ok).toBe(true);
				return JSON.parse(seen).messages.at(-1).content;
			}),
		);
		expect(bodies).toEqual(texts);
	});

	it("uses one connection for requests that follow each other", async () => {
		let connections = 0;
		const chunk = { choices: [{ index: 0, delta: { content: "Hi" }, finish_reason: "stop" }] };
		const http = createServer((_request, response) => {
			response.writeHead(200, { "content-type": "text/event-stream" });
			response.write(`data: ${JSON.stringify(chunk)}\n\n`);
			response.end("data: [DONE]\n\n");
		}).on("connection", () => connections++);
		await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
		const baseUrl = `http://127.0.0.1:${(http.address() as AddressInfo).port}/v1`;
		for (let n = 0; n < 4; n++) expect((await ask({ baseUrl, dialect, apiKey: KEY })).outcome.ok).toBe(true);
		http.closeAllConnections();
		await new Promise((resolve) => http.close(resolve));
		expect(connections).toBeLessThan(4);
	});
});

/** Calls back once the server has a request. */
async function whenAsked(then: () => void): Promise<void> {
	while (!server?.requests.length) await new Promise((resolve) => setImmediate(resolve));
	then();
}
