// A scripted Chat Completions server on loopback for the tests of the model adapters. It plays raw frames, keeps what
// it was sent byte for byte, and judges nothing.

import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** One thing to do in a streamed reply. `d` is the delta, `f` the finish reason, `u` the usage. */
export type Frame =
	| { d?: unknown; f?: string; u?: unknown }
	| { raw: unknown }
	| { bytes: string | Uint8Array }
	| { wait: Promise<unknown> }
	| "DONE"
	| "reset"
	| "hang";

export interface Reply {
	status?: number;
	headers?: Record<string, string>;
	frames?: Frame[];
	body?: string;
}

export interface ChatServer {
	baseUrl: string;
	requests: { method: string; url: string; headers: IncomingHttpHeaders; body: string }[];
	close(): Promise<void>;
}

/** Starts a server whose n-th request gets the n-th reply, the last one again and again. */
export async function startChatServer(replies: Reply[]): Promise<ChatServer> {
	const requests: ChatServer["requests"] = [];
	const server = createServer(async (request, response) => {
		const parts: Buffer[] = [];
		for await (const part of request) parts.push(part as Buffer);
		const reply = replies[Math.min(requests.length, replies.length - 1)] as Reply;
		const { method = "", url = "", headers } = request;
		requests.push({ method, url, headers, body: Buffer.concat(parts).toString("utf8") });
		await play(reply, response);
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const { port } = server.address() as AddressInfo;
	return {
		baseUrl: `http://127.0.0.1:${port}/v1`,
		requests,
		close: () =>
			new Promise((resolve) => {
				server.close(() => resolve());
				server.closeAllConnections();
			}),
	};
}

async function play(reply: Reply, response: ServerResponse): Promise<void> {
	const type = reply.frames ? "text/event-stream" : "application/json";
	response.writeHead(reply.status ?? 200, { "content-type": type, ...reply.headers });
	if (!reply.frames) {
		response.end(reply.body ?? "");
		return;
	}
	for (const frame of reply.frames) {
		if (frame === "hang") return void response.flushHeaders();
		if (frame === "reset") return void response.socket?.resetAndDestroy();
		if (frame !== "DONE" && "wait" in frame) await frame.wait;
		else response.write(wireForm(frame));
	}
	response.end();
}

function wireForm(frame: Exclude<Frame, "reset" | "hang" | { wait: Promise<unknown> }>): string | Uint8Array {
	if (frame === "DONE") return "data: [DONE]\n\n";
	if ("bytes" in frame) return frame.bytes;
	return `data: ${JSON.stringify("raw" in frame ? frame.raw : chunkOf(frame))}\n\n`;
}

function chunkOf({ d, f, u }: { d?: unknown; f?: string; u?: unknown }): unknown {
	const hasChoice = d !== undefined || f !== undefined;
	const choices = hasChoice ? [{ index: 0, delta: d ?? {}, finish_reason: f ?? null }] : [];
	const head = { id: "chatcmpl-1", object: "chat.completion.chunk", created: 1, model: "m" };
	return { ...head, choices, ...(u !== undefined && { usage: u }) };
}
