// The facts of a log in the order in which a conversation is read. Pure.

import type { Commit, EventOf, SessionEvent } from "./events.ts";

/**
 * The same commits with each message where the model first read it, and not where it was written: it may have waited.
 * Messages that still wait come last; those that were taken back unread are left out.
 */
export function inConversationOrder(commits: readonly Commit[]): Commit[] {
	const messages = new Map<string, EventOf<"user/message">>();
	const places = new Map<string, EventOf<"inbox/included">>();
	const takenBack = new Set<string>();
	for (const event of commits.flatMap(({ events }) => events)) {
		if (event.type === "user/message") messages.set(event.messageId, event);
		// A Step that ended before its request gave its messages back: the last one to take them counts.
		if (event.type === "inbox/included") for (const id of event.messageIds) places.set(id, event);
		if (event.type === "inbox/cancelled") for (const id of event.messageIds) takenBack.add(id);
	}
	const ordered = commits.map((commit) => ({
		...commit,
		events: commit.events.flatMap((event): SessionEvent[] => {
			if (event.type === "user/message") return [];
			if (event.type !== "inbox/included") return [event];
			const read = event.messageIds.filter((id) => places.get(id) === event);
			return [...read.flatMap((id) => messages.get(id) ?? []), event];
		}),
	}));
	const waiting = [...messages.values()].filter(
		({ messageId }) => !places.has(messageId) && !takenBack.has(messageId),
	);
	ordered.at(-1)?.events.push(...waiting);
	return ordered;
}
