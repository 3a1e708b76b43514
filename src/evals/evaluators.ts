// The rules by which results are scored. Pure. A rule that is not meant for a case gives null, which counts nowhere.

import type {
	EvalTarget,
	MultiTurnResult,
	MultiTurnTarget,
	Score,
	SingleTurnResult,
	WorkspaceResult,
	WorkspaceTarget,
} from "./types.ts";

type Scored = { score: Score; reason: string };
type AnyResult = SingleTurnResult | MultiTurnResult;

/** 1 where every expected tool was called, else 0; null without expectation. */
export function toolsSelected(output: AnyResult, target: EvalTarget): Score {
	const expected = target.expectedTools ?? [];
	if (expected.length === 0) return null;
	const called = namesOf(output);
	return expected.every((name) => called.has(name)) ? 1 : 0;
}

/**
 * 1 where no forbidden tool was called, else 0. In a negative case without `forbiddenTools` every tool is forbidden; in
 * another one without them: null.
 */
export function toolsAvoided(output: AnyResult, target: EvalTarget | MultiTurnTarget): Score {
	const called = namesOf(output);
	if (!target.forbiddenTools?.length) {
		if (target.category !== "negative" || "originalTask" in target) return null;
		return called.size === 0 ? 1 : 0;
	}
	return target.forbiddenTools.some((name) => called.has(name)) ? 0 : 1;
}

/**
 * F1 of called and expected tools, a tool called twice counting once. Without expectation 0.5 where any tool was called,
 * else 1.
 */
export function toolSelectionScore(output: AnyResult, target: EvalTarget): number {
	const expected = new Set(target.expectedTools ?? []);
	const called = namesOf(output);
	if (expected.size === 0) return called.size > 0 ? 0.5 : 1;
	const hits = [...called].filter((name) => expected.has(name)).length;
	return hits === 0 ? 0 : (2 * hits) / (called.size + expected.size);
}

/**
 * The share of the expected order that was kept, other calls between them allowed: 1 where it is a subsequence of the
 * calls. Null without expectation.
 */
export function toolOrderCorrect(output: MultiTurnResult, target: MultiTurnTarget): Score {
	const expected = target.expectedToolOrder ?? [];
	if (expected.length === 0) return null;
	let kept = 0;
	for (const name of output.toolCallOrder) if (name === expected[kept]) kept++;
	return kept / expected.length;
}

/** The share of the expected parts that the final answer holds, whatever their case; null without expectation. */
export function answerContains(
	output: MultiTurnResult,
	target: MultiTurnTarget | WorkspaceTarget,
): Score | Scored {
	const expected = target.expectedText ?? [];
	if (expected.length === 0) return null;
	const said = output.text.toLowerCase();
	const missing = expected.filter((part) => !said.includes(part.toLowerCase()));
	const score = 1 - missing.length / expected.length;
	return { score, reason: missing.length === 0 ? "" : `The answer lacks: ${missing.join(", ")}` };
}

/** 1 where a project's own check ends well after the job, its protected files put back first. */
export function checkPasses(output: WorkspaceResult, _target: WorkspaceTarget): Scored {
	if (output.verified) return { score: 1, reason: "" };
	const said = tellingEnd(output.checkOutput);
	return {
		score: 0,
		reason: said === "" ? "The check failed and printed nothing" : `The check failed: ${said}`,
	};
}

/** The last lines of a check, without the stack traces that most end with. */
function tellingEnd(output: string): string {
	const lines = output
		.split("\n")
		.filter((line) => line.trim() !== "" && !/^\s*at .+[:)]|node:internal/.test(line));
	return lines.join("\n").trim().slice(-400);
}

/** 1 where every protected file is as it was; null where none is protected. */
export function leavesAlone(output: WorkspaceResult, target: WorkspaceTarget): Score | Scored {
	if (!target.unchanged?.length) return null;
	if (output.broken.length === 0) return 1;
	return { score: 0, reason: `Changed though it must not be: ${output.broken.join(", ")}` };
}

/** The rules for each category of single-turn cases: golden by all tools, secondary by F1, negative by avoidance. */
export const SINGLE_TURN_EVALUATORS = {
	toolsSelected: (output: SingleTurnResult, target: EvalTarget) =>
		target.category === "golden" ? toolsSelected(output, target) : null,
	toolsAvoided: (output: SingleTurnResult, target: EvalTarget) =>
		target.category === "negative" || target.forbiddenTools ? toolsAvoided(output, target) : null,
	toolSelectionScore: (output: SingleTurnResult, target: EvalTarget) =>
		target.category === "secondary" ? toolSelectionScore(output, target) : null,
};

/** The rules for conversations; the judge is added where there is one. */
export const MULTI_TURN_EVALUATORS = { toolOrderCorrect, toolsAvoided, answerContains };

/** The rules for jobs in a copy of a project. */
export const WORKSPACE_EVALUATORS = { checkPasses, leavesAlone, answerContains };

function namesOf(output: AnyResult): Set<string> {
	return new Set("toolNames" in output ? output.toolNames : output.toolsUsed);
}
