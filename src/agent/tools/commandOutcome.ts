// What a model reads of a command that ended, and what a command touches. Shared by the tools that start processes;
// starts none itself.

import type { ProcessEnd } from "../../ports/processes.ts";
import type { ToolContext } from "../../ports/tool.ts";
import type { Resource } from "../../session/events.ts";
import type { ToolError, ToolErrorType, ToolOutcome } from "../../types.ts";
import { toolError } from "./filePath.ts";

/** Seconds that a command gets where its call names none. */
const DEFAULT_SECONDS = 120;

/** The time limit of a command in seconds: as asked for, within the limit of the settings. */
export function commandSeconds(asked: number | undefined, context: ToolContext): number {
	return Math.min(asked ?? DEFAULT_SECONDS, context.limits.commandSeconds);
}

/** A command may write anything in the workspace, so that it clashes with every other call of its message. */
export function commandResources(context: ToolContext): Resource[] {
	const { root, added } = context.workspace;
	const trees = [root, ...added].map((key): Resource => ({ kind: "tree", key, access: "write" }));
	return [{ kind: "process", key: "commands", access: "write" }, ...trees];
}

/** The refusal where the settings ask for a sandbox; undefined where they do not. */
export function sandboxRefusal(context: ToolContext): ToolError | undefined {
	if (!context.config.sandboxCommands) return undefined;
	const message =
		"Not run: SANDBOX_COMMANDS=true asks for a sandbox, and this version of agi cannot run commands in one. Unset SANDBOX_COMMANDS to run them without a sandbox.";
	return toolError("DENIED", message);
}

/** The outcome of a command. `word` begins its sentences: Command or Code. */
export function commandOutcome(end: ProcessEnd, word: string, seconds: number): ToolOutcome {
	const output = end.output.trimEnd();
	const failed = (type: ToolErrorType, message: string): ToolOutcome => ({
		status: "error",
		text: withNotes(output === "" ? message : `${message}:\n${output}`, end),
		error: { type, message, retryable: false },
	});
	if (end.startError !== undefined)
		return failed("FAILED", `${word} could not be started: ${end.startError}`);
	if (end.cancelled) return cancelled(end, word, output);
	if (end.timedOut) return failed("TIMEOUT", `${word} timed out after ${seconds} s and was ended`);
	if (end.signal !== undefined) return failed("FAILED", `${word} failed (signal ${end.signal})`);
	if (end.exitCode !== 0) return failed("FAILED", `${word} failed (exit code ${end.exitCode})`);
	return { status: "result", text: withNotes(output || `${word} completed successfully (no output)`, end) };
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

function withNotes(text: string, end: ProcessEnd): string {
	const notes: string[] = [];
	const lost = LOST.exec(end.output)?.[1];
	if (lost !== undefined)
		notes.push(`[${lost} bytes of its output were not kept; send it to a file to see more of it.]`);
	if (end.backgroundEnded > 0) {
		const what =
			end.backgroundEnded === 1
				? "1 background process was"
				: `${end.backgroundEnded} background processes were`;
		notes.push(`[${what} ended: nothing outlives its command.]`);
	}
	if (!end.treeEnded) notes.push("[Part of it could not be ended and may still run.]");
	return [text, ...notes].join("\n");
}
