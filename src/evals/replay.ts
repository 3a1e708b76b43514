// Plays a recorded session through today's runtime and compares what is recorded now with what was recorded then. Loop,
// pipeline, retries, limits and truncation are today's; the model's answers, the tools' outcomes and the decisions of
// people and rules come from the log. Nothing is asked and nothing is touched.

import { createMemoryStore } from "../adapters/sessionLog/memory.ts";
import { createWorld } from "../adapters/world.ts";
import { createBreaker, DEFAULT_RETRY } from "../agent/retry.ts";
import { buildSystemPrompt } from "../agent/system/prompt.ts";
import { tools as ownTools } from "../agent/tools/index.ts";
import { createToolset } from "../agent/tools/toolset.ts";
import type { TurnContext } from "../agent/turn.ts";
import { UsageTracker } from "../agent/usage.ts";
import type { Model, ModelOutcome } from "../ports/model.ts";
import type { AnyTool, ToolContext } from "../ports/tool.ts";
import type { World } from "../ports/world.ts";
import type { LiveSession } from "../runtime/liveSession.ts";
import { createScheduler } from "../runtime/scheduler.ts";
import { createSessions } from "../runtime/sessions.ts";
import type { Commit } from "../session/events.ts";
import { AgiError, type ModelFailure } from "../types.ts";
import { comparable } from "./comparableEvents.ts";
import { readTape, type Tape, type TapedCall } from "./tape.ts";

/** What a replay came to. The two lists are equal where nothing changed. */
export interface Replay {
	then: string[];
	now: string[];
	same: boolean;
	/** Why the session was played only in part. */
	endsBecause?: string;
}

const NO_ANSWER: ModelFailure = {
	kind: "invalid_request",
	message: "The log holds no further answer of the model.",
	retryable: false,
};
const CANCELLED: ModelFailure = { kind: "cancelled", message: "It was cancelled.", retryable: false };

interface Player {
	tape: Tape;
	session: LiveSession;
	/** Attempts played so far. */
	played: number;
	interrupt(): void;
}

/** Plays a session. Throws `AgiError` (exit 42) for a log that holds nothing. */
export async function replaySession(commits: readonly Commit[]): Promise<Replay> {
	const tape = readTape(commits);
	if (!tape) throw new AgiError("SESSION_EMPTY", "The session holds no facts.", { exitCode: 42 });
	const world: World = {
		...createWorld(),
		sessionId: () => tape.created.sessionId,
		random: () => 0,
		clock: { now: () => 0, wait: (_, signal) => waitForNothing(signal) },
	};
	const sessions = createSessions(createMemoryStore(world), world, () => undefined);
	const { type: _, sessionId: __, ...created } = tape.created;
	const session = await sessions.create(created);
	const player: Player = { tape, session, played: 0, interrupt: () => scheduler.interrupt() };
	const breaker = createBreaker(DEFAULT_RETRY);
	const scheduler = createScheduler({
		session,
		contextFor: (signal) => contextOf(player, world, breaker, signal),
		onTurnEnd: () => undefined,
	});
	const turns = tape.inputs.reduce((most, input) => Math.max(most, input.turn), 0);
	for (let turn = 0; turn <= turns; turn++) {
		give(player, (input) => !input.inTurn && input.turn === turn);
		await scheduler.runWaiting();
	}
	await session.flush({ wait: true });
	const again = (await sessions.read(tape.created.sessionId)).commits.flatMap((commit) => commit.events);
	await session.close();
	const [then, now] = [comparable(tape.events), comparable(again)];
	const same = then.length === now.length && then.every((line, at) => line === now[at]);
	return { then, now, same, ...(tape.endsBecause === undefined ? {} : { endsBecause: tape.endsBecause }) };
}

/** A wait that is over at once, save where what is waited for is an abort. */
function waitForNothing(signal: AbortSignal): Promise<void> {
	return signal.aborted ? Promise.reject(signal.reason) : Promise.resolve();
}

function give({ tape, session }: Player, isDue: (input: Tape["inputs"][number]) => boolean): void {
	for (const input of tape.inputs.filter(isDue)) {
		const { do: kind } = input;
		if (kind === "say") {
			const { text, target, wakeup, origin } = input;
			session.record({ do: "submitInput", text, target, wakeup, origin });
		} else if (session.state.mode !== input.mode)
			session.record({ do: "changeMode", mode: input.mode, by: input.by });
	}
}

function contextOf(
	player: Player,
	world: World,
	breaker: TurnContext["breaker"],
	signal: AbortSignal,
): TurnContext {
	const { tape, session } = player;
	const step = tape.events.find((event) => event.type === "step/start");
	const modelConfig = step?.model ?? { model: "", profile: "", baseUrl: "", contextWindow: 32_000 };
	return {
		agent: "agi",
		session,
		world,
		model: tapedModel(player, modelConfig),
		modelConfig,
		limits: { contextWindow: modelConfig.contextWindow, outputReserve: 0 },
		costOf: () => undefined,
		system: buildSystemPrompt({ cwd: tape.created.cwd, platform: "linux", date: tape.created.startedOn }),
		tools: createToolset(Object.values(ownTools).map((tool) => tapedTool(tool, player))),
		toolContext: (callId) =>
			({ taped: callOf(tape, callId), replacePlan: planOf(session) }) as unknown as ToolContext,
		...decisionsOf(player),
		redact: (text) => text,
		tracker: new UsageTracker(),
		startNewTurn: true,
		retry: DEFAULT_RETRY,
		breaker,
		rawArguments: new Map(),
		signal,
	};
}

function callOf(tape: Tape, callId: string): TapedCall {
	return tape.calls.get(callId) ?? { started: false };
}

/** The rules' verdicts and the people's answers, as they were. */
function decisionsOf(player: Player): Pick<TurnContext, "judge" | "approver"> {
	const { tape, session } = player;
	return {
		judge: ({ args }) => {
			const call = session.state.step?.calls.find((open) => open.args === args);
			const {
				verdict = "deny",
				reason = "The log holds no decision.",
				rule = "replay",
			} = callOf(tape, call?.callId ?? "").verdict ?? {};
			return { verdict, reason, rule, grantable: true };
		},
		...(tape.asksPeople
			? {
					approver: async ({ callId }) => {
						const { answer = "no", words, by = "agi" } = callOf(tape, callId).approval ?? {};
						if (answer === "cancelled") player.interrupt();
						return {
							answer: answer === "expired" ? "no" : answer,
							by,
							...(words === undefined ? {} : { words }),
						};
					},
				}
			: {}),
	};
}

function planOf(session: LiveSession): ToolContext["replacePlan"] {
	return (items) => void session.record({ do: "replacePlan", items });
}

function tapedModel(
	player: Player,
	{ model, profile, baseUrl }: { model: string; profile: string; baseUrl: string },
): Model {
	return {
		name: model,
		profile,
		baseUrl,
		async stream(request, { onPrepared }): Promise<ModelOutcome> {
			await onPrepared(JSON.stringify(request));
			const taped = player.tape.attempts[player.played++];
			give(player, (input) => input.inTurn && input.attempt === player.played);
			const partial = taped?.reply ?? { text: "", reasoning: "", calls: [] };
			if (!taped || taped.outcome === "interrupted") return { ok: false, failure: NO_ANSWER, partial };
			if (taped.outcome === "cancelled") {
				player.interrupt();
				return { ok: false, failure: taped.failure ?? CANCELLED, partial };
			}
			const { failure } = taped;
			return failure ? { ok: false, failure, partial } : { ok: true, reply: partial };
		},
	};
}

/** A tool with today's name, schema and effects whose outcome is the recorded one. */
function tapedTool(tool: AnyTool, player: Player): AnyTool {
	const { name, description, version, effects, recovery } = tool;
	return {
		name,
		description,
		version,
		effects,
		recovery,
		get schema() {
			return tool.schema;
		},
		async prepare(_: never, context: ToolContext) {
			const { taped } = context as ToolContext & { taped: TapedCall };
			const outcome = taped.outcome ?? { status: "cancelled" as const, text: "It was cancelled." };
			if (!taped.verdict && outcome.error) return outcome.error;
			return {
				resources: [],
				summary: name,
				async run() {
					if (taped.plan) context.replacePlan(taped.plan);
					if (outcome.status === "cancelled") player.interrupt();
					return outcome;
				},
			};
		},
	};
}

/** The first difference, with what stands before it; a text for a person, "" where there is none. */
export function replayDifference({ then, now }: Replay): string {
	const at = then.findIndex((line, index) => line !== now[index]);
	const first = at < 0 ? (now.length > then.length ? then.length : -1) : at;
	if (first < 0) return "";
	const before = then.slice(Math.max(0, first - 3), first).map((line) => `  ${cut(line)}`);
	const left = then.slice(first, first + 5).map((line) => `- ${cut(line)}`);
	const right = now.slice(first, first + 5).map((line) => `+ ${cut(line)}`);
	return `${[...before, ...left, ...right].join("\n")}\n`;
}

function cut(line: string): string {
	return line.length > 200 ? `${line.slice(0, 150)} … ${line.slice(-40)}` : line;
}
