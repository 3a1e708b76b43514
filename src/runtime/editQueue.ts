// Changes what waits in the inbox. A message that a step has claimed is out of reach.

import { unfitMessages } from "../agent/context/unfitMessages.ts";
import type { AttachedMessage } from "./attachments.ts";
import type { LiveSession } from "./liveSession.ts";
import { recordBrought } from "./submitMessage.ts";

/**
 * Gives a waiting message another text and other attachments, in its place and in one commit: it and everything that waits
 * behind it is taken back and submitted again. Resolves with its new id, or undefined where it no longer waits.
 */
export async function replaceInput(
	session: LiveSession,
	messageId: string,
	message: AttachedMessage,
): Promise<string | undefined> {
	return session.save(() => {
		const waiting = session.state.inbox.filter((message) => message.stepId === undefined);
		const at = waiting.findIndex((message) => message.messageId === messageId);
		if (at < 0) return undefined;
		const { text, attachments } = message;
		const moved = waiting.slice(at).map((old, index) => (index === 0 ? { ...old, text, attachments } : old));
		session.record({ do: "cancelInput", messageIds: moved.map(({ messageId: id }) => id) });
		const submitted = moved.flatMap(({ text: words, attachments: brought, origin, target, wakeup }) =>
			session.record({
				do: "submitInput",
				text: words,
				target,
				wakeup,
				origin,
				...(brought && brought.length > 0 ? { attachments: brought } : {}),
			}),
		);
		const replaced = submitted.find((event) => event.type === "user/message")?.messageId;
		if (replaced !== undefined) recordBrought(session, message, replaced);
		return replaced;
	});
}

/**
 * After a turn whose request could not be made to fit: takes back what that request would have brought, and puts a mark in
 * the place of what a refused one has brought. For sessions without a person who could shorten it, where each later turn
 * would carry it along and end in the same way.
 */
export async function takeBackUnfit(session: LiveSession): Promise<void> {
	const { lastTurn, inbox } = session.state;
	if (lastTurn?.code !== "context") return;
	// What a Step gave back wakes nobody any more.
	const given = inbox.filter(({ stepId, wakeup }) => stepId === undefined && !wakeup);
	if (given.length > 0)
		session.record({ do: "cancelInput", messageIds: given.map(({ messageId }) => messageId) });
	for (const unfit of unfitMessages(session.state))
		session.record({ do: "maskItem", ...unfit, masked: true, by: "program" });
	await session.flush({ wait: true });
}
