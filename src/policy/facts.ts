// What the policy must know of a call beyond its resources. Tools state these facts when they prepare a call; they
// never judge them.

import type { MemoryScope } from "../types.ts";

/** A path that a word of a command names, and where it really leads. A glob has an entry for each file it finds. */
export interface NamedPath {
	word: string;
	/** Real and absolute. */
	real: string;
	inside: boolean;
	isSecret: boolean;
	/** A folder to be searched that holds more than was looked through for secrets. */
	isVast?: true;
}

/** Facts of one prepared call; a member is absent where it does not apply. Paths are real and absolute. */
export interface PolicyFacts {
	/** The shell command, whole. */
	command?: string;
	/** Where the paths of the command's read-only parts lead; absent where nobody looked. */
	named?: NamedPath[];
	/** The code to run. */
	code?: { language: string; text: string };
	url?: string;
	/** It will run in the sandbox of the context. */
	sandboxed?: boolean;
	/** A command asks for the network in its sandbox, or to run outside of one. */
	wantsNetwork?: boolean;
	unsandboxed?: boolean;
	/** It would overwrite a file that this session never read. */
	overwritesUnread?: boolean;
	/** It looks into sessions of the user's other projects. */
	otherProjects?: boolean;
	/** Touched paths outside the workspace, protected, or such as usually hold secrets. */
	outside?: string[];
	protectedPaths?: string[];
	secretPaths?: string[];
	/** It changes a line of agi's own memory. */
	memory?: MemoryScope;
	/** Of a tool that can have effects: this call only looks. */
	readsOnly?: true;
}
