// The composition root: the sole joiner of adapters and runtime. It decides nothing; it fills the ports and hands out a
// client of one session.

import { leftProcesses } from "./adapters/processes/leftProcesses.ts";
import { networkNotice } from "./adapters/sessionLog/networkFolder.ts";
import { createWorld } from "./adapters/world.ts";
import type { CommandSandbox } from "./ports/sandbox.ts";
import type { Client } from "./rpc/client.ts";
import type { ShownModel } from "./rpc/protocol.ts";
import { connectInProcess } from "./rpc/transports/inProcess.ts";
import type { LiveSession } from "./runtime/liveSession.ts";
import { recoverSession } from "./runtime/recovery.ts";
import type { Sessions } from "./runtime/sessions.ts";
import type { ModelChoice } from "./settings/chooseModel.ts";
import { AgiError } from "./types.ts";
import { VERSION } from "./version.ts";
import { assembleParts } from "./wire/sessionParts.ts";
import { serveSession } from "./wire/sessionServer.ts";
import { watchSession } from "./wire/sessionWatch.ts";
import type { StartOptions } from "./wire/startOptions.ts";

/** A session that a client talks to. */
export interface RunningSession {
	client: Client;
	session: LiveSession;
	/** What the start found, for the person: documents that were not read as they are, and what was interrupted. */
	notices: string[];
	/** Another model from the next step on. */
	switchModel(choice: ModelChoice): Promise<ShownModel>;
	/** Ends what runs, writes and syncs everything, gives the log back. */
	close(): Promise<void>;
}

/** A new session of the start's project. */
export function newSession(sessions: Sessions, options: StartOptions): Promise<LiveSession> {
	return sessions.create({
		cwd: options.place.cwd,
		projectId: options.place.projectId,
		agiVersion: VERSION,
		startedOn: new Date().toISOString().slice(0, 10),
		mode: options.mode,
	});
}

/** Puts everything around an open session that it needs to run, and returns its client. */
export async function startSession(
	sessions: Sessions,
	session: LiveSession,
	options: StartOptions,
): Promise<RunningSession> {
	if (session.state.mode !== options.mode)
		session.record({ do: "changeMode", mode: options.mode, by: "person" });
	const world = createWorld();
	const parts = await assembleParts(sessions, session, options, world);
	if (options.sandbox?.required && !options.interactive) await refuseUnconfined(parts.sandbox);
	const recovery = {
		session,
		workspace: parts.workspace,
		left: leftProcesses,
		settleChild: sessions.settleChild,
		...(options.interactive ? { prompts: parts.prompts } : {}),
	};
	// Where nothing is left on the disk, it does not matter which.
	const risky = options.undo ? networkNotice(options.place.folders.data) : undefined;
	const rewound = await parts.undo.settle();
	const recovered = await recoverSession(recovery, () => parts.contextFor(new AbortController().signal));
	if (recovered.question && !options.interactive) throw personNeeded(session, recovered.question);
	const { server, stop } = serveSession({ sessions, session, options, world, parts, recovery });
	const watch = await watchSession({ sessions, session, options, world, parts, server });
	if (recovered.question) server.resume();
	return {
		client: connectInProcess(server),
		session,
		notices: [...parts.notices, ...(risky ? [risky] : []), ...rewound, ...recovered.notices],
		switchModel: parts.switchModel,
		async close() {
			watch.stop();
			await stop();
			await session.close();
			await parts.retrieval.close();
			await watch.finish();
		},
	};
}

/** A run without a person must not go on with less than was demanded. */
async function refuseUnconfined(sandbox: CommandSandbox): Promise<void> {
	const { refusal } = await sandbox.check();
	if (refusal !== undefined) throw new AgiError("SANDBOX_MISSING", refusal, { exitCode: 44 });
}

/** The end of a start in which nobody can be asked. */
function personNeeded(session: LiveSession, question: string): AgiError {
	const { sessionId } = session.state;
	return new AgiError(
		"PERSON_NEEDED",
		`A person is needed to go on: ${question} Answer it with: agi -r ${sessionId}. Or go on in a copy that leaves it open: add --fork-session.`,
		{ exitCode: 54, sessionId },
	);
}
