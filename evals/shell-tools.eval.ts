// Does the model know when to run a program, and when another tool is the better one.
// Runs under `npm run eval`, and under `npx lmnr eval evals/shell-tools.eval.ts` where a key for Laminar is set;
// from the root of the repository.

import { loadSuite } from "../src/evals/suites.ts";
import { offerToLaminar } from "./laminar.ts";

export const suite = loadSuite("evals/data/shell-tools.json", {
	name: "shell-tools",
	thresholds: {
		model: { toolsSelected: 0.9, toolsAvoided: 0.95, toolSelectionScore: 0.8, "pass@1": 0.85 },
		offline: { toolsSelected: 0.45, toolsAvoided: 1, "pass@1": 0.45 },
	},
});

offerToLaminar(suite);
