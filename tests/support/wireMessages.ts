// Prompt messages in the form of Chat Completions, for the rules that strict servers enforce.

import type { PromptMessage } from "../../src/ports/model.ts";
import type { WireMessage } from "./caseServer.ts";

/** The messages as a server gets them, the system text first. */
export function toWire(system: string, messages: readonly PromptMessage[]): WireMessage[] {
	return [{ role: "system", content: system }, ...messages.map(toWireMessage)];
}

function toWireMessage(message: PromptMessage): WireMessage {
	if (message.role === "user") return { role: "user", content: message.text };
	if (message.role === "tool") return { role: "tool", content: message.text, tool_call_id: message.id };
	const tool_calls = message.calls.map(({ id, name, args }) => ({
		id,
		type: "function",
		function: { name, arguments: JSON.stringify(args) },
	}));
	return { role: "assistant", content: message.text, ...(tool_calls.length > 0 ? { tool_calls } : {}) };
}
