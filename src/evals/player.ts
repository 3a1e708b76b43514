// The outside of a session that is played again: a model, tools, rules, people and files that say what the tape holds.

import { type Breaker, DEFAULT_RETRY } from "../agent/retry.ts";
import { buildSystemPrompt } from "../agent/system/prompt.ts";
import { tools as ownTools } from "../agent/tools/index.ts";
import { createToolset } from "../agent/tools/toolset.ts";
import type { Room, TurnContext } from "../agent/turn.ts";
import { UsageTracker } from "../agent/usage.ts";
import type { Model, ModelOutcome } from "../ports/model.ts";
import type { AnyTool, ToolContext } from "../ports/tool.ts";
import type { Workspace } from "../ports/workspace.ts";
import type { World } from "../ports/world.ts";
import type { LiveSession } from "../runtime/liveSession.ts";
import type { Prompts } from "../runtime/prompts.ts";
import { isYes } from "../session/live.ts";
import type { ModelFailure, RawToolCall } from "../types.ts";
import { callKey, SECRET_MARK, type Tape, type TapedCall, type TapedInput } from "./tape.ts";

/** One life of a session that is played. */
export interface Player {
	tape: Tape;
	session: LiveSession;
	/** Place of the next input of the tape. */
	given: number;
	interrupt(): void;
	/** Here the process ended; nothing that it still waits for will come. */
	die(): void;
}

/** Stands for a secret that the log does not hold, so that the runtime has something to take out again. */
const STAND_IN = "[secret: ";

const NO_ANSWER: ModelFailure = {
	kind: "invalid_request",
	message: "The log holds no further answer of the model.",
	retryable: false,
};
const CANCELLED: ModelFailure = { kind: "cancelled", message: "It was cancelled.", retryable: false };

/** Gives what came from outside up to now and is due at such a moment, in its order. */
export function give(player: Player, isMoment: (input: TapedInput) => boolean): void {
	const { tape, session } = player;
	for (;;) {
		const input = tape.inputs[player.given];
		const { made } = session.state;
		if (!input || input.attempt > made.attempt || input.turn > made.turn || !isMoment(input)) return;
		player.given++;
		if (input.do === "facts") session.append(input.events);
		else {
			const { text, origin, attachments = [] } = input.said;
			const { target, wakeup } = input.enqueued;
			session.record({ do: "submitInput", text, target, wakeup, origin, attachments });
		}
	}
}

/** The context of one turn that takes everything from the tape. */
export function contextOf(player: Player, world: World, breaker: Breaker, signal: AbortSignal): TurnContext {
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
		toolContext: (callId) => tapedToolContext(player, callId),
		makeRoom: async () => tapedRoom(player),
		...decisionsOf(player),
		redact: (text) => text.replaceAll(STAND_IN, SECRET_MARK),
		tracker: new UsageTracker(),
		startNewTurn: true,
		retry: DEFAULT_RETRY,
		breaker,
		rawArguments: new Map(),
		signal,
	};
}

/** People who answer a call in doubt as they did. */
export function tapedPrompts({ tape }: Player): Prompts {
	const none = () => false;
	return {
		approve: async () => ({ answer: "cancelled", by: "agi" }),
		ask: async ({ callId }) => {
			const answered = callOf(tape, callId).questions.findLast(({ type }) => type === "question/answered");
			return answered?.type === "question/answered" ? answered.answer : undefined;
		},
		open: () => [],
		answerApproval: none,
		answerQuestion: async () => false,
		park: () => undefined,
	};
}

/** A disk on which the files of interrupted calls stand as they were found. Nothing else can be asked of it. */
export function tapedWorkspace({ tape }: Player): Workspace {
	const disk: Pick<Workspace, "resolve" | "list" | "stamp"> = {
		resolve: async (path) => ({
			ok: true,
			value: { given: path, real: path, inside: true, isLink: false, isSecret: false } as never,
		}),
		list: async () => ({ ok: true, value: [] }),
		async stamp({ real }) {
			const call = [...tape.calls.values()].find(({ after }) => after?.some(({ path }) => path === real));
			const stamps = call?.found === "after" ? call.after : call?.found === "before" ? call.before : [];
			const stamp = stamps?.find(({ path }) => path === real);
			return stamp
				? { ok: true, value: stamp }
				: { ok: false, error: { kind: "failed", message: "The log does not tell." } };
		},
	};
	return disk as Workspace;
}

function callOf(tape: Tape, callId: string): TapedCall {
	return tape.calls.get(callId) ?? { resources: [], starts: 0, questions: [] };
}

/** Summaries that were written before this request, and whether room was found. */
function tapedRoom(player: Player): Room {
	const { tape, session } = player;
	give(player, ({ when }) => when !== "between");
	const { made } = session.state;
	const wasAside = tape.inputs[player.given - 1];
	if (wasAside?.when === "aside" && tape.attempts[made.attempt - 1]?.outcome === "cancelled") {
		player.interrupt();
		return { kind: "cancelled" };
	}
	const { cannotFit, attempts } = tape.turns[made.turn - 1] ?? { attempts: Infinity };
	return cannotFit !== undefined && made.attempt >= attempts
		? { kind: "cannot", message: cannotFit }
		: { kind: "fits" };
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

function tapedToolContext({ tape, session }: Player, callId: string): ToolContext {
	const replacePlan: ToolContext["replacePlan"] = (items) =>
		void session.record({ do: "replacePlan", items });
	return { taped: callOf(tape, callId), replacePlan } as unknown as ToolContext;
}

/** Whether a call that somebody was asked about was refused when it was looked at once more. */
function isRefusedAgain({ session }: Player, taped: TapedCall): boolean {
	const { approval, verdict, starts } = taped;
	const open = session.state.step?.calls.find((call) => call.callId === verdict?.callId);
	return open?.approval !== undefined && starts === 0 && (!approval || isYes(approval.answer));
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
			const taped = player.tape.attempts[player.session.state.made.attempt - 1];
			give(player, ({ when }) => when === "running");
			const partial = taped?.reply ?? { text: "", reasoning: "", calls: [] };
			if (!taped) return { ok: false, failure: NO_ANSWER, partial };
			if (taped.outcome === "interrupted") {
				player.die();
				return new Promise(() => undefined);
			}
			if (taped.outcome === "cancelled") {
				player.interrupt();
				return { ok: false, failure: taped.failure ?? CANCELLED, partial };
			}
			const { failure } = taped;
			if (failure) return { ok: false, failure, partial };
			return {
				ok: true,
				reply: { ...partial, calls: partial.calls.map((call) => withSecrets(call, player)) },
			};
		},
	};
}

/** A call as the model made it, before a secret was taken out. */
function withSecrets(call: RawToolCall, { tape }: Player): RawToolCall {
	if (!call.arguments.includes(SECRET_MARK)) return call;
	try {
		if (!tape.concealed.has(callKey(call.name, JSON.parse(call.arguments)))) return call;
	} catch {
		return call;
	}
	return { ...call, arguments: call.arguments.replaceAll(SECRET_MARK, STAND_IN) };
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
			if (outcome.error && (!taped.verdict || isRefusedAgain(player, taped))) return outcome.error;
			return {
				resources: taped.resources,
				summary: name,
				...(taped.before ? { before: taped.before } : {}),
				...(taped.after ? { after: taped.after } : {}),
				...(taped.onlyReads ? { facts: { readsOnly: true } } : {}),
				async run() {
					if (taped.plan) context.replacePlan(taped.plan);
					if (outcome.status === "cancelled") player.interrupt();
					return outcome;
				},
			};
		},
	};
}
