// A model that plays a list of replies, for tests and demonstrations. It keeps the port's promises: one outcome per
// request, the body shown before anything happens, an abort answered at once. It never invents a reply.

import type { Model, ModelDelta, ModelOutcome, ModelRequest, ModelStreamOptions } from "../../ports/model.ts";
import type { FinishReason, ModelFailure, ModelReply, Usage } from "../../types.ts";
import { CANCELLED } from "./failures.ts";

/** One reply in short form. With `failure` it fails after what else it holds; with `hang` it waits for the abort. */
export interface ScriptedReply {
	text?: string;
	reasoning?: string;
	/** A string as `args` stays as it is, valid JSON or not. */
	calls?: { id?: string; name: string; args?: Record<string, unknown> | string }[];
	/** Default: `tool_calls` with calls, `stop` without. */
	finish?: FinishReason;
	/** null: the server tells none. Default: 100 in, 10 out. */
	usage?: Usage | null;
	failure?: ModelFailure;
	hang?: true;
}

export interface ScriptedModel extends Model {
	/** Each request so far, with the body it was prepared as. */
	readonly requests: readonly { request: ModelRequest; body: string }[];
}

/**
 * A model whose n-th request gets the n-th reply, or what a function makes of the request. Past the end it fails with
 * kind `invalid_request` and says so.
 */
export function createScriptedModel(
	script: readonly ScriptedReply[] | ((request: ModelRequest, index: number) => ScriptedReply | undefined),
	options: { name?: string; profile?: string; baseUrl?: string } = {},
): ScriptedModel {
	const name = options.name ?? "scripted";
	const requests: { request: ModelRequest; body: string }[] = [];

	async function stream(
		request: ModelRequest,
		{ signal, onPrepared, onDelta }: ModelStreamOptions,
	): Promise<ModelOutcome> {
		const empty: ModelReply = { text: "", reasoning: "", calls: [] };
		if (signal.aborted) return { ok: false, failure: CANCELLED, partial: empty };
		const body = JSON.stringify({ model: name, ...request, stream: true });
		await onPrepared(body);
		const index = requests.push({ request, body }) - 1;
		const entry = typeof script === "function" ? script(request, index) : script[index];
		if (!entry) return { ok: false, failure: scriptEnded(index), partial: empty };
		const { finish, ...begun } = toReply(entry, index);
		for (const delta of deltasOf(begun)) {
			if (signal.aborted) break;
			onDelta(delta);
		}
		if (entry.hang) await aborted(signal);
		if (signal.aborted) return { ok: false, failure: CANCELLED, partial: begun };
		if (entry.failure) return { ok: false, failure: entry.failure, partial: begun };
		return { ok: true, reply: { ...begun, ...(finish && { finish }) } };
	}

	return {
		name,
		profile: options.profile ?? "scripted",
		baseUrl: options.baseUrl ?? "scripted:",
		stream,
		requests,
	};
}

function toReply(entry: ScriptedReply, index: number): ModelReply {
	const calls = (entry.calls ?? []).map(({ id, name, args }, position) => ({
		id: id ?? `call_${index}_${position}`,
		name,
		arguments: typeof args === "string" ? args : JSON.stringify(args ?? {}),
	}));
	const told = { inputTokens: 100, outputTokens: 10, cachedInputTokens: 0, reasoningTokens: 0 };
	const usage = entry.usage === undefined && !entry.failure && !entry.hang ? told : entry.usage;
	return {
		text: entry.text ?? "",
		reasoning: entry.reasoning ?? "",
		calls,
		finish: entry.finish ?? (calls.length > 0 ? "tool_calls" : "stop"),
		...(usage && { usage }),
	};
}

/** What streams: text in pieces, as servers send it. */
function deltasOf(reply: ModelReply): ModelDelta[] {
	return [
		...(reply.reasoning === "" ? [] : [{ type: "reasoning" as const, text: reply.reasoning }]),
		...(reply.text.match(/[\s\S]{1,24}/gu) ?? []).map((text) => ({ type: "text" as const, text })),
		...reply.calls.map(({ name }) => ({ type: "call" as const, name })),
	];
}

function scriptEnded(index: number): ModelFailure {
	const message = `The script has no reply for request ${index + 1}. Add one to the test.`;
	return { kind: "invalid_request", message, retryable: false };
}

function aborted(signal: AbortSignal): Promise<void> {
	return new Promise((resolve) => {
		if (signal.aborted) resolve();
		else signal.addEventListener("abort", () => resolve(), { once: true });
	});
}
