// Between agi's history and the AI SDK's messages, for programs that bring a conversation and take one away. Pure.

import type { ModelMessage } from "ai";
import { messageText } from "../../session/attachments.ts";
import type { SeedMessage } from "../../session/events.ts";
import { modelView } from "../../session/modelView.ts";
import type { HistoryItem, SessionState } from "../../session/state.ts";

/** Messages of a program as the history of a new session. System messages are left out: agi brings its own. */
export function toSeed(messages: readonly ModelMessage[]): SeedMessage[] {
	return messages.flatMap((message): SeedMessage[] => {
		switch (message.role) {
			case "system":
				return [];
			case "user":
				return [{ role: "user", text: textOf(message.content) }];
			case "assistant":
				return [{ role: "assistant", text: textOf(message.content), calls: callsOf(message.content) }];
			case "tool":
				return message.content.flatMap((part): SeedMessage[] =>
					part.type === "tool-result"
						? [{ role: "tool", id: part.toolCallId, name: part.toolName, text: outputText(part.output) }]
						: [],
				);
			default:
				return [];
		}
	});
}

/** What the model sees of a session, as messages: a summary in place of what it stands for, no other notices of agi. */
export function toModelMessages({
	history,
	masked,
}: Pick<SessionState, "history" | "masked">): ModelMessage[] {
	const messages: ModelMessage[] = [];
	for (const item of modelView(history, masked)) {
		if (item.kind === "checkpoint") messages.push({ role: "user", content: item.summary });
		else if (item.kind === "user") messages.push({ role: "user", content: messageText(item) });
		else if (item.kind === "assistant") messages.push(assistantMessage(item));
		else if (item.kind === "tool")
			messages.push({
				role: "tool",
				content: [
					{
						type: "tool-result",
						toolCallId: item.callId,
						toolName: item.name,
						output: { type: "text", value: item.text },
					},
				],
			});
	}
	return messages;
}

function assistantMessage(item: HistoryItem & { kind: "assistant" }): ModelMessage {
	if (item.calls.length === 0) return { role: "assistant", content: item.text };
	return {
		role: "assistant",
		content: [
			...(item.text === "" ? [] : [{ type: "text" as const, text: item.text }]),
			...item.calls.map((call) => ({
				type: "tool-call" as const,
				toolCallId: call.callId,
				toolName: call.name,
				input: call.args,
			})),
		],
	};
}

interface Part {
	type: string;
	text?: unknown;
}

function textOf(content: string | readonly Part[]): string {
	if (typeof content === "string") return content;
	return content
		.map((part) => (part.type === "text" && typeof part.text === "string" ? part.text : ""))
		.join("");
}

function callsOf(
	content: string | readonly (Part & { toolCallId?: string; toolName?: string; input?: unknown })[],
) {
	if (typeof content === "string") return [];
	return content
		.filter((part) => part.type === "tool-call")
		.map((part) => ({
			id: part.toolCallId ?? "",
			name: part.toolName ?? "",
			args: isRecord(part.input) ? part.input : {},
		}));
}

function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The text of a result, whatever form the SDK keeps it in. */
function outputText(output: { type: string; value?: unknown }): string {
	return typeof output.value === "string" ? output.value : JSON.stringify(output.value ?? output);
}
