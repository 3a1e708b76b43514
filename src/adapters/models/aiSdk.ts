// A model behind the AI SDK. The SDK builds the request's body and reads the stream; the outcome is read from the
// SDK's parts, because they are what the SDK's users get, and whether it counts from the wire, because only the wire
// sees how the connection ended. It sends one request per call and never retries. The SDK is loaded at the first one.

import type { LanguageModelV4, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import type { Model, ModelOutcome, ModelRequest, ModelStreamOptions } from "../../ports/model.ts";
import type { FinishReason, ModelReply, Usage } from "../../types.ts";
import type { CanonicalChunk } from "./canonical.ts";
import { CANCELLED, type Endpoint, failureOfThrown } from "./failures.ts";
import { type HttpFetch, httpFetch } from "./httpFetch.ts";
import { toPrompt, toTools } from "./prompt.ts";
import { createWire, type Exchange } from "./wire.ts";

export interface CreateModelOptions {
	/** As sent to the server. */
	name: string;
	/** Profile name, such as `openai`; see `catalog.ts`. */
	profile: string;
	baseUrl: string;
	/** Absent for servers that need none. */
	apiKey?: string;
	/** Sent with each request. */
	headers?: Record<string, string>;
	/** Longest silence inside a reply; keep-alives break it. Default 120,000 ms. */
	chunkTimeoutMs?: number;
	/** Longest silence before a reply's first byte. Default 300,000 ms. */
	firstByteTimeoutMs?: number;
	/** Carries the requests. Default: agi's own; the global one fits too. */
	fetch?: HttpFetch;
	/** For runs that are to be repeatable; servers that know no seed ignore it. Default: the server's own. */
	sampling?: { seed?: number; temperature?: number };
	/** Which of the SDK's providers speaks. Default: `openai` for api.openai.com, else `compatible`. */
	dialect?: "openai" | "compatible";
}

/** A model; nothing is loaded or sent yet. `stream` keeps the promises of the port. */
export function createModel(options: CreateModelOptions): Model {
	const baseUrl = normalBaseUrl(options.baseUrl);
	const apiKey = options.apiKey?.trim();
	const endpoint: Endpoint = { baseUrl, model: options.name, ...(apiKey && { apiKey }) };
	const wire = createWire({
		...endpoint,
		chunkTimeoutMs: options.chunkTimeoutMs ?? 120_000,
		firstByteTimeoutMs: options.firstByteTimeoutMs ?? 300_000,
		fetch: options.fetch ?? httpFetch,
	});
	const dialect = options.dialect ?? (isOpenAi(baseUrl) ? "openai" : "compatible");
	let loading: Promise<LanguageModelV4> | undefined;

	async function stream(request: ModelRequest, streamOptions: ModelStreamOptions): Promise<ModelOutcome> {
		const { signal, onPrepared, onDelta } = streamOptions;
		const reply: ModelReply = { text: "", reasoning: "", calls: [] };
		if (signal.aborted) return { ok: false, failure: CANCELLED, partial: reply };
		const exchange: Exchange = { signal, onPrepared, onAlive: () => onDelta({ type: "alive" }) };
		try {
			loading ??= loadProvider(dialect, { ...endpoint, headers: options.headers ?? {}, fetch: wire.fetch });
			const model = await loading;
			await wire.run(exchange, async () => {
				const { stream: parts } = await model.doStream({ ...callOptions(request), ...options.sampling });
				for await (const part of parts) takePart(part, reply, onDelta);
			});
		} catch (error) {
			if (exchange.refused) throw exchange.refused.error;
			exchange.failure ??= failureOfThrown(error, endpoint);
		}
		if (exchange.notes) reply.metadata = { ...reply.metadata, ...exchange.notes };
		if (signal.aborted) exchange.failure ??= CANCELLED;
		if (!exchange.failure) return { ok: true, reply };
		return { ok: false, failure: exchange.failure, partial: reply };
	}

	return { name: options.name, profile: options.profile, baseUrl, stream };
}

/** The base URL without a closing slash and without the path of the endpoint, which people paste with it. */
export function normalBaseUrl(baseUrl: string): string {
	return baseUrl
		.trim()
		.replace(/\/+$/, "")
		.replace(/\/chat\/completions$/, "");
}

function isOpenAi(baseUrl: string): boolean {
	return URL.canParse(baseUrl) && new URL(baseUrl).hostname === "api.openai.com";
}

async function loadProvider(
	dialect: "openai" | "compatible",
	options: Endpoint & { headers: Record<string, string>; fetch: typeof fetch },
): Promise<LanguageModelV4> {
	const { baseUrl: baseURL, headers, fetch, apiKey } = options;
	if (dialect === "openai") {
		const { createOpenAI } = await import("@ai-sdk/openai");
		// A key must be given, else the SDK takes one from the environment; the wire drops an empty one.
		return createOpenAI({ baseURL, apiKey: apiKey ?? "", headers, fetch }).chat(options.model);
	}
	const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
	const settings = {
		name: "compatible",
		baseURL,
		headers,
		fetch,
		includeUsage: true,
		...(apiKey && { apiKey }),
	};
	return createOpenAICompatible(settings).chatModel(options.model);
}

function callOptions(request: ModelRequest): Parameters<LanguageModelV4["doStream"]>[0] {
	const tools = toTools(request.tools);
	return {
		prompt: toPrompt(request),
		// One of the providers drops reasoning; the canonical chunks come along and hold it.
		includeRawChunks: true,
		...(tools && { tools }),
		...(request.maxOutputTokens !== undefined && { maxOutputTokens: request.maxOutputTokens }),
	};
}

function takePart(
	part: LanguageModelV4StreamPart,
	reply: ModelReply,
	onDelta: ModelStreamOptions["onDelta"],
): void {
	switch (part.type) {
		case "raw": {
			const delta = (part.rawValue as CanonicalChunk).choices[0]?.delta;
			if (delta?.rethought && reply.text !== "") {
				onDelta({ type: "rethought", text: reply.text });
				reply.reasoning += reply.text;
				reply.text = "";
			}
			if (delta?.reasoning_place) reply.reasoningPlace = delta.reasoning_place;
			const text = delta?.reasoning_content;
			if (!text) return;
			reply.reasoning += text;
			onDelta({ type: "reasoning", text });
			return;
		}
		case "text-delta":
			reply.text += part.delta;
			if (part.delta !== "") onDelta({ type: "text", text: part.delta });
			return;
		case "tool-input-start":
			onDelta({ type: "call", name: part.toolName });
			return;
		case "tool-call":
			reply.calls.push({ id: part.toolCallId, name: part.toolName, arguments: part.input });
			return;
		case "response-metadata":
			reply.metadata = { ...(part.id && { id: part.id }), ...(part.modelId && { model: part.modelId }) };
			return;
		case "finish": {
			const usage = toUsage(part.usage);
			if (usage) reply.usage = usage;
			// The raw word is ours: the wire has made it canonical.
			if (part.finishReason.raw !== "error") reply.finish = part.finishReason.raw as FinishReason;
			return;
		}
		case "error":
			throw part.error;
		default:
			return;
	}
}

function toUsage(usage: Extract<LanguageModelV4StreamPart, { type: "finish" }>["usage"]): Usage | undefined {
	if (!usage.inputTokens.total) return undefined;
	return {
		inputTokens: usage.inputTokens.total,
		outputTokens: usage.outputTokens.total ?? 0,
		cachedInputTokens: usage.inputTokens.cacheRead ?? 0,
		reasoningTokens: usage.outputTokens.reasoning ?? 0,
	};
}
