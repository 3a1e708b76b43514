// One short line for each event of a session, with the fields that tell a story, so that tests can compare whole lists.

import type { SessionEvent } from "../../src/session/events.ts";

/** The events, one line each. */
export function outline(events: readonly SessionEvent[]): string[] {
	return events.map((event) => [event.type, ...fieldsOf(event)].filter((field) => field !== "").join(" "));
}

function fieldsOf(event: SessionEvent): string[] {
	switch (event.type) {
		case "user/message":
			return [event.messageId];
		case "inbox/enqueued":
			return [event.target];
		case "inbox/included":
		case "inbox/released":
		case "inbox/cancelled":
			return event.messageIds;
		case "step/start":
			return event.claimed;
		case "step/end":
			return [event.outcome];
		case "turn/end":
			return [event.status, event.code ?? ""];
		case "attempt/start":
			return event.backoffMs === undefined ? [] : [`after ${event.backoffMs} ms`];
		case "attempt/end":
			return [event.outcome, event.failure?.kind ?? event.finish ?? ""];
		case "assistant/accepted":
			return event.calls.map((call) => call.callId);
		case "tool/call":
			return [event.callId, event.name];
		case "policy/decided":
			return [event.callId, event.verdict, event.rule];
		case "approval/resolved":
			return [event.callId, event.answer];
		case "tool/start":
		case "approval/requested":
			return [event.callId];
		case "tool/result":
			return [event.callId, event.status];
		case "subagent/changed":
			return [event.agent, event.status];
		case "grant/added":
			return [event.tool];
		default:
			return [];
	}
}
