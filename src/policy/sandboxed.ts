// What a sandbox changes in the judgement of commands: which questions it answers by itself, which wishes it raises, and
// what a person is told of a command's rights.

import type { CommandRisk } from "./commandRisk.ts";
import type { PolicyFacts } from "./facts.ts";
import type { SandboxLevel } from "./sandboxProfile.ts";

/** The part of a question that it reads. */
interface Question {
	facts: PolicyFacts;
}

/** What it reads of the context of a verdict. */
interface Context {
	sandbox?: { level: SandboxLevel; network: boolean };
	trusted: boolean;
	/** Where text of unknown intent came from; absent where none did. */
	tainted?: string;
}

/** The question that a command's wish for the network, or for no sandbox, always raises; no standing yes answers it. */
export function wishQuestion(
	{ facts }: Question,
	{ sandbox }: Context,
	risk: CommandRisk,
): { rule: string; reason: string; once: true } | undefined {
	const also = risk.neverRemember === undefined ? "" : ` ${risk.neverRemember}`;
	if (facts.unsandboxed)
		return {
			rule: "unsandboxed",
			reason: `It asks to run outside of the sandbox, with your full rights.${also}`,
			once: true,
		};
	if (!facts.wantsNetwork || (facts.sandboxed && sandbox?.network)) return undefined;
	return { rule: "command-network", reason: `It asks for the network.${also}`, once: true };
}

/**
 * Whether the sandbox makes the question of `rule` about a command needless: it holds fully, the folder is trusted, nothing of
 * unknown intent was read, and nothing is asked but that a command runs.
 */
export function sandboxAnswers(
	rule: string,
	{ facts }: Question,
	{ sandbox, trusted, tainted }: Context,
): boolean {
	const isPlain = rule === "command" || rule === "code";
	const isConfined = facts.sandboxed === true && sandbox?.level === "full";
	return isPlain && isConfined && trusted && tainted === undefined;
}

/** Why such a command runs unasked. */
export function sandboxedReason({ sandbox }: Context): string {
	const network = sandbox?.network ? "" : " and reach no network";
	return `It runs in the sandbox: it can change nothing outside of the workspace${network}.`;
}

/** The reason of the question whether a command may run. */
export function commandReason({ facts }: Question, { sandbox, trusted, tainted }: Context): string {
	const level = (facts.sandboxed && sandbox?.level) || "none";
	const what = facts.code ? "It runs code" : "It runs a command";
	const walls =
		level === "full" ? "in the sandbox" : level === "partial" ? "in a sandbox with gaps" : "with your rights";
	if (!trusted) {
		const limit = level === "full" ? ", which lets it read and change nothing" : "";
		return `${what} ${walls}${limit}. This folder is not trusted, and the files it uses may be anybody's.`;
	}
	const after = tainted === undefined || level === "none" ? "" : ` after reading ${tainted}`;
	return `${what} ${walls}${after}.`;
}
