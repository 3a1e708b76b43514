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

	it("puts what no request took before the turn that began with it, else where it was written", () => {
		const start = (turnId: string, id: string): SessionEvent => ({
			type: "turn/start",
			turnId,
			source: { kind: "inbox", messageIds: [id] },
		});
		expect(order(said("cancelled"), start("t1", "cancelled"), said("waits"), answered("a"))).toEqual([
			"cancelled",
			"waits",
			"a",
		]);
		expect(
			order(said("back"), start("t1", "back"), answered("a"), start("t2", "back"), read("s1", "back")),
		).toEqual(["a", "back"]);
	});

	it("leaves out what was taken back before anything came of it", () => {
		const back: SessionEvent = { type: "inbox/cancelled", messageIds: ["gone"] };
		expect(order(said("gone"), back, said("one"), read("s1", "one"), answered("a"))).toEqual(["one", "a"]);
	});
});
