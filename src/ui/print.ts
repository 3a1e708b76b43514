// One turn without a screen: sends the prompt, writes the answer or the JSON lines, and says how the run ended. It never
// waits for a person. A line is written only after its facts are on the disk.

import type { Client } from "../rpc/client.ts";
import type { Notification } from "../rpc/protocol.ts";
import type { EventOf, SessionEvent } from "../session/events.ts";
import { type Fault, type LiveDelta, shownTool, type TurnEnd } from "../session/live.ts";
import type { ExitCode, Usage } from "../types.ts";

export interface PrintOptions {
	prompt: string;
	/** Letters at its beginning that a person wrote for this run; the rest is data. */
	typed: number;
	format: "text" | "json" | "stream-json";
	includePartialMessages: boolean;
	/** Writes to stdout, as given. */
	write(text: string): void;
	/** Writes one line for a person, to stderr. */
	say(line: string): void;
	/** Monotonic milliseconds. */
	now(): number;
	/** Fires when the program was asked to end: the turn is cancelled, the result still comes. */
	interrupted: AbortSignal;
}

/** What a run has used and met so far. */
interface Tally {
	steps: number;
	usage: Usage;
	denials: { tool_name: string; tool_use_id: string; reason: string }[];
	/** Names of calls by id; those of subagents by `delegating call/call`. */
	names: Map<string, string>;
	/** Text of the last ended Attempt: what `assistant/accepted` accepts unless it brings its own. */
	replyText: string;
	stepId: string;
	startedAt: number;
}

/** Runs one prompt to the end of its turn; resolves with the exit code. */
export async function runPrint(client: Client, options: PrintOptions): Promise<ExitCode> {
	const tally: Tally = {
		steps: 0,
		usage: { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0, reasoningTokens: 0 },
		denials: [],
		names: new Map(),
		replyText: "",
		stepId: "",
		startedAt: options.now(),
	};
	const emit = (line: unknown) => {
		if (options.format === "stream-json") options.write(`${JSON.stringify(line)}\n`);
	};
	emit(initLine(client));
	const ended = new Promise<{ end: TurnEnd; costUsd: number | null }>((resolve) => {
		let last: { end: TurnEnd; costUsd: number | null } | undefined;
		client.listen((notification) => {
			if (notification.kind === "facts")
				for (const event of notification.events) for (const line of linesOf(event, tally)) emit(line);
			if (notification.kind === "live") {
				countDenials(notification.delta, tally);
				tellLive(notification, options, emit);
			}
			if (notification.kind === "turnEnded") last = notification;
			if (notification.kind === "fault") last = { end: faultEnd(notification), costUsd: null };
			if (notification.kind === "idle" && last) resolve(last);
		});
	});
	const interrupt = () => void client.send({ do: "interrupt" });
	options.interrupted.addEventListener("abort", interrupt, { once: true });
	try {
		const { prompt: text, typed } = options;
		const sent = await client.send({ do: "submit", text, target: "next_turn", typed });
		if (!sent.ok) {
			const fault = { code: sent.fault ?? "internal", message: sent.message };
			const code = writeResult(options, client, tally, { end: faultEnd(fault), costUsd: null });
			return sent.fault ? code : 42;
		}
		if (options.interrupted.aborted) interrupt();
		return writeResult(options, client, tally, await ended);
	} finally {
		options.interrupted.removeEventListener("abort", interrupt);
	}
}

/** The exit code that a turn's end stands for. */
function exitCodeOf(end: TurnEnd): ExitCode {
	if (end.status === "completed") return 0;
	switch (end.code) {
		case "auth":
			return 41;
		case "limit":
			return 53;
		case "person_needed":
			return 54;
		case "cancelled":
			return 130;
		default:
			return 1;
	}
}

function faultEnd({ code, message }: Fault): TurnEnd {
	return { status: "failed", code, reason: message, answer: message };
}

function initLine(client: Client) {
	const { sessionId, model, cwd, tools, mode, version } = client.greeting;
	return {
		type: "system",
		subtype: "init",
		session_id: sessionId,
		model,
		cwd,
		tools,
		permission_mode: mode,
		version,
	};
}

/** The lines that a fact becomes; counts it on the way. */
function linesOf(event: SessionEvent, tally: Tally): unknown[] {
	switch (event.type) {
		case "step/start":
			tally.steps++;
			tally.stepId = event.stepId;
			return [];
		case "attempt/end":
			tally.replyText = event.text;
			if (event.usage) addUsage(tally.usage, event.usage);
			return [];
		case "subagent/changed":
			if (event.usage) addUsage(tally.usage, event.usage);
			return [];
		case "assistant/accepted":
			for (const call of event.calls) tally.names.set(call.callId, call.name);
			return [assistantLine(event, event.text ?? tally.replyText, tally.stepId)];
		case "tool/result":
			if (event.status === "denied")
				tally.denials.push({
					tool_name: tally.names.get(event.callId) ?? "",
					tool_use_id: event.callId,
					reason: event.error?.message ?? event.text,
				});
			return [resultLine(event)];
		default:
			return [];
	}
}

/** A subagent's denied call stands under its own name, with the id of the call that delegated: no line names its own. */
function countDenials(delta: LiveDelta, { names, denials }: Tally): void {
	if (delta.type !== "subagent") return;
	const { callId, agent, event } = delta;
	if (event.type === "tool/call") names.set(`${callId}/${event.callId}`, shownTool(agent, event.name));
	if (event.type !== "tool/result" || event.status !== "denied") return;
	denials.push({
		tool_name: names.get(`${callId}/${event.callId}`) ?? "",
		tool_use_id: callId,
		reason: event.error?.message ?? event.text,
	});
}

function assistantLine(event: EventOf<"assistant/accepted">, text: string, stepId: string) {
	const content: unknown[] = text === "" ? [] : [{ type: "text", text }];
	for (const call of event.calls)
		content.push({ type: "tool_use", id: call.callId, name: call.name, input: call.args });
	return { type: "assistant", message: { role: "assistant", content }, step_id: stepId };
}

function resultLine(event: EventOf<"tool/result">) {
	const { callId, text, status } = event;
	const content = [
		{ type: "tool_result", tool_use_id: callId, content: text, is_error: status !== "result", status },
	];
	return { type: "user", message: { role: "user", content } };
}

/** Live text goes out only where it was asked for; waits and notices go to stderr, so that nobody sits before silence. */
function tellLive(
	notification: Notification & { kind: "live" },
	options: PrintOptions,
	emit: (line: unknown) => void,
): void {
	const { delta } = notification;
	if (options.includePartialMessages && delta.type === "text")
		emit({ type: "stream_event", event: { type: "text_delta", text: delta.text } });
	if (options.includePartialMessages && delta.type === "withdrawn")
		emit({ type: "stream_event", event: { type: "text_withdrawn", text: delta.text } });
	if (delta.type === "waiting" && delta.for === "retry") options.say(delta.detail);
	if (delta.type === "notice") options.say(delta.text);
}

function writeResult(
	options: PrintOptions,
	client: Client,
	tally: Tally,
	ended: { end: TurnEnd; costUsd: number | null },
): ExitCode {
	const { end } = ended;
	const code = exitCodeOf(end);
	const line = {
		type: "result",
		subtype: subtypeOf(end),
		is_error: code !== 0,
		result: end.answer,
		session_id: client.greeting.sessionId,
		num_steps: tally.steps,
		duration_ms: Math.round(options.now() - tally.startedAt),
		usage: {
			input_tokens: tally.usage.inputTokens,
			output_tokens: tally.usage.outputTokens,
			cached_input_tokens: tally.usage.cachedInputTokens,
			reasoning_tokens: tally.usage.reasoningTokens,
		},
		total_cost_usd: ended.costUsd,
		permission_denials: tally.denials,
		...(code === 0 ? {} : { error: end.reason ?? end.answer }),
	};
	if (options.format !== "text") options.write(`${JSON.stringify(line)}\n`);
	else if (code === 0 || end.code === "limit")
		options.write(end.answer === "" ? "" : `${end.answer.trimEnd()}\n`);
	if (tally.denials.length > 0) options.say(denialSummary(tally));
	if (code !== 0) options.say(end.reason ?? end.answer);
	return code;
}

/** For the person: without what is said to the model alone, and with the way out where a yes was missing. */
function denialSummary({ denials }: Tally): string {
	const told = denials.map(({ tool_name, reason }) => `${tool_name}: ${reason.replace(FOR_THE_MODEL, "")}`);
	const isUnasked = denials.some(({ reason }) => reason.includes("nobody can be asked"));
	return `Denied: ${[...new Set(told)].join("; ")}${isUnasked ? WAY_OUT : ""}`;
}

const FOR_THE_MODEL = / Do without it, and say what could not be done\.$/;
const WAY_OUT = "\nRun agi in a terminal, where it asks, or allow more: --permission-mode, --allowed-tools.";

function subtypeOf(end: TurnEnd): string {
	if (end.status === "completed") return "success";
	switch (end.code) {
		case "limit":
			return "error_limit";
		case "auth":
			return "error_auth";
		case "model":
		case "refusal":
		case "context":
			return "error_model";
		case "cancelled":
		case "denied":
			return "error_cancelled";
		case "person_needed":
			return "error_blocked";
		default:
			return "error";
	}
}

function addUsage(sum: Usage, usage: Usage): void {
	sum.inputTokens += usage.inputTokens;
	sum.outputTokens += usage.outputTokens;
	sum.cachedInputTokens += usage.cachedInputTokens;
	sum.reasoningTokens += usage.reasoningTokens;
}
