// Fills the ports of one session: model, tools, policy, sandbox, documents, limits. It decides nothing.

import { createProcesses } from "../adapters/processes/nodeProcesses.ts";
import { createRipgrepSearch } from "../adapters/search/ripgrep.ts";
import { createPublicWeb } from "../adapters/web/fetchPublic.ts";
import { createWorkspace } from "../adapters/workspace/nodeWorkspace.ts";
import { createTools } from "../agent/tools/index.ts";
import type { Toolset, TurnContext } from "../agent/turn.ts";
import { UsageTracker } from "../agent/usage.ts";
import { mayFetchUnasked } from "../policy/mayRead.ts";
import type { PolicyContext } from "../policy/policyQuestion.ts";
import type { MemoryKeeper } from "../ports/memory.ts";
import type { Processes } from "../ports/processes.ts";
import type { CommandSandbox } from "../ports/sandbox.ts";
import type { Workspace } from "../ports/workspace.ts";
import type { World } from "../ports/world.ts";
import type { ShownModel } from "../rpc/protocol.ts";
import type { LiveSession } from "../runtime/liveSession.ts";
import { createPrompts, type Prompts } from "../runtime/prompts.ts";
import type { Sessions } from "../runtime/sessions.ts";
import type { TurnFiles } from "../runtime/turnFiles.ts";
import type { Undo } from "../runtime/undo.ts";
import { skillFolders } from "../session/skills.ts";
import type { ModelChoice } from "../settings/chooseModel.ts";
import type { Usage } from "../types.ts";
import type { ModelSwitch } from "./activeModel.ts";
import { type Attacher, createAttacher } from "./attachments.ts";
import { openInstructions } from "./instructions.ts";
import { snapshotPlace } from "./place.ts";
import { openRetrieval, type Retrieval } from "./retrieval.ts";
import type { RuleBook } from "./ruleBook.ts";
import { createSandbox, NO_SANDBOX } from "./sandbox.ts";
import { openSessionModel } from "./sessionModel.ts";
import { openSessionPolicy } from "./sessionPolicy.ts";
import type { SessionSkills } from "./skills.ts";
import type { StartOptions } from "./startOptions.ts";
import { turnContexts } from "./turnContexts.ts";
import { openUndo } from "./undo.ts";

/** What a session works with; the composition root puts scheduler, server and client around it. */
export interface SessionParts {
	contextFor(signal: AbortSignal): TurnContext;
	prompts: Prompts;
	onPrompts(listener: Parameters<typeof createPrompts>[0]): void;
	/** `listener` hears of each subagent's session before its first fact. */
	onChild(listener: (child: LiveSession) => void): void;
	models: ModelSwitch;
	/** Another model from the next step on. */
	switchModel(choice: ModelChoice): Promise<ShownModel>;
	tools: Toolset;
	workspace: Workspace;
	sandbox: CommandSandbox;
	processes: Processes;
	files?: TurnFiles;
	undo: Undo;
	memory: MemoryKeeper;
	retrieval: Retrieval;
	policy(): PolicyContext;
	rules: RuleBook;
	attach: Attacher;
	/** Absent where a program brings instructions of its own. */
	skills: SessionSkills | undefined;
	/** What the start found, for the person. */
	notices: string[];
	redact(text: string): string;
	costUsd(): number | null;
}

/** Fills the ports of one session. Rejects with `AgiError` where a limit cannot hold or the model cannot be made. */
export async function assembleParts(
	sessions: Sessions,
	session: LiveSession,
	options: StartOptions,
	world: World,
): Promise<SessionParts> {
	const { place } = options;
	const model = await openSessionModel(session, options);
	const { models, redact } = model;
	const tracker = options.tracker ?? createTracker(options, session, model.priceOf);
	const workspace = await createWorkspace({ root: place.cwd, added: options.addDirs ?? [] });
	const sandbox = openSandbox(session, options, workspace);
	const processes = createProcesses({
		env: options.env,
		secretValues: options.secrets,
		confine: sandbox.confine,
	});
	const search = createRipgrepSearch();
	const { files, undo } = openUndo(session, workspace, options.undo ? snapshotPlace(place) : undefined);
	const { prompts, onPrompts } = openPrompts();
	const childListeners: ((child: LiveSession) => void)[] = [];
	const instructions = await openInstructions(session, options, { world, redact });
	const { skills } = instructions;
	const tools = options.tools ?? ownTools(options, skills);
	const policy = openSessionPolicy(session, options, { workspace, sandbox });
	const web = createPublicWeb({ mayFollow: (url) => mayFetchUnasked(url, policy.context()) });
	const retrieval = openRetrieval({
		...{ place, session, sessions, workspace, search, world, policy: policy.context },
		keepsIndex: options.keepsIndex ?? false,
	});
	const contextFor = turnContexts({
		...{ sessions, session, options, world, model, policy, instructions, tools, tracker, prompts, files },
		...{ workspace, search, processes, sandbox, web, retrieval },
		onChild(child) {
			for (const listener of childListeners) listener(child);
		},
	});
	const attach = createAttacher({
		...{ session, sessions, workspace, place, skills, redact },
		model: models.current,
		policy: policy.context,
		digest: world.digest,
	});
	return {
		...{ contextFor, prompts, onPrompts, models, tools, workspace, sandbox, processes, undo },
		...{ retrieval, attach, skills, redact },
		...(files ? { files } : {}),
		onChild: (listener) => childListeners.push(listener),
		switchModel: model.switchModel,
		memory: instructions.memory.keeper,
		policy: policy.context,
		rules: policy.rules,
		notices: [...model.notices, ...instructions.notices],
		costUsd: () => (models.allPriced() ? tracker.totals().cost : null),
	};
}

function openSandbox(session: LiveSession, options: StartOptions, workspace: Workspace) {
	return createSandbox({
		settings: options.sandbox ?? NO_SANDBOX,
		container: options.sandboxCommands,
		folders: options.place.folders,
		env: options.env,
		trusted: options.trusted,
		roots: [workspace.root, ...workspace.added],
		isOff: () => session.state.mode === "bypassPermissions",
		readable: () => skillFolders(session.state),
	});
}

/** Questions to the person; the server that tells of them is made later. */
function openPrompts(): Pick<SessionParts, "prompts" | "onPrompts"> {
	const listeners: Parameters<typeof createPrompts>[0][] = [];
	const prompts = createPrompts((open) => {
		for (const listener of listeners) listener(open);
	});
	return { prompts, onPrompts: (listener) => listeners.push(listener) };
}

function ownTools({ exaApiKey }: StartOptions, skills: SessionSkills | undefined): Toolset {
	return createTools({ canSearchWeb: exaApiKey !== undefined, hasSkills: skills?.offered ?? false });
}

/** A tracker whose session counters go on where the log left them. */
function createTracker(
	options: StartOptions,
	session: LiveSession,
	priceOf: (usage: Usage) => number | undefined,
): UsageTracker {
	const { limits } = options;
	const tracker = new UsageTracker({
		maxToolCalls: limits.toolCallsPerTurn,
		maxIterations: limits.stepsPerTurn,
		...(limits.tokensPerSession === undefined ? {} : { maxTokens: limits.tokensPerSession }),
		...(limits.costPerSession === undefined ? {} : { maxCost: limits.costPerSession }),
	});
	tracker.addTokens(session.state.usage.inputTokens, false);
	tracker.addTokens(session.state.usage.outputTokens, true);
	tracker.addCost(priceOf(session.state.usage) ?? 0);
	return tracker;
}
