import { describe, expect, it } from "vitest";
import {
	answerContains,
	checkPasses,
	SINGLE_TURN_EVALUATORS,
	toolOrderCorrect,
	toolSelectionScore,
	toolsAvoided,
	toolsSelected,
} from "../../src/evals/evaluators.ts";
import type { EvalTarget, MultiTurnResult, SingleTurnResult } from "../../src/evals/types.ts";

function called(...toolNames: string[]): SingleTurnResult {
	const toolCalls = toolNames.map((toolName) => ({ toolName, args: {} }));
	return { toolNames, toolCalls, selectedAny: toolNames.length > 0, text: "" };
}

function ran(...toolCallOrder: string[]): MultiTurnResult {
	return { text: "It says Hello.", steps: [], toolsUsed: [...new Set(toolCallOrder)], toolCallOrder };
}

const golden = (...expectedTools: string[]): EvalTarget => ({ category: "golden", expectedTools });
const TASK = { category: "task-completion", originalTask: "t" } as const;

describe("toolsSelected", () => {
	it("is 1 where every expected tool was called, others beside it", () => {
		expect(toolsSelected(called("readFile", "listFiles"), golden("readFile"))).toBe(1);
	});

	it("is 0 where one expected tool is missing", () => {
		expect(toolsSelected(called("readFile"), golden("readFile", "listFiles"))).toBe(0);
	});

	it("is null without an expectation", () => {
		expect(toolsSelected(called("readFile"), { category: "golden" })).toBeNull();
	});
});

describe("toolsAvoided", () => {
	const negative = (...forbiddenTools: string[]): EvalTarget => ({ category: "negative", forbiddenTools });

	it("is 0 where a forbidden tool was called, and 1 where only others were", () => {
		expect(toolsAvoided(called("runCommand"), negative("runCommand"))).toBe(0);
		expect(toolsAvoided(called("readFile"), negative("runCommand"))).toBe(1);
	});

	it("forbids every tool in a negative case that names none", () => {
		expect(toolsAvoided(called("readFile"), { category: "negative" })).toBe(0);
		expect(toolsAvoided(called(), { category: "negative" })).toBe(1);
	});

	it("is null in another case that forbids nothing", () => {
		expect(toolsAvoided(called("readFile"), golden("readFile"))).toBeNull();
		expect(toolsAvoided(ran("readFile"), TASK)).toBeNull();
	});
});

describe("toolSelectionScore", () => {
	it.each([
		[["listFiles"], ["listFiles"], 1],
		[["listFiles", "readFile"], ["listFiles"], 2 / 3],
		[["readFile"], ["listFiles", "readFile"], 2 / 3],
		[["runCommand"], ["listFiles"], 0],
		[[], ["listFiles"], 0],
	])("gives F1 of %j called against %j expected", (names, expected, score) => {
		expect(
			toolSelectionScore(called(...names), { category: "secondary", expectedTools: expected }),
		).toBeCloseTo(score);
	});

	it("counts a tool that was called twice once", () => {
		expect(toolSelectionScore(called("readFile", "readFile"), golden("readFile"))).toBe(1);
	});

	it("is 0.5 without expectation where any tool was called, else 1", () => {
		expect(toolSelectionScore(called("readFile"), { category: "secondary" })).toBe(0.5);
		expect(toolSelectionScore(called(), { category: "secondary" })).toBe(1);
	});
});

describe("toolOrderCorrect", () => {
	const order = (...expectedToolOrder: string[]) => ({ ...TASK, expectedToolOrder });

	it("allows other calls between the expected ones", () => {
		expect(toolOrderCorrect(ran("listFiles", "findFiles", "readFile"), order("listFiles", "readFile"))).toBe(
			1,
		);
	});

	it("gives the kept share where the order is turned round", () => {
		expect(toolOrderCorrect(ran("readFile", "listFiles"), order("listFiles", "readFile"))).toBe(0.5);
	});

	it("wants a tool twice where it is expected twice", () => {
		expect(toolOrderCorrect(ran("readFile"), order("readFile", "readFile"))).toBe(0.5);
	});

	it("is null without expectation", () => {
		expect(toolOrderCorrect(ran("readFile"), TASK)).toBeNull();
	});
});

describe("answerContains", () => {
	it("looks past the case of letters and names what is missing", () => {
		expect(answerContains(ran(), { ...TASK, expectedText: ["hello", "world"] })).toEqual({
			score: 0.5,
			reason: "The answer lacks: world",
		});
	});

	it("is null without expectation", () => {
		expect(answerContains(ran(), TASK)).toBeNull();
	});
});

describe("SINGLE_TURN_EVALUATORS", () => {
	it("score a case only by the rule that is meant for its category", () => {
		const scores = (target: EvalTarget) =>
			Object.values(SINGLE_TURN_EVALUATORS).map((rule) => rule(called("readFile"), target));
		expect(scores(golden("readFile"))).toEqual([1, null, null]);
		expect(scores({ category: "secondary", expectedTools: ["readFile"] })).toEqual([null, null, 1]);
		expect(scores({ category: "negative" })).toEqual([null, 0, null]);
	});
});

describe("checkPasses", () => {
	const job = (verified: boolean, checkOutput: string) => ({ ...ran(), verified, checkOutput, broken: [] });

	it("tells what the check said in the end, without the trace of the stack", () => {
		const said = "expected 2, got 3\n    at Test.run (node:internal/test_runner/test:1402:25)\n\n";
		expect(checkPasses(job(false, said), TASK)).toEqual({
			score: 0,
			reason: "The check failed: expected 2, got 3",
		});
	});

	it("says so where the check printed nothing, and nothing where it passed", () => {
		expect(checkPasses(job(false, ""), TASK)).toEqual({
			score: 0,
			reason: "The check failed and printed nothing",
		});
		expect(checkPasses(job(true, "ok"), TASK)).toEqual({ score: 1, reason: "" });
	});
});
