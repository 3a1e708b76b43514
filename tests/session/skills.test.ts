import { describe, expect, it } from "vitest";
import type { Command } from "../../src/session/commands.ts";
import { isSkillShown, skillFolders } from "../../src/session/skills.ts";
import { MODEL, sessionAfter } from "../support/sessionSteps.ts";

const load = (itemId: string, digest = "v1", folder?: string): Command => ({
	do: "recordSkill",
	skill: { name: "a", path: "p", digest, trusted: true, itemId, ...(folder ? { folder } : {}) },
});

/** A turn whose message starts the skill. */
const STARTED: Command[] = [
	{ do: "submitInput", text: "/a", target: "next_turn", wakeup: true, origin: "person" },
	load("message-1"),
	{ do: "startTurn" },
	{ do: "startStep", model: MODEL },
	{
		do: "startAttempt",
		digest: "",
		bytes: 0,
		delta: { prefix: 0, suffix: 0, middle: "" },
		contributions: [],
	},
];

describe("isSkillShown", () => {
	it("holds for the version whose text the history holds, and for no other", () => {
		const { state } = sessionAfter(...STARTED);
		expect([
			isSkillShown(state, "a", "v1"),
			isSkillShown(state, "a", "v2"),
			isSkillShown(state, "b", "v1"),
		]).toEqual([true, false, false]);
	});

	it("does not hold where the text was never part of a request, is masked, or was gone back behind", () => {
		const waiting = sessionAfter(...STARTED.slice(0, 2)).state;
		const masked = sessionAfter(...STARTED, {
			do: "maskItem",
			itemId: "message-1",
			masked: true,
			tokens: 9,
			by: "person",
		}).state;
		const attempt = { text: "ok", reasoning: "", calls: [], finish: "stop" as const, durationMs: 1 };
		const rewound = sessionAfter(
			...STARTED,
			{ do: "acceptReply", attempt, calls: [] },
			{ do: "endStep", outcome: "answer" },
			{ do: "endTurn", status: "completed" },
			{ do: "rewind", toTurnId: "turn-1", changes: "", conversation: true },
		).state;
		for (const state of [waiting, masked, rewound]) expect(isSkillShown(state, "a", "v1")).toBe(false);
	});
});

describe("skillFolders", () => {
	it("gives each folder of the person's own skills once", () => {
		const { state } = sessionAfter(load("1", "v1", "/h/a"), load("2", "v2", "/h/a"), load("3", "v1"));
		expect(skillFolders(state)).toEqual(["/h/a"]);
	});
});
