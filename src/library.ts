// agi as a library: the same loop, pipeline and policy that the program runs, for programs that bring their own
// conversation, tools and answers.

import { homedir } from "node:os";
import type { ModelMessage } from "ai";
import { PROFILES } from "./adapters/models/catalog.ts";
import { toModelMessages, toSeed } from "./adapters/models/modelMessages.ts";
import { tokenUsageInfo } from "./agent/context/modelLimits.ts";
import { type PlanState, sessionMode } from "./agent/mode.ts";
import { adoptTools, type ForeignTool } from "./agent/tools/foreignTool.ts";
import type { UsageTracker } from "./agent/usage.ts";
import type { Model } from "./ports/model.ts";
import type { AnyTool } from "./ports/tool.ts";
import type { Client } from "./rpc/client.ts";
import type { Notification } from "./rpc/protocol.ts";
import type { SessionEvent } from "./session/events.ts";
import { type ApprovalPrompt, shownTool } from "./session/live.ts";
import { chooseModel } from "./settings/chooseModel.ts";
import { loadSettings } from "./settings/settings.ts";
import { type AgentCallbacks, AgiError, type Mode } from "./types.ts";
import { isNodeNewEnough, OLDEST_NODE, VERSION } from "./version.ts";
import { locate, openSessions } from "./wire/place.ts";
import type { StartOptions } from "./wire/startOptions.ts";
import { newSession, type RunningSession, startSession } from "./wire.ts";

/** What a program may set beside its messages. */
export interface RunConfig {
	/** Shown where the agent is named. */
	agentName?: string;
	/** Replaces agi's own instructions. */
	systemPromptOverride?: string;
	/** The only tools of this run, agi's own or in the AI SDK's form. */
	toolsOverride?: Readonly<Record<string, AnyTool | ForeignTool>>;
	/** Whether what is remembered is part of the requests. Default: yes, unless `systemPromptOverride` is set. */
	includeMemories?: boolean;
	/** False: the tracker's counters of the turn go on instead of beginning anew. */
	startNewTurn?: boolean;
	/** A model of the program's own. Default: the one that settings and environment name. */
	model?: Model;
	/** Folder and environment of the run, where they are not this process's own, and whether the folder is trusted. */
	session?: Pick<SessionOptions, "cwd" | "env" | "trusted">;
}

/** How a session of a program is made; everything may be left out. */
export interface SessionOptions {
	/** Default: this process's folder. */
	cwd?: string;
	/** Default: this process's environment. */
	env?: Readonly<Record<string, string | undefined>>;
	model?: string;
	baseUrl?: string;
	mode?: Mode;
	/** Keep the log in memory only. */
	ephemeral?: boolean;
	/** Whether somebody answers the questions that come as `prompts` notifications. Default false. */
	interactive?: boolean;
	/** Whether the folder's own settings, skills and memory are read. Default false. */
	trusted?: boolean;
}

/** A session that a program talks to through the client protocol; `close` it in the end. */
export async function createSession(options: SessionOptions = {}): Promise<RunningSession> {
	const start = await startOptions(options, {});
	const sessions = openSessions(start.place, { ephemeral: options.ephemeral ?? false });
	const session = await newSession(sessions, start);
	return startSession(sessions, session, { ...start, undo: !(options.ephemeral ?? false) });
}

/**
 * Runs one message to the end of its turn, after `conversationHistory`, and resolves with the whole conversation
 * without system messages. `usageTracker` outlives calls; `signal` cancels. Settings and key come from the environment,
 * as for the program. Rejects with `AgiError` where no model can be asked.
 */
export async function runAgent(
	userMessage: string,
	conversationHistory: readonly ModelMessage[],
	callbacks: AgentCallbacks,
	usageTracker?: UsageTracker,
	planState?: PlanState,
	signal?: AbortSignal,
	runConfig: RunConfig = {},
): Promise<ModelMessage[]> {
	const mode = sessionMode(planState);
	const start = await startOptions(
		{ ...runConfig.session, mode, ephemeral: true, interactive: callbacks.onToolApproval !== undefined },
		{
			...(runConfig.model ? { model: { kind: "given", model: runConfig.model } } : {}),
			...(usageTracker ? { tracker: usageTracker } : {}),
			...(runConfig.toolsOverride ? { tools: adoptTools(runConfig.toolsOverride) } : {}),
			...(runConfig.systemPromptOverride === undefined
				? {}
				: { systemPrompt: runConfig.systemPromptOverride }),
			...(runConfig.includeMemories === undefined ? {} : { includeMemories: runConfig.includeMemories }),
			startNewTurn: runConfig.startNewTurn ?? true,
		},
	);
	const { session, running } = await startAfter(conversationHistory, mode, start);
	try {
		const answer = await runOne(running.client, userMessage, callbacks, signal);
		callbacks.onComplete?.(answer);
		const history = toModelMessages(session.state);
		// A turn that ended before its first request gave the message back.
		if (session.state.inbox.some(({ origin }) => origin === "person"))
			history.push({ role: "user", content: userMessage });
		return endsWithAnswer(history) ? history : [...history, { role: "assistant", content: answer }];
	} finally {
		await running.close();
	}
}

/** How a conversation of a program is summed up; what is left out comes from settings and environment. */
export interface CompactOptions {
	/** A model of the program's own, or the name of one that the configured server has. */
	model?: Model | string;
	/** What must be kept above all. */
	focus?: string;
	/** Folder and environment, where they are not this process's own. */
	session?: Pick<SessionOptions, "cwd" | "env">;
}

/**
 * The conversation with its older part as one summary, without system messages; as it is where a summary would save
 * nothing. Rejects with `AgiError` where no model can be asked, or the summary failed (`NOT_COMPACTED`).
 */
export async function compactMessages(
	messages: readonly ModelMessage[],
	{ model, focus, session: where }: CompactOptions = {},
): Promise<ModelMessage[]> {
	const named = typeof model === "string" ? { model } : {};
	const start = await startOptions(
		{ ...where, ...named, ephemeral: true },
		{
			...(typeof model === "object" ? { model: { kind: "given", model } } : {}),
			systemPrompt: "",
			compaction: { minGain: 0 },
		},
	);
	const { session, running } = await startAfter(messages, "default", start);
	try {
		const written = await running.client.send({ do: "compact", ...(focus === undefined ? {} : { focus }) });
		if (written.ok) await running.client.send({ do: "acceptCompaction" });
		else if (session.state.made.attempt > 0) throw new AgiError("NOT_COMPACTED", written.message);
		return toModelMessages(session.state);
	} finally {
		await running.close();
	}
}

/** A session in memory that goes on after `messages`. */
async function startAfter(messages: readonly ModelMessage[], mode: Mode, start: StartOptions) {
	const sessions = openSessions(start.place, { ephemeral: true });
	const session = await sessions.create({
		cwd: start.place.cwd,
		projectId: start.place.projectId,
		agiVersion: VERSION,
		startedOn: new Date().toISOString().slice(0, 10),
		mode,
		seed: toSeed(messages),
	});
	return { session, running: await startSession(sessions, session, start) };
}

/** Sends the message and tells the callbacks what happens; resolves with the turn's last words. */
function runOne(
	client: Client,
	message: string,
	callbacks: AgentCallbacks,
	signal: AbortSignal | undefined,
): Promise<string> {
	return new Promise((resolve, reject) => {
		let answer = "";
		const names = new Map<string, string>();
		const interrupt = () => void client.send({ do: "interrupt" });
		client.listen((notification) => {
			try {
				tellCallbacks(client, notification, callbacks, names);
			} catch (error) {
				// A callback's own error ends the run and goes to the program that brought it.
				interrupt();
				reject(error);
			}
			if (notification.kind === "turnEnded") answer = notification.end.answer;
			if (notification.kind === "fault")
				reject(new AgiError(notification.code.toUpperCase(), notification.message));
			if (notification.kind === "idle") {
				signal?.removeEventListener("abort", interrupt);
				resolve(answer);
			}
		});
		signal?.addEventListener("abort", interrupt, { once: true });
		client.send({ do: "submit", text: message, target: "next_turn", typed: 0 }).then((sent) => {
			if (!sent.ok) reject(new AgiError("NO_PROMPT", sent.message, { exitCode: 42 }));
			else if (signal?.aborted) interrupt();
		}, reject);
	});
}

function tellCallbacks(
	client: Client,
	notification: Notification,
	callbacks: AgentCallbacks,
	names: Map<string, string>,
): void {
	if (notification.kind === "live") {
		const { delta } = notification;
		if (delta.type === "text") callbacks.onToken?.(delta.text);
		if (delta.type === "withdrawn") callbacks.onTextWithdrawn?.(delta.text);
		if (delta.type === "subagent") tellFact(client, delta.event, callbacks, names, delta);
	} else if (notification.kind === "prompts") {
		for (const open of notification.open)
			if (open.kind === "approval") void answer(client, open.prompt, callbacks);
	} else if (notification.kind === "facts") {
		for (const event of notification.events) tellFact(client, event, callbacks, names);
	}
}

/** Tells what a fact means to a program. Of a subagent: the call behind which it works, and its name. */
function tellFact(
	client: Client,
	event: SessionEvent,
	callbacks: AgentCallbacks,
	names: Map<string, string>,
	subagent?: { callId: string; agent: string },
): void {
	// Ids are unique within one log, and a subagent has its own.
	const key = (callId: string) => (subagent ? `${subagent.callId}/${callId}` : callId);
	if (event.type === "tool/call") {
		const name = shownTool(subagent?.agent ?? "agi", event.name);
		names.set(key(event.callId), name);
		callbacks.onToolCallStart?.(name, event.args);
	} else if (event.type === "tool/result") {
		callbacks.onToolCallEnd?.(names.get(key(event.callId)) ?? "", event.text);
	} else if (event.type === "attempt/end" && event.usage && !event.owner) {
		const { contextWindow } = client.greeting;
		const info = tokenUsageInfo(event.usage, contextWindow, event.usageEstimated ?? false);
		callbacks.onTokenUsage?.(subagent ? { ...info, subagent: subagent.agent } : info);
	}
}

const answered = new WeakSet<object>();

async function answer(client: Client, prompt: ApprovalPrompt, callbacks: AgentCallbacks): Promise<void> {
	if (answered.has(prompt)) return;
	answered.add(prompt);
	const { callId, agent, args, reason, preview } = prompt;
	const toolName = shownTool(agent, prompt.toolName);
	const request = { toolName, args, reason, ...(preview === undefined ? {} : { preview }) };
	let yes = false;
	try {
		yes = (await callbacks.onToolApproval?.(request)) === true;
	} catch {
		// An answer that fails is no yes.
	}
	await client.send({ do: "answerApproval", callId, answer: yes ? "yes" : "no" });
}

function endsWithAnswer(history: readonly ModelMessage[]): boolean {
	return history.at(-1)?.role === "assistant";
}

async function startOptions(options: SessionOptions, more: Partial<StartOptions>): Promise<StartOptions> {
	const { node } = process.versions;
	if (!isNodeNewEnough(node))
		throw new AgiError(
			"NODE_TOO_OLD",
			`agi needs Node ${OLDEST_NODE} or newer, and this is ${node}. Start the program with a newer one.`,
		);
	const env = options.env ?? process.env;
	const place = await locate(options.cwd ?? process.cwd(), env, true);
	const trusted = options.trusted ?? false;
	const settings = await loadSettings({
		env,
		flags: {
			...(options.model === undefined ? {} : { model: options.model }),
			...(options.baseUrl === undefined ? {} : { baseUrl: options.baseUrl }),
		},
		configFolder: place.folders.config,
		agentFolder: place.agentFolder,
		trusted,
		interactive: false,
		profiles: PROFILES,
	});
	const model = more.model ?? chooseModel(settings, { interactive: false, profiles: PROFILES });
	if (model instanceof AgiError) throw model;
	return {
		place,
		env,
		model,
		mode: options.mode ?? settings.permissionMode,
		trusted,
		interactive: options.interactive ?? false,
		limits: settings.limits,
		compaction: settings.compaction,
		sandboxCommands: settings.sandboxCommands,
		sandbox: settings.sandbox,
		secrets: [settings.apiKey, settings.exaApiKey, settings.laminarKey].filter((s) => s !== undefined),
		diagnostics: place.cwd !== homedir(),
		...(settings.contextWindow === undefined ? {} : { contextWindow: settings.contextWindow }),
		...(settings.images === undefined ? {} : { images: settings.images }),
		...(settings.exaApiKey === undefined ? {} : { exaApiKey: settings.exaApiKey }),
		...(settings.laminarKey === undefined ? {} : { laminarKey: settings.laminarKey }),
		...more,
	};
}
