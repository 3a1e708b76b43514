// What the policy must know of a call beyond its resources. Tools state these facts when they prepare a call; they
// never judge them.

/** Facts of one prepared call; a member is absent where it does not apply. Paths are real and absolute. */
export interface PolicyFacts {
	/** The shell command, whole. */
	command?: string;
	/** The code to run. */
	code?: { language: string; text: string };
	url?: string;
	/** It would overwrite a file that this session never read. */
	overwritesUnread?: boolean;
	/** Touched paths outside the workspace, protected, or such as usually hold secrets. */
	outside?: string[];
	protectedPaths?: string[];
	secretPaths?: string[];
}
