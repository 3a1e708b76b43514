import { describe, expect, it } from "vitest";
import { inConversationOrder } from "../../src/session/conversationOrder.ts";
import type { Commit, SessionEvent } from "../../src/session/events.ts";

const said = (messageId: string): SessionEvent => ({
	type: "user/message",
	messageId,
	text: messageId,
	origin: "person",
});
const read = (stepId: string, ...messageIds: string[]): SessionEvent => ({
	type: "inbox/included",
	messageIds,
	stepId,
});
const answered = (messageId: string): SessionEvent =>
	({ type: "assistant/accepted", messageId, calls: 0 }) as never;

/** What is read, in order, of a log with one commit for each fact. */
function order(...events: SessionEvent[]): string[] {
	const commits = events.map((event, at): Commit => ({ v: 1, seq: at + 1, at: "", events: [event] }));
	return inConversationOrder(commits)
		.flatMap((commit) => commit.events)
		.flatMap((event) =>
			event.type === "user/message" || event.type === "assistant/accepted" ? [event.messageId] : [],
		);
}

describe("inConversationOrder", () => {
	it("puts a message behind the answer that came before it was read", () => {
		expect(order(said("one"), said("two"), read("s1", "one"), answered("a"), read("s2", "two"))).toEqual([
			"one",
			"a",
			"two",
		]);
	});

	it("takes the last reading of a message that a step gave back", () => {
		const events = [said("one"), read("s1", "one"), answered("a"), read("s2", "one"), answered("b")];
		expect(order(...events)).toEqual(["a", "one", "b"]);
	});

	it("puts what still waits last and leaves out what was taken back", () => {
		const back: SessionEvent = { type: "inbox/cancelled", messageIds: ["gone"] };
		expect(order(said("waits"), said("gone"), back, said("one"), read("s1", "one"), answered("a"))).toEqual([
			"one",
			"a",
			"waits",
		]);
	});
});
