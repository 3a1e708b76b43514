// Does the model choose well among the tools for files: golden, secondary and negative cases.
// Runs under `npm run eval`, and under `npx lmnr eval evals/file-tools.eval.ts` where a key for Laminar is set;
// from the root of the repository.

import { loadSuite } from "../src/evals/suites.ts";
import { offerToLaminar } from "./laminar.ts";

export const suite = loadSuite("evals/data/file-tools.json", {
	name: "file-tools",
	thresholds: {
		model: { toolsSelected: 0.9, toolsAvoided: 0.95, toolSelectionScore: 0.8, "pass@1": 0.85 },
		offline: { toolsSelected: 0.85, toolsAvoided: 1, "pass@1": 0.75 },
	},
});

offerToLaminar(suite);
