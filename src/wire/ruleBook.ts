// The rules of a running session, and the changes that a person makes to their own: what is stored holds from the next
// call on, whatever waits. Rules of the command line stay as they are. What writes files is loaded with the first change.

import { PROFILES } from "../adapters/models/catalog.ts";
import type { Rule } from "../policy/rules.ts";
import type { RuleKeeper } from "../rpc/server.ts";
import { loadSettings } from "../settings/settings.ts";
import type { RuleChange } from "./keepRule.ts";
import type { StartOptions } from "./startOptions.ts";

/** Rules that hold now, rules that the project would like, and what changes them. */
export interface RuleBook extends RuleKeeper {
	rules(): readonly Rule[];
	suggested(): readonly Rule[];
}

/** The book of one session, as its start found the files. */
export function openRuleBook(options: StartOptions): RuleBook {
	const { place, env, trusted } = options;
	const { config } = place.folders;
	let rules = options.rules ?? [];
	let suggested = options.suggestedRules ?? [];

	const readAgain = async () => {
		const settings = await loadSettings({
			env,
			flags: {},
			configFolder: config,
			agentFolder: place.agentFolder,
			trusted,
			interactive: true,
			profiles: PROFILES,
		});
		rules = [...rules.filter(({ layer }) => layer === "flag"), ...settings.rules];
		suggested = settings.suggestedRules;
	};
	const told = async (change: RuleChange) => {
		if (!change.ok) return change;
		await readAgain();
		const { path, changed } = change;
		return { ok: true as const, value: { path, changed } };
	};
	return {
		rules: () => rules,
		suggested: () => suggested,
		async add(effect, rule) {
			const { addUserRule } = await import("./keepRule.ts");
			return told(await addUserRule(config, effect, rule));
		},
		async remove(rule) {
			const { removeUserRule } = await import("./keepRule.ts");
			return told(await removeUserRule(config, rule));
		},
		async takeOver() {
			const { takeOverRules } = await import("./keepRule.ts");
			const taken = suggested;
			const stored = await told(await takeOverRules(place, taken));
			if (!stored.ok) return stored;
			const { listRules } = await import("../runtime/permissionReport.ts");
			return { ok: true, value: { path: stored.value.path, rules: listRules(taken) } };
		},
	};
}
