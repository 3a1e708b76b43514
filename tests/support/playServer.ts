// A Chat Completions server on loopback that answers by what it was asked: a model played by a function. It judges
// nothing and keeps what it was sent.

import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A request as a played model sees it. */
export interface PlayRequest {
	model: string;
	messages: { role: string; content?: string | null }[];
	tools: { name: string; description: string }[];
	seed?: number;
	/** Present where the client asks for structured output. */
	response_format?: unknown;
	stream: boolean;
}

/** What it answers; `status` makes it fail. */
export interface PlayReply {
	text?: string;
	calls?: { name: string; args?: Record<string, unknown> }[];
	status?: number;
	hang?: true;
}

export interface PlayServer {
	baseUrl: string;
	requests: PlayRequest[];
	close(): Promise<void>;
}

/** Starts a model that is played by `play`. */
export async function startPlayServer(
	play: (request: PlayRequest, index: number) => PlayReply,
): Promise<PlayServer> {
	const requests: PlayRequest[] = [];
	const server = createServer(async (request, response) => {
		if (!request.url?.endsWith("/chat/completions")) return response.writeHead(404).end("{}");
		const parts: Buffer[] = [];
		for await (const part of request) parts.push(part as Buffer);
		const body = JSON.parse(Buffer.concat(parts).toString()) as Omit<PlayRequest, "tools"> & {
			tools?: { function: { name: string; description: string } }[];
		};
		const asked = {
			...body,
			stream: body.stream ?? false,
			tools: (body.tools ?? []).map((tool) => tool.function),
		};
		const reply = play(asked, requests.push(asked) - 1);
		if (reply.hang) return response;
		return answer(response, reply, asked.stream);
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	return {
		baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
		requests,
		close: () =>
			new Promise((resolve) => {
				server.close(() => resolve());
				server.closeAllConnections();
			}),
	};
}

/** The person's last words in a request. */
export function lastWords({ messages }: Pick<PlayRequest, "messages">): string {
	return (
		messages.findLast(({ role, content }) => role === "user" && !content?.startsWith("<agi_notice"))
			?.content ?? ""
	);
}

function answer(response: ServerResponse, reply: PlayReply, stream: boolean): ServerResponse {
	const { text = "", calls = [], status } = reply;
	if (status !== undefined)
		return response
			.writeHead(status, { "content-type": "application/json" })
			.end(JSON.stringify({ error: { message: `played failure ${status}` } }));
	const tool_calls = calls.map(({ name, args }, index) => ({
		index,
		id: `call_${index}`,
		type: "function",
		function: { name, arguments: JSON.stringify(args ?? {}) },
	}));
	const finish_reason = calls.length > 0 ? "tool_calls" : "stop";
	const usage = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 };
	const message = { role: "assistant", content: text, ...(calls.length > 0 ? { tool_calls } : {}) };
	if (!stream)
		return response
			.writeHead(200, { "content-type": "application/json" })
			.end(JSON.stringify({ id: "c", choices: [{ index: 0, message, finish_reason }], usage }));
	const chunk = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`;
	return response
		.writeHead(200, { "content-type": "text/event-stream" })
		.end(
			chunk({ id: "c", choices: [{ index: 0, delta: message, finish_reason: null }] }) +
				chunk({ id: "c", choices: [{ index: 0, delta: {}, finish_reason }] }) +
				chunk({ id: "c", choices: [], usage }) +
				"data: [DONE]\n\n",
		);
}
