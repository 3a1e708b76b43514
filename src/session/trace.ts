// What a session did and how long it took, worked out of its log: Turns, their Steps, and in those the Attempts and the
// tool calls. Pure; the texts of people, models and tools stay out of it, save for errors and the first line of a prompt.

import type { ToolError, ToolStatus, Usage } from "../types.ts";
import type {
	AttemptOwner,
	Commit,
	EventOf,
	ModelConfig,
	SessionEvent,
	TurnEndCode,
	TurnStatus,
} from "./events.ts";
import { reduceAll } from "./reduce.ts";

/** Times are ISO, in UTC; `end` is absent for what is still open. */
interface Span {
	id: string;
	start: string;
	end?: string;
}

/** One request to a model. */
export interface AttemptSpan extends Span {
	/** How long was waited before it, in milliseconds, because the one before failed. */
	waitedMs: number;
	requestBytes: number;
	/** What it was made for beside the conversation; absent where it asked for the Step's message. */
	owner?: AttemptOwner["kind"];
	outcome?: EventOf<"attempt/end">["outcome"];
	finish?: string;
	usage?: Usage;
	usageEstimated?: boolean;
	/** A sentence. */
	failure?: string;
	durationMs?: number;
}

/** One tool call, from its acceptance to its end. */
export interface ToolSpan extends Span {
	name: string;
	decision?: { verdict: "allow" | "ask" | "deny"; rule: string; reason: string };
	/** What a person or program was asked; `waitedMs` until the answer, which is absent while it is awaited. */
	approval?: { answer?: EventOf<"approval/resolved">["answer"]; by?: string; waitedMs?: number };
	status?: ToolStatus;
	error?: ToolError;
	/** How long it ran, in milliseconds. */
	durationMs?: number;
	/** The session of the subagent that it started; `trace` is for who can read that one. */
	child?: { sessionId: string; agent: string; status: string; trace?: SessionTrace };
}

export interface StepSpan extends Span {
	model: ModelConfig;
	outcome?: EventOf<"step/end">["outcome"];
	attempts: AttemptSpan[];
	tools: ToolSpan[];
}

export interface TurnSpan extends Span {
	/** The beginning of what was asked. */
	prompt: string;
	status?: TurnStatus;
	code?: TurnEndCode;
	reason?: string;
	steps: StepSpan[];
}

/** Sums over a session without its subagents; times in milliseconds. */
export interface TraceTotals {
	turns: number;
	steps: number;
	attempts: number;
	/** Attempts that followed a failed one of the same Step. */
	retries: number;
	toolCalls: number;
	/** Calls that ended otherwise than with a result. */
	failedCalls: number;
	usage: Usage;
	modelMs: number;
	toolMs: number;
	retryWaitMs: number;
	/** Waiting for the answers to approvals. */
	personWaitMs: number;
}

export interface SessionTrace {
	sessionId: string;
	title: string;
	cwd: string;
	turns: TurnSpan[];
	totals: TraceTotals;
}

/** Milliseconds from one ISO time to another; 0 where the clock went back. */
export function millisecondsBetween(start: string, end: string): number {
	return Math.max(0, Date.parse(end) - Date.parse(start));
}

/** The trace of a log. Total: an event without its place changes nothing. */
export function traceLog(commits: readonly Commit[]): SessionTrace {
	const { sessionId, title, cwd } = reduceAll(commits.flatMap((commit) => commit.events));
	const open = emptyTracing();
	for (const { at, events } of commits) for (const event of events) see(open, event, at);
	return { sessionId, title, cwd, turns: open.turns, totals: totalsOf(open.turns) };
}

/** What is known while a log is walked. */
interface Tracing {
	turns: TurnSpan[];
	said: Map<string, string>;
	requestBytes: Map<string, number>;
	attempts: Map<string, AttemptSpan>;
	tools: Map<string, ToolSpan>;
	/** When each approval that waits was asked, by call. */
	asked: Map<string, string>;
}

function emptyTracing(): Tracing {
	return {
		turns: [],
		said: new Map(),
		requestBytes: new Map(),
		attempts: new Map(),
		tools: new Map(),
		asked: new Map(),
	};
}

function see(tracing: Tracing, event: SessionEvent, at: string): void {
	const turn = tracing.turns.at(-1);
	const step = turn?.steps.at(-1);
	switch (event.type) {
		case "user/message":
			tracing.said.set(event.messageId, event.text);
			return;
		case "turn/start":
			tracing.turns.push({ id: event.turnId, start: at, prompt: promptOf(tracing, event), steps: [] });
			return;
		case "turn/end": {
			const { type: _, turnId, ...end } = event;
			if (turn?.id === turnId) Object.assign(turn, { end: at }, end);
			return;
		}
		case "step/start":
			turn?.steps.push({ id: event.stepId, start: at, model: event.model, attempts: [], tools: [] });
			return;
		case "step/end":
			if (step?.id === event.stepId) Object.assign(step, { end: at, outcome: event.outcome });
			return;
		case "request/prepared":
			tracing.requestBytes.set(event.requestId, event.bytes);
			return;
		case "attempt/start":
			startAttempt(tracing, step, event, at);
			return;
		case "attempt/end":
			endAttempt(tracing.attempts.get(event.attemptId), event, at);
			return;
		default:
			seeCall(tracing, step, event, at);
	}
}

function promptOf(tracing: Tracing, { source }: EventOf<"turn/start">): string {
	if (source.kind === "recovery") return "";
	const text = source.messageIds.map((id) => tracing.said.get(id) ?? "").join("\n");
	return text.trim().split("\n", 1)[0]?.slice(0, 120).toWellFormed() ?? "";
}

function startAttempt(
	tracing: Tracing,
	step: StepSpan | undefined,
	{ attemptId, requestId, backoffMs, owner }: EventOf<"attempt/start">,
	at: string,
): void {
	const requestBytes = tracing.requestBytes.get(requestId) ?? 0;
	const attempt: AttemptSpan = {
		id: attemptId,
		start: at,
		waitedMs: backoffMs ?? 0,
		requestBytes,
		...(owner && { owner: owner.kind }),
	};
	tracing.attempts.set(attemptId, attempt);
	step?.attempts.push(attempt);
}

function endAttempt(attempt: AttemptSpan | undefined, event: EventOf<"attempt/end">, at: string): void {
	const { outcome, finish, usage, usageEstimated, failure, durationMs } = event;
	if (attempt)
		Object.assign(attempt, {
			end: at,
			outcome,
			durationMs,
			...(finish && { finish }),
			...(usage && { usage }),
			...(usageEstimated && { usageEstimated }),
			...(failure && { failure: failure.message }),
		});
}

/** Events of tool calls. */
function seeCall(tracing: Tracing, step: StepSpan | undefined, event: SessionEvent, at: string): void {
	if (event.type === "tool/call") {
		const tool: ToolSpan = { id: event.callId, name: event.name, start: at };
		tracing.tools.set(event.callId, tool);
		step?.tools.push(tool);
		return;
	}
	const tool = "callId" in event && event.callId !== undefined ? tracing.tools.get(event.callId) : undefined;
	if (!tool) return;
	switch (event.type) {
		case "policy/decided":
			tool.decision = { verdict: event.verdict, rule: event.rule, reason: event.reason };
			return;
		case "approval/requested":
			tracing.asked.set(event.callId, at);
			tool.approval = {};
			return;
		case "approval/resolved": {
			const waitedMs = millisecondsBetween(tracing.asked.get(event.callId) ?? at, at);
			tool.approval = { answer: event.answer, by: event.by, waitedMs };
			return;
		}
		case "tool/result": {
			const { status, error, durationMs } = event;
			Object.assign(tool, { end: at, status, durationMs }, error && { error });
			return;
		}
		case "subagent/changed": {
			const { sessionId, agent, status } = event;
			tool.child = { sessionId, agent, status };
			return;
		}
		default:
	}
}

function totalsOf(turns: readonly TurnSpan[]): TraceTotals {
	const steps = turns.flatMap((turn) => turn.steps);
	const attempts = steps.flatMap((step) => step.attempts);
	const tools = steps.flatMap((step) => step.tools);
	const retries = steps.flatMap(({ attempts: own }) =>
		own.filter((_, place) => own[place - 1]?.outcome === "failed"),
	);
	return {
		turns: turns.length,
		steps: steps.length,
		attempts: attempts.length,
		retries: retries.length,
		toolCalls: tools.length,
		failedCalls: tools.filter(({ status }) => status !== undefined && status !== "result").length,
		usage: {
			inputTokens: sum(attempts, ({ usage }) => usage?.inputTokens),
			outputTokens: sum(attempts, ({ usage }) => usage?.outputTokens),
			cachedInputTokens: sum(attempts, ({ usage }) => usage?.cachedInputTokens),
			reasoningTokens: sum(attempts, ({ usage }) => usage?.reasoningTokens),
		},
		modelMs: sum(attempts, ({ durationMs }) => durationMs),
		toolMs: sum(tools, ({ durationMs }) => durationMs),
		retryWaitMs: sum(attempts, ({ waitedMs }) => waitedMs),
		personWaitMs: sum(tools, ({ approval }) => approval?.waitedMs),
	};
}

function sum<T>(items: readonly T[], amount: (item: T) => number | undefined): number {
	return items.reduce((total, item) => total + (amount(item) ?? 0), 0);
}
