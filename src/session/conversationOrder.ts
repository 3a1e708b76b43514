// The facts of a log in the order in which a conversation is read. Pure.

import type { Commit, EventOf, SessionEvent } from "./events.ts";

/**
 * The same commits with each message right before the fact that first told the model of it, and not where it was written:
 * it may have waited. One that no request took stands before the Turn that began with it, else where it was written; one
 * that was taken back before that is left out.
 */
export function inConversationOrder(commits: readonly Commit[]): Commit[] {
	const messages = new Map<string, EventOf<"user/message">>();
	const read = new Map<string, SessionEvent>();
	const begun = new Map<string, SessionEvent>();
	const takenBack = new Set<string>();
	for (const event of commits.flatMap(({ events }) => events)) {
		if (event.type === "user/message") messages.set(event.messageId, event);
		if (event.type === "inbox/included") for (const id of event.messageIds) read.set(id, event);
		if (event.type === "inbox/cancelled") for (const id of event.messageIds) takenBack.add(id);
		if (event.type === "turn/start" && event.source.kind === "inbox")
			for (const id of event.source.messageIds) if (!begun.has(id)) begun.set(id, event);
	}
	const placeOf = (id: string) => read.get(id) ?? begun.get(id);
	return commits.map((commit) => ({
		...commit,
		events: commit.events.flatMap((event): SessionEvent[] => {
			if (event.type === "user/message")
				return placeOf(event.messageId) || takenBack.has(event.messageId) ? [] : [event];
			const told = idsIn(event).filter((id) => placeOf(id) === event);
			return [...told.flatMap((id) => messages.get(id) ?? []), event];
		}),
	}));
}

function idsIn(event: SessionEvent): string[] {
	if (event.type === "inbox/included") return event.messageIds;
	return event.type === "turn/start" && event.source.kind === "inbox" ? event.source.messageIds : [];
}
