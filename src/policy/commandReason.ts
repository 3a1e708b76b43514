// What is told of the rights that a command would run with.

import type { PolicyFacts } from "./facts.ts";
import type { SandboxLevel } from "./sandboxProfile.ts";

/** The reason of the question whether a command or code may run. */
export function commandReason(
	{ facts }: { facts: PolicyFacts },
	context: { sandbox?: { level: SandboxLevel; network: boolean }; trusted: boolean; interactive: boolean },
): string {
	const { sandbox, trusted } = context;
	const level = (facts.sandboxed && sandbox?.level) || "none";
	const what = facts.code ? "It runs code" : "It runs a command";
	const walls =
		level === "full"
			? "in the sandbox"
			: level === "partial"
				? "in a sandbox with gaps"
				: `with ${ownerOf(context)} rights`;
	if (trusted) return `${what} ${walls}.`;
	const limit = level === "full" ? ", where it can read files but change none" : "";
	return `${what} ${walls}${limit}. This folder is not trusted, and the files it uses may be anybody's.`;
}

/** Whose the rights and projects are, for whoever reads the reason: the person who is asked, else the model. */
export function ownerOf({ interactive }: { interactive: boolean }): string {
	return interactive ? "your" : "the user's";
}
