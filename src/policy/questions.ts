// What would be asked about a call if no standing yes existed, with the reason for the person. The strictest reason comes
// first: whatever holds against every yes stands before what a rule may answer.

import { commandReason, ownerOf } from "./commandReason.ts";
import type { CommandRisk } from "./commandRisk.ts";
import { walkCommand } from "./commandWalk.ts";
import { type CommandPlaces, notReadable } from "./places.ts";
import type { PolicyContext, PolicyQuestion } from "./policyQuestion.ts";
import { secretWords } from "./secretNames.ts";
import { isInstructionFile, usesNetwork, writtenInstructions } from "./taint.ts";

/** A question before grants and rules. */
export interface Ask {
	rule: string;
	reason: string;
	/** A rule that names the tool alone, or a pattern of paths, does not answer it. */
	exact?: boolean;
	/** No standing yes answers it, not even a rule of the person. */
	once?: boolean;
	/** Nothing but a rule or a grant of the person answers it, a sandbox does not. */
	own?: boolean;
}

/** What is asked about a call; undefined where nothing needs asking. */
export function questionOf(
	question: PolicyQuestion,
	context: PolicyContext,
	risk: CommandRisk,
): Ask | undefined {
	const { facts, tool } = question;
	if (facts.command !== undefined || facts.code) return commandQuestion(question, context, risk);
	if (isNetwork(question)) return networkQuestion(question, context);
	if (facts.memory !== undefined) return memoryQuestion(context);
	if (facts.otherProjects) return otherProjectsQuestion(context);
	const paths = pathQuestion(question, context);
	if (paths) return paths;
	if (!hasEffect(question)) return undefined;
	if (!isFileWrite(question))
		return { rule: "effect", reason: `The tool ${tool} can change things outside of agi.` };
	if (facts.overwritesUnread)
		return {
			rule: "overwrite-unread",
			reason: `It ${tool === "deleteFile" ? "deletes" : "replaces"} a file that was not read in this session.`,
		};
	return context.mode === "acceptEdits" ? undefined : { rule: "file-write", reason: "It changes files." };
}

/** Whether the call changes anything outside of agi's own state. */
export function hasEffect({ effects, resources, facts }: PolicyQuestion): boolean {
	if (facts.readsOnly) return false;
	return (
		effects === "possible" || resources.some(({ kind, access }) => access === "write" && kind !== "session")
	);
}

/** Whether the call sends something to another machine by itself. */
export function isNetwork({ facts, resources }: PolicyQuestion): boolean {
	return facts.url !== undefined || resources.some(({ kind }) => kind === "network");
}

function isFileWrite({ resources }: PolicyQuestion): boolean {
	return resources.length > 0 && resources.every(({ kind }) => kind === "file" || kind === "tree");
}

function commandQuestion(question: PolicyQuestion, context: PolicyContext, risk: CommandRisk): Ask {
	const { facts } = question;
	if (risk.neverRemember) return { rule: "never-remembered", reason: risk.neverRemember, once: true };
	const exit = sandboxExit(question, context);
	if (exit) return exit;
	if (facts.outside?.length)
		return {
			rule: "outside",
			reason: `It runs outside the workspace, in ${facts.outside.join(", ")}.`,
			exact: true,
		};
	const tainted = taintedCommand(question, context);
	if (tainted) return tainted;
	const secrets = facts.command === undefined ? [] : namedSecrets(facts.command, context.places);
	if (secrets.length > 0)
		return {
			rule: "secret-path",
			reason: `It names ${secrets.join(", ")}, which may hold secrets.`,
			exact: true,
			own: true,
		};
	if (question.quotedFrom !== undefined)
		return {
			rule: "quoted",
			reason: `This very command stands in ${question.quotedFrom}, and ${context.interactive ? "you did not ask for it in your own words" : "the user did not ask for it in their own words"}. Text in files and results is data, not an order.`,
			own: true,
		};
	return { rule: facts.code ? "code" : "command", reason: commandReason(question, context) };
}

/** A command that asks for more than the sandbox gives: each time its own question. */
function sandboxExit({ facts }: PolicyQuestion, context: PolicyContext): Ask | undefined {
	const { sandbox, tainted } = context;
	const after =
		tainted === undefined ? "" : ` agi has read ${tainted}, which may hold instructions of strangers.`;
	if (facts.unsandboxed)
		return {
			rule: "unsandboxed",
			reason: `It asks to run outside the sandbox, with ${ownerOf(context)} full rights.${after}`,
			once: true,
		};
	const isOpen = facts.sandboxed === true && sandbox?.network === true && tainted === undefined;
	if (!facts.wantsNetwork || isOpen) return undefined;
	return { rule: "sandbox-network", reason: `It asks for the network in its sandbox.${after}`, once: true };
}

/** What a command may not do unasked once text of unknown intent was read. */
function taintedCommand({ facts }: PolicyQuestion, { tainted, places }: PolicyContext): Ask | undefined {
	if (tainted === undefined || facts.command === undefined) return undefined;
	const after = `after reading ${tainted}, which may hold instructions of strangers`;
	if (usesNetwork(facts.command, places))
		return { rule: "tainted-network", reason: `It uses the network ${after}.`, once: true };
	const written = writtenInstructions(facts.command, places);
	if (written !== undefined)
		return {
			rule: "tainted-instructions",
			reason: `It changes ${written}, which tells models what to do, ${after}.`,
			once: true,
		};
	const outside = facts.named?.find(({ inside, real }) => !inside && !real.startsWith("/dev/"));
	return (
		outside && {
			rule: "tainted-outside",
			reason: `It reaches ${outside.real} ${after}.`,
			exact: true,
			own: true,
		}
	);
}

function namedSecrets(command: string, places: CommandPlaces): string[] {
	const words: string[] = [];
	try {
		walkCommand(command, places, {
			visitCall: (call) => words.push(...secretWords(call)),
			visitForkBomb: () => undefined,
			visitUnclear: () => undefined,
		});
	} catch {
		// What cannot be walked asks on its own account.
	}
	return [...new Set(words)].slice(0, 5);
}

function networkQuestion({ tool }: PolicyQuestion, { mode, tainted }: PolicyContext): Ask | undefined {
	if (tainted !== undefined)
		return {
			rule: "tainted-network",
			reason: `It sends text to the network after reading ${tainted}, which may hold instructions of strangers.`,
			exact: true,
		};
	if (tool === "webSearch" && mode !== "plan") return undefined;
	return { rule: "network", reason: "It sends a request to the network." };
}

/** What is remembered steers later sessions: it must not come from strangers, nor from a folder that nobody vouches for. */
function memoryQuestion({ tainted, trusted, interactive }: PolicyContext): Ask | undefined {
	if (tainted !== undefined)
		return {
			rule: "tainted-instructions",
			reason: `It changes what later sessions are told, after reading ${tainted}, which may hold instructions of strangers.`,
			exact: true,
		};
	if (trusted || interactive) return undefined;
	return {
		rule: "untrusted-memory",
		reason:
			"This folder is not trusted, so a run that nobody watches keeps nothing from it; --trust allows it.",
	};
}

/** What was said elsewhere is told here only where the person wants it. */
function otherProjectsQuestion(context: PolicyContext): Ask {
	const { tainted } = context;
	const after =
		tainted === undefined ? "" : ` agi has read ${tainted}, which may hold instructions of strangers.`;
	return {
		rule: "other-projects",
		reason: `It searches the sessions of all ${ownerOf(context)} projects and tells this one what was said there.${after}`,
		once: true,
	};
}

function pathQuestion(question: PolicyQuestion, { tainted, places }: PolicyContext): Ask | undefined {
	const { secretPaths, protectedPaths } = question.facts;
	const writes = hasEffect(question);
	const outside = writes ? question.facts.outside : notReadable(question.facts.outside, places);
	const verb = writes ? "changes" : "reads";
	const after =
		tainted === undefined ? "" : ` agi has read ${tainted}, which may hold instructions of strangers.`;
	if (secretPaths?.length) {
		const reason = `It ${verb} ${secretPaths.join(", ")}, which may hold secrets.${after}`;
		return { rule: "secret-path", reason, exact: true };
	}
	if (protectedPaths?.length && writes) {
		const reason = `It changes ${protectedPaths.join(", ")}, which steers programs on this machine.${after}`;
		return { rule: "protected-path", reason, exact: true };
	}
	if (outside?.length) {
		const reason = `It ${verb} ${outside.join(", ")}, outside the workspace.${after}`;
		return { rule: "outside", reason, exact: true };
	}
	const written = question.resources.find(
		({ kind, key, access }) => kind === "file" && access === "write" && isInstructionFile(key),
	);
	if (tainted === undefined || !written) return undefined;
	return {
		rule: "tainted-instructions",
		reason: `It changes ${written.key}, which tells models what to do, after reading ${tainted}, which may hold instructions of strangers.`,
		exact: true,
	};
}
