// Puts a message with what it brings along into the inbox: the message, the skill that it starts and the sources of text
// of unknown intent are facts of one commit.

import type { SessionEvent } from "../session/events.ts";
import type { AttachedMessage } from "./attachments.ts";
import type { LiveSession } from "./liveSession.ts";

/** Records a message of the person; returns its id. */
export function submitMessage(
	session: LiveSession,
	message: AttachedMessage,
	target: "next_step" | "next_turn",
): string {
	const { text, attachments } = message;
	const events = session.record({
		do: "submitInput",
		text,
		target,
		wakeup: true,
		origin: "person",
		...(attachments.length > 0 ? { attachments } : {}),
	});
	const messageId = submittedId(events);
	recordBrought(session, message, messageId);
	return messageId;
}

/** Records what follows from what a message brings along. */
export function recordBrought(
	session: LiveSession,
	{ taints, skill }: AttachedMessage,
	messageId: string,
): void {
	for (const source of taints) session.record({ do: "setTaint", source });
	if (skill) session.record({ do: "recordSkill", skill: { ...skill, itemId: messageId } });
}

function submittedId(events: readonly SessionEvent[]): string {
	return events.find((event) => event.type === "user/message")?.messageId ?? "";
}
