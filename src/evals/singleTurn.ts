// One decision of a model, asked as the product asks it: its instructions, its assembly, its adapter, its tool schemas.
// Nothing that the model calls is run.

import { tmpdir } from "node:os";
import { toSeed } from "../adapters/models/modelMessages.ts";
import { createMemoryStore } from "../adapters/sessionLog/memory.ts";
import { createWorld } from "../adapters/world.ts";
import { attempt } from "../agent/attempt.ts";
import { getModelLimits } from "../agent/context/modelLimits.ts";
import { renderSkills, skillCatalogue } from "../agent/context/skills.ts";
import { createBreaker, DEFAULT_RETRY } from "../agent/retry.ts";
import { buildSystemPrompt, type PromptState } from "../agent/system/prompt.ts";
import { tools as ownTools } from "../agent/tools/index.ts";
import { createToolset } from "../agent/tools/toolset.ts";
import type { TurnContext } from "../agent/turn.ts";
import { UsageTracker } from "../agent/usage.ts";
import { createRedactor } from "../policy/redact.ts";
import type { Skill } from "../ports/skills.ts";
import type { AnyTool } from "../ports/tool.ts";
import type { World } from "../ports/world.ts";
import type { LiveSession } from "../runtime/liveSession.ts";
import { createSessions } from "../runtime/sessions.ts";
import { AgiError } from "../types.ts";
import { VERSION } from "../version.ts";
import { openDocuments } from "../wire/documents.ts";
import { openMemory } from "../wire/memory.ts";
import { locate } from "../wire/place.ts";
import { openSkills } from "../wire/skills.ts";
import { type EvalModel, ModelUnavailable, watchModel } from "./evalModel.ts";
import { schemaOnly } from "./mockTools.ts";
import type { PromptCopy } from "./promptCopy.ts";
import type { EvalData, Execution, SingleTurnResult } from "./types.ts";

export interface SingleTurnOptions {
	model: EvalModel;
	/** Tools by name, in place of agi's own: to see what another description does. */
	tools?: Readonly<Record<string, AnyTool>>;
	/** The prompts of a project, where the model is to be told them. */
	prompts?: PromptCopy | undefined;
	seed?: number;
	signal?: AbortSignal;
}

/** Asks once. Rejects with `ModelUnavailable` where no usable answer came. */
export async function runSingleTurn(
	data: EvalData,
	options: SingleTurnOptions,
): Promise<Execution & { output: SingleTurnResult }> {
	const { seed } = options;
	const opened = await options.model.open({ ...data.config, ...(seed === undefined ? {} : { seed }) });
	const watched = watchModel(opened);
	const context = await openStep(data, watched.model, options);
	const end = await attempt(context);
	if (end.kind === "failed" || end.kind === "unsent") throw new ModelUnavailable(end.failure, watched.used());
	if (end.kind === "cancelled") throw new AgiError("CANCELLED", "The request was cancelled.");
	const { step, history } = context.session.state;
	const calls = step?.calls ?? [];
	const said = history.findLast((item) => item.kind === "assistant");
	const toolCalls = calls.map(({ name, args }) => ({ toolName: name, args }));
	const text = said?.kind === "assistant" ? said.text : (step?.refused?.text ?? "");
	const output = {
		toolCalls,
		toolNames: toolCalls.map(({ toolName }) => toolName),
		selectedAny: toolCalls.length > 0,
		text,
	};
	return { output, ...watched.used() };
}

/** A session with the prompt claimed by an open Step: the moment in which the product would ask. */
async function openStep(
	data: EvalData,
	model: TurnContext["model"],
	options: SingleTurnOptions,
): Promise<TurnContext> {
	const world = createWorld();
	const session = await newSession(data, world, options.prompts?.cwd ?? tmpdir());
	const told = await toldPrompts(data, session, world, options.prompts);
	const { cwd, startedOn } = session.state;
	const limits = getModelLimits({});
	const { name, profile, baseUrl } = model;
	const modelConfig = { model: name, profile, baseUrl, contextWindow: limits.contextWindow };
	session.record({
		do: "submitInput",
		text: data.prompt,
		target: "next_turn",
		wakeup: true,
		origin: "person",
	});
	session.record({ do: "startTurn" });
	session.record({ do: "startStep", model: modelConfig });
	const neverRuns = (): never => {
		throw new AgiError("BUG", "a single-turn case runs no tool");
	};
	return {
		agent: "agi",
		session,
		world,
		model,
		modelConfig,
		limits,
		costOf: () => undefined,
		system: buildSystemPrompt({
			cwd,
			platform: process.platform,
			date: startedOn,
			...told,
			...skillsOf(data),
			...(data.systemPrompt === undefined ? {} : { override: data.systemPrompt }),
		}),
		tools: createToolset(
			schemaOnly(offeredTools(data, options.tools ?? ownTools, told.skills !== undefined)),
		),
		toolContext: neverRuns,
		judge: neverRuns,
		redact: (text) => text,
		tracker: new UsageTracker(),
		startNewTurn: true,
		retry: { ...DEFAULT_RETRY, retries: 0 },
		breaker: createBreaker(DEFAULT_RETRY),
		rawArguments: new Map(),
		signal: options.signal ?? new AbortController().signal,
	};
}

/** A session in memory that holds the case's conversation so far. */
function newSession(data: EvalData, world: World, cwd: string): Promise<LiveSession> {
	return createSessions(createMemoryStore(world), world, () => undefined).create({
		cwd,
		projectId: "evals",
		agiVersion: VERSION,
		startedOn: new Date(world.clock.now()).toISOString().slice(0, 10),
		mode: data.mode ?? "default",
		seed: toSeed(data.messages ?? []),
	});
}

/** What the product would tell of a project and its person at the start of a session there. */
async function toldPrompts(
	{ systemPrompt }: EvalData,
	session: LiveSession,
	world: World,
	prompts: PromptCopy | undefined,
): Promise<Pick<PromptState, "documents" | "skills" | "memory">> {
	if (!prompts || systemPrompt !== undefined) return {};
	const { cwd, env, trusted } = prompts;
	const place = await locate(cwd, env, false);
	const parts = {
		session,
		cwd,
		configFolder: place.folders.config,
		env,
		trusted,
		redact: createRedactor([]),
		digest: world.digest,
	};
	const base: PromptState = { cwd, platform: process.platform, date: session.state.startedOn };
	const memory = openMemory({ ...parts, place, world, told: true });
	const documents = openDocuments(parts);
	const skills = await openSkills(parts);
	const {
		cwd: _,
		platform: __,
		date: ___,
		...told
	} = skills.withSkills(memory.withMemory(documents.withDocuments(base)));
	return told;
}

/** The part of the instructions that lists the case's skills. */
function skillsOf({ skills = {} }: EvalData): { skills?: string } {
	const listed = Object.entries(skills).map(
		([name, description]): Skill => ({
			name,
			description,
			scope: "project",
			path: `.agent/skills/${name}/SKILL.md`,
			folder: "",
			allowedTools: [],
			manual: false,
		}),
	);
	const { text } = skillCatalogue(listed);
	const list = renderSkills([
		{ kind: "skills", path: "skills", digest: "", bytes: text.length, cut: false, trusted: true, text },
	]);
	return list === undefined ? {} : { skills: list };
}

/** As in the product, a tool to load skills is offered only where there are some. */
function offeredTools(
	data: EvalData,
	tools: Readonly<Record<string, AnyTool>>,
	hasSkills: boolean,
): AnyTool[] {
	const defaults = Object.keys(tools).filter((name) => name !== "loadSkill" || data.skills || hasSkills);
	const names = data.tools ?? defaults;
	return names.map((name) => tools[name]).filter((tool) => tool !== undefined);
}
