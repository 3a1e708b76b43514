// The evaluators, under the names of the book. The rules are those that users get with `agi eval`; `llmJudge` asks the
// judge that LLM_JUDGE_MODEL names.

import { findJudge, judgeEvaluator } from "../src/evals/judge.ts";
import type { MultiTurnResult, MultiTurnTarget, Score } from "../src/evals/types.ts";

export {
	answerContains,
	toolOrderCorrect,
	toolSelectionScore,
	toolsAvoided,
	toolsSelected,
} from "../src/evals/evaluators.ts";

/** A grade from 0.1 to 1; null where the case has no rubric, no judge is set, or the judge failed. */
export async function llmJudge(output: MultiTurnResult, target: MultiTurnTarget): Promise<Score> {
	const judge = await findJudge(process.env, process.cwd());
	if (!judge) return null;
	const judged = await judgeEvaluator(judge)(output as never, target as never);
	return typeof judged === "object" && judged !== null ? judged.score : judged;
}
