// The tool that runs a shell command in the workspace. It only says what will be run and tells how it ended: whether it
// may run is the policy's matter, how it runs the processes port's.

import * as z from "zod";
import { leavesJobs } from "../../policy/backgroundJobs.ts";
import type { ProcessEnd } from "../../ports/processes.ts";
import type { PreparedCall, Tool, ToolContext } from "../../ports/tool.ts";
import type { ResolvedPath } from "../../ports/workspace.ts";
import type { ToolError } from "../../types.ts";
import { commandOutcome, commandResources, timeLimit } from "./commandOutcome.ts";
import { chooseConfinement, explainDenial } from "./confinement.ts";
import { type Found, pathFacts, resolvePath, toolError } from "./filePath.ts";
import { lazySchema } from "./lazySchema.ts";
import { lookUpPaths } from "./namedPaths.ts";

const schema = lazySchema(() =>
	z.strictObject({
		command: z.string(),
		timeout: z.number().positive().optional().describe("seconds, default 120"),
		cwd: z.string().optional(),
		network: z.boolean().optional(),
		unsandboxed: z.boolean().optional(),
	}),
);

type Input = z.infer<ReturnType<typeof schema>>;

/** A command that does nothing but change the shell it runs in. */
const CHANGES_ONLY_SHELL = /^\s*(cd|pushd|popd|export|unset|alias|source|\.)(?=\s|$)[^;&|\n]*$/;

/** `runCommand`: result is the output, stdout and stderr in order; an exit code other than 0 is an error. */
export const runCommand: Tool<Input> = {
	name: "runCommand",
	description:
		"Run a bash command; gives stdout and stderr. Each is a new shell without stdin: cd, variables, processes end.",
	get schema() {
		return schema();
	},
	version: 1,
	effects: "possible",
	recovery: "manual",
	prepare,
};

async function prepare(input: Input, context: ToolContext): Promise<PreparedCall | ToolError> {
	const { command } = input;
	if (command.trim() === "") {
		return toolError("INVALID_ARGUMENT", "The command is empty; give the command to run.", {
			command: "is empty",
		});
	}
	const confinement = await chooseConfinement(context, input);
	if ("type" in confinement) return confinement;
	const folder = await resolveFolder(input.cwd, context);
	if (!folder.ok) return folder.error;
	const place = folder.value;
	const cwd = place?.real ?? context.workspace.root;
	const named = await lookUpPaths(command, cwd, context);
	const limit = timeLimit(input.timeout ?? confinement.seconds, context);
	const resources = commandResources(context);
	if (place?.inside === false) resources.push({ kind: "tree", key: place.real, access: "write" });
	return {
		resources,
		summary: `Run ${firstLine(command)}${place === undefined ? "" : ` in ${place.shown}`}`,
		preview: command,
		sandbox: confinement.shown,
		cwd,
		facts: {
			command,
			...(named.length > 0 && { named }),
			...(confinement.isConfined && { sandboxed: true }),
			...(input.network && { wantsNetwork: true }),
			...(input.unsandboxed && { unsandboxed: true }),
			...(place !== undefined && pathFacts(place)),
		},
		async run({ processes, signal, onOutput, idempotencyKey }) {
			const end = await processes.run({
				command: { shell: command },
				cwd,
				timeoutMs: limit.seconds * 1000,
				signal,
				onOutput,
				...(idempotencyKey !== undefined && { owner: idempotencyKey }),
				...(confinement.sandbox && { sandbox: confinement.sandbox }),
			});
			const denial = explainDenial(end, confinement, "runCommand");
			const outcome = commandOutcome(end, "Command", limit, denial);
			if (outcome.status === "result" && CHANGES_ONLY_SHELL.test(command)) {
				outcome.text += "\n[The next command starts in a new shell: pass cwd, or join commands with &&.]";
			}
			if (confinement.sandbox && endedByItself(end) && leavesJobs(command))
				outcome.text += "\n[What it did not wait for was ended with it: nothing outlives its command.]";
			return outcome;
		},
	};
}

/** Whether its own end came first. A sandbox does not tell what its end caught; elsewhere it was counted. */
function endedByItself({ startError, timedOut, cancelled, backgroundEnded }: ProcessEnd): boolean {
	return startError === undefined && !timedOut && !cancelled && backgroundEnded === 0;
}

/** Where the command starts; absent: the workspace folder itself. */
async function resolveFolder(
	cwd: string | undefined,
	context: ToolContext,
): Promise<Found<ResolvedPath | undefined>> {
	if (cwd === undefined) return { ok: true, value: undefined };
	const resolved = await resolvePath(context, cwd, "cwd");
	if (!resolved.ok || resolved.value.kind === "folder") return resolved;
	const isMissing = resolved.value.kind === "missing";
	const error = isMissing
		? toolError("NOT_FOUND", `Folder not found: ${cwd}`)
		: toolError("INVALID_ARGUMENT", `${cwd} is not a folder; cwd must name one.`, { cwd: "is not a folder" });
	return { ok: false, error };
}

function firstLine(command: string): string {
	const line = command.trim().split("\n", 1)[0]!;
	return line.length > 80 || line !== command.trim() ? `${line.slice(0, 80)}…` : line;
}
