// The book's way to sum up a conversation: messages of the AI SDK in, fewer of them out. It is the same summary as in a
// session; the world that it needs is loaded when it is called.

import type { ForeignMessage } from "./tokenEstimator.ts";

/**
 * The messages with their older part as one summary, without system messages; as they are where that would save nothing.
 * `model` names another model of the configured server. Rejects with `AgiError` where no model can be asked.
 */
export async function compactConversation<M extends ForeignMessage>(
	messages: readonly M[],
	model?: string,
): Promise<M[]> {
	const { compactMessages } = await import("../../library.ts");
	type Compact = (given: readonly M[], options: { model?: string }) => Promise<M[]>;
	// The library speaks the SDK's own message type, which this room must not import; the shapes are the same.
	return (compactMessages as unknown as Compact)(messages, model === undefined ? {} : { model });
}
