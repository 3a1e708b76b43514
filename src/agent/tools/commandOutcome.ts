// What a model reads of a command that ended, and what a command touches. Shared by the tools that start processes;
// starts none itself.

import type { ProcessEnd } from "../../ports/processes.ts";
import type { ToolContext } from "../../ports/tool.ts";
import type { Resource } from "../../session/events.ts";
import type { ToolErrorType, ToolOutcome } from "../../types.ts";

/** How long a command may run, in seconds. */
export interface TimeLimit {
	seconds: number;
	/** What it would have had without the limit of the settings; absent where that is no more. */
	wished?: number;
}

/** The time limit of a command, within the limit of the settings. */
export function timeLimit(wished: number, { limits }: ToolContext): TimeLimit {
	return wished > limits.commandSeconds ? { seconds: limits.commandSeconds, wished } : { seconds: wished };
}

/** A command may write anything in the workspace, so that it clashes with every other call of its message. */
export function commandResources(context: ToolContext): Resource[] {
	const { root, added } = context.workspace;
	const trees = [root, ...added].map((key): Resource => ({ kind: "tree", key, access: "write" }));
	return [{ kind: "process", key: "commands", access: "write" }, ...trees];
}

/** The outcome of a command that had this time limit. `word` begins its sentences: Command or Code; `denial` says what a sandbox stopped. */
export function commandOutcome(
	end: ProcessEnd,
	word: string,
	limit: TimeLimit,
	denial?: string | undefined,
): ToolOutcome {
	const lostBytes = bytesLeftOut(end);
	return { ...outcomeOf(end, word, limit, denial), ...(lostBytes > 0 ? { lostBytes } : {}) };
}

function outcomeOf(end: ProcessEnd, word: string, limit: TimeLimit, denial: string | undefined): ToolOutcome {
	const output = end.output.trimEnd();
	const failed = (type: ToolErrorType, message: string, mark = ""): ToolOutcome => ({
		status: "error",
		text: withNotes(output === "" ? message + mark : `${message}:\n${output}`, end, denial),
		error: { type, message, retryable: false },
	});
	if (end.startError !== undefined)
		return failed("FAILED", `${word} could not be started: ${end.startError}`);
	if (end.cancelled) return cancelled(end, word, output);
	if (end.timedOut) return failed("TIMEOUT", timedOut(word, limit));
	if (end.signal !== undefined) return failed("FAILED", `${word} failed (signal ${end.signal})`);
	// Scripts look for this beginning, colon and all.
	if (end.exitCode !== 0) return failed("FAILED", `${word} failed (exit code ${end.exitCode})`, ":");
	return { status: "result", text: withNotes(output || `${word} completed successfully (no output)`, end) };
}

function timedOut(word: string, { seconds, wished }: TimeLimit): string {
	const end = `${word} timed out after ${seconds} s and was ended`;
	if (wished === undefined) return end;
	return `${end} (limits.toolSeconds allows no more: raise it to ${wished} to give it that long)`;
}

function cancelled(end: ProcessEnd, word: string, output: string): ToolOutcome {
	const [status, type, message] = end.treeEnded
		? (["cancelled", "CANCELLED", `${word} was cancelled and ended`] as const)
		: ([
				"outcome_unknown",
				"OUTCOME_UNKNOWN",
				`${word} was cancelled, but part of it could not be ended and may still run; look at what it did before you repeat it`,
			] as const);
	const text = output === "" ? `${message}.` : `${message}:\n${output}`;
	return { status, text, error: { type, message: `${message}.`, retryable: false } };
}

/** The line that stands for what a flood lost. It lies in the part that the bound of results cuts away. */
const LOST = /\n\.\.\. \[(\d+) bytes left out\] \.\.\.\n/;

function bytesLeftOut({ output }: ProcessEnd): number {
	return Number(LOST.exec(output)?.[1] ?? 0);
}

function withNotes(text: string, end: ProcessEnd, denial?: string): string {
	const notes: string[] = [];
	const lost = bytesLeftOut(end);
	if (lost > 0)
		notes.push(`[${lost} bytes of its output were not kept; send it to a file to see more of it.]`);
	if (end.backgroundEnded > 0) {
		const what =
			end.backgroundEnded === 1
				? "1 background process was"
				: `${end.backgroundEnded} background processes were`;
		notes.push(`[${what} ended: nothing outlives its command.]`);
	}
	if (!end.treeEnded) notes.push("[Part of it could not be ended and may still run.]");
	for (const sentence of end.takenAway ?? []) notes.push(`[${sentence}]`);
	if (denial !== undefined) notes.push(denial);
	return [text, ...notes].join("\n");
}
