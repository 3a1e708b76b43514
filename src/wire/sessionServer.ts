// Puts scheduler and server around the parts of one session: what its clients ask for, and what they are told.

import { readGitBranch } from "../adapters/gitBranch.ts";
import { createPlanFiles } from "../adapters/plans/planFiles.ts";
import type { World } from "../ports/world.ts";
import { createServer, type Served, type Server } from "../rpc/server.ts";
import { createCompactions } from "../runtime/compactions.ts";
import { createContextView } from "../runtime/contextView.ts";
import { takeBackUnfit } from "../runtime/editQueue.ts";
import type { LiveSession } from "../runtime/liveSession.ts";
import { createMemories } from "../runtime/memories.ts";
import { createMemoryExtraction } from "../runtime/memoryExtraction.ts";
import type { RecoveryParts } from "../runtime/recovery.ts";
import { createScheduler } from "../runtime/scheduler.ts";
import type { Sessions } from "../runtime/sessions.ts";
import { createShells } from "../runtime/shells.ts";
import { VERSION } from "../version.ts";
import { createReports } from "./reports.ts";
import { shownSandbox } from "./sandboxWatch.ts";
import type { SessionParts } from "./sessionParts.ts";
import type { StartOptions } from "./startOptions.ts";

/** What a session is served with. */
export interface ServingParts {
	sessions: Sessions;
	session: LiveSession;
	options: StartOptions;
	world: World;
	parts: SessionParts;
	recovery: RecoveryParts;
}

/** A session that clients can connect to. */
export interface ServedSession {
	server: Server;
	/** Ends what runs; a turn that waits for a person stays open in the log. */
	stop(): Promise<void>;
}

/** Serves a session that was recovered. */
export function serveSession(serving: ServingParts): ServedSession {
	const { session, options, parts } = serving;
	const { cwd } = options.place;
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
		recovery: serving.recovery,
		async afterTurn() {
			await parts.files?.settle();
			if (!options.interactive) await takeBackUnfit(session);
		},
		onTurnEnd(end) {
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
	const server: Server = createServer({
		...answersOf(serving),
		...{ session, scheduler, shells, compactions },
		prompts: parts.prompts,
		greeting: () => ({ ...greetingOf(serving), branch }),
	});
	parts.onPrompts((open) => server.notify({ kind: "prompts", open }));
	return {
		server,
		async stop() {
			// First of all: a cancel would answer them.
			parts.prompts.park();
			await shells.close();
			await compactions.stop();
			await scheduler.stop();
			await extraction.stop();
		},
	};
}

/** What clients ask for beside turns: it works with the parts alone. */
function answersOf(serving: ServingParts) {
	const { sessions, session, options, world, parts } = serving;
	const { agentFolder, cwd } = options.place;
	return {
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
		memories: createMemories(session, parts.memory),
		context: createContextView(session, parts.contextFor),
		attach: parts.attach,
		redact: parts.redact,
		day: () => new Date(world.clock.now()).toISOString().slice(0, 10),
	} satisfies Partial<Served>;
}

/** What a client is told of the session as it is now; the git branch is told by whoever follows it. */
function greetingOf({ session, options, parts }: ServingParts) {
	return {
		...parts.models.current().shown,
		sessionId: session.state.sessionId,
		cwd: options.place.cwd,
		mode: session.state.mode,
		tools: parts.tools.names(),
		version: VERSION,
		trusted: options.trusted,
		sandbox: shownSandbox(parts.sandbox.state()),
		skills: (parts.skills?.known() ?? []).map(({ name, description }) => ({ name, description })),
		state: session.state,
	};
}
