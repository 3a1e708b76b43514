import { describe, expect, it } from "vitest";
import {
	DOUBT_ANSWERS,
	doubtQuestion,
	endOfDoubt,
	readDoubtAnswer,
	summaryOf,
} from "../../src/session/doubt.ts";
import type { OpenCall } from "../../src/session/state.ts";

const call: OpenCall = {
	callId: "c",
	providerId: "c",
	name: "runCommand",
	args: { command: "make deploy\nmake check" },
	effects: "possible",
	recovery: "manual",
	toolVersion: 1,
};

describe("doubtQuestion", () => {
	it("names the call by its most telling argument", () => {
		expect(doubtQuestion(call)).toMatch(/while runCommand "make deploy" was running/);
	});
});

describe("summaryOf", () => {
	it("shortens a long argument and does without one", () => {
		expect(summaryOf({ name: "t", args: { path: "x".repeat(100) } })).toBe(`t "${"x".repeat(59)}…"`);
		expect(summaryOf({ name: "t", args: { other: 1 } })).toBe("t");
	});
});

describe("readDoubtAnswer", () => {
	it("reads the shown answers and nothing else", () => {
		expect(Object.values(DOUBT_ANSWERS).map(readDoubtAnswer)).toEqual([
			"ran",
			"again",
			"endAndAgain",
			"leave",
		]);
		expect(readDoubtAnswer("yes")).toBeUndefined();
	});
});

describe("endOfDoubt", () => {
	it.each([
		["ran", "result", /says that it ran/],
		["again", "cancelled", /did not run.*call it again/],
		["leave", "outcome_unknown", /do not run it again/],
	] as const)("ends the call after %s as %s, in words for the model", (answer, status, words) => {
		expect(endOfDoubt(call, answer)).toMatchObject({ status, text: expect.stringMatching(words) });
	});
});
