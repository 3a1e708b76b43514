// Sends traces to a collector by OTLP over HTTP, as JSON (opentelemetry-proto, `ExportTraceServiceRequest`). Only to an
// address that the environment names; never what people, models or tools said. A failure of it costs only the trace.

import type { AttemptSpan, SessionTrace, StepSpan, ToolSpan, TurnSpan } from "../../session/trace.ts";

/** Where spans go. */
export interface OtlpTarget {
	url: string;
	headers: Record<string, string>;
}

type Attributes = Record<string, string | number | undefined>;

/** A span before it has its place in a trace. Times are ISO; `failure` is a sentence. */
interface PlannedSpan {
	key: string;
	name: string;
	isClient?: boolean;
	start: string;
	end: string;
	failure?: string | undefined;
	attributes: Attributes;
	children: PlannedSpan[];
}

const LONGEST_SEND_MS = 2_000;
const INTERNAL = 1;
const CLIENT = 3;
const STATUS_OK = 1;
const STATUS_ERROR = 2;

/**
 * The collector that the variables of OpenTelemetry name (`OTEL_EXPORTER_OTLP_TRACES_ENDPOINT` as it is, else
 * `OTEL_EXPORTER_OTLP_ENDPOINT` and `/v1/traces`); undefined where they name none.
 */
export function otlpTarget(env: Readonly<Record<string, string | undefined>>): OtlpTarget | undefined {
	const own = env["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"];
	const shared = env["OTEL_EXPORTER_OTLP_ENDPOINT"];
	const url = own || (shared && `${shared.replace(/\/+$/, "")}/v1/traces`);
	if (!url || !/^https?:\/\//.test(url)) return undefined;
	const list = env["OTEL_EXPORTER_OTLP_TRACES_HEADERS"] ?? env["OTEL_EXPORTER_OTLP_HEADERS"] ?? "";
	const headers = list.split(",").flatMap((pair): [string, string][] => {
		const equals = pair.indexOf("=");
		return equals > 0 ? [[pair.slice(0, equals).trim(), decoded(pair.slice(equals + 1).trim())]] : [];
	});
	return { url, headers: Object.fromEntries(headers) };
}

/**
 * Sends the ended turns of a trace, each as a trace of its own whose ids follow from the session's: sent twice, they are
 * the same. Resolves with undefined, or with a sentence about what went wrong, after 2 s at the latest. `version` is
 * agi's, `digest` SHA-256 in hex.
 */
export async function sendTrace(
	target: OtlpTarget,
	trace: SessionTrace,
	{ version, digest }: { version: string; digest: (content: string) => string },
): Promise<string | undefined> {
	const spans = trace.turns.flatMap((turn) => {
		const planned = turnSpan(trace, turn);
		return planned ? placed(planned, digest(planned.key).slice(0, 32), undefined, digest) : [];
	});
	if (spans.length === 0) return undefined;
	try {
		const answer = await fetch(target.url, {
			method: "POST",
			headers: { "content-type": "application/json", ...target.headers },
			body: JSON.stringify(envelope(spans, version)),
			redirect: "error",
			signal: AbortSignal.timeout(LONGEST_SEND_MS),
		});
		await answer.body?.cancel();
		return answer.ok ? undefined : `The collector at ${target.url} answered with status ${answer.status}.`;
	} catch (error) {
		const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
		const reason = cause instanceof Error ? cause.message : String(cause);
		return `The trace could not be sent to ${target.url}: ${reason}`;
	}
}

function envelope(spans: object[], version: string): object {
	const resource = { attributes: attributesOf({ "service.name": "agi", "service.version": version }) };
	return { resourceSpans: [{ resource, scopeSpans: [{ scope: { name: "agi", version }, spans }] }] };
}

/** The span and those below it, flat, with their ids. */
function placed(
	span: PlannedSpan,
	traceId: string,
	parentSpanId: string | undefined,
	digest: (content: string) => string,
): object[] {
	const spanId = digest(span.key).slice(32, 48);
	return [
		{
			traceId,
			spanId,
			...(parentSpanId && { parentSpanId }),
			name: span.name,
			kind: span.isClient ? CLIENT : INTERNAL,
			startTimeUnixNano: nanoseconds(span.start),
			endTimeUnixNano: nanoseconds(span.end),
			attributes: attributesOf(span.attributes),
			status:
				span.failure === undefined ? { code: STATUS_OK } : { code: STATUS_ERROR, message: span.failure },
		},
		...span.children.flatMap((child) => placed(child, traceId, spanId, digest)),
	];
}

function turnSpan(trace: SessionTrace, turn: TurnSpan): PlannedSpan | undefined {
	if (turn.end === undefined) return undefined;
	const { end } = turn;
	const key = `${trace.sessionId} ${turn.id}`;
	return {
		key,
		name: "invoke_agent agi",
		start: turn.start,
		end,
		failure: turn.status === "completed" ? undefined : (turn.reason ?? turn.status),
		attributes: {
			"gen_ai.operation.name": "invoke_agent",
			"gen_ai.conversation.id": trace.sessionId,
			"agi.turn.id": turn.id,
			"agi.turn.status": turn.status,
		},
		children: turn.steps.map((step) => stepSpan(trace.sessionId, step, end)),
	};
}

function stepSpan(sessionId: string, step: StepSpan, turnEnd: string): PlannedSpan {
	const end = step.end ?? turnEnd;
	return {
		key: `${sessionId} ${step.id}`,
		name: "step",
		start: step.start,
		end,
		failure: step.outcome === "failed" ? "the step failed" : undefined,
		attributes: { "agi.step.id": step.id, "agi.step.outcome": step.outcome },
		children: [
			...step.attempts.map((attempt) => attemptSpan(sessionId, step, attempt, end)),
			...step.tools.map((tool) => toolSpan(sessionId, tool, end)),
		],
	};
}

function attemptSpan(
	sessionId: string,
	{ model }: StepSpan,
	attempt: AttemptSpan,
	stepEnd: string,
): PlannedSpan {
	const { id, start, end, outcome, failure, usage } = attempt;
	return {
		key: `${sessionId} ${id}`,
		name: `chat ${model.model}`,
		isClient: true,
		start,
		end: end ?? stepEnd,
		failure: outcome === "accepted" ? undefined : (failure ?? outcome ?? "it did not end"),
		attributes: {
			"gen_ai.operation.name": "chat",
			"gen_ai.provider.name": model.profile,
			"gen_ai.request.model": model.model,
			"gen_ai.usage.input_tokens": usage?.inputTokens,
			"gen_ai.usage.output_tokens": usage?.outputTokens,
			"agi.attempt.outcome": outcome,
			"agi.attempt.finish": attempt.finish,
			"agi.attempt.waited_ms": attempt.waitedMs,
			"agi.request.bytes": attempt.requestBytes,
		},
		children: [],
	};
}

function toolSpan(sessionId: string, tool: ToolSpan, stepEnd: string): PlannedSpan {
	const nested = tool.child?.trace;
	return {
		key: `${sessionId} ${tool.id}`,
		name: `execute_tool ${tool.name}`,
		start: tool.start,
		end: tool.end ?? stepEnd,
		failure: tool.status === "result" ? undefined : (tool.error?.type ?? tool.status ?? "it did not end"),
		attributes: {
			"gen_ai.operation.name": "execute_tool",
			"gen_ai.tool.name": tool.name,
			"gen_ai.tool.call.id": tool.id,
			"agi.tool.status": tool.status,
			"agi.tool.duration_ms": tool.durationMs,
			"agi.policy.verdict": tool.decision?.verdict,
			"agi.policy.rule": tool.decision?.rule,
			"agi.approval.answer": tool.approval?.answer,
			"agi.approval.waited_ms": tool.approval?.waitedMs,
		},
		children: nested ? nested.turns.flatMap((turn) => turnSpan(nested, turn) ?? []) : [],
	};
}

function attributesOf(attributes: Attributes): object[] {
	return Object.entries(attributes).flatMap(([key, value]) => {
		if (value === undefined) return [];
		return [
			{
				key,
				value: typeof value === "number" ? { intValue: String(Math.round(value)) } : { stringValue: value },
			},
		];
	});
}

function nanoseconds(time: string): string {
	return `${Date.parse(time)}000000`;
}

function decoded(text: string): string {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}
