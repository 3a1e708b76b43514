// Asks a model for an object of a schema: through the SDK's structured output where the server has it, else by words and
// a check of what came. It asks at most twice, and never makes an object up.

import type * as z from "zod";

export interface ObjectRequest<T> {
	model: string;
	baseUrl: string;
	apiKey?: string;
	schema: z.ZodType<T>;
	/** The schema in words, for servers that cannot be given it. */
	form: string;
	system: string;
	prompt: string;
	signal?: AbortSignal;
}

/** The object, or a sentence about why there is none. Tokens count in both cases. */
export type ObjectAnswer<T> = ({ ok: true; value: T } | { ok: false; message: string }) & {
	inputTokens: number;
	outputTokens: number;
};

/** Never rejects; an abort is told like any other reason. */
export async function askForObject<T>(request: ObjectRequest<T>): Promise<ObjectAnswer<T>> {
	const { generateText, Output } = await import("ai");
	const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
	Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });
	const model = createOpenAICompatible({
		name: "compatible",
		baseURL: request.baseUrl,
		supportsStructuredOutputs: true,
		...(request.apiKey === undefined ? {} : { apiKey: request.apiKey }),
	}).chatModel(request.model);
	const { system: instructions, prompt, schema } = request;
	const signal = request.signal ?? new AbortController().signal;
	const shared = { model, instructions, maxRetries: 1, abortSignal: signal };
	const spent = { inputTokens: 0, outputTokens: 0 };
	const count = (usage: { inputTokens?: number | undefined; outputTokens?: number | undefined }): void => {
		spent.inputTokens += usage.inputTokens ?? 0;
		spent.outputTokens += usage.outputTokens ?? 0;
	};
	try {
		const answered = await generateText({ ...shared, prompt, output: Output.object({ schema }) });
		count(answered.usage);
		return { ok: true, value: answered.output, ...spent };
	} catch (error) {
		if (signal.aborted || !mayLackSchemas(error)) return { ok: false, message: sentence(error), ...spent };
	}
	try {
		const words = `${prompt}\n\nAnswer with one JSON object and nothing else: ${request.form}`;
		const answered = await generateText({ ...shared, prompt: words });
		count(answered.usage);
		const read = schema.safeParse(firstObject(answered.text));
		if (read.success) return { ok: true, value: read.data, ...spent };
		return { ok: false, message: `The answer is no such object: ${answered.text.slice(0, 200)}`, ...spent };
	} catch (error) {
		return { ok: false, message: sentence(error), ...spent };
	}
}

/** Whether asking by words may help: not where the server is not there, or does not let us in. */
function mayLackSchemas(error: unknown): boolean {
	const last = (error as { lastError?: unknown }).lastError ?? error;
	const status = (last as { statusCode?: number }).statusCode;
	return status === undefined
		? (last as { name?: string }).name !== "AI_APICallError"
		: status === 400 || status === 404 || status === 422;
}

function sentence(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}

/** The first object in a text, fences and words around it left out; undefined where there is none. */
function firstObject(text: string): unknown {
	for (let start = text.indexOf("{"); start >= 0; start = text.indexOf("{", start + 1))
		for (let end = text.lastIndexOf("}"); end > start; end = text.lastIndexOf("}", end - 1)) {
			try {
				return JSON.parse(text.slice(start, end + 1));
			} catch {
				// A brace that belongs to the words around it.
			}
		}
	return undefined;
}
