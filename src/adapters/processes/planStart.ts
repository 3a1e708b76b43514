// The last step before a command is started: its environment with the mark of the call, and the sandbox around it where
// one was asked for. A request for a sandbox never falls back to a start without one.

import type { ProcessRequest } from "../../ports/processes.ts";
import type { Confine, Confinement } from "../../ports/sandbox.ts";
import { type OpenFds, openFds } from "../sandbox/openFds.ts";
import type { LaunchPlan } from "./launchPlan.ts";

/** The environment entry that marks every process of a call. */
export const CALL_MARKER = "AGI_CALL";

/** All that a spawn needs. */
export interface CallStart {
	file: string;
	args: readonly string[];
	env: Record<string, string>;
	input?: string;
	fds: OpenFds;
	/** `NAME=value`: what only the processes of this call have in their environment. */
	marker: string;
	confinement?: Confinement;
}

let calls = 0;

/** How the mark of a call ends that belongs to `owner`: its letters can stand in every environment. */
export function ownerMark(owner: string): string {
	return `:${encodeURIComponent(owner.toWellFormed())}`;
}

/** Works out the start of a planned command. Rejects with a sentence where the sandbox cannot be had. */
export async function planStart(
	plan: LaunchPlan,
	request: ProcessRequest,
	environment: Readonly<Record<string, string>>,
	confine: Confine | undefined,
): Promise<CallStart> {
	const start = `${process.pid}-${Date.now().toString(36)}-${calls++}`;
	const call = request.owner === undefined ? start : start + ownerMark(request.owner);
	const marker = `${CALL_MARKER}=${call}`;
	const mark = { [CALL_MARKER]: call };
	const env = { ...environment, ...request.env, PWD: request.cwd, ...mark };
	const input = plan.input === undefined ? {} : { input: plan.input };
	if (!request.sandbox) return { file: plan.file, args: plan.args, env, ...input, fds: openFds([]), marker };
	if (!confine) throw new Error("it needs a sandbox, and there is none.");
	const { network } = request.sandbox;
	const shown = plan.folder === undefined ? [] : [plan.folder];
	const launch = { file: plan.file, args: plan.args, cwd: request.cwd, env };
	const confinement = await confine(launch, { network, shown });
	const { file, args, env: own, fds } = confinement.launch;
	return { file, args, env: { ...own, ...mark }, ...input, fds: openFds(fds), marker, confinement };
}
