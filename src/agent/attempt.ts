// One request to the model and what became of it. Records the facts; says nothing about what comes next (`next.ts` does).
// Text is shown while it streams, and taken back where the Attempt does not count.

import type { ModelDelta, ModelOutcome, ModelRequest } from "../ports/model.ts";
import type { AttemptRecord, CallRecord } from "../session/commands.ts";
import type { BodyDelta } from "../session/events.ts";
import { accountOf } from "../session/state.ts";
import { estimateSize, UNKNOWN_TOKENIZER } from "../session/tokenAccount.ts";
import {
	AgiError,
	type FinishReason,
	type ModelFailure,
	type ModelReply,
	type RawToolCall,
	type Usage,
} from "../types.ts";
import { assemble } from "./context/assemble.ts";
import { diffBody } from "./context/bodyDelta.ts";
import { contributionsOf } from "./context/contributions.ts";
import { estimateTokens, sizeOfRequest } from "./context/tokenEstimator.ts";
import { withImages } from "./images.ts";
import { toolSchemas } from "./tools/schemas.ts";
import type { TurnContext } from "./turn.ts";

/** Largest middle of a body that stands in the log line itself; a longer one becomes a blob. */
const INLINE_BODY = 16_384;

/** How an Attempt ended, for the loop. */
export type AttemptEnd =
	| { kind: "accepted" | "rejected" | "cancelled" }
	| { kind: "failed"; failure: ModelFailure }
	/** No request could be made; asking again would not help. */
	| { kind: "unsent"; failure: ModelFailure };

/** Asks the model once for the open Step. `backoffMs` is the wait that came before. Rejects only where the log fails. */
export async function attempt(context: TurnContext, backoffMs?: number): Promise<AttemptEnd> {
	const { session, world } = context;
	const schemas = toolSchemas(context.tools);
	const assembled = assemble(session.state, {
		system: context.system,
		tools: schemas,
		contextWindow: context.limits.contextWindow,
	});
	const request = await withImages(context, assembled);
	const startedAt = world.clock.now();
	let shown = "";
	session.tell({ type: "waiting", for: "model", detail: "waiting for the model" });
	const answered = await context.model.stream(request, {
		signal: context.signal,
		onPrepared: (body) => recordRequest(context, request, body, backoffMs),
		onDelta: (delta) => {
			if (delta.type === "text") shown += delta.text;
			if (delta.type === "rethought") shown = "";
			tellDelta(context, delta);
		},
	});
	const outcome = unlessEmpty(answered, session.state.step?.cut?.text ?? "");
	return recordOutcome(context, request, outcome, shown, world.clock.now() - startedAt);
}

/** A whole reply that adds nothing to `said` is a failure: accepted, it would end the turn without a word. */
function unlessEmpty(outcome: ModelOutcome, said: string): ModelOutcome {
	if (!outcome.ok || finishOf(outcome.reply) !== "stop") return outcome;
	if ((said + outcome.reply.text).trim() !== "") return outcome;
	const message = "The model sent an empty reply.";
	return { ok: false, failure: { kind: "unknown", message, retryable: true }, partial: outcome.reply };
}

/** Records the request exactly as it goes over the wire and waits until that is on the disk. */
async function recordRequest(
	context: TurnContext,
	request: ModelRequest,
	body: string,
	backoffMs: number | undefined,
): Promise<void> {
	const { session, world } = context;
	session.record({
		do: "startAttempt",
		...(await preparedBody(context, body, session.previousBody)),
		contributions: contributionsOf(session.state, request, world.digest),
		size: sizeOfRequest(request),
		...(backoffMs === undefined ? {} : { backoffMs }),
	});
	session.previousBody = body;
	await session.flush({ wait: true });
}

/** What the log keeps of a body: its digest, its length and its difference to `previous`. */
export async function preparedBody(
	{ session, world }: TurnContext,
	body: string,
	previous: string,
): Promise<{ digest: string; bytes: number; delta: BodyDelta }> {
	const delta = diffBody(previous, body);
	const middle =
		delta.middle.length > INLINE_BODY
			? { blob: await session.putBlob(new TextEncoder().encode(delta.middle)) }
			: delta.middle;
	return {
		digest: world.digest(body),
		bytes: byteLength(body),
		delta: { prefix: delta.prefix, suffix: delta.suffix, middle },
	};
}

function tellDelta(context: TurnContext, delta: ModelDelta): void {
	if (delta.type === "text" || delta.type === "reasoning") context.session.tell(delta);
	else if (delta.type === "call") context.session.tell({ type: "callNamed", name: delta.name });
	else if (delta.type === "rethought") {
		context.session.tell({ type: "withdrawn", text: delta.text, why: "reasoning" });
		context.session.tell({ type: "reasoning", text: delta.text });
	}
}

function recordOutcome(
	context: TurnContext,
	request: ModelRequest,
	outcome: ModelOutcome,
	shown: string,
	durationMs: number,
): AttemptEnd {
	const { session } = context;
	const reply = redactReply(context, outcome.ok ? outcome.reply : outcome.partial);
	const usage = countUsage(context, request, reply, outcome.ok);
	const record: AttemptRecord = { ...reply, ...usage, durationMs };
	if (!session.state.attempt) return endBeforeSending(outcome);
	if (!outcome.ok) {
		record.failure = { ...outcome.failure, message: context.redact(outcome.failure.message) };
		const kind = outcome.failure.kind === "cancelled" ? "cancelled" : "failed";
		session.record({ do: "endAttempt", outcome: kind, attempt: record });
		if (kind === "failed") context.breaker.record("failed");
		if (shown !== "") session.tell({ type: "withdrawn", text: shown });
		return kind === "cancelled" ? { kind } : { kind: "failed", failure: record.failure };
	}
	context.breaker.record("ok");
	const finish = finishOf(reply);
	if (finish === "stop" || finish === "tool_calls") {
		acceptReply(context, { ...record, finish }, outcome.reply.calls);
		return { kind: "accepted" };
	}
	session.record({ do: "endAttempt", outcome: "rejected", attempt: record });
	return { kind: "rejected" };
}

/** Nothing was sent, so there is no Attempt to end: a cancel before the request, or an adapter that cannot make one. */
function endBeforeSending(outcome: ModelOutcome): AttemptEnd {
	if (outcome.ok) throw new AgiError("BUG", "the model answered a request that was never prepared");
	return outcome.failure.kind === "cancelled"
		? { kind: "cancelled" }
		: { kind: "unsent", failure: outcome.failure };
}

/** The presence of calls decides between answer and calls: several servers always say `stop`, some `tool_calls`. */
function finishOf(reply: ModelReply): FinishReason {
	const finish = reply.finish ?? "stop";
	if (finish !== "stop" && finish !== "tool_calls") return finish;
	return reply.calls.length > 0 ? "tool_calls" : "stop";
}

/** Accepts the message; a call whose arguments hold a secret is logged without it and keeps its own in memory. */
function acceptReply(context: TurnContext, record: AttemptRecord, rawCalls: RawToolCall[]): void {
	const raw = rawCalls.map((call) => readCall(context, call));
	const calls = raw.map((call, i) => {
		const shown = record.calls[i]!;
		return shown.arguments === rawCalls[i]!.arguments ? call : concealSecrets(readCall(context, shown));
	});
	const events = context.session.record({ do: "acceptReply", attempt: record, calls });
	events
		.filter((event) => event.type === "tool/call")
		.forEach((event, i) => {
			if (calls[i] !== raw[i] && raw[i]) context.rawArguments.set(event.callId, raw[i].args);
		});
}

/** Recovery cannot repeat a call whose real arguments are in no log. */
function concealSecrets(call: CallRecord): CallRecord {
	return call.tool ? { ...call, tool: { ...call.tool, recovery: "manual" } } : call;
}

/** Secrets that a model repeats are kept out of log and history. */
export function redactReply(context: TurnContext, reply: ModelReply): ModelReply {
	return {
		...reply,
		text: context.redact(reply.text),
		reasoning: context.redact(reply.reasoning),
		calls: reply.calls.map((call) => ({ ...call, arguments: context.redact(call.arguments) })),
	};
}

/** The server's numbers where it told any, else an estimate; every Attempt counts once, failed ones included. */
export function countUsage(
	context: TurnContext,
	request: ModelRequest,
	reply: ModelReply,
	whole: boolean,
): { usage?: Usage; usageEstimated?: boolean } {
	const nothingCame = reply.text === "" && reply.reasoning === "" && reply.calls.length === 0;
	if (!reply.usage && !whole && nothingCame) return {};
	const usage = reply.usage ?? estimateUsage(context, request, reply);
	context.tracker.addTokens(usage.inputTokens, false);
	context.tracker.addTokens(usage.outputTokens, true);
	const cost = context.costOf(usage);
	if (cost !== undefined) context.tracker.addCost(cost);
	return reply.usage ? { usage } : { usage, usageEstimated: true };
}

function estimateUsage({ session: { state } }: TurnContext, request: ModelRequest, reply: ModelReply): Usage {
	const account = state.step ? accountOf(state, state.step.model) : UNKNOWN_TOKENIZER;
	const said = reply.calls.reduce(
		(sum, call) => sum + estimateTokens(call.arguments) + estimateTokens(call.name),
		estimateTokens(reply.text) + estimateTokens(reply.reasoning),
	);
	const inputTokens = estimateSize(account, sizeOfRequest(request));
	return { inputTokens, outputTokens: said, cachedInputTokens: 0, reasoningTokens: 0 };
}

/** Finds the tool and reads the arguments; what cannot be read is kept as text, and the call gets an error result. */
function readCall(context: TurnContext, raw: RawToolCall): CallRecord {
	const name = knownName(context, raw.name);
	const tool = context.tools.get(name);
	const facts = tool && { version: tool.version, effects: tool.effects, recovery: tool.recovery };
	const args = parseArguments(raw.arguments);
	return {
		providerId: raw.id,
		name,
		args: args ?? {},
		...(args === undefined ? { invalidArguments: raw.arguments.slice(0, 2000) } : {}),
		...(facts ? { tool: facts } : {}),
	};
}

/** Models sometimes put a namespace before a name (`functions.readFile`); an exact tail counts as the name. */
function knownName(context: TurnContext, name: string): string {
	if (context.tools.get(name)) return name;
	const tail = name.split(/[.:/]/).at(-1) ?? name;
	return context.tools.get(tail) ? tail : name;
}

/** No tool asks for more, and what walks arguments may call itself for each level. */
const MAX_LEVELS = 100;

function parseArguments(text: string): Record<string, unknown> | undefined {
	try {
		const value: unknown = JSON.parse(text.trim() === "" ? "{}" : text);
		if (typeof value === "string") return parseArguments(value);
		return typeof value === "object" && value !== null && !Array.isArray(value) && hasFewLevels(value)
			? (value as Record<string, unknown>)
			: undefined;
	} catch {
		return undefined;
	}
}

function hasFewLevels(value: object): boolean {
	let level: unknown[] = [value];
	for (let count = 0; count <= MAX_LEVELS; count++) {
		level = level.flatMap((one) => (typeof one === "object" && one !== null ? Object.values(one) : []));
		if (level.length === 0) return true;
	}
	return false;
}

function byteLength(text: string): number {
	return new TextEncoder().encode(text).length;
}
