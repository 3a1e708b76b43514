// Turns facts into spans. A span is made when its end is known, with the times of the facts; what the model was asked is
// told as what came since its last answer, so that a trace grows only by what is new.

import type { EventOf, ModelConfig, SessionEvent } from "../../session/events.ts";

/** Times are epoch milliseconds; attributes follow the OpenTelemetry conventions for generative AI. */
export interface Span {
	setAttribute(name: string, value: string | number): unknown;
	setStatus(status: { code: 1 | 2; message?: string }): unknown;
	end(time: number): void;
}

/** Where spans are made. */
export interface Spans {
	startSpan(options: {
		name: string;
		spanType: "DEFAULT" | "LLM" | "TOOL";
		input: unknown;
		sessionId: string;
		startTime: number;
		parentSpanContext?: string;
	}): Span;
	/** The span as text that names it as a parent. */
	serializeLaminarSpanContext(span?: Span): string | null;
}

const OUTPUT = "lmnr.span.output";
/** Status codes of OpenTelemetry. */
const STATUS_OK = 1;
const STATUS_ERROR = 2;

interface SpanPlan {
	name: string;
	type: "LLM" | "TOOL";
	input: unknown;
	output: unknown;
	/** Why it failed; absent where it did not. */
	failure?: string;
	durationMs: number;
	attributes: Record<string, string | number | undefined>;
}

/** A function that takes the facts of a session in order, commit by commit, and makes its spans. */
export function createSpanWriter(
	spans: Spans,
	sessionId: string,
): (facts: { at: string; events: readonly SessionEvent[] }) => void {
	const said = new Map<string, string>();
	const calls = new Map<string, EventOf<"tool/call">>();
	let sinceAnswer: unknown[] = [];
	let model: ModelConfig | undefined;
	let turn: { span: Span; context: string | null } | undefined;

	const write = (plan: SpanPlan, endTime: number): void => {
		const span = spans.startSpan({
			name: plan.name,
			spanType: plan.type,
			input: plan.input,
			sessionId,
			startTime: endTime - plan.durationMs,
			...(turn?.context ? { parentSpanContext: turn.context } : {}),
		});
		span.setAttribute(OUTPUT, JSON.stringify(plan.output));
		for (const [name, value] of Object.entries(plan.attributes))
			if (value !== undefined) span.setAttribute(name, value);
		span.setStatus(
			plan.failure === undefined ? { code: STATUS_OK } : { code: STATUS_ERROR, message: plan.failure },
		);
		span.end(endTime);
	};

	const see = (event: SessionEvent, time: number): void => {
		switch (event.type) {
			case "user/message":
				said.set(event.messageId, event.text);
				return;
			case "turn/start": {
				const ids = event.source.kind === "inbox" ? event.source.messageIds : [];
				const input = ids.map((id) => said.get(id) ?? "").join("\n\n");
				const span = spans.startSpan({
					name: "turn",
					spanType: "DEFAULT",
					input,
					sessionId,
					startTime: time,
				});
				turn = { span, context: spans.serializeLaminarSpanContext(span) };
				return;
			}
			case "step/start":
				model = event.model;
				return;
			case "inbox/included":
				for (const id of event.messageIds) sinceAnswer.push({ role: "user", content: said.get(id) ?? "" });
				return;
			case "attempt/end":
				write(attemptPlan(event, model, [...sinceAnswer]), time);
				return;
			case "assistant/accepted":
				sinceAnswer = [];
				return;
			case "tool/call":
				calls.set(event.callId, event);
				return;
			case "tool/result":
				sinceAnswer.push({ role: "tool", tool_call_id: event.callId, content: event.text });
				write(toolPlan(event, calls.get(event.callId)), time);
				calls.delete(event.callId);
				return;
			case "turn/end":
				endTurn(turn?.span, event, time);
				turn = undefined;
				return;
			default:
		}
	};

	return ({ at, events }) => {
		const time = Date.parse(at);
		for (const event of events) see(event, time);
	};
}

function attemptPlan(
	event: EventOf<"attempt/end">,
	model: ModelConfig | undefined,
	input: unknown[],
): SpanPlan {
	const { text, calls, usage, failure, outcome, finish, durationMs } = event;
	const plan: SpanPlan = {
		name: model?.model ?? "model",
		type: "LLM",
		input,
		output: { role: "assistant", content: text, ...(calls.length > 0 ? { tool_calls: calls } : {}) },
		durationMs,
		attributes: {
			"gen_ai.system": model?.profile,
			"gen_ai.request.model": model?.model,
			"gen_ai.usage.input_tokens": usage?.inputTokens,
			"gen_ai.usage.output_tokens": usage?.outputTokens,
			"gen_ai.usage.cache_read_input_tokens": usage?.cachedInputTokens,
			"gen_ai.usage.reasoning_tokens": usage?.reasoningTokens,
			"llm.usage.total_tokens": usage && usage.inputTokens + usage.outputTokens,
			"agi.attempt.outcome": outcome,
			"agi.attempt.finish": finish,
		},
	};
	return outcome === "accepted" ? plan : { ...plan, failure: failure?.message ?? outcome };
}

function toolPlan(event: EventOf<"tool/result">, call: EventOf<"tool/call"> | undefined): SpanPlan {
	const { status, text, error, durationMs } = event;
	const plan: SpanPlan = {
		name: call?.name ?? "tool",
		type: "TOOL",
		input: call?.args ?? {},
		output: text,
		durationMs,
		attributes: { "agi.tool.status": status },
	};
	return status === "result" ? plan : { ...plan, failure: error?.message ?? status };
}

function endTurn(span: Span | undefined, event: EventOf<"turn/end">, time: number): void {
	span?.setStatus(
		event.status === "completed"
			? { code: STATUS_OK }
			: { code: STATUS_ERROR, message: event.reason ?? event.status },
	);
	span?.end(time);
}
