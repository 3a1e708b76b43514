// What may be read without asking anybody, where no call names it: a file that is found, an address that a redirect leads
// to. What a rule denies or asks about may not. Files that usually hold secrets are kept out by whoever lists files.

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

/** Whether no rule stands between a model and this web address. */
export function mayFetchUnasked(url: string, { rules = [], places }: PolicyContext): boolean {
	const question = {
		...{ tool: "webFetch", version: 1, args: { url }, effects: "none" as const, facts: { url } },
		resources: [{ kind: "network" as const, key: url, access: "read" as const }],
	};
	return strictRule(rules, question, places) === undefined;
}
