// What keys do to the messages that wait: mark one, take it back into the prompt line, move it, delete it. Pure.

import type { UiAction } from "./input/keymap.ts";
import type { PersonEffect, PersonState, PersonStep } from "./personState.ts";
import type { QueuedView } from "./view/state.ts";

/** An action of the queue's keys. */
export type QueueAction = Extract<
	UiAction,
	{ do: "recallQueued" | "markQueue" | "moveQueued" | "dropQueued" }
>;

/** Carries one out: on the marked message, where none is marked on the newest one. */
export function actOnQueue(
	state: PersonState,
	action: QueueAction,
	queue: readonly QueuedView[],
): PersonStep {
	const message = queue.find(({ messageId }) => messageId === state.marked) ?? queue.at(-1);
	if (!message) {
		const event = { kind: "notice", text: "No message waits in the queue." } as const;
		return { state, effects: [{ do: "show", event }] };
	}
	const { messageId } = message;
	switch (action.do) {
		case "recallQueued":
			return { state: { ...state, marked: undefined }, effects: [{ do: "recall", message }] };
		case "markQueue":
			return { state: { ...state, marked: messageId, help: false }, effects: [] };
		case "moveQueued": {
			const request = { do: "moveInput", messageId, by: action.by } as const;
			return { state, effects: [{ do: "send", request }] };
		}
		case "dropQueued": {
			const effect: PersonEffect = { do: "send", request: { do: "cancelInput", messageIds: [messageId] } };
			return { state: markBeside(state, messageId, queue), effects: [effect] };
		}
		default:
			return action satisfies never;
	}
}

/** The mark so many messages further down, at most at an end. */
export function moveMark(state: PersonState, by: number, queue: readonly QueuedView[]): PersonState {
	const at = queue.findIndex(({ messageId }) => messageId === state.marked);
	const next = queue[Math.min(queue.length - 1, Math.max(0, at + by))];
	return next ? { ...state, marked: next.messageId } : state;
}

/** Without the mark where its message no longer waits; else the same state. */
export function followQueue(state: PersonState, queue: readonly QueuedView[]): PersonState {
	const { marked } = state;
	const isThere = marked === undefined || queue.some(({ messageId }) => messageId === marked);
	return isThere ? state : { ...state, marked: undefined };
}

/** The mark on the neighbour of a message that goes. */
function markBeside(state: PersonState, messageId: string, queue: readonly QueuedView[]): PersonState {
	const at = queue.findIndex((message) => message.messageId === messageId);
	const neighbour = queue[at + 1] ?? queue[at - 1];
	return { ...state, marked: neighbour?.messageId };
}
