// What waits for its place. Steers and follow-ups are two queues: a message moves only among its own kind. An answer waits
// for the one call that asked, out of reach of both. Pure.

import type { Refusal } from "./commands.ts";
import type { SessionEvent } from "./events.ts";
import type { OpenCall, SessionState } from "./state.ts";

/** Moves a waiting message one place towards the front (-1) or the back (1) of its queue. */
export function moveInput(state: SessionState, messageId: string, by: -1 | 1): SessionEvent[] | Refusal {
	const moved = state.inbox.find((message) => message.messageId === messageId && !message.stepId);
	if (!moved) return { refused: "no such message is waiting" };
	const queue = state.inbox.filter(
		({ stepId, target, wakeup }) => !stepId && target === moved.target && wakeup === moved.wakeup,
	);
	const other = queue[queue.indexOf(moved) + by];
	if (!other) return [];
	const [first, second] = by < 0 ? [moved, other] : [other, moved];
	return [{ type: "inbox/moved", messageId: first.messageId, before: second.messageId }];
}

/** The list with the message of that id put right before the other one. */
export function placeBefore<M extends { messageId: string }>(
	list: readonly M[],
	messageId: string,
	before: string,
): M[] {
	const moved = list.filter((message) => message.messageId === messageId);
	return list.flatMap((message) => {
		if (message.messageId === messageId) return [];
		return message.messageId === before ? [...moved, message] : [message];
	});
}

/** The event by which a call takes the answer that waits for it; [] where none does. It belongs into the commit of its end. */
export function takeAnswer({ callId, question }: OpenCall): SessionEvent[] {
	if (question?.answer === undefined) return [];
	const { questionId, answer } = question;
	return [{ type: "question/answered", questionId, callId, answer, by: "person" }];
}
