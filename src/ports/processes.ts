// What agi needs of the system's processes: a command run to its end, with its whole tree under control.

/** The languages in which `code` can be run. */
export const CODE_LANGUAGES = ["javascript", "python", "typescript"] as const;
export type CodeLanguage = (typeof CODE_LANGUAGES)[number];

/**
 * A command to run. `shell` goes through bash where present, else sh. `code` is run by node, python3 or node's type
 * stripping from a file in a temp folder of its own, which is removed afterwards. `input` is all that can be read from
 * stdin; without it stdin is at its end.
 */
export interface ProcessRequest {
	command:
		| { shell: string }
		| { file: string; args: string[]; input?: string }
		| { code: string; language: CodeLanguage };
	/** Absolute folder. */
	cwd: string;
	timeoutMs: number;
	signal: AbortSignal;
	/** Added to (and stronger than) the filtered environment. */
	env?: Record<string, string>;
	/** Runs it in the sandbox of these processes; without one it is not started. Absent: with the person's rights. */
	sandbox?: { network: boolean };
	/** The call that it belongs to, by its idempotency key: what outlives agi is found by it, see `LeftProcesses`. */
	owner?: string;
	/** Cleaned live output, in pieces; at most some 20 calls a second. */
	onOutput?(text: string): void;
}

/** How a process ended. Exactly one of `exitCode` and `signal` is set, unless it could not be started. */
export interface ProcessEnd {
	exitCode?: number;
	signal?: string;
	/** Why it could not be started. */
	startError?: string;
	timedOut: boolean;
	cancelled: boolean;
	/** True once every process of its tree is known to be gone. */
	treeEnded: boolean;
	/** Processes it had left running in the background and that were ended with it. */
	backgroundEnded: number;
	/** stdout and stderr in order of arrival, cleaned of terminal control, carriage-return redraws folded, head and tail
	 * kept within a bound, with one line that says how many bytes were left out. */
	output: string;
	/** Bytes the process really wrote. */
	outputBytes: number;
	/** What a sandboxed command made that was taken away, a sentence each; absent where there is nothing to tell. */
	takenAway?: string[];
	durationMs: number;
}

/** Never rejects: whatever happens is in the end's fields. */
export interface Processes {
	run(request: ProcessRequest): Promise<ProcessEnd>;
}

/** What still runs of calls whose agi died without ending them. */
export interface LeftProcesses {
	/** Pids, the oldest first; [] where nothing of that call runs, or the system does not tell. */
	runningOf(owner: string): number[];
	/** Ends all of it; `gone` where nothing ran any more, `stays` where something cannot be ended. Never rejects. */
	end(owner: string): Promise<"ended" | "gone" | "stays">;
}
