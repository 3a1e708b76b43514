// One life of a session in a folder: it is opened as a start opens it, recovers, and goes on until its work is done or it
// is killed. Log, lock and files are real; model and person are played. The person answers by what the journal says.

import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { createScriptedModel, type ScriptedReply } from "../../src/adapters/models/scripted.ts";
import { createJsonlStore } from "../../src/adapters/sessionLog/jsonl.ts";
import { createWorkspace } from "../../src/adapters/workspace/nodeWorkspace.ts";
import { createWorld } from "../../src/adapters/world.ts";
import { createBreaker, DEFAULT_RETRY } from "../../src/agent/retry.ts";
import { adoptTools } from "../../src/agent/tools/foreignTool.ts";
import type { TurnContext } from "../../src/agent/turn.ts";
import { UsageTracker } from "../../src/agent/usage.ts";
import type { ModelRequest } from "../../src/ports/model.ts";
import type { SessionLog, SessionStore } from "../../src/ports/sessionLog.ts";
import type { Workspace } from "../../src/ports/workspace.ts";
import type { LiveSession } from "../../src/runtime/liveSession.ts";
import { createPrompts, type Prompts } from "../../src/runtime/prompts.ts";
import { recoverSession } from "../../src/runtime/recovery.ts";
import { createScheduler } from "../../src/runtime/scheduler.ts";
import { createSessions } from "../../src/runtime/sessions.ts";
import { DOUBT_ANSWERS } from "../../src/session/doubt.ts";
import type { SessionEvent } from "../../src/session/events.ts";
import { brokenRules } from "../support/strictRules.ts";
import { toWire } from "../support/wireMessages.ts";
import { effectTools, type Journal, journaled, openJournal } from "./effects.ts";
import type { Mortal } from "./mortal.ts";

export interface LifeEnd {
	/** Whether the work was done; false where it was killed. */
	done: boolean;
	/** Facts that were told as being on the disk, in order. */
	acknowledged: SessionEvent[];
	/** Rules of strict servers that a request broke. */
	broken: string[];
	sessionId: string;
}

export interface Job {
	/** Holds the sessions, the workspace and the journal. */
	folder: string;
	/** The calls that the model is to make, by the names of `SEMANTICS`, all in one message. */
	calls: readonly string[];
	mortal: Mortal;
	/** What the person asks for; a short sentence where absent. */
	prompt?: string;
	/** Where effects are noted; the file `journal` where absent. */
	journal?: Journal;
	/** Hears of facts as they are told to be on the disk. */
	onAcknowledged?(events: readonly SessionEvent[]): void;
}

/** Lives once. Never rejects for a death. */
export async function live(job: Job): Promise<LifeEnd> {
	const { folder, calls, mortal, onAcknowledged, prompt = "do it", journal = openJournal(folder) } = job;
	const end: LifeEnd = { done: false, acknowledged: [], broken: [], sessionId: "" };
	const world = { ...createWorld(), sessionId: () => "s", random: () => 0 };
	const logs: SessionLog[] = [];
	const store = keeping(
		createJsonlStore({ folder: sessionsIn(folder), digest: world.digest, disk: mortal.disk }),
		logs,
	);
	const sessions = createSessions(store, world, () => undefined);
	const root = join(folder, "workspace");
	mkdirSync(root, { recursive: true });
	try {
		const isNew = !existsSync(join(sessionsIn(folder), "s", "log.jsonl"));
		const session = await (isNew ? sessions.create(CREATED) : openOrCreate(sessions));
		end.sessionId = session.state.sessionId;
		session.subscribe((told) => {
			if (told.kind !== "facts") return;
			end.acknowledged.push(...told.events);
			onAcknowledged?.(told.events);
		});
		const workspace = journaled(await createWorkspace({ root }), journal, mortal.point);
		await work(session, { journal, workspace, calls, prompt, world, end, point: mortal.point });
		await session.close();
		end.done = true;
	} catch (error) {
		if (!mortal.isDead) throw error;
	} finally {
		// The lock dies with the process; what was not written stays unwritten, because the disk is dead too.
		for (const log of logs) await log.close().catch(() => undefined);
	}
	return end;
}

/** Where a life keeps its sessions. */
export function sessionsIn(folder: string): string {
	return join(folder, "sessions");
}

const CREATED = {
	cwd: "/w",
	projectId: "p",
	agiVersion: "test",
	startedOn: "2026-11-29",
	mode: "default" as const,
};

/** A death before the first commit leaves a session without facts: the next start makes another. */
async function openOrCreate(sessions: ReturnType<typeof createSessions>): Promise<LiveSession> {
	try {
		return (await sessions.open("s")).session;
	} catch (error) {
		if ((error as { code?: string }).code !== "SESSION_EMPTY") throw error;
		await sessions.remove("s");
		return sessions.create(CREATED);
	}
}

function keeping(store: SessionStore, logs: SessionLog[]): SessionStore {
	return {
		...store,
		async create(id) {
			const log = await store.create(id);
			logs.push(log);
			return log;
		},
		async open(id) {
			const opened = await store.open(id);
			logs.push(opened.log);
			return opened;
		},
	};
}

interface Parts {
	journal: Journal;
	workspace: Workspace;
	calls: readonly string[];
	prompt: string;
	world: ReturnType<typeof createWorld>;
	end: LifeEnd;
	point(): void;
}

/** An answer that cannot be saved leaves its question open for ever, so its failure ends the life. */
async function work(session: LiveSession, parts: Parts): Promise<void> {
	const unsaved = Promise.withResolvers<never>();
	const prompts = createPrompts((open) => {
		const question = open[0];
		if (question?.kind !== "question") return;
		const { callId } = question.prompt;
		queueMicrotask(() => prompts.answerQuestion(callId, truth(parts.journal)).catch(unsaved.reject));
	});
	await Promise.race([workWith(session, parts, prompts), unsaved.promise]);
}

async function workWith(session: LiveSession, parts: Parts, prompts: Prompts): Promise<void> {
	const contextFor = (signal: AbortSignal) => contextOf(session, parts, signal);
	const recovery = { session, workspace: parts.workspace, prompts };
	await recoverSession(recovery, () => contextFor(new AbortController().signal));
	const scheduler = createScheduler({ session, contextFor, recovery, onTurnEnd: () => undefined });
	if (session.state.made.turn === 0 && session.state.inbox.length === 0) submit(session, parts.prompt);
	await scheduler.runWaiting({ goOn: true });
	for (let tries = 0; !isAnswered(session) && tries < 3; tries++) {
		submit(session, "go on");
		await scheduler.runWaiting();
	}
}

function submit(session: LiveSession, text: string): void {
	session.record({ do: "submitInput", text, target: "next_turn", wakeup: true, origin: "person" });
}

function isAnswered({ state }: LiveSession): boolean {
	return state.lastTurn?.status === "completed" && state.lastTurn.answer === "done";
}

/** What the person sees when they look. */
function truth(journal: Journal): string {
	return journal.lines().some((line) => line.startsWith("manual ")) ? DOUBT_ANSWERS.ran : DOUBT_ANSWERS.again;
}

function contextOf(session: LiveSession, parts: Parts, signal: AbortSignal): TurnContext {
	const { workspace, world } = parts;
	const model = createScriptedModel((request) => {
		parts.end.broken.push(...brokenRules(toWire(request.system, request.messages)));
		return reply(request, parts.calls);
	});
	return {
		agent: "agi",
		session,
		world,
		model,
		modelConfig: { model: "m", profile: "custom", baseUrl: "scripted:", contextWindow: 32_000 },
		limits: { contextWindow: 32_000, outputReserve: 4_000 },
		costOf: () => undefined,
		system: "You are agi.",
		tools: adoptTools(effectTools(parts.journal, parts.point)),
		toolContext: (_callId, callSignal) => ({
			workspace,
			signal: callSignal,
			seen: (path) => session.state.seen.get(path),
			onOutput: () => undefined,
			limits: { commandSeconds: 5 },
			config: { sandboxCommands: false },
			replacePlan: () => undefined,
			...NO_TOOLS,
		}),
		judge: ({ tool }) =>
			tool === "manual"
				? { verdict: "ask", reason: "it acts", rule: "test", grantable: true }
				: { verdict: "allow", reason: "test", rule: "test", grantable: false },
		approver: async () => ({ answer: "yes", by: "person" }),
		redact: (text) => text,
		tracker: new UsageTracker(),
		startNewTurn: true,
		retry: DEFAULT_RETRY,
		breaker: createBreaker(DEFAULT_RETRY),
		rawArguments: new Map(),
		signal,
	};
}

const NO_TOOLS = {
	search: {
		files: () => Promise.reject(new Error("not used")),
		text: () => Promise.reject(new Error("not used")),
	},
	processes: { run: () => Promise.reject(new Error("not used")) },
	web: {
		refusal: () => "not used",
		fetch: () => Promise.reject(new Error("not used")),
		post: () => Promise.reject(new Error("not used")),
	},
} as never as Pick<ReturnType<TurnContext["toolContext"]>, "search" | "processes" | "web">;

/** The model: asks for each call whose last result does not say that it is done, then answers. */
function reply(request: ModelRequest, calls: readonly string[]): ScriptedReply {
	const results = request.messages.filter((message) => message.role === "tool");
	const owed = calls.filter((name) => {
		const last = results.findLast((message) => message.name === toolName(name))?.text;
		return last === undefined || /was not run|may be called again|call it again/.test(last);
	});
	if (owed.length === 0) return { text: "done" };
	return {
		calls: owed.map((name, i) => ({
			id: `${name}-${results.length}-${i}`,
			name: toolName(name),
			args: name === "reconcile" ? { path: "n.txt", content: "new\n" } : { id: "x" },
		})),
	};
}

function toolName(semantics: string): string {
	return semantics === "reconcile" ? "writeFile" : semantics;
}
