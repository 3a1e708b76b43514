// Fills the ports of one session: model, tools, policy, sandbox, documents, limits. It decides nothing.

import { createProcesses } from "../adapters/processes/nodeProcesses.ts";
import { createRipgrepSearch } from "../adapters/search/ripgrep.ts";
import { createPublicWeb } from "../adapters/web/fetchPublic.ts";
import { createWorkspace } from "../adapters/workspace/nodeWorkspace.ts";
import { createBreaker, DEFAULT_RETRY } from "../agent/retry.ts";
import { sessionArtifacts } from "../agent/sessionArtifacts.ts";
import { spawnSubagent } from "../agent/subagents/spawn.ts";
import { buildSystemPrompt } from "../agent/system/prompt.ts";
import { createTools } from "../agent/tools/index.ts";
import type { Toolset, TurnContext } from "../agent/turn.ts";
import { UsageTracker } from "../agent/usage.ts";
import { evaluate } from "../policy/evaluate.ts";
import type { PolicyContext } from "../policy/policyQuestion.ts";
import { createRedactor } from "../policy/redact.ts";
import { taintSource } from "../policy/taint.ts";
import type { MemoryKeeper } from "../ports/memory.ts";
import type { Processes } from "../ports/processes.ts";
import type { CommandSandbox } from "../ports/sandbox.ts";
import type { ToolContext } from "../ports/tool.ts";
import type { Workspace } from "../ports/workspace.ts";
import type { World } from "../ports/world.ts";
import type { ShownModel } from "../rpc/protocol.ts";
import { askPerson } from "../runtime/askPerson.ts";
import type { LiveSession } from "../runtime/liveSession.ts";
import { createPrompts, type Prompts } from "../runtime/prompts.ts";
import type { Sessions } from "../runtime/sessions.ts";
import type { TurnFiles } from "../runtime/turnFiles.ts";
import type { Undo } from "../runtime/undo.ts";
import { skillFolders } from "../session/skills.ts";
import type { ModelChoice } from "../settings/chooseModel.ts";
import { AgiError, type Usage } from "../types.ts";
import { activateModel, createModelSwitch, type ModelSwitch } from "./activeModel.ts";
import { type Attacher, createAttacher } from "./attachments.ts";
import { childMaker } from "./childSessions.ts";
import { openInstructions } from "./instructions.ts";
import { commandPlaces, snapshotPlace } from "./place.ts";
import { openRetrieval, type Retrieval } from "./retrieval.ts";
import { openRuleBook, type RuleBook } from "./ruleBook.ts";
import { createSandbox, NO_SANDBOX } from "./sandbox.ts";
import type { SessionSkills } from "./skills.ts";
import type { StartOptions } from "./startOptions.ts";
import { openUndo } from "./undo.ts";

/** What a session works with; the composition root puts scheduler, server and client around it. */
export interface SessionParts {
	contextFor(signal: AbortSignal): TurnContext;
	prompts: Prompts;
	onPrompts(listener: Parameters<typeof createPrompts>[0]): void;
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
	const { place, env, limits } = options;
	const secrets = [...options.secrets];
	let redactor = createRedactor(secrets);
	const redact = (text: string) => redactor(text);
	const { contextWindow, outputReserve, images } = options;
	const ownLimits = {
		...(contextWindow === undefined ? {} : { contextWindow }),
		...(outputReserve === undefined ? {} : { outputReserve }),
		...(images === undefined ? {} : { images }),
	};
	const first = await activateModel(options.model, ownLimits);
	if (limits.costPerSession !== undefined && !first.shown.priceKnown && !options.interactive)
		throw new AgiError(
			"PRICE_UNKNOWN",
			`The price of ${first.model.name} is not known, so --max-cost cannot hold. Use --max-tokens instead.`,
			{ exitCode: 52 },
		);
	const models = createModelSwitch(first, ownLimits, () => session.state.step?.model);
	const switchModel = async (choice: ModelChoice): Promise<ShownModel> => {
		if (choice.kind === "model" && choice.apiKey !== undefined) secrets.push(choice.apiKey);
		redactor = createRedactor(secrets);
		return models.change(choice);
	};
	const priceOf = (usage: Usage) => models.asked().priceOf(usage);
	const tracker = options.tracker ?? createTracker(options, session, priceOf);
	const workspace = await createWorkspace({ root: place.cwd, added: options.addDirs ?? [] });
	const sandbox = createSandbox({
		settings: options.sandbox ?? NO_SANDBOX,
		container: options.sandboxCommands,
		folders: place.folders,
		env,
		trusted: options.trusted,
		roots: [workspace.root, ...workspace.added],
		isOff: () => session.state.mode === "bypassPermissions",
		readable: () => skillFolders(session.state),
	});
	const processes = createProcesses({ env, secretValues: options.secrets, confine: sandbox.confine });
	const search = createRipgrepSearch();
	const web = createPublicWeb();
	const artifacts = sessionArtifacts(session);
	const { files, undo } = openUndo(session, workspace, options.undo ? snapshotPlace(place) : undefined);
	const promptListeners: Parameters<typeof createPrompts>[0][] = [];
	const prompts = createPrompts((open) => {
		for (const listener of promptListeners) listener(open);
	});
	const instructions = await openInstructions(session, options, { world, redact });
	const { skills, memory } = instructions;
	const hasSkills = skills?.offered ?? false;
	const tools = options.tools ?? createTools({ canSearchWeb: options.exaApiKey !== undefined, hasSkills });
	const promptNow = () => instructions.prompt(tools.get("loadSkill") !== undefined);
	const breaker = createBreaker(DEFAULT_RETRY);
	const rawArguments = new Map<string, Record<string, unknown>>();

	const places = () => ({ ...commandPlaces(place, workspace), readable: skillFolders(session.state) });
	const rules = openRuleBook(options);
	const policy = (): PolicyContext => ({
		mode: session.state.mode,
		grants: session.state.grants,
		interactive: options.interactive,
		trusted: options.trusted,
		places: places(),
		sandbox: sandbox.state(),
		rules: rules.rules(),
		...taintOf(session),
	});

	const retrieval = openRetrieval({
		...{ place, session, sessions, workspace, search, world, policy },
		keepsIndex: options.keepsIndex ?? false,
	});

	const contextFor = (signal: AbortSignal): TurnContext => {
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
				return buildSystemPrompt(promptNow());
			},
			observe: instructions.observe,
			...(options.compaction ? { compaction: options.compaction } : {}),
			tools,
			toolContext: (callId, callSignal) => toolContext(callId, callSignal, context),
			judge: (question, grants) => evaluate(question, { ...policy(), grants }),
			taintSource: (question) =>
				taintSource(question, {
					trusted: options.trusted,
					places: places(),
					network:
						question.facts.sandboxed !== true ||
						sandbox.state().network ||
						question.facts.wantsNetwork === true,
				}),
			keepRule: (rule) => rules.add("allow", rule),
			...(options.interactive ? { approver: prompts.approve } : {}),
			redact,
			tracker,
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

	const toolContext = (callId: string, signal: AbortSignal, context: TurnContext): ToolContext => ({
		workspace,
		search,
		processes,
		sandbox,
		web,
		artifacts,
		retriever: retrieval.retriever,
		memory: memory.keeper,
		...(skills ? { skills: skills.shelf(callId) } : {}),
		signal,
		seen: (path) => session.state.seen.get(path),
		onOutput: (text) => session.tell({ type: "output", callId, text: redact(text) }),
		limits: { commandSeconds: limits.toolSeconds ?? 600 },
		config: {
			...(options.exaApiKey === undefined ? {} : { exaApiKey: options.exaApiKey }),
			sandboxCommands: options.sandboxCommands,
		},
		...(options.interactive
			? {
					ask: (question, choices, kind) =>
						askPerson({ session, prompts, redact }, { callId, question, options: choices, ...kind }, signal),
				}
			: {}),
		replacePlan: (items) => session.record({ do: "replacePlan", items }),
		delegate: (agent, task) =>
			spawnSubagent(
				context,
				{ prompt: promptNow(), createChild: childMaker(sessions, session) },
				callId,
				agent,
				task,
				signal,
			),
	});

	return {
		contextFor,
		prompts,
		onPrompts: (listener) => promptListeners.push(listener),
		models,
		switchModel,
		tools,
		workspace,
		sandbox,
		processes,
		...(files ? { files } : {}),
		undo,
		memory: memory.keeper,
		retrieval,
		policy,
		rules,
		notices: instructions.notices,
		attach: createAttacher({
			session,
			sessions,
			workspace,
			place,
			skills,
			model: models.current,
			policy,
			digest: world.digest,
			redact,
		}),
		skills,
		redact,
		costUsd: () => (models.allPriced() ? tracker.totals().cost : null),
	};
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
/** Where text of unknown intent came from, the newest sources first; nothing where none came in. */
function taintOf({ state }: LiveSession): { tainted?: string } {
	if (state.taint.length === 0) return {};
	const shown = state.taint.slice(-2).reverse().join(" and ");
	return { tainted: state.taint.length > 2 ? `${shown} and more` : shown };
}
