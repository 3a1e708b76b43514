import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { otlpTarget, sendTrace } from "../../../src/adapters/tracing/otlp.ts";
import { createWorld } from "../../../src/adapters/world.ts";
import { traceLog } from "../../../src/session/trace.ts";
import { sessionCommits } from "../../support/recordedLog.ts";

let server: Server | undefined;
afterEach(() => {
	server?.closeAllConnections();
	server?.close();
});

interface Received {
	path: string;
	headers: IncomingMessage["headers"];
	body: string;
}

/** A collector that answers with `status`, or never. */
async function collect(status: number | "never"): Promise<{ url: string; received: Received[] }> {
	const received: Received[] = [];
	server = createServer((request, response) => {
		let body = "";
		request.on("data", (part) => {
			body += part;
		});
		request.on("end", () => {
			received.push({ path: request.url ?? "", headers: request.headers, body });
			if (status !== "never") response.writeHead(status, { location: "/elsewhere" }).end("{}");
		});
	}).listen(0, "127.0.0.1");
	await once(server, "listening");
	return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received };
}

interface SentSpan {
	traceId: string;
	spanId: string;
	parentSpanId?: string;
	name: string;
	kind: number;
	startTimeUnixNano: string;
	endTimeUnixNano: string;
	attributes: { key: string; value: { stringValue?: string; intValue?: string } }[];
	status: { code: number; message?: string };
}

function spansOf({ body }: Received): SentSpan[] {
	return JSON.parse(body).resourceSpans[0].scopeSpans[0].spans;
}

const { digest } = createWorld();
const trace = traceLog(
	sessionCommits("s1", 2, { prompt: "secret question", answer: "secret answer", result: "secret" }),
);

async function send(url: string, sent = trace): Promise<string | undefined> {
	const target = otlpTarget({
		OTEL_EXPORTER_OTLP_ENDPOINT: url,
		OTEL_EXPORTER_OTLP_HEADERS: "x-key=a%20b,x-two=c=d",
	});
	return sendTrace(target ?? { url: "", headers: {} }, sent, { version: "1.2.3", digest });
}

describe("otlpTarget", () => {
	it.each([
		[{ OTEL_EXPORTER_OTLP_ENDPOINT: "http://h:4318" }, "http://h:4318/v1/traces"],
		[{ OTEL_EXPORTER_OTLP_ENDPOINT: "http://h:4318/base/" }, "http://h:4318/base/v1/traces"],
		[
			{ OTEL_EXPORTER_OTLP_ENDPOINT: "http://h", OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "https://t/own" },
			"https://t/own",
		],
		[{}, undefined],
		[{ OTEL_EXPORTER_OTLP_ENDPOINT: "" }, undefined],
		[{ OTEL_EXPORTER_OTLP_ENDPOINT: "localhost:4318" }, undefined],
	])("of %j is %s", (env, url) => {
		expect(otlpTarget(env)?.url).toBe(url);
	});
});

describe("sendTrace", () => {
	it("sends each turn as a trace whose spans are nested and timed, with the headers of the environment", async () => {
		const { url, received } = await collect(200);
		expect(await send(url)).toBeUndefined();
		expect(received).toHaveLength(1);
		const [request] = received as [Received];
		expect(request.path).toBe("/v1/traces");
		expect(request.headers).toMatchObject({
			"content-type": "application/json",
			"x-key": "a b",
			"x-two": "c=d",
		});
		const spans = spansOf(request);
		expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(2);
		expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(spans.length);
		for (const span of spans) {
			expect(span.traceId).toMatch(/^[0-9a-f]{32}$/);
			expect(span.spanId).toMatch(/^[0-9a-f]{16}$/);
			expect(span.startTimeUnixNano).toMatch(/^\d{19}$/);
			expect(BigInt(span.endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(span.startTimeUnixNano));
			const parent = spans.find(({ spanId }) => spanId === span.parentSpanId);
			expect(parent?.traceId ?? span.traceId).toBe(span.traceId);
			expect(parent === undefined).toBe(span.name === "invoke_agent agi");
		}
		const chat = spans.find(({ name }) => name === "chat m");
		expect(chat).toMatchObject({ kind: 3, status: { code: 1 } });
		expect(chat?.attributes).toContainEqual({ key: "gen_ai.usage.input_tokens", value: { intValue: "10" } });
		expect(spans.filter(({ name }) => name === "execute_tool readFile")).toHaveLength(16);
	});

	it("sends nothing that was said", async () => {
		const { url, received } = await collect(200);
		await send(url);
		expect(received[0]?.body).not.toContain("secret");
	});

	it("sends the same ids again for the same turn", async () => {
		const { url, received } = await collect(200);
		await send(url);
		await send(url);
		expect(received[1]?.body).toBe(received[0]?.body);
	});

	it("sends a subagent's turns below the call that started it, and failures as errors", async () => {
		const { url, received } = await collect(200);
		const nested = structuredClone(trace);
		const tool = nested.turns[0]?.steps[0]?.tools[0];
		if (!tool) throw new Error("no call");
		tool.status = "error";
		tool.error = { type: "TIMEOUT", message: "too slow", retryable: true };
		tool.child = {
			sessionId: "child",
			agent: "reviewer",
			status: "failed",
			trace: traceLog(sessionCommits("child", 1)),
		};
		await send(url, nested);
		const spans = spansOf(received[0] as Received);
		const call = spans.find(({ status }) => status.code === 2);
		expect(call).toMatchObject({ name: "execute_tool readFile", status: { message: "TIMEOUT" } });
		expect(spans.find(({ parentSpanId }) => parentSpanId === call?.spanId)).toMatchObject({
			name: "invoke_agent agi",
			traceId: call?.traceId,
		});
	});

	it("leaves an open turn for later, and asks no server where none has ended", async () => {
		const { url, received } = await collect(200);
		const { end: _, ...open } = trace.turns[1] ?? { id: "", start: "", prompt: "", steps: [] };
		await send(url, { ...trace, turns: [open] });
		expect(received).toEqual([]);
	});

	it.each([404, 500, 302])("says with which status the collector answered: %i", async (status) => {
		const { url } = await collect(status);
		expect(await send(url)).toContain(
			status === 302 ? "could not be sent" : `answered with status ${status}`,
		);
	});

	it("says that the collector cannot be reached", async () => {
		const { url } = await collect(200);
		server?.close();
		await once(server as Server, "close");
		expect(await send(url)).toMatch(/could not be sent to http:.*ECONNREFUSED/);
	});

	it("gives up on a collector that never answers after 2 s", async () => {
		const { url } = await collect("never");
		const before = performance.now();
		expect(await send(url)).toContain("could not be sent");
		expect(performance.now() - before).toBeGreaterThanOrEqual(1_900);
	});
});
