// The only judge of whether a call may run: allow, ask or deny, with the reason. It knows modes, rules, grants and taint;
// it asks nobody and remembers nothing.

import type { Resource } from "../session/events.ts";
import { type CommandRisk, judgeCode, judgeCommand } from "./commandRisk.ts";
import { isGranted, sessionRules } from "./grants.ts";
import {
	type Denial,
	isProcessSecret,
	OWN_FILE_DENIAL,
	processSecretDenial,
	touchesOwnFile,
} from "./hardDenies.ts";
import { type JudgedParts, judgeParts } from "./judgeParts.ts";
import { type Offer, offerFor } from "./offers.ts";
import { absolutePath, type CommandPlaces } from "./places.ts";
import type { PolicyContext, PolicyQuestion } from "./policyQuestion.ts";
import { type Ask, hasEffect, isNetwork, questionOf } from "./questions.ts";
import { allowingRule, strictRule } from "./ruleMatch.ts";
import type { Rule } from "./rules.ts";
import { usesNetwork } from "./taint.ts";

/** The answer; `reason` is for the person and the model, `rule` names what decided. */
export interface Verdict {
	verdict: "allow" | "ask" | "deny";
	reason: string;
	rule: string;
	/** A yes may be offered for the rest of the session. */
	grantable: boolean;
	/** Of an ask: Yes must not be what a person finds marked. */
	guarded?: boolean;
	/** The rules that a lasting yes puts in place; absent: it holds for exactly this call. */
	offer?: Offer;
}

/** Rises when calls are judged differently (a test tells); a yes given under another version no longer counts. */
export const POLICY_VERSION = 3;

/** Tools that change nothing but agi's own state, or whose effects are judged call by call in a child. */
const INNER_TOOLS: ReadonlySet<string> = new Set([
	"askUser",
	"updatePlan",
	"delegateToSubagent",
	"loadSkill",
]);

/** Judges one call. Hard denials come first and hold in every mode; then deny rules, mode, questions, standing yeses. */
export function evaluate(question: PolicyQuestion, context: PolicyContext): Verdict {
	const places = withFolder(context.places, question);
	const risk = judgeRisk(question, places);
	if (risk.deny) return deny("hard-deny", `Command blocked: ${risk.deny.what} ${risk.deny.instead}`);
	if (touchesOwn(question.resources, context.places)) return blocked("own-files", OWN_FILE_DENIAL);
	const secret = question.resources.find(({ kind, key }) => kind === "file" && isProcessSecret(key));
	if (secret) return blocked("hard-deny", processSecretDenial(secret.key));
	const strict = strictRule(context.rules ?? [], question, places);
	if (strict?.effect === "deny") return denyByRule(strict, question.tool);
	if (INNER_TOOLS.has(question.tool)) return allow("inner-tool", "It changes nothing outside of agi.");
	const rules = [...(context.rules ?? []), ...sessionRules(context.grants)];
	const parts = partsOf(question, context, rules);
	if (context.mode === "plan" && hasEffect(question) && !isReadOnly(parts))
		return deny(
			"plan-mode",
			"Plan mode is on: nothing is changed until the plan is approved. Put this step into the plan instead.",
		);
	if (context.mode === "bypassPermissions")
		return allow("bypass", "The mode bypassPermissions answers every question with yes.");
	if (strict)
		return ask({ rule: ruleName(strict), reason: ruleReason(strict), once: true }, question, context);
	const open = questionOf(question, { ...context, places }, risk);
	if (!open) return allow(...freeReason(question, context));
	return answerStanding(open, question, context, rules, parts);
}

/** How a rule is named in verdicts and lists, such as `user: deny runCommand(git push *)`. */
function ruleName({ layer, effect, text }: Rule): string {
	return `${layer}: ${effect} ${text}`;
}

function judgeRisk({ facts }: PolicyQuestion, places: CommandPlaces): CommandRisk {
	if (facts.command !== undefined) return judgeCommand(facts.command, places);
	return facts.code ? judgeCode(facts.code.text, places) : {};
}

function withFolder(places: CommandPlaces, { facts, args }: PolicyQuestion): CommandPlaces {
	const { cwd } = args;
	const isNamed = facts.command !== undefined && typeof cwd === "string";
	const folder = isNamed ? absolutePath(cwd, places.workspaceRoots[0]) : undefined;
	return folder === undefined ? places : { ...places, cwd: folder };
}

function touchesOwn(resources: Resource[], { agiFolders }: CommandPlaces): boolean {
	if (!agiFolders) return false;
	return resources.some(
		({ kind, key, access }) => kind === "file" && touchesOwnFile(key, access === "write", agiFolders),
	);
}

function partsOf(
	{ facts }: PolicyQuestion,
	{ sandbox }: PolicyContext,
	rules: readonly Rule[],
): JudgedParts | undefined {
	if (facts.command === undefined) return undefined;
	const isWrapped = sandbox?.level === "full" || sandbox?.level === "partial";
	const isConfined = isWrapped && facts.sandboxed === true;
	return judgeParts(facts.command, { rules, named: facts.named, isConfined });
}

/** Whether every part is known to be read-only; a rule of the person counts for nothing here. */
function isReadOnly(parts: JudgedParts | undefined): boolean {
	return parts?.kind === "plain" && parts.parts.every(({ allowedBy }) => allowedBy === "readOnly");
}

function answerStanding(
	open: Ask,
	question: PolicyQuestion,
	context: PolicyContext,
	rules: readonly Rule[],
	parts: JudgedParts | undefined,
): Verdict {
	const { tool, digest } = question;
	if (open.once) return ask(open, question, context);
	if (digest !== undefined && isGranted(context.grants, tool, digest))
		return allow("session-grant", "The person allowed this exact call for the session.");
	// Nobody can say what an opaque command would do, so no rule can have meant it.
	const isOpaque = parts?.kind === "opaque";
	const rule = isOpaque ? undefined : allowingRule(rules, question, context.places, open.exact === true);
	if (rule) return allowByRule(rule);
	if (parts?.kind === "plain" && !open.exact) {
		const byRule = parts.parts.find((part) => part.allowedBy === "rule");
		const isAllowed = parts.parts.every(({ allowedBy }) => allowedBy !== "nothing");
		if (
			isAllowed &&
			byRule &&
			(open.rule !== "quoted" || parts.parts.every((part) => part.allowedBy === "rule"))
		)
			return allowByRule(byRule.rule);
		if (isAllowed && !open.own) return allow("read-only", "It only reads, inside the workspace.");
	}
	if (!open.own && !open.exact && isSafeInSandbox(question, context))
		return allow("sandbox", "It runs in the sandbox, which keeps it to the workspace.");
	const offer = parts?.kind === "plain" && !open.exact ? offerOf(parts, open) : undefined;
	return {
		...ask(open, question, context, isOpaque),
		...(offer && context.interactive ? { offer } : {}),
	};
}

/** Trust and a sandbox that was proved whole let a command run; with a way out to the network, only while untainted. */
function isSafeInSandbox({ facts }: PolicyQuestion, { sandbox, trusted, tainted }: PolicyContext): boolean {
	if (!trusted || sandbox?.level !== "full" || facts.sandboxed !== true) return false;
	return !sandbox.network || tainted === undefined;
}

function offerOf(parts: Extract<JudgedParts, { kind: "plain" }>, open: Ask): Offer | undefined {
	return offerFor(open.own ? parts.parts : parts.parts.filter(({ allowedBy }) => allowedBy === "nothing"));
}

/** `isOpaque`: nobody can say what a second such call would be, so no yes lasts. */
function ask(open: Ask, question: PolicyQuestion, context: PolicyContext, isOpaque = false): Verdict {
	const { rule, reason, once } = open;
	const guarded = once === true || reachesNetwork(question, context);
	const grantable = !once && !isOpaque && context.interactive;
	return { verdict: "ask", reason, rule, grantable, ...(guarded ? { guarded } : {}) };
}

/** Whether a yes would send something to other machines. A sandbox without network keeps a command from it. */
function reachesNetwork(question: PolicyQuestion, { sandbox, places }: PolicyContext): boolean {
	const { command, sandboxed, wantsNetwork } = question.facts;
	if (command === undefined) return isNetwork(question);
	if (sandboxed === true && !wantsNetwork && sandbox?.network !== true) return false;
	return usesNetwork(command, places);
}

function freeReason(question: PolicyQuestion, context: PolicyContext): [rule: string, reason: string] {
	if (isNetwork(question))
		return ["web-search", "Web search is free while nothing of unknown intent was read."];
	if (question.facts.memory !== undefined)
		return ["memory", "It keeps a line in agi's own memory, which /memory shows."];
	if (hasEffect(question))
		return [context.mode, "The mode acceptEdits allows changes of files in the workspace."];
	return ["read", "It only reads, inside the workspace."];
}

function allowByRule(rule: Rule): Verdict {
	return allow(ruleName(rule), `The rule ${rule.text} of ${rule.origin} allows it.`);
}

function denyByRule(rule: Rule, tool: string): Verdict {
	const isTool = rule.argv === undefined && rule.path === undefined && rule.domain === undefined;
	if (rule.layer === "flag" && isTool)
		return deny("disallowed-tool", `The tool ${tool} is switched off for this run. Do without it.`);
	return deny(ruleName(rule), `Blocked: ${ruleReason(rule)} Do without it, or say why it is needed.`);
}

function ruleReason({ effect, text, origin, why }: Rule): string {
	const told = why === undefined ? "" : ` ${why.replace(/[.\s]*$/, "")}.`;
	const does = effect === "deny" ? "forbids it" : "asks about it";
	return `The rule ${text} of ${origin} ${does}.${told}`;
}

function allow(rule: string, reason: string): Verdict {
	return { verdict: "allow", reason, rule, grantable: false };
}

/** The refusal of a call that is no command. */
function blocked(rule: string, { what, instead }: Denial): Verdict {
	return deny(rule, `Blocked: ${what} ${instead}`);
}

function deny(rule: string, reason: string): Verdict {
	return { verdict: "deny", reason, rule, grantable: false };
}
