// Does a whole turn reach its end: order of calls, what must not be called, what is said in the end.
// Runs under `npm run eval`, and under `npx lmnr eval evals/agent-multiturn.eval.ts` where a key for Laminar is set;
// from the root of the repository.

import { loadSuite } from "../src/evals/suites.ts";
import { offerToLaminar } from "./laminar.ts";

export const suite = loadSuite("evals/data/agent-multiturn.json", {
	name: "agent-multiturn",
	thresholds: {
		model: { toolOrderCorrect: 0.85, toolsAvoided: 0.95, answerContains: 0.8, llmJudge: 0.7, "pass@1": 0.8 },
		offline: { toolOrderCorrect: 0.7, toolsAvoided: 1, answerContains: 0.65, "pass@1": 0.7 },
	},
});

offerToLaminar(suite);
