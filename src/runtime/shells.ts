// Runs the person's own commands and lets their output join the conversation. No policy judges them: who types a command
// may run it. Nothing of a command outlives the session.

import { truncateResult } from "../agent/toolResults.ts";
import type { ProcessEnd, Processes } from "../ports/processes.ts";
import type { LiveSession } from "./liveSession.ts";

/** What happens to a command; `result` says how it ended, such as `exit code 0`. */
export type ShellChange =
	| { state: "started"; command: string }
	| { state: "output"; text: string }
	| { state: "ended"; failed: boolean; result: string };

export interface ShellOptions {
	session: LiveSession;
	processes: Processes;
	/** Absolute folder. */
	cwd: string;
	redact(text: string): string;
	onChange(id: string, change: ShellChange): void;
}

/** The running commands of a person. */
export interface Shells {
	/** Runs one to its end; resolves with what the model will read once that is on the disk. */
	run(command: string): Promise<string>;
	/** Ends all that run. False where none does. */
	interrupt(): boolean;
	/** Ends all that run and waits for their ends. */
	close(): Promise<void>;
}

/** A person waits in front of it and can interrupt: one day is no limit but an end. */
const LONGEST_MS = 86_400_000;

/** No command runs yet. */
export function createShells(options: ShellOptions): Shells {
	const running = new Map<Promise<string>, AbortController>();
	let made = 0;
	const interrupt = (): boolean => {
		for (const controller of running.values()) controller.abort(new Error("interrupted"));
		return running.size > 0;
	};
	return {
		run(command) {
			const controller = new AbortController();
			made++;
			const end = runOne(options, `shell-${made}`, command, controller.signal).finally(() =>
				running.delete(end),
			);
			running.set(end, controller);
			return end;
		},
		interrupt,
		async close() {
			interrupt();
			await Promise.allSettled(running.keys());
		},
	};
}

async function runOne(
	options: ShellOptions,
	id: string,
	command: string,
	signal: AbortSignal,
): Promise<string> {
	const { session, redact, onChange } = options;
	const shown = redact(command);
	onChange(id, { state: "started", command: shown });
	const end = await options.processes.run({
		command: { shell: command },
		cwd: options.cwd,
		timeoutMs: LONGEST_MS,
		signal,
		onOutput: (text) => onChange(id, { state: "output", text: redact(text) }),
	});
	const result = resultOf(end);
	onChange(id, { state: "ended", failed: end.exitCode !== 0, result });
	const output = redact(end.output.trimEnd());
	const text = truncateResult(`The user ran \`${shown}\` (${result}):\n${output || "(no output)"}`);
	session.record({ do: "submitInput", text, target: "next_step", wakeup: false, origin: "program" });
	await session.flush({ wait: true });
	return text;
}

function resultOf(end: ProcessEnd): string {
	const rest = end.treeEnded ? "" : "; part of it may still run";
	if (end.startError !== undefined) return `it could not be started: ${end.startError}`;
	if (end.cancelled) return `interrupted${rest}`;
	if (end.timedOut) return `ended after a day${rest}`;
	if (end.signal !== undefined) return `ended by ${end.signal}${rest}`;
	return `exit code ${end.exitCode ?? 0}${rest}`;
}
