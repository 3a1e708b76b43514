// Joins the policy with all that its verdicts depend on in one session: mode, grants, rules, folders, sandbox, taint. Each
// question sees them as they are at that moment.

import { evaluate, type Verdict } from "../policy/evaluate.ts";
import type { Grant } from "../policy/grants.ts";
import type { PolicyContext, PolicyQuestion } from "../policy/policyQuestion.ts";
import { taintSource } from "../policy/taint.ts";
import type { CommandSandbox } from "../ports/sandbox.ts";
import type { Workspace } from "../ports/workspace.ts";
import type { LiveSession } from "../runtime/liveSession.ts";
import { skillFolders } from "../session/skills.ts";
import { commandPlaces } from "./place.ts";
import { openRuleBook, type RuleBook } from "./ruleBook.ts";
import type { StartOptions } from "./startOptions.ts";

/** The policy of one session. */
export interface SessionPolicy {
	rules: RuleBook;
	/** Everything beside a call that a verdict depends on, as it is now. */
	context(): PolicyContext;
	judge(question: PolicyQuestion, grants: readonly Grant[]): Verdict;
	/** The source of text of unknown intent that a call's result brings in; undefined where it brings none. */
	taintSource(question: PolicyQuestion): string | undefined;
}

/** The policy of `session`, whose commands run in `sandbox`. */
export function openSessionPolicy(
	session: LiveSession,
	options: StartOptions,
	{ workspace, sandbox }: { workspace: Workspace; sandbox: CommandSandbox },
): SessionPolicy {
	const { place, interactive, trusted } = options;
	const rules = openRuleBook(options);
	const places = () => ({ ...commandPlaces(place, workspace), readable: skillFolders(session.state) });
	const context = (): PolicyContext => ({
		mode: session.state.mode,
		grants: session.state.grants,
		interactive,
		trusted,
		places: places(),
		sandbox: sandbox.state(),
		rules: rules.rules(),
		...taintOf(session),
	});
	return {
		rules,
		context,
		judge: (question, grants) => evaluate(question, { ...context(), grants }),
		taintSource(question) {
			const { sandboxed, wantsNetwork } = question.facts;
			const network = sandboxed !== true || sandbox.state().network || wantsNetwork === true;
			return taintSource(question, { trusted, places: places(), network });
		},
	};
}

/** Where text of unknown intent came from, the newest sources first; nothing where none came in. */
function taintOf({ state }: LiveSession): { tainted?: string } {
	if (state.taint.length === 0) return {};
	const shown = state.taint.slice(-2).reverse().join(" and ");
	return { tainted: state.taint.length > 2 ? `${shown} and more` : shown };
}
