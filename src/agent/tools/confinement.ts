// How a command of the model will run: in the sandbox or with the person's rights, and what the model reads when the
// sandbox stopped something. Decides nothing about whether it may run.

import type { ProcessEnd } from "../../ports/processes.ts";
import type { ToolContext } from "../../ports/tool.ts";
import type { CommandConfinement } from "../../session/live.ts";
import type { ToolError } from "../../types.ts";
import { toolError } from "./filePath.ts";

/** What a call asks for. */
export interface ConfinementWish {
	network?: boolean | undefined;
	unsandboxed?: boolean | undefined;
}

/** How one call will run, fixed before anybody is asked. */
export interface CallConfinement {
	/** For the processes port; absent: with the person's rights. */
	sandbox?: { network: boolean };
	/** Something keeps it from doing harm, agi's sandbox or what the person vouches for. */
	isConfined: boolean;
	shown: CommandConfinement;
	/** Seconds that a call gets where it names none. */
	seconds: number;
}

const DEFAULT_SECONDS = 120;
/** A container starts afresh for each command and is meant for short ones. */
const CONTAINER_SECONDS = 30;

const FREE: CommandConfinement = { level: "none", network: true, writable: true };
const UNCONFINED: CallConfinement = { isConfined: false, shown: FREE, seconds: DEFAULT_SECONDS };

/** Works out how a call will run; a refusal where it must not. The first call of a session waits for the self-test. */
export async function chooseConfinement(
	context: ToolContext,
	wish: ConfinementWish,
): Promise<CallConfinement | ToolError> {
	if (!context.sandbox) return context.config.sandboxCommands ? noContainer() : UNCONFINED;
	const { kind, level, network, writable, required, refusal } = await context.sandbox.check();
	if (refusal !== undefined) return toolError("DENIED", refusal);
	if (wish.unsandboxed && required) {
		return toolError("DENIED", "The settings require a sandbox, so nothing runs outside of it.");
	}
	if (wish.unsandboxed || level === "none" || level === "checking") return UNCONFINED;
	if (kind === "external")
		return { isConfined: true, shown: { ...FREE, level, external: true }, seconds: DEFAULT_SECONDS };
	const sandbox = { network: network || wish.network === true };
	const seconds = kind === "docker" ? CONTAINER_SECONDS : DEFAULT_SECONDS;
	return { sandbox, isConfined: true, shown: { level, writable, ...sandbox }, seconds };
}

function noContainer(): ToolError {
	const message =
		"Not run: SANDBOX_COMMANDS=true asks for a container, and here commands cannot run in one. Unset SANDBOX_COMMANDS to run them without.";
	return toolError("DENIED", message);
}

/** What programs say when a wall of the sandbox stopped them. */
const STOPPED =
	/Read-only file system|EROFS|Operation not permitted|EPERM|Network is unreachable|ENETUNREACH|EAI_AGAIN|Temporary failure in name resolution|Could not resolve host|no such host|Name or service not known/i;

/**
 * What the model is told of a sandboxed command that failed, where the sandbox may be why; undefined where it is not.
 * `tool` is the one that was called.
 */
export function explainDenial(
	end: ProcessEnd,
	{ sandbox, shown }: CallConfinement,
	tool: "runCommand" | "executeCode",
): string | undefined {
	if (sandbox === undefined || end.cancelled || end.timedOut) return undefined;
	const failed = end.startError !== undefined || end.exitCode !== 0;
	if (!failed || !STOPPED.test(`${end.startError ?? ""}\n${end.output}`)) return undefined;
	const writes = shown.writable
		? "It may write in the workspace and in /tmp only, and there not to .git, .agent and other files that steer programs."
		: "This folder is not trusted: it may write in /tmp only.";
	const network = sandbox.network ? "" : " It has no network.";
	const call = tool === "runCommand" ? "a new call" : "a runCommand";
	const ways = `${sandbox.network ? "" : "network: true or "}unsandboxed: true`;
	return `[The sandbox may have stopped it. ${writes}${network} What was done before that stays done. If the task needs more, ask for it by ${call} with ${ways}; the person decides.]`;
}
