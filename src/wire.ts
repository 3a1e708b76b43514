// The composition root: the sole joiner of adapters and runtime. It decides nothing; it fills the ports and hands out a
// client of one session.

import { openDiagnosticsFile } from "./adapters/diagnosticsFile.ts";
import { readGitBranch } from "./adapters/gitBranch.ts";
import { createPlanFiles } from "./adapters/plans/planFiles.ts";
import { networkNotice } from "./adapters/sessionLog/networkFolder.ts";
import { createWorld } from "./adapters/world.ts";
import type { Client } from "./rpc/client.ts";
import type { ShownModel } from "./rpc/protocol.ts";
import { createServer, type Server } from "./rpc/server.ts";
import { connectInProcess } from "./rpc/transports/inProcess.ts";
import { createCompactions } from "./runtime/compactions.ts";
import { createContextView } from "./runtime/contextView.ts";
import { logFacts } from "./runtime/diagnostics.ts";
import type { LiveSession } from "./runtime/liveSession.ts";
import { createMemories } from "./runtime/memories.ts";
import { createMemoryExtraction } from "./runtime/memoryExtraction.ts";
import { recoverSession } from "./runtime/recovery.ts";
import { createScheduler } from "./runtime/scheduler.ts";
import type { Sessions } from "./runtime/sessions.ts";
import { createShells } from "./runtime/shells.ts";
import type { ModelChoice } from "./settings/chooseModel.ts";
import { AgiError } from "./types.ts";
import { VERSION } from "./version.ts";
import { watchWindow } from "./wire/contextWindow.ts";
import { createReports } from "./wire/reports.ts";
import { shownSandbox, watchSandbox } from "./wire/sandboxWatch.ts";
import { assembleParts } from "./wire/sessionParts.ts";
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
	if (options.sandbox?.required && !options.interactive) {
		const { refusal } = await parts.sandbox.check();
		if (refusal !== undefined) throw new AgiError("SANDBOX_MISSING", refusal, { exitCode: 44 });
	}
	const { cwd, agentFolder } = options.place;
	const recovery = {
		session,
		workspace: parts.workspace,
		...(options.interactive ? { prompts: parts.prompts } : {}),
	};
	// Where nothing is left on the disk, it does not matter which.
	const risky = options.undo ? networkNotice(options.place.folders.data) : undefined;
	const rewound = await parts.undo.settle();
	const recovered = await recoverSession(recovery, () => parts.contextFor(new AbortController().signal));
	if (recovered.question && !options.interactive) throw personNeeded(session, recovered.question);
	let branch = readGitBranch(cwd);
	const extraction = createMemoryExtraction({
		session,
		contextFor: parts.contextFor,
		keeper: parts.memory,
		everyTurns: options.interactive ? (options.extractEveryTurns ?? 0) : 0,
		canAsk: () => !parts.models.current().shown.offline,
	});
	const contextFor = (signal: AbortSignal) => {
		// Whoever asks for a context begins to work; nothing goes on beside that.
		extraction.giveUp();
		return parts.contextFor(signal);
	};
	const scheduler = createScheduler({
		session,
		contextFor,
		recovery,
		afterTurn: async () => parts.files?.settle(),
		onTurnEnd: (end) => {
			server.notify({ kind: "turnEnded", end, costUsd: parts.costUsd() });
			extraction.turnEnded(end);
			const now = readGitBranch(cwd);
			if (now === branch) return;
			branch = now;
			server.notify({ kind: "branch", branch });
		},
	});
	const shells = createShells({
		session,
		processes: parts.processes,
		cwd,
		redact: parts.redact,
		onChange: (id, change) => server.notify({ kind: "shell", id, change }),
	});
	const compactions = createCompactions({ session, contextFor, redact: parts.redact });
	const context = createContextView(session, parts.contextFor);
	const server: Server = createServer({
		session,
		scheduler,
		prompts: parts.prompts,
		shells,
		plans: createPlanFiles(agentFolder, cwd),
		reports: createReports({
			...parts,
			sessions,
			session,
			suggestedRules: parts.rules.suggested,
			trusted: options.trusted,
		}),
		rules: parts.rules,
		undo: parts.undo,
		compactions,
		memories: createMemories(session, parts.memory),
		context,
		attach: parts.attach,
		redact: parts.redact,
		day: () => new Date(world.clock.now()).toISOString().slice(0, 10),
		greeting: () => ({
			...parts.models.current().shown,
			sessionId: session.state.sessionId,
			cwd,
			mode: session.state.mode,
			tools: parts.tools.names(),
			version: VERSION,
			trusted: options.trusted,
			branch,
			sandbox: shownSandbox(parts.sandbox.state()),
			skills: (parts.skills?.known() ?? []).map(({ name, description }) => ({ name, description })),
			state: session.state,
		}),
	});
	parts.onPrompts((open) => server.notify({ kind: "prompts", open }));
	const diagnostics = options.diagnostics && agentFolder ? openDiagnosticsFile(agentFolder) : undefined;
	if (diagnostics) logFacts(session, diagnostics.write, parts.redact);
	const turnsBefore = session.state.made.turn;
	const tracing = options.laminarKey
		? (await import("./adapters/tracing/laminar.ts")).traceToLaminar(options.laminarKey, session)
		: undefined;
	const stopWatching = watchWindow({
		session,
		models: parts.models,
		isSet: options.contextWindow !== undefined,
		...(options.model.kind === "model" && options.model.apiKey !== undefined
			? { apiKey: options.model.apiKey }
			: {}),
		onLearned: (model) => server.notify({ kind: "model", model }),
	});
	const stopSandboxWatch = watchSandbox({
		session,
		sandbox: parts.sandbox,
		interactive: options.interactive,
		clock: world.clock,
		onChange: (sandbox) => server.notify({ kind: "sandbox", sandbox }),
	});
	if (recovered.question) server.resume();
	return {
		client: connectInProcess(server),
		session,
		notices: [...parts.notices, ...(risky ? [risky] : []), ...rewound, ...recovered.notices],
		switchModel: parts.switchModel,
		async close() {
			stopWatching();
			stopSandboxWatch();
			await shells.close();
			await compactions.stop();
			await scheduler.stop();
			await extraction.stop();
			await session.close();
			await parts.retrieval.close();
			if (options.env["OTEL_EXPORTER_OTLP_ENDPOINT"] || options.env["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"]) {
				const { sendTurns } = await import("./wire/tracing.ts");
				await sendTurns(sessions, session.state.sessionId, turnsBefore, options.env);
			}
			await diagnostics?.close();
			await (await tracing)?.close();
		},
	};
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
