import { describe, expect, it } from "vitest";
import { copyState } from "../../src/session/copyState.ts";
import type { SessionEvent } from "../../src/session/events.ts";
import { reduce } from "../../src/session/reduce.ts";
import { ASKED, sessionAfter, submit } from "../support/sessionSteps.ts";

const stamp = { path: "/a", digest: "1" };
const FACTS: Record<string, SessionEvent[]> = {
	"a file that a message brings": [
		{
			type: "user/message",
			messageId: "message-3",
			text: "see /a",
			origin: "person",
			attachments: [{ kind: "file", source: "/a", text: "x", digest: "1", cut: false, stamp }],
		},
		{ type: "inbox/included", messageIds: ["message-3"], stepId: "step-1" },
	],
	"copies that are kept for undo": [
		{ type: "file/snapshotted", turnId: "turn-1", images: [{ path: "/a", kind: "none" }] },
	],
	"a grant, a taint and a mode": [
		{ type: "grant/added", tool: "t", digest: "d", label: "l" },
		{ type: "taint/set", source: "a page" },
		{ type: "mode/changed", mode: "plan", by: "person" },
	],
	"the end of the attempt": [
		{
			type: "attempt/end",
			attemptId: "attempt-1",
			outcome: "failed",
			text: "",
			reasoning: "",
			calls: [],
			durationMs: 1,
			usage: { inputTokens: 1, outputTokens: 1, cachedInputTokens: 0, reasoningTokens: 0 },
		},
	],
};

describe("copyState", () => {
	it.each(Object.entries(FACTS))("leaves no trace in the state of %s", (_, facts) => {
		const { state } = sessionAfter(...ASKED, submit("later"));
		const before = structuredClone(state);
		const after = facts.reduce(reduce, copyState(state));
		expect(state).toEqual(before);
		expect(after).not.toEqual(before);
	});
});
