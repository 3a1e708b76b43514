// Turns a request into the SDK's prompt. Pure. It adds nothing of its own, keeps the order, and pairs each call with
// its result under an id that every server takes.

import { createHash } from "node:crypto";
import type {
	LanguageModelV4FilePart,
	LanguageModelV4FunctionTool,
	LanguageModelV4Message,
	LanguageModelV4Prompt,
} from "@ai-sdk/provider";
import type { ModelRequest, PromptImage, PromptMessage } from "../../ports/model.ts";
import type { ToolSchema } from "../../types.ts";

/** The messages of a request in the SDK's form; an empty system text is left out. */
export function toPrompt(request: ModelRequest): LanguageModelV4Prompt {
	const system: LanguageModelV4Prompt =
		request.system === "" ? [] : [{ role: "system", content: request.system }];
	return [...system, ...request.messages.map(toMessage)];
}

/** The offered tools in the SDK's form; undefined where none are offered. */
export function toTools(tools: ToolSchema[]): LanguageModelV4FunctionTool[] | undefined {
	if (tools.length === 0) return undefined;
	return tools.map(({ name, description, inputSchema }) => ({
		type: "function",
		name,
		description,
		inputSchema,
	}));
}

/**
 * An id that every server takes: itself where it is at most 40 letters, digits, `_` and `-`, else a short form that is
 * the same each time, so that call and result stay a pair and request bodies stay the same.
 */
export function wireId(id: string): string {
	if (/^[\w-]{1,40}$/.test(id)) return id;
	return `call_${createHash("sha256").update(id).digest("hex").slice(0, 24)}`;
}

/** Providers make an `image_url` with a data URL of each. */
function fileParts(images: readonly PromptImage[] = []): LanguageModelV4FilePart[] {
	return images.flatMap(({ mediaType, base64 }) =>
		base64 === undefined ? [] : [{ type: "file", mediaType, data: { type: "data", data: base64 } }],
	);
}

function toMessage(message: PromptMessage): LanguageModelV4Message {
	switch (message.role) {
		case "user":
			return { role: "user", content: [{ type: "text", text: message.text }, ...fileParts(message.images)] };
		case "assistant": {
			const { reasoning, reasoningField = "reasoning_content" } = message;
			// The provider knows one field for reasoning; what is given as its options stands in the message as it is.
			const isKnown = reasoningField === "reasoning_content";
			return {
				role: "assistant",
				...(reasoning && !isKnown
					? { providerOptions: { openaiCompatible: { [reasoningField]: reasoning } } }
					: {}),
				content: [
					...(reasoning && isKnown ? [{ type: "reasoning" as const, text: reasoning }] : []),
					...(message.text === "" ? [] : [{ type: "text" as const, text: message.text }]),
					...message.calls.map((call) => ({
						type: "tool-call" as const,
						toolCallId: wireId(call.id),
						toolName: call.name,
						input: call.args,
					})),
				],
			};
		}
		case "tool":
			return {
				role: "tool",
				content: [
					{
						type: "tool-result",
						toolCallId: wireId(message.id),
						toolName: message.name,
						output: { type: "text", value: message.text },
					},
				],
			};
		default:
			return message satisfies never;
	}
}
