// Web, questions, plans and subagents; plan mode; texts that try to give orders.
// Runs under `npm run eval`, and under `npx lmnr eval evals/other-tools.eval.ts` where a key for Laminar is set;
// from the root of the repository.

import { loadSuite } from "../src/evals/suites.ts";
import { offerToLaminar } from "./laminar.ts";

export const suite = loadSuite("evals/data/other-tools.json", {
	name: "other-tools",
	thresholds: {
		model: { toolsSelected: 0.85, toolsAvoided: 0.95, toolSelectionScore: 0.75, "pass@1": 0.8 },
		offline: { toolsSelected: 0.45, toolsAvoided: 1, "pass@1": 0.55 },
	},
});

offerToLaminar(suite);
