// The only judge of whether a call may run: allow, ask or deny, with the reason. It knows modes, grants and flags; it
// asks nobody and remembers nothing.

import type { Resource } from "../session/events.ts";
import type { Mode } from "../types.ts";
import { type CommandRisk, judgeCode, judgeCommand } from "./commandRisk.ts";
import type { PolicyFacts } from "./facts.ts";
import { type Grant, isGranted } from "./grants.ts";
import { OWN_FILE_DENIAL, touchesOwnFile } from "./hardDenies.ts";
import { absolutePath, type CommandPlaces } from "./places.ts";

/** A prepared call, as its judge sees it. */
export interface PolicyQuestion {
	tool: string;
	version: number;
	args: Record<string, unknown>;
	/** Digest of `canonicalCall`; without one no grant can match. */
	digest?: string;
	effects: "none" | "possible";
	resources: Resource[];
	facts: PolicyFacts;
}

/** Everything beside the call that a verdict depends on. */
export interface PolicyContext {
	mode: Mode;
	grants: readonly Grant[];
	/** Tools whose questions the person answered with yes beforehand, by name. */
	allowedTools?: readonly string[];
	disallowedTools?: readonly string[];
	/** Somebody can be asked. */
	interactive: boolean;
	/** The person trusts this folder. */
	trusted: boolean;
	/** Where text of unknown intent came into the session from; absent where none did. */
	tainted?: string;
	places: CommandPlaces;
}

/** The answer; `reason` is for the person and the model, `rule` names what decided. */
export interface Verdict {
	verdict: "allow" | "ask" | "deny";
	reason: string;
	rule: string;
	/** A yes may be offered for the rest of the session. */
	grantable: boolean;
}

/** Tools that change nothing but agi's own state, or whose effects are judged call by call in a child. */
const INNER_TOOLS: ReadonlySet<string> = new Set(["askUser", "updatePlan", "delegateToSubagent"]);

/** A question before grants and flags; `once` where no standing yes may answer it. */
interface Ask {
	rule: string;
	reason: string;
	/** The person's list of allowed tools does not answer it. */
	exact?: boolean;
	once?: boolean;
}

/** Judges one call. Hard denials come first and hold in every mode; then flags, mode, and standing yeses. */
export function evaluate(question: PolicyQuestion, context: PolicyContext): Verdict {
	const risk = judgeRisk(question, context.places);
	if (risk.deny) return deny("hard-deny", `Command blocked: ${risk.deny.what} ${risk.deny.instead}`);
	if (touchesOwn(question.resources, context.places)) {
		return deny("own-files", `Blocked: ${OWN_FILE_DENIAL.what} ${OWN_FILE_DENIAL.instead}`);
	}
	if (context.disallowedTools?.includes(question.tool)) {
		return deny("disallowed-tool", `The tool ${question.tool} is switched off for this run. Do without it.`);
	}
	if (INNER_TOOLS.has(question.tool)) return allow("inner-tool", "It changes nothing outside of agi.");
	if (context.mode === "plan" && hasEffect(question)) {
		return deny(
			"plan-mode",
			"Plan mode is on: nothing is changed until the plan is approved. Put this step into the plan instead.",
		);
	}
	if (context.mode === "bypassPermissions")
		return allow("bypass", "The mode bypassPermissions answers every question with yes.");
	const ask = questionOf(question, context, risk);
	return ask ? answerStanding(ask, question, context) : allow(...freeReason(question, context));
}

function judgeRisk({ facts, args }: PolicyQuestion, places: CommandPlaces): CommandRisk {
	if (facts.command !== undefined) return judgeCommand(facts.command, withFolder(places, args["cwd"]));
	return facts.code ? judgeCode(facts.code.text, places) : {};
}

function withFolder(places: CommandPlaces, cwd: unknown): CommandPlaces {
	const folder = typeof cwd === "string" ? absolutePath(cwd, places.workspaceRoots[0]) : undefined;
	return folder === undefined ? places : { ...places, cwd: folder };
}

function touchesOwn(resources: Resource[], { agiFolders }: CommandPlaces): boolean {
	if (!agiFolders) return false;
	return resources.some(
		({ kind, key, access }) => kind === "file" && touchesOwnFile(key, access === "write", agiFolders),
	);
}

function hasEffect({ effects, resources }: PolicyQuestion): boolean {
	return (
		effects === "possible" || resources.some(({ kind, access }) => access === "write" && kind !== "session")
	);
}

/** What would be asked if no standing yes existed; undefined where nothing needs asking. */
function questionOf(question: PolicyQuestion, context: PolicyContext, risk: CommandRisk): Ask | undefined {
	const { facts, tool } = question;
	if (facts.command !== undefined || facts.code) return commandQuestion(question, context, risk);
	if (isNetwork(question)) return networkQuestion(tool, context);
	const paths = pathQuestion(question);
	if (paths) return paths;
	if (!hasEffect(question)) return undefined;
	if (!isFileWrite(question))
		return { rule: "effect", reason: `The tool ${tool} can change things outside of agi.` };
	if (facts.overwritesUnread) {
		return { rule: "overwrite-unread", reason: "It replaces a file that was not read in this session." };
	}
	return context.mode === "acceptEdits" ? undefined : { rule: "file-write", reason: "It changes files." };
}

function commandQuestion({ facts }: PolicyQuestion, { trusted }: PolicyContext, risk: CommandRisk): Ask {
	const [rule, what] = facts.code
		? ["code", "It runs code with your rights."]
		: ["command", "It runs a command with your rights."];
	if (risk.neverRemember) return { rule: "never-remembered", reason: risk.neverRemember, once: true };
	if (facts.outside?.length)
		return {
			rule: "outside",
			reason: `It runs outside the workspace, in ${facts.outside.join(", ")}.`,
			exact: true,
		};
	return {
		rule,
		reason: trusted ? what : `${what} This folder is not trusted, and the files it uses may be anybody's.`,
	};
}

function networkQuestion(tool: string, { mode, tainted }: PolicyContext): Ask | undefined {
	if (tainted !== undefined) {
		return {
			rule: "tainted-network",
			reason: `It sends text to the network after reading ${tainted}, which may hold instructions of strangers.`,
		};
	}
	if (tool === "webSearch" && mode !== "plan") return undefined;
	return { rule: "network", reason: "It sends a request to the network." };
}

function pathQuestion(question: PolicyQuestion): Ask | undefined {
	const { secretPaths, protectedPaths, outside } = question.facts;
	const verb = hasEffect(question) ? "changes" : "reads";
	if (secretPaths?.length) {
		return {
			rule: "secret-path",
			reason: `It ${verb} ${secretPaths.join(", ")}, which may hold secrets.`,
			exact: true,
		};
	}
	if (protectedPaths?.length && hasEffect(question)) {
		const reason = `It changes ${protectedPaths.join(", ")}, which steers programs on this machine.`;
		return { rule: "protected-path", reason, exact: true };
	}
	if (outside?.length) {
		return {
			rule: "outside",
			reason: `It ${verb} ${outside.join(", ")}, outside the workspace.`,
			exact: true,
		};
	}
	return undefined;
}

function answerStanding(ask: Ask, question: PolicyQuestion, context: PolicyContext): Verdict {
	const { tool, digest } = question;
	if (!ask.once) {
		if (digest !== undefined && isGranted(context.grants, tool, digest)) {
			return allow("session-grant", "The person allowed this exact call for the session.");
		}
		if (!ask.exact && context.allowedTools?.includes(tool)) {
			return allow("allowed-tool", `The person allowed ${tool} for this run.`);
		}
	}
	return { verdict: "ask", reason: ask.reason, rule: ask.rule, grantable: !ask.once && context.interactive };
}

function freeReason(question: PolicyQuestion, context: PolicyContext): [rule: string, reason: string] {
	if (isNetwork(question))
		return ["web-search", "Web search is free while nothing of unknown intent was read."];
	if (hasEffect(question))
		return [context.mode, "The mode acceptEdits allows changes of files in the workspace."];
	return ["read", "It only reads, inside the workspace."];
}

function isNetwork({ facts, resources }: PolicyQuestion): boolean {
	return facts.url !== undefined || resources.some(({ kind }) => kind === "network");
}

function isFileWrite({ resources }: PolicyQuestion): boolean {
	return resources.length > 0 && resources.every(({ kind }) => kind === "file" || kind === "tree");
}

function allow(rule: string, reason: string): Verdict {
	return { verdict: "allow", reason, rule, grantable: false };
}

function deny(rule: string, reason: string): Verdict {
	return { verdict: "deny", reason, rule, grantable: false };
}
