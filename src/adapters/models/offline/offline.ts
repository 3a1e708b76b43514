// The offline model behind the Model port: body, deltas, usage, abort. What it answers is decided in answer.ts.
// It opens no connection, keeps nothing between requests and waits for nothing.

import type {
	Model,
	ModelOutcome,
	ModelRequest,
	ModelStreamOptions,
	PromptMessage,
} from "../../../ports/model.ts";
import type { ModelReply, RawToolCall } from "../../../types.ts";
import { type Answer, answer } from "./answer.ts";

/** The embedded rule-based model: a newcomer sees the whole loop without a key. Not an AI, and it says so. */
export function createOfflineModel(): Model {
	return { name: "offline", profile: "offline", baseUrl: "", stream: streamOffline };
}

async function streamOffline(request: ModelRequest, options: ModelStreamOptions): Promise<ModelOutcome> {
	const body = renderBody(request);
	const reply: ModelReply = { text: "", reasoning: "", calls: [] };
	if (options.signal.aborted) return cancelled(reply);
	await options.onPrepared(body);
	if (options.signal.aborted) return cancelled(reply);

	const decided = answer(request);
	if ("text" in decided) {
		// Word by word, as a server streams it, and never through the middle of a character.
		for (const text of decided.text.match(/\s*\S{1,24}|\s+/gu) ?? []) {
			options.onDelta({ type: "text", text });
			reply.text += text;
			if (options.signal.aborted) return cancelled(reply);
		}
	} else {
		options.onDelta({ type: "call", name: decided.call.tool });
		if (options.signal.aborted) return cancelled(reply);
		reply.calls.push(renderCall(decided.call, request.messages));
	}
	const said = reply.text + reply.calls.map((call) => call.name + call.arguments).join("");
	return {
		ok: true,
		reply: {
			...reply,
			finish: reply.calls.length > 0 ? "tool_calls" : "stop",
			usage: {
				inputTokens: tokensOf(body),
				outputTokens: tokensOf(said),
				cachedInputTokens: 0,
				reasoningTokens: 0,
			},
			metadata: { model: "offline" },
		},
	};
}

function cancelled(partial: ModelReply): ModelOutcome {
	const message = "The request to the offline model was cancelled.";
	return { ok: false, failure: { kind: "cancelled", message, retryable: false }, partial };
}

/** The id counts the calls so far, so that it is the same whenever the same request is answered. */
function renderCall(
	call: Extract<Answer, { call: unknown }>["call"],
	messages: PromptMessage[],
): RawToolCall {
	const earlier = messages.reduce(
		(sum, message) => sum + (message.role === "assistant" ? message.calls.length : 0),
		0,
	);
	return { id: `offline_${earlier + 1}`, name: call.tool, arguments: JSON.stringify(call.args) };
}

/** Four characters a token: an estimate, since nothing is really tokenised. */
function tokensOf(text: string): number {
	return Math.ceil(text.length / 4);
}

/** The request in the form of Chat Completions, as a server would have received it. */
function renderBody(request: ModelRequest): string {
	const messages = [{ role: "system", content: request.system }, ...request.messages.map(renderMessage)];
	const tools = request.tools.map(({ name, description, inputSchema }) => ({
		type: "function",
		function: { name, description, parameters: inputSchema },
	}));
	return JSON.stringify({ model: "offline", messages, tools });
}

function renderMessage(message: PromptMessage): Record<string, unknown> {
	if (message.role === "user") return { role: "user", content: message.text };
	if (message.role === "tool") return { role: "tool", tool_call_id: message.id, content: message.text };
	if (message.calls.length === 0) return { role: "assistant", content: message.text };
	const calls = message.calls.map(({ id, name, args }) => ({
		id,
		type: "function",
		function: { name, arguments: JSON.stringify(args) },
	}));
	return { role: "assistant", content: message.text || null, tool_calls: calls };
}
