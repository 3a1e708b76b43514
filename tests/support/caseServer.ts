// A scripted and strict Chat Completions server on loopback: plays replies, keeps every body byte for byte, and answers
// a conversation that a strict server would refuse with 400. It never mends what it was sent.

import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { brokenRules } from "./strictRules.ts";

/** A tool call of the scripted model; `args` as text is sent as it is. */
export interface ScriptedCall {
	id?: string;
	name: string;
	args?: unknown;
}

/** One piece of a raw event stream: `d` is the delta, `f` the finish reason, `u` the usage. */
export type Frame =
	| { d?: unknown; f?: string; u?: unknown }
	| { raw: unknown }
	| { bytes: string | Uint8Array }
	/** Goes on once the promise has resolved. */
	| { until: Promise<unknown> }
	| "DONE"
	/** Breaks the connection. */
	| "reset"
	/** Ends the body without another word. */
	| "end"
	/** Nothing more until the client leaves. */
	| "hang";

/** One answer of the scripted model. */
export type Reply =
	| { text?: string; reasoning?: string; calls?: ScriptedCall[]; usage?: unknown; until?: Promise<unknown> }
	| { sse: Frame[] }
	| { bytes: string | Uint8Array }
	| { http: { status: number; headers?: Record<string, string>; body?: unknown } }
	| { hang: true };

/** A reply, or how to make one once its request is there. */
export type Script = readonly (Reply | (() => Reply))[];

/** A message as it came over the wire. */
export interface WireMessage {
	role: string;
	content?: string | null;
	reasoning_content?: string;
	tool_call_id?: string;
	tool_calls?: { id: string; function: { name: string; arguments: string } }[];
}

/** One request that came. */
export interface Received {
	/** Byte for byte. */
	body: Buffer;
	headers: IncomingHttpHeaders;
	messages: WireMessage[];
	/** Names of the tools it offered. */
	tools: string[];
	/** Monotonic milliseconds of its arrival. */
	at: number;
}

export interface CaseServer {
	baseUrl: string;
	/** Requests for a completion, in order of arrival. */
	requests: Received[];
	/** Broken rules, each with the number of its request from 1. */
	violations: string[];
	/** Texts of the tool messages of the newest request, unframed. */
	results(): string[];
	close(): Promise<void>;
}

export interface CaseOptions {
	/**
	 * What picks the reply: the number of the request, or (`results`) of the tool results in it, so that a client that was
	 * killed and started again meets the same model.
	 */
	by?: "requests" | "results";
	/** More rules for one test: what is wrong with these messages, in words; [] where nothing is. */
	refuse?(messages: WireMessage[]): string[];
}

/** Starts a server. Past the end of the script the last reply comes again, where it calls no tool; else the text `done`. */
export async function startCaseServer(script: Script, options: CaseOptions = {}): Promise<CaseServer> {
	const requests: Received[] = [];
	const violations: string[] = [];
	const server = createServer(async (request, response) => {
		const body = await bodyOf(request);
		if (!request.url?.endsWith("/chat/completions")) return answer(response, 404, errorBody("no such path"));
		const received = read(body, request.headers);
		requests.push(received);
		const broken = [...brokenRules(received.messages), ...(options.refuse?.(received.messages) ?? [])];
		violations.push(...broken.map((rule) => `request ${requests.length}: ${rule}`));
		if (broken.length > 0) return answer(response, 400, errorBody(broken.join("; ")));
		const results = received.messages.filter((message) => message.role === "tool").length;
		await play(pick(script, options.by === "results" ? results : requests.length - 1), response);
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	return {
		baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
		requests,
		violations,
		results: () => toolTexts(requests.at(-1)?.messages ?? []),
		close: () =>
			new Promise((resolve) => {
				server.close(() => resolve());
				server.closeAllConnections();
			}),
	};
}

/** What the tools answered, in order, without the frame that tells the model it is data. */
export function toolTexts(messages: WireMessage[]): string[] {
	return messages
		.filter((message) => message.role === "tool")
		.map((message) =>
			(message.content ?? "").replace(/^<tool_result name="[^"]*">\n([\s\S]*)\n<\/tool_result>$/, "$1"),
		);
}

function pick(script: Script, index: number): Reply {
	const entry = script[Math.min(index, script.length - 1)] ?? {};
	const reply = typeof entry === "function" ? entry() : entry;
	return index >= script.length && "calls" in reply ? { text: "done" } : reply;
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
	const parts: Buffer[] = [];
	for await (const part of request) parts.push(part as Buffer);
	return Buffer.concat(parts);
}

function read(body: Buffer, headers: IncomingHttpHeaders): Received {
	const parsed = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body)) as {
		messages: WireMessage[];
		tools?: { function: { name: string } }[];
	};
	const tools = (parsed.tools ?? []).map((tool) => tool.function.name);
	return { body, headers, messages: parsed.messages, tools, at: performance.now() };
}

async function play(reply: Reply, response: ServerResponse): Promise<void> {
	if ("hang" in reply) return;
	if ("http" in reply) return answer(response, reply.http.status, reply.http.body ?? "", reply.http.headers);
	if ("until" in reply) await reply.until;
	response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
	for (const frame of framesOf(reply)) {
		if (frame === "hang") return response.flushHeaders();
		if (frame === "end") break;
		if (frame === "reset") return reset(response);
		if (frame === "DONE") response.write("data: [DONE]\n\n");
		else if ("until" in frame) await frame.until;
		else response.write("bytes" in frame ? frame.bytes : eventOf(frame));
	}
	response.end();
}

/** Resets only once the bytes so far have left, so that the client has read them. */
function reset(response: ServerResponse): void {
	response.write(": last\n\n", () => setImmediate(() => response.socket?.resetAndDestroy()));
}

function framesOf(reply: Exclude<Reply, { hang: true } | { http: unknown }>): Frame[] {
	if ("sse" in reply) return reply.sse;
	if ("bytes" in reply) return [{ bytes: reply.bytes }];
	const { text = "", reasoning, calls = [], usage } = reply;
	const pieces = text.match(/[\s\S]{1,24}/gu) ?? [];
	return [
		{ d: { role: "assistant", content: "" } },
		...(reasoning === undefined ? [] : [{ d: { reasoning_content: reasoning } }]),
		...pieces.map((content) => ({ d: { content } })),
		...calls.map((call, index) => ({ d: { tool_calls: [wireCall(call, index)] } })),
		{ d: {}, f: calls.length > 0 ? "tool_calls" : "stop" },
		{ u: usage ?? { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 } },
		"DONE",
	];
}

let madeIds = 0;

function wireCall({ id, name, args }: ScriptedCall, index: number) {
	const text = typeof args === "string" ? args : JSON.stringify(args ?? {});
	return { index, id: id ?? `call_${++madeIds}`, type: "function", function: { name, arguments: text } };
}

function eventOf(frame: { d?: unknown; f?: string; u?: unknown } | { raw: unknown }): string {
	return `data: ${JSON.stringify("raw" in frame ? frame.raw : chunkOf(frame))}\n\n`;
}

function chunkOf({ d, f, u }: { d?: unknown; f?: string; u?: unknown }) {
	const isChoice = d !== undefined || f !== undefined;
	const choices = isChoice ? [{ index: 0, delta: d ?? {}, finish_reason: f ?? null }] : [];
	const head = { id: "chatcmpl-case", object: "chat.completion.chunk", created: 1, model: "case-model" };
	return { ...head, choices, ...(u === undefined ? {} : { usage: u }) };
}

function answer(
	response: ServerResponse,
	status: number,
	body: unknown,
	headers: Record<string, string> = {},
): void {
	const isText = typeof body === "string";
	response.writeHead(status, { "content-type": isText ? "text/html" : "application/json", ...headers });
	response.end(isText ? body : JSON.stringify(body));
}

function errorBody(message: string) {
	return { error: { message, type: "invalid_request_error" } };
}
