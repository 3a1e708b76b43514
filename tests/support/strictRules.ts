// The rules that strict Chat Completions servers enforce on a conversation. Says what is broken; mends nothing.

import type { WireMessage } from "./caseServer.ts";

/** Each broken rule as a sentence; [] for a conversation that every server takes. */
export function brokenRules(messages: readonly WireMessage[]): string[] {
	const last = messages.at(-1)?.role;
	return [
		...messages.flatMap((message, at) => {
			if (message.role === "assistant") return brokenByAssistant(messages, at);
			if (message.role === "tool") return brokenByResult(messages, at);
			const isLateSystem = (message.role === "system" || message.role === "developer") && at > 0;
			return isLateSystem ? [`message ${at} is a system message and not the first`] : [];
		}),
		...(last === "user" || last === "tool" ? [] : [`the last message is of ${last}, not of user or tool`]),
	];
}

function brokenByAssistant(messages: readonly WireMessage[], at: number): string[] {
	const { content, tool_calls: calls = [] } = messages[at]!;
	if (calls.length === 0) return content?.trim() ? [] : [`message ${at} says nothing and calls nothing`];
	const asked = calls.map((call) => call.id);
	const answered = resultsFrom(messages, at + 1).map((message) => message.tool_call_id);
	return [
		...(asked.includes("") ? [`message ${at} has a call with an empty id`] : []),
		...(new Set(asked).size < asked.length ? [`message ${at} uses one id twice`] : []),
		...calls
			.filter((call) => !isObjectText(call.function.arguments))
			.map((call) => `message ${at} calls ${call.function.name} with arguments that are no JSON object`),
		...(asked.toSorted().join() === answered.toSorted().join()
			? []
			: [`the calls ${asked} of message ${at} are answered by ${answered}`]),
	];
}

function brokenByResult(messages: readonly WireMessage[], at: number): string[] {
	const { tool_call_id: id, content } = messages[at]!;
	const caller = messages.slice(0, at).findLast((message) => message.role !== "tool");
	const isAsked = caller?.role === "assistant" && caller.tool_calls?.some((call) => call.id === id);
	return [
		...(isAsked ? [] : [`message ${at} is a result that nothing before it asked for`]),
		...(content ? [] : [`message ${at} is an empty result`]),
	];
}

/** The tool messages that stand in a row from `start` on. */
function resultsFrom(messages: readonly WireMessage[], start: number): WireMessage[] {
	const end = messages.findIndex((message, at) => at >= start && message.role !== "tool");
	return messages.slice(start, end < 0 ? messages.length : end);
}

function isObjectText(text: unknown): boolean {
	try {
		const value: unknown = JSON.parse(String(text));
		return typeof text === "string" && typeof value === "object" && value !== null && !Array.isArray(value);
	} catch {
		return false;
	}
}
