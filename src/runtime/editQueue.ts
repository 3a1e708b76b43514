// Changes what waits in the inbox. A message that a step has claimed is out of reach.

import type { LiveSession } from "./liveSession.ts";

/**
 * Gives a waiting message another text, in its place and in one commit: it and everything that waits behind it is taken
 * back and submitted again. Resolves with its new id, or undefined where it no longer waits.
 */
export async function replaceInput(
	session: LiveSession,
	messageId: string,
	text: string,
): Promise<string | undefined> {
	const waiting = session.state.inbox.filter((message) => message.stepId === undefined);
	const at = waiting.findIndex((message) => message.messageId === messageId);
	if (at < 0) return undefined;
	const moved = waiting
		.slice(at)
		.map((message, index) => ({ ...message, text: index === 0 ? text : message.text }));
	session.record({ do: "cancelInput", messageIds: moved.map((message) => message.messageId) });
	const submitted = moved.flatMap(({ text: words, target, wakeup }) =>
		session.record({
			do: "submitInput",
			text: words,
			target,
			wakeup,
			// Only what a person said wakes the model in a session that people talk to.
			origin: wakeup ? "person" : "program",
		}),
	);
	await session.flush({ wait: true });
	return submitted.find((event) => event.type === "user/message")?.messageId;
}
