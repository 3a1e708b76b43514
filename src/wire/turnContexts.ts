// Makes what a turn and its tool calls work with out of the parts of one session. It decides nothing.

import { createBreaker, DEFAULT_RETRY } from "../agent/retry.ts";
import { sessionArtifacts } from "../agent/sessionArtifacts.ts";
import { spawnSubagent } from "../agent/subagents/spawn.ts";
import { buildSystemPrompt } from "../agent/system/prompt.ts";
import type { Toolset, TurnContext } from "../agent/turn.ts";
import type { UsageTracker } from "../agent/usage.ts";
import type { Processes } from "../ports/processes.ts";
import type { CommandSandbox } from "../ports/sandbox.ts";
import type { Search } from "../ports/search.ts";
import type { ToolContext } from "../ports/tool.ts";
import type { Web } from "../ports/web.ts";
import type { Workspace } from "../ports/workspace.ts";
import type { World } from "../ports/world.ts";
import { askPerson } from "../runtime/askPerson.ts";
import type { LiveSession } from "../runtime/liveSession.ts";
import type { Prompts } from "../runtime/prompts.ts";
import type { Sessions } from "../runtime/sessions.ts";
import type { TurnFiles } from "../runtime/turnFiles.ts";
import { SETTING_DEFAULTS } from "../settings/defaults.ts";
import { childMaker } from "./childSessions.ts";
import type { Instructions } from "./instructions.ts";
import type { Retrieval } from "./retrieval.ts";
import type { SessionModel } from "./sessionModel.ts";
import type { SessionPolicy } from "./sessionPolicy.ts";
import type { StartOptions } from "./startOptions.ts";

/** What the contexts of one session are made of. */
export interface TurnParts {
	sessions: Sessions;
	session: LiveSession;
	options: StartOptions;
	world: World;
	model: SessionModel;
	policy: SessionPolicy;
	instructions: Instructions;
	tools: Toolset;
	tracker: UsageTracker;
	prompts: Prompts;
	/** Absent where nothing is kept for undo. */
	files: TurnFiles | undefined;
	workspace: Workspace;
	search: Search;
	processes: Processes;
	sandbox: CommandSandbox;
	web: Web;
	retrieval: Retrieval;
	/** Hears of each subagent's session. */
	onChild(child: LiveSession): void;
}

/** Makes the context of each turn; failures in a row and redacted arguments are remembered from one to the next. */
export function turnContexts(parts: TurnParts): (signal: AbortSignal) => TurnContext {
	const { session, options, world, policy, instructions, tools, prompts, files } = parts;
	const { models, priceOf, redact } = parts.model;
	const { compaction, limits, interactive } = options;
	const breaker = createBreaker(DEFAULT_RETRY);
	const rawArguments = new Map<string, Record<string, unknown>>();
	const callContext = toolContexts(parts);
	return (signal) => {
		const context: TurnContext = {
			agent: "agi",
			session,
			world,
			// Read anew at each step, so that a switch holds from the next one on.
			get model() {
				return models.asked().model;
			},
			get modelConfig() {
				return models.asked().config;
			},
			get limits() {
				return models.asked().limits;
			},
			get takesImages() {
				return models.asked().takesImages ?? false;
			},
			costOf: priceOf,
			// Frozen but for a checkpoint, which may come in the middle of a turn.
			get system() {
				return buildSystemPrompt(promptOf(parts));
			},
			observe: instructions.observe,
			...(compaction ? { compaction } : {}),
			tools,
			toolContext: (callId, callSignal) => callContext(callId, callSignal, context),
			judge: policy.judge,
			taintSource: policy.taintSource,
			keepRule: (rule) => policy.rules.add("allow", rule),
			...(interactive ? { approver: prompts.approve } : {}),
			redact,
			tracker: parts.tracker,
			startNewTurn: options.startNewTurn ?? true,
			retry: DEFAULT_RETRY,
			breaker,
			rawArguments,
			...(files ? { keeper: files } : {}),
			signal,
			...(limits.turnSeconds === undefined
				? {}
				: { deadline: world.clock.now() + limits.turnSeconds * 1000 }),
		};
		return context;
	};
}

/** Makes the context of each tool call; `turn` is what a subagent's own is narrowed from. */
function toolContexts(
	parts: TurnParts,
): (callId: string, signal: AbortSignal, turn: TurnContext) => ToolContext {
	const { sessions, session, options, prompts, workspace, search, processes, sandbox, web } = parts;
	const { skills, memory } = parts.instructions;
	const { redact } = parts.model;
	const { exaApiKey, sandboxCommands } = options;
	const artifacts = sessionArtifacts(session);
	return (callId, signal, turn) => ({
		workspace,
		search,
		processes,
		sandbox,
		web,
		artifacts,
		retriever: parts.retrieval.retriever,
		memory: memory.keeper,
		...(skills ? { skills: skills.shelf(callId) } : {}),
		signal,
		seen: (path) => session.state.seen.get(path),
		onOutput: (text) => session.tell({ type: "output", callId, text: redact(text) }),
		limits: { commandSeconds: options.limits.toolSeconds ?? SETTING_DEFAULTS["limits.toolSeconds"] },
		config: { ...(exaApiKey === undefined ? {} : { exaApiKey }), sandboxCommands },
		...(options.interactive
			? {
					ask: (question, choices, kind) =>
						askPerson({ session, prompts, redact }, { callId, question, options: choices, ...kind }, signal),
				}
			: {}),
		replacePlan: (items) => session.record({ do: "replacePlan", items }),
		delegate(agent, task) {
			const createChild = childMaker(sessions, session, {
				documentsOf: parts.instructions.documentsOf,
				onChild: parts.onChild,
			});
			const spawning = { prompt: promptOf(parts), createChild };
			return spawnSubagent(turn, spawning, callId, agent, task, signal);
		},
	});
}

/** What the system prompt is made of now. */
function promptOf({ instructions, tools }: TurnParts) {
	return instructions.prompt(tools.get("loadSkill") !== undefined);
}
