// Reads the rules of allow, ask and deny from where they stand. A mistake never widens rights in silence: what is wrong
// with a rule is told, and on the command line it ends the start.

import type { Effect } from "../policy/effects.ts";
import type { Rule, RuleLayer, RuleSource } from "../policy/rules.ts";
import { AgiError } from "../types.ts";
import { nearestWord } from "./spelling.ts";

/** A key such as `permissions.deny` with the rules that one place gives it. */
interface RuleEntry {
	key: string;
	value: unknown;
	/** The file or flag. */
	source: string;
}

/**
 * The rules of each layer; keys that hold no rules are passed over. `complain` hears of a rule that cannot be read, with
 * what follows from it, `notice` of one that speaks of a tool which does not exist. Rejects with `AgiError` for either of
 * them in a flag, for leaving a deny out would widen rights.
 */
export async function readRules(
	layers: readonly (readonly [RuleLayer, readonly RuleEntry[]])[],
	complain: (problem: string, consequence: string) => void,
	notice: (text: string) => void,
): Promise<Rule[]> {
	const rules: Rule[] = [];
	for (const [layer, entries] of layers) {
		for (const { key, value, source } of entries) {
			if (!key.startsWith("permissions.")) continue;
			// Most starts have no rule at all.
			const { parseRule, TOOL_NAMES } = await import("../policy/rules.ts");
			// The key's last word is one of the effects; files were checked by the schema.
			const effect = key.slice("permissions.".length) as Effect;
			for (const text of value as RuleSource[]) {
				const parsed = parseRule(text, { effect, layer, origin: source });
				const problem = parsed.ok ? unknownTool(parsed.rule.tool, TOOL_NAMES) : `${parsed.problem}.`;
				if (layer === "flag" && problem !== undefined)
					throw new AgiError("SETTINGS_INVALID", `${source}: ${JSON.stringify(text)} ${problem}`, {
						exitCode: 2,
					});
				if (parsed.ok) rules.push(parsed.rule);
				if (problem === undefined) continue;
				const sentence = `The rule ${JSON.stringify(text)} of ${source} ${problem}`;
				if (parsed.ok) notice(sentence);
				else complain(sentence, "It is left out.");
			}
		}
	}
	return rules;
}

/** What is wrong with the name of a tool, as the end of a sentence; undefined where a call can have that name. */
export function unknownTool(tool: string, known: readonly string[]): string | undefined {
	if (known.includes(tool) || tool.startsWith("mcp__")) return undefined;
	const near = nearestWord(tool, known);
	return `names a tool that agi does not have.${near === undefined ? "" : ` Did you mean ${near}?`}`;
}
