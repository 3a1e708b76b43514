// A bench for whole turns: scripted model, real workspace, processes and search in a temporary folder, sessions in memory.
// It wires what src/wire.ts wires and keeps everything that the session told.

import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createScriptedModel, type ScriptedModel } from "../../src/adapters/models/scripted.ts";
import { createProcesses } from "../../src/adapters/processes/nodeProcesses.ts";
import { createRipgrepSearch } from "../../src/adapters/search/ripgrep.ts";
import { createMemoryStore } from "../../src/adapters/sessionLog/memory.ts";
import { createPublicWeb } from "../../src/adapters/web/fetchPublic.ts";
import { createWorkspace } from "../../src/adapters/workspace/nodeWorkspace.ts";
import { createWorld } from "../../src/adapters/world.ts";
import { createBreaker, DEFAULT_RETRY } from "../../src/agent/retry.ts";
import { runTurn } from "../../src/agent/run.ts";
import { sessionArtifacts } from "../../src/agent/sessionArtifacts.ts";
import { spawnSubagent } from "../../src/agent/subagents/spawn.ts";
import { createTools } from "../../src/agent/tools/index.ts";
import type { Approver, TurnContext } from "../../src/agent/turn.ts";
import { type UsageLimits, UsageTracker } from "../../src/agent/usage.ts";
import type { Effect } from "../../src/policy/effects.ts";
import { evaluate } from "../../src/policy/evaluate.ts";
import { createRedactor } from "../../src/policy/redact.ts";
import { parseRule, type Rule, type RuleLayer, type RuleSource } from "../../src/policy/rules.ts";
import { taintSource } from "../../src/policy/taint.ts";
import type { Retriever } from "../../src/ports/retriever.ts";
import type { ToolContext } from "../../src/ports/tool.ts";
import type { World } from "../../src/ports/world.ts";
import type { LiveSession } from "../../src/runtime/liveSession.ts";
import { createSessions, type Sessions } from "../../src/runtime/sessions.ts";
import { checkLog } from "../../src/session/check.ts";
import type { Commit, SessionEvent } from "../../src/session/events.ts";
import type { ApprovalAnswer, LiveDelta, TurnEnd } from "../../src/session/live.ts";
import type { Mode } from "../../src/types.ts";
import { childMaker } from "../../src/wire/childSessions.ts";

export interface TurnBenchOptions {
	script: Parameters<typeof createScriptedModel>[0];
	/** Files of the workspace, by path. */
	files?: Record<string, string>;
	mode?: Mode;
	/** Answers of the person, in the order of the questions; absent: nobody can be asked. */
	answers?: (ApprovalAnswer["answer"] | Omit<ApprovalAnswer, "by">)[];
	/** Asked instead of `answers`. */
	approver?: Approver;
	limits?: Partial<UsageLimits>;
	secrets?: string[];
	world?: Partial<World>;
	/** Fields of the turn's context that the test brings itself. */
	context?: Partial<TurnContext>;
	rules?: readonly Rule[];
	/** What `recall` asks. */
	retriever?: Retriever;
	/** Default true. */
	trusted?: boolean;
}

export interface TurnBench {
	root: string;
	model: ScriptedModel;
	session: LiveSession;
	sessions: Sessions;
	tracker: UsageTracker;
	/** Everything live that was told. */
	live: LiveDelta[];
	/** What the person was asked, as `tool reason`. */
	asked: string[];
	submit(text: string, target?: "next_step" | "next_turn"): void;
	/** The context of one turn, as a scheduler asks for it. */
	contextFor(signal: AbortSignal): TurnContext;
	/** Runs one waiting turn. */
	run(signal?: AbortSignal): Promise<TurnEnd | undefined>;
	/** `submit` and `run`. */
	say(text: string, signal?: AbortSignal): Promise<TurnEnd | undefined>;
	/** What the log holds; throws where it breaks an invariant. */
	commits(): Promise<Commit[]>;
	events(): Promise<SessionEvent[]>;
	/** Resolves with the first event of that type, recorded before or after the call. */
	until(type: SessionEvent["type"]): Promise<void>;
	remove(): Promise<void>;
}

/** Makes a bench with a new session. */
export async function createTurnBench(options: TurnBenchOptions): Promise<TurnBench> {
	const root = await makeWorkspace(options.files ?? {});
	const world: World = { ...createWorld(), random: () => 0, ...options.world };
	const model = createScriptedModel(options.script);
	const sessions = createSessions(createMemoryStore(world), world, (error) => {
		throw error;
	});
	const session = await sessions.create({
		cwd: root,
		projectId: "p",
		agiVersion: "test",
		startedOn: "2026-11-29",
		mode: options.mode ?? "default",
	});
	const tracker = new UsageTracker(options.limits);
	const live: LiveDelta[] = [];
	const asked: string[] = [];
	const seen = new Set<string>();
	const waiting: (() => void)[] = [];
	session.subscribe((told) => {
		if (told.kind === "live") live.push(told.delta);
		else for (const event of told.events) seen.add(event.type);
		for (const look of waiting.splice(0)) look();
	});
	const contextFor = await contextMaker({ options, root, world, model, sessions, session, tracker, asked });
	const run = (signal = new AbortController().signal) => runTurn(contextFor(signal));
	const submit = (text: string, target: "next_step" | "next_turn" = "next_turn") =>
		void session.record({ do: "submitInput", text, target, wakeup: true, origin: "person" });
	const commits = async () => {
		const found = (await sessions.read(session.state.sessionId)).commits;
		const violations = checkLog(found);
		if (violations.length > 0) throw new Error(JSON.stringify(violations, undefined, 1));
		return found;
	};
	return {
		root,
		model,
		session,
		sessions,
		tracker,
		live,
		asked,
		contextFor,
		submit,
		run,
		say(text, signal) {
			submit(text);
			return run(signal);
		},
		commits,
		events: async () => (await commits()).flatMap((commit) => commit.events),
		async until(type) {
			while (!seen.has(type)) await new Promise<void>((look) => waiting.push(look));
		},
		async remove() {
			await session.close();
			await rm(root, { recursive: true, force: true });
		},
	};
}

async function makeWorkspace(files: Record<string, string>): Promise<string> {
	const root = await realpath(await mkdtemp(join(tmpdir(), "agi-turn-")));
	for (const [path, text] of Object.entries(files)) {
		await mkdir(dirname(join(root, path)), { recursive: true });
		await writeFile(join(root, path), text);
	}
	return root;
}

interface Parts extends Pick<TurnBench, "root" | "model" | "sessions" | "session" | "tracker" | "asked"> {
	options: TurnBenchOptions;
	world: World;
}

async function contextMaker(parts: Parts): Promise<(signal: AbortSignal) => TurnContext> {
	const { options, root, world, model, session, tracker } = parts;
	const workspace = await createWorkspace({ root });
	const redact = createRedactor(options.secrets ?? []);
	const breaker = createBreaker(DEFAULT_RETRY);
	const rawArguments: TurnContext["rawArguments"] = new Map();
	const approver = options.approver ?? scriptedApprover(options.answers, parts.asked);
	const shared = {
		workspace,
		search: createRipgrepSearch(),
		processes: createProcesses({ env: process.env, secretValues: options.secrets ?? [] }),
		web: createPublicWeb(),
		limits: { commandSeconds: 30 },
		config: { sandboxCommands: false },
	};
	const createChild = childMaker(parts.sessions, session, {
		documentsOf: () => undefined,
		onChild: () => undefined,
	});
	const toolContext = (callId: string, signal: AbortSignal, context: TurnContext): ToolContext => ({
		...shared,
		artifacts: sessionArtifacts(session),
		...(options.retriever ? { retriever: options.retriever } : {}),
		signal,
		seen: (path) => session.state.seen.get(path),
		onOutput: (text) => session.tell({ type: "output", callId, text }),
		replacePlan: (items) => void session.record({ do: "replacePlan", items }),
		delegate: (agent, task) =>
			spawnSubagent(context, { prompt: PROMPT, createChild }, callId, agent, task, signal),
	});
	return (signal) => {
		const context: TurnContext = {
			agent: "agi",
			session,
			world,
			model,
			modelConfig: {
				model: model.name,
				profile: model.profile,
				baseUrl: model.baseUrl,
				contextWindow: 32_000,
			},
			limits: { contextWindow: 32_000, outputReserve: 4_000 },
			costOf: () => undefined,
			system: "You are agi.",
			tools: createTools({ canSearchWeb: false }),
			toolContext: (callId, callSignal) => toolContext(callId, callSignal, context),
			judge: (question, grants) =>
				evaluate(question, {
					mode: session.state.mode,
					grants,
					interactive: approver !== undefined,
					trusted: options.trusted ?? true,
					places: { workspaceRoots: [root], home: "/home/nobody" },
					rules: options.rules ?? [],
					...(session.state.taint[0] === undefined ? {} : { tainted: session.state.taint.join(" and ") }),
				}),
			taintSource: (question) =>
				taintSource(question, {
					trusted: options.trusted ?? true,
					places: { workspaceRoots: [root], home: "/home/nobody" },
					network: true,
				}),
			...(approver ? { approver } : {}),
			redact,
			tracker,
			startNewTurn: true,
			retry: { ...DEFAULT_RETRY, baseMs: 2 },
			breaker,
			rawArguments,
			signal,
			...options.context,
		};
		return context;
	};
}

const PROMPT = { cwd: "/w", platform: "linux", date: "2026-11-29" };

function scriptedApprover(answers: TurnBenchOptions["answers"], asked: string[]): Approver | undefined {
	if (!answers) return undefined;
	const left = [...answers];
	return async ({ agent, toolName, reason }) => {
		asked.push(`${agent}.${toolName}: ${reason}`);
		const given = left.shift();
		if (given === undefined) throw new Error(`nobody expected a question about ${toolName}`);
		return { ...(typeof given === "string" ? { answer: given } : given), by: "person" };
	};
}

/** A rule of the person's own file, or of another layer; throws where it is none. */
export function ruleOf(effect: Effect, source: RuleSource, layer: RuleLayer = "user"): Rule {
	const parsed = parseRule(source, { effect, layer, origin: `the ${layer} rules` });
	if (!parsed.ok) throw new Error(parsed.problem);
	return parsed.rule;
}
