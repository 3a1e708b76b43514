import { describe, expect, it } from "vitest";
import { sessionExcerpt } from "../../src/runtime/sessionExcerpt.ts";
import type { Command } from "../../src/session/commands.ts";
import { sessionAfter } from "../support/sessionSteps.ts";

const said = (text: string): Command => ({
	do: "submitInput",
	text,
	target: "next_turn",
	wakeup: false,
	origin: "person",
});

/** A session whose history holds these messages. */
function excerptOf(messages: string[], letters: number, ...more: Command[]) {
	const { commits } = sessionAfter(
		...messages.map(said),
		{ ...said("last"), wakeup: true } as Command,
		{ do: "startTurn" },
		...more,
	);
	const ids = messages.map((_, i) => `message-${i + 1}`);
	const included = { type: "inbox/included" as const, messageIds: ids, stepId: "step-1" };
	return sessionExcerpt([...commits, { v: 1, seq: 99, at: "", events: [included] }], letters);
}

describe("sessionExcerpt", () => {
	it("tells what the session was and all of a short one", () => {
		expect(excerptOf(["one", "two"], 1_000)).toEqual({
			text: 'Session s "one", begun in /w on 2026-11-29.\n\nUser: one\n\nUser: two',
			cut: false,
			tainted: false,
		});
	});

	it("keeps the newest messages of a long one within its bound, and counts the others", () => {
		const messages = Array.from({ length: 50 }, (_, i) => `message ${i} ${"x".repeat(100)}`);
		const { text, cut } = excerptOf(messages, 1_000);
		expect(cut).toBe(true);
		expect(text.length).toBeLessThan(1_100);
		expect(text).toMatch(/\[4[2-5] older messages are left out\]/);
		expect(text).toContain("message 49");
	});

	it("cuts a single message that is too long", () => {
		const { text, cut } = excerptOf(["y".repeat(5_000)], 1_000);
		expect([cut, text.length <= 1_010]).toEqual([true, true]);
	});

	it("says that the session had read texts of strangers", () => {
		expect(excerptOf(["one"], 1_000, { do: "setTaint", source: "a page" }).tainted).toBe(true);
	});
});
