// The composition root: the sole joiner of adapters and runtime. It decides nothing; it fills the ports and hands out a
// client of one session.

import { homedir } from "node:os";
import { join } from "node:path";
import { openDiagnosticsFile } from "./adapters/diagnosticsFile.ts";
import { readGitBranch } from "./adapters/gitBranch.ts";
import { createPlanFiles } from "./adapters/plans/planFiles.ts";
import { createProcesses } from "./adapters/processes/nodeProcesses.ts";
import { type DataFolders, dataFolders, projectIdentity } from "./adapters/projectFolder.ts";
import { createRipgrepSearch } from "./adapters/search/ripgrep.ts";
import { createJsonlStore } from "./adapters/sessionLog/jsonl.ts";
import { createMemoryStore } from "./adapters/sessionLog/memory.ts";
import { createPublicWeb } from "./adapters/web/fetchPublic.ts";
import { createWorkspace } from "./adapters/workspace/nodeWorkspace.ts";
import { createWorld } from "./adapters/world.ts";
import { createBreaker, DEFAULT_RETRY } from "./agent/retry.ts";
import { spawnSubagent } from "./agent/subagents/spawn.ts";
import { buildSystemPrompt, type PromptState } from "./agent/system/prompt.ts";
import { createTools } from "./agent/tools/index.ts";
import type { Toolset, TurnContext } from "./agent/turn.ts";
import { UsageTracker } from "./agent/usage.ts";
import { evaluate } from "./policy/evaluate.ts";
import type { CommandPlaces } from "./policy/places.ts";
import type { PolicyContext } from "./policy/policyQuestion.ts";
import { createRedactor } from "./policy/redact.ts";
import type { Rule } from "./policy/rules.ts";
import { taintSource } from "./policy/taint.ts";
import type { Processes } from "./ports/processes.ts";
import type { CommandSandbox } from "./ports/sandbox.ts";
import type { ToolContext } from "./ports/tool.ts";
import type { Workspace } from "./ports/workspace.ts";
import type { World } from "./ports/world.ts";
import type { Client } from "./rpc/client.ts";
import type { ShownModel } from "./rpc/protocol.ts";
import { createServer, type Server } from "./rpc/server.ts";
import { connectInProcess } from "./rpc/transports/inProcess.ts";
import { askPerson } from "./runtime/askPerson.ts";
import { createCompactions } from "./runtime/compactions.ts";
import { logFacts } from "./runtime/diagnostics.ts";
import type { LiveSession } from "./runtime/liveSession.ts";
import { createPrompts, type Prompts } from "./runtime/prompts.ts";
import { recoverSession } from "./runtime/recovery.ts";
import { createScheduler } from "./runtime/scheduler.ts";
import { createSessions, type Sessions } from "./runtime/sessions.ts";
import { createShells } from "./runtime/shells.ts";
import type { TurnFiles } from "./runtime/turnFiles.ts";
import type { Undo } from "./runtime/undo.ts";
import type { ModelChoice } from "./settings/chooseModel.ts";
import { AgiError, type Mode, type Usage } from "./types.ts";
import { VERSION } from "./version.ts";
import { activateModel, createModelSwitch, type ModelSource, type ModelSwitch } from "./wire/activeModel.ts";
import { childMaker } from "./wire/childSessions.ts";
import { watchWindow } from "./wire/contextWindow.ts";
import { openDocuments } from "./wire/documents.ts";
import { keepUserRule } from "./wire/keepRule.ts";
import { createReports } from "./wire/reports.ts";
import { createSandbox, NO_SANDBOX, type SandboxSettings } from "./wire/sandbox.ts";
import { openUndo, type SnapshotPlace } from "./wire/undo.ts";

/** Where things are for one start: the user's folders, and the project that `cwd` belongs to. */
export interface Place {
	cwd: string;
	folders: DataFolders;
	projectId: string;
	agentFolder?: string;
}

/** Finds the folders of one start. `create: false` leaves no trace in the project. */
export async function locate(
	cwd: string,
	env: Readonly<Record<string, string | undefined>>,
	create: boolean,
): Promise<Place> {
	const { projectId, agentFolder } = await projectIdentity(cwd, { create });
	return { cwd, folders: dataFolders(env), projectId, ...(agentFolder ? { agentFolder } : {}) };
}

/** The sessions of a project, on disk or (ephemeral) in memory. */
export function openSessions(place: Place, options: { ephemeral?: boolean } = {}): Sessions {
	const world = createWorld();
	const projectsFolder = join(place.folders.data, "projects");
	const store = options.ephemeral
		? createMemoryStore({ digest: world.digest })
		: createJsonlStore({
				folder: join(projectsFolder, place.projectId, "sessions"),
				projectsFolder,
				digest: world.digest,
			});
	return createSessions(store, world, () => undefined);
}

/** Everything that one start was told; small values, no settings object. */
export interface StartOptions {
	place: Place;
	env: Readonly<Record<string, string | undefined>>;
	model: ModelSource;
	mode: Mode;
	trusted: boolean;
	/** Whether somebody can be asked. */
	interactive: boolean;
	limits: {
		stepsPerTurn: number;
		toolCallsPerTurn: number;
		tokensPerSession?: number;
		costPerSession?: number;
		turnSeconds?: number;
		toolSeconds?: number;
	};
	contextWindow?: number;
	outputReserve?: number;
	/** When older parts of the conversation are summed up. */
	compaction?: NonNullable<TurnContext["compaction"]>;
	/** Rules of flags and settings files. */
	rules?: readonly Rule[];
	/** Allow rules that a project would like to have. */
	suggestedRules?: readonly Rule[];
	appendSystemPrompt?: string;
	systemPrompt?: string;
	addDirs?: readonly string[];
	exaApiKey?: string;
	sandboxCommands: boolean;
	/** Absent: commands run with the person's rights. */
	sandbox?: SandboxSettings;
	laminarKey?: string;
	/** Values that must never reach a log, a screen or a model. */
	secrets: readonly string[];
	/** Programs may bring their own tools, tracker and signal. */
	tools?: Toolset;
	tracker?: UsageTracker;
	startNewTurn?: boolean;
	/** Whether events are written to `.agent/logs/agent.jsonl`. */
	diagnostics: boolean;
	/** Whether what turns do to files is kept beside the sessions, so that it can be taken back. Default false. */
	undo?: boolean;
}

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
	const recovered = await recoverSession(recovery, () => parts.contextFor(new AbortController().signal));
	if (recovered.question && !options.interactive) throw personNeeded(session, recovered.question);
	let branch = readGitBranch(cwd);
	const scheduler = createScheduler({
		session,
		contextFor: parts.contextFor,
		recovery,
		afterTurn: async () => parts.files?.settle(),
		onTurnEnd: (end) => {
			server.notify({ kind: "turnEnded", end, costUsd: parts.costUsd() });
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
	const compactions = createCompactions({ session, contextFor: parts.contextFor, redact: parts.redact });
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
			contextWindow: () => parts.models.current().limits.contextWindow,
			suggestedRules: options.suggestedRules ?? [],
		}),
		undo: parts.undo,
		compactions,
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
	if (recovered.question) server.resume();
	return {
		client: connectInProcess(server),
		session,
		notices: [...parts.notices, ...recovered.notices],
		switchModel: parts.switchModel,
		async close() {
			stopWatching();
			await shells.close();
			await compactions.stop();
			await scheduler.stop();
			await session.close();
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
		{ exitCode: 54 },
	);
}

/** What the free tool functions work with, outside of any session: this process's folder, environment and policy. */
export async function openToolBench(): Promise<
	Pick<TurnContext, "world" | "judge" | "toolContext" | "redact">
> {
	const { env } = process;
	const exaApiKey = env["EXA_API_KEY"];
	const secrets = [env["LLM_API_KEY"], env["OPENAI_API_KEY"], exaApiKey].filter((key) => key !== undefined);
	const place = await locate(process.cwd(), env, false);
	const workspace = await createWorkspace({ root: place.cwd });
	const sandbox = createSandbox({
		settings: NO_SANDBOX,
		container: env["SANDBOX_COMMANDS"] === "true",
		folders: place.folders,
		env,
		// Its calls are as after a person's yes.
		trusted: true,
		roots: [workspace.root],
		isOff: () => false,
	});
	const tools = {
		workspace,
		search: createRipgrepSearch(),
		processes: createProcesses({ env, secretValues: secrets, confine: sandbox.confine }),
		sandbox,
		web: createPublicWeb(),
		seen: () => undefined,
		onOutput: () => undefined,
		limits: { commandSeconds: 600 },
		config: {
			...(exaApiKey === undefined ? {} : { exaApiKey }),
			sandboxCommands: env["SANDBOX_COMMANDS"] === "true",
		},
		replacePlan: () => undefined,
	};
	const places = commandPlaces(place, workspace);
	return {
		world: createWorld(),
		redact: createRedactor(secrets),
		toolContext: (_callId, signal) => ({ ...tools, signal }),
		judge: (question, grants) =>
			evaluate(question, { mode: "default", grants, interactive: false, trusted: false, places }),
	};
}

/** The places that the policy tells apart. */
function commandPlaces(place: Place, workspace: Workspace): CommandPlaces {
	return {
		workspaceRoots: [workspace.root, ...workspace.added],
		home: homedir(),
		agiPid: process.pid,
		agiFolders: { config: place.folders.config, data: place.folders.data },
	};
}

function snapshotPlace({ folders, projectId }: Place): SnapshotPlace {
	const { config, data, cache } = folders;
	return { folder: join(data, "projects", projectId, "snapshots"), without: [config, data, cache] };
}

/** Where text of unknown intent came from, the newest sources first; nothing where none came in. */
function taintOf({ state }: LiveSession): { tainted?: string } {
	if (state.taint.length === 0) return {};
	const shown = state.taint.slice(-2).reverse().join(" and ");
	return { tainted: state.taint.length > 2 ? `${shown} and more` : shown };
}

interface Parts {
	contextFor(signal: AbortSignal): TurnContext;
	prompts: Prompts;
	onPrompts(listener: Parameters<typeof createPrompts>[0]): void;
	models: ModelSwitch;
	switchModel: RunningSession["switchModel"];
	tools: Toolset;
	workspace: Workspace;
	sandbox: CommandSandbox;
	processes: Processes;
	files?: TurnFiles;
	undo: Undo;
	policy(): PolicyContext;
	/** What the start found, for the person. */
	notices: string[];
	redact(text: string): string;
	costUsd(): number | null;
}

async function assembleParts(
	sessions: Sessions,
	session: LiveSession,
	options: StartOptions,
	world: World,
): Promise<Parts> {
	const { place, env, limits } = options;
	const secrets = [...options.secrets];
	let redactor = createRedactor(secrets);
	const redact = (text: string) => redactor(text);
	const { contextWindow, outputReserve } = options;
	const ownLimits = {
		...(contextWindow === undefined ? {} : { contextWindow }),
		...(outputReserve === undefined ? {} : { outputReserve }),
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
	const tools = options.tools ?? createTools({ canSearchWeb: options.exaApiKey !== undefined });
	const workspace = await createWorkspace({ root: place.cwd, added: options.addDirs ?? [] });
	const sandbox = createSandbox({
		settings: options.sandbox ?? NO_SANDBOX,
		container: options.sandboxCommands,
		folders: place.folders,
		env,
		trusted: options.trusted,
		roots: [workspace.root, ...workspace.added],
		isOff: () => session.state.mode === "bypassPermissions",
	});
	const processes = createProcesses({ env, secretValues: options.secrets, confine: sandbox.confine });
	const search = createRipgrepSearch();
	const web = createPublicWeb();
	const { files, undo } = openUndo(session, workspace, options.undo ? snapshotPlace(place) : undefined);
	const promptListeners: Parameters<typeof createPrompts>[0][] = [];
	const prompts = createPrompts((open) => {
		for (const listener of promptListeners) listener(open);
	});
	const prompt: PromptState = {
		cwd: session.state.cwd,
		platform: process.platform,
		date: session.state.startedOn,
		...(options.appendSystemPrompt === undefined ? {} : { append: options.appendSystemPrompt }),
		...(options.systemPrompt === undefined ? {} : { override: options.systemPrompt }),
	};
	const documents =
		options.systemPrompt === undefined
			? openDocuments({
					session,
					cwd: place.cwd,
					configFolder: place.folders.config,
					trusted: options.trusted,
					redact,
					digest: world.digest,
				})
			: undefined;
	const promptNow = () => documents?.withDocuments(prompt) ?? prompt;
	const breaker = createBreaker(DEFAULT_RETRY);
	const rawArguments = new Map<string, Record<string, unknown>>();

	const policy = (): PolicyContext => ({
		mode: session.state.mode,
		grants: session.state.grants,
		interactive: options.interactive,
		trusted: options.trusted,
		places: commandPlaces(place, workspace),
		sandbox: sandbox.state(),
		rules: options.rules ?? [],
		...taintOf(session),
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
			costOf: priceOf,
			// Frozen but for a checkpoint, which may come in the middle of a turn.
			get system() {
				return buildSystemPrompt(promptNow());
			},
			...(documents ? { observe: documents.observe } : {}),
			...(options.compaction ? { compaction: options.compaction } : {}),
			tools,
			toolContext: (callId, callSignal) => toolContext(callId, callSignal, context),
			judge: (question, grants) => evaluate(question, { ...policy(), grants }),
			taintSource: (question) =>
				taintSource(question, {
					trusted: options.trusted,
					places: commandPlaces(place, workspace),
					network:
						question.facts.sandboxed !== true ||
						sandbox.state().network ||
						question.facts.wantsNetwork === true,
				}),
			keepRule: (rule) => keepUserRule(place.folders.config, rule),
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
						askPerson(session, prompts, { callId, question, options: choices, ...kind }, signal),
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
		policy,
		notices: documents?.notices ?? [],
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
