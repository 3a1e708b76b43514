import { describe, expect, it } from "vitest";
import { isEndTold, notificationBytes, notificationFor } from "../../../src/ui/terminal/notification.ts";

describe("isEndTold", () => {
	it("tells the end of a turn of more than ten seconds, and only to a person who looks elsewhere", () => {
		expect(isEndTold(10_001, false)).toBe(true);
		expect(isEndTold(10_000, false)).toBe(false);
		expect(isEndTold(60_000, true)).toBe(false);
	});
});

describe("notificationFor", () => {
	it.each([
		[{ TERM_PROGRAM: "iTerm.app" }, "osc9"],
		[{ TERM_PROGRAM: "WezTerm" }, "osc9"],
		[{ TERM: "xterm-ghostty" }, "osc9"],
		[{ TERM_PROGRAM: "iTerm.app", TMUX: "/tmp/tmux" }, "bell"],
		[{ TERM: "xterm-256color" }, "bell"],
		[{}, "bell"],
	])("knows how the terminal of %j is told: %s", (env, by) => {
		expect(notificationFor(env)).toBe(by);
	});

	it("rings the bell, or shows a notification of the desktop", () => {
		expect(notificationBytes("bell")).toBe("\x07");
		expect(notificationBytes("osc9")).toBe("\x1b]9;agi is ready\x07");
	});
});
