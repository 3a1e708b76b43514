// A model that answers at once, for measuring what agi itself costs: Chat Completions over SSE on the loopback. Its
// replies depend on the request alone. It notes when each request came, when its reply was handed over, and the body.

import { once } from "node:events";
import { createServer } from "node:http";

/** Epoch milliseconds with fractions, comparable between processes. */
export const now = () => performance.timeOrigin + performance.now();

/**
 * Starts a server whose model calls `tool` with `argumentsOf(turn)` for `turns` turns and then answers in words; 0
 * turns: it answers at once. Resolves with its base URL, the list of exchanges (it grows) and `close`.
 */
export async function startModelServer({ turns = 0, tool = "", argumentsOf = () => ({}) } = {}) {
	const exchanges = [];
	const server = createServer(async (request, response) => {
		const exchange = { receivedAt: now(), body: "", answeredAt: 0 };
		exchanges.push(exchange);
		for await (const part of request.setEncoding("utf8")) exchange.body += part;
		const done = JSON.parse(exchange.body).messages.filter((message) => message.role === "tool").length;
		const delta = done < turns ? callDelta(done, tool, argumentsOf(done)) : { content: "All is done." };
		response.writeHead(200, { "content-type": "text/event-stream" });
		response.end(reply(delta, done < turns ? "tool_calls" : "stop"));
		await once(response, "finish");
		exchange.answeredAt = now();
	});
	server.keepAliveTimeout = 60_000;
	server.on("connection", (socket) => socket.setNoDelay(true));
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	return {
		baseUrl: `http://127.0.0.1:${server.address().port}/v1`,
		exchanges,
		close() {
			server.close();
			server.closeAllConnections();
		},
	};
}

function callDelta(turn, name, args) {
	const call = {
		index: 0,
		id: `call_${turn}`,
		type: "function",
		function: { name, arguments: JSON.stringify(args) },
	};
	return { content: null, tool_calls: [call] };
}

function reply(delta, finish) {
	const base = { id: "reply", object: "chat.completion.chunk", created: 0, model: "bench-model" };
	const usage = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 };
	const chunks = [
		{ ...base, choices: [{ index: 0, delta: { role: "assistant", ...delta }, finish_reason: null }] },
		{ ...base, choices: [{ index: 0, delta: {}, finish_reason: finish }] },
		{ ...base, choices: [], usage },
	];
	return `${chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join("")}data: [DONE]\n\n`;
}
