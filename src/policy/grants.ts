// Yeses that hold for the rest of a session: for one exact call, or for what the rule covers that the person was shown.

import { canonicalJson } from "../session/canonicalJson.ts";
import { parseRule, type Rule } from "./rules.ts";

/** A person's yes to every repetition of one exact call in this session. */
export interface Grant {
	tool: string;
	/** SHA-256 in hex of `canonicalCall`. */
	digest: string;
	/** The call in words, as shown when grants are listed. */
	label: string;
	/** Short form of the allow rule that the person said yes to; absent where the yes was for the exact call. */
	rule?: string;
}

/** Whether one of `grants` is for this tool and this digest. */
export function isGranted(grants: readonly Grant[], tool: string, digest: string): boolean {
	return grants.some((grant) => grant.rule === undefined && grant.tool === tool && grant.digest === digest);
}

/** The rules that were granted for the session. */
export function sessionRules(grants: readonly Grant[]): Rule[] {
	return grants.flatMap(({ rule }) => {
		if (rule === undefined) return [];
		const parsed = parseRule(rule, { effect: "allow", layer: "session", origin: "this session" });
		return parsed.ok ? [parsed.rule] : [];
	});
}

/**
 * The one text of a call: equal for arguments that differ only in the order of their keys, different for any other
 * tool, version or argument. The caller takes its digest. `args` is plain JSON; a member that is undefined is left out.
 */
export function canonicalCall(tool: string, version: number, args: unknown): string {
	return canonicalJson([tool, version, args]);
}
