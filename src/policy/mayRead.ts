// Whether a file may be told without asking anybody, where no call names it: what a rule denies or asks about may not.
// Pure; files that usually hold secrets are kept out by whoever lists files.

import type { PolicyContext } from "./policyQuestion.ts";
import { strictRule } from "./ruleMatch.ts";

/** Whether no rule stands between a model and this file. `path` is real and absolute. */
export function mayReadUnasked(path: string, { rules = [], places }: PolicyContext): boolean {
	const question = {
		...{ tool: "readFile", version: 1, args: { path }, effects: "none" as const, facts: {} },
		resources: [{ kind: "file" as const, key: path, access: "read" as const }],
	};
	return strictRule(rules, question, places) === undefined;
}
