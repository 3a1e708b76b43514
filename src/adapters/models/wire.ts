// Our fetch under the SDK: it shows the body before the first byte leaves, sends one request, and hands the SDK a
// canonical event stream that always ends well. What went wrong is told beside it, in the Exchange, so that nothing
// that had come is lost. It never retries, never follows a redirect and never lets the key out.

import { AsyncLocalStorage } from "node:async_hooks";
import type { ModelFailure } from "../../types.ts";
import type { CanonicalChunk } from "./canonical.ts";
import { CANCELLED, type Endpoint, failureOfAnswer, failureOfSilence, failureOfThrown } from "./failures.ts";
import { Headers } from "./headers.ts";
import type { HttpFetch, HttpResponse } from "./httpFetch.ts";
import { wellFormedJson } from "./json.ts";
import { createReplyReader } from "./replyReader.ts";

export interface WireOptions extends Endpoint {
	/** Longest silence inside a reply, in milliseconds. */
	chunkTimeoutMs: number;
	/** Longest silence before its first byte. */
	firstByteTimeoutMs: number;
	fetch: HttpFetch;
}

/** One request: what the caller wants told, and what became of it. */
export interface Exchange {
	signal: AbortSignal;
	onPrepared(body: string): Promise<void>;
	/** Bytes came that carry nothing to show. */
	onAlive(): void;
	/** Set where `onPrepared` rejected: nothing was sent. */
	refused?: { error: unknown };
	/** Set where the reply does not count. */
	failure?: ModelFailure;
	/** Facts about the reply that the SDK does not tell. */
	notes?: Record<string, unknown>;
}

export interface Wire {
	/** For the SDK; works only inside `run`. */
	fetch: typeof fetch;
	/** Runs `send`, whose one request belongs to `exchange`. */
	run<T>(exchange: Exchange, send: () => Promise<T>): Promise<T>;
}

/** The wire to one endpoint. Several exchanges may run at once. */
export function createWire(options: WireOptions): Wire {
	const current = new AsyncLocalStorage<Exchange>();

	async function wireFetch(input: string | URL | Request, init?: RequestInit): Promise<Response> {
		const exchange = current.getStore();
		if (!exchange || typeof init?.body !== "string")
			throw new Error("The wire carries only requests of its own model.");
		// Whatever a program, a result or an old log holds: a server must be able to read it.
		const body = wellFormedJson(init.body);
		try {
			await exchange.onPrepared(body);
		} catch (error) {
			exchange.refused = { error };
			throw error;
		}
		// Of all that a fetch takes, the SDK sends a record.
		const headers = init.headers as Record<string, string>;
		return send(String(input), headers, body, exchange, options);
	}

	return { fetch: wireFetch, run: (exchange, send) => current.run(exchange, send) };
}

/** How long the rest of a finished reply (usage, end marker, end of the body) may take. */
const GRACE_MS = 2000;

async function send(
	url: string,
	given: Record<string, string>,
	body: string,
	exchange: Exchange,
	options: WireOptions,
): Promise<Response> {
	const watch = createWatch(exchange.signal);
	try {
		const headers = Object.fromEntries(new Headers(given));
		// The SDK sends an empty one where there is no key; some servers refuse that.
		if (headers["authorization"]?.trim() === "Bearer") delete headers["authorization"];
		watch.expect(options.firstByteTimeoutMs);
		const response = await options.fetch(url, {
			method: "POST",
			headers,
			body,
			redirect: "manual",
			signal: watch.signal,
		});
		if (response.ok) return canonicalResponse(canonicalFrames(response, exchange, options, watch), watch);
		const answer = { status: response.status, headers: response.headers, body: await readHead(response) };
		exchange.failure = failureOfAnswer(answer, options, Date.now());
	} catch (error) {
		exchange.failure = failureOfBreak(error, exchange, options, watch, false);
	}
	watch.end();
	throw new Error(exchange.failure.message);
}

/** The canonical frames of a reply, one string per read that brought something. Never throws. */
async function* canonicalFrames(
	response: HttpResponse,
	exchange: Exchange,
	options: WireOptions,
	watch: Watch,
): AsyncGenerator<string> {
	const reply = createReplyReader(options);
	const reader = response.body?.[Symbol.asyncIterator]();
	let hasBegun = false;
	try {
		while (reader && !reply.isOver) {
			const { done, value } = await reader.next();
			if (done) break;
			hasBegun = true;
			const frames = asFrames(reply.push(value));
			watch.expect(Math.min(options.chunkTimeoutMs, reply.isAnswered ? GRACE_MS : Number.POSITIVE_INFINITY));
			if (frames === "") exchange.onAlive();
			else yield frames;
		}
	} catch (error) {
		// A server that said why it stopped and then breaks off has given a whole reply.
		if (exchange.signal.aborted || !reply.isAnswered) {
			exchange.failure = failureOfBreak(error, exchange, options, watch, hasBegun);
		}
	}
	const { chunks, failure, notes } = reply.end();
	exchange.notes = notes;
	if (failure) exchange.failure ??= failure;
	if (exchange.failure || !reader) watch.end();
	else drain(reader, watch);
	yield `${asFrames(chunks)}data: [DONE]\n\n`;
}

/** Reads what follows the end marker, so that the connection can carry the next request. */
function drain(reader: AsyncIterator<Uint8Array>, watch: Watch): void {
	watch.expect(GRACE_MS);
	const readOn = async () => {
		while (!(await reader.next()).done);
	};
	readOn().then(watch.end, watch.end);
}

interface Watch {
	/** Aborted by the person or by silence. */
	signal: AbortSignal;
	/** Hangs up unless called again (or ended) within `ms`. */
	expect(ms: number): void;
	/** The silence that made it hang up, in milliseconds. */
	silence(): number | undefined;
	/** Lets go of the timer and the signal, and hangs up what is still open. */
	end(): void;
}

function createWatch(outer: AbortSignal): Watch {
	const inner = new AbortController();
	let timer: NodeJS.Timeout | undefined;
	let silence: number | undefined;
	const hangUp = () => inner.abort(outer.reason);
	if (outer.aborted) hangUp();
	outer.addEventListener("abort", hangUp, { once: true });
	return {
		signal: inner.signal,
		expect(ms) {
			clearTimeout(timer);
			timer = setTimeout(() => {
				silence = ms;
				inner.abort();
			}, ms);
		},
		silence: () => silence,
		end() {
			clearTimeout(timer);
			outer.removeEventListener("abort", hangUp);
			// With a reason of its own no error has to be made for nobody.
			inner.abort("over");
		},
	};
}

function failureOfBreak(
	error: unknown,
	exchange: Exchange,
	options: WireOptions,
	watch: Watch,
	hasBegun: boolean,
): ModelFailure {
	if (exchange.signal.aborted) return CANCELLED;
	const silence = watch.silence();
	return silence === undefined
		? failureOfThrown(error, options)
		: failureOfSilence(Math.round(silence / 1000), hasBegun, options);
}

/** The first 64 KB of an answer's text. */
async function readHead(response: HttpResponse): Promise<string> {
	const decoder = new TextDecoder();
	let text = "";
	for await (const bytes of response.body ?? []) {
		text += decoder.decode(bytes, { stream: true });
		if (text.length > 65_536) break;
	}
	return text;
}

function asFrames(chunks: CanonicalChunk[]): string {
	return chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join("");
}

/**
 * What the SDK reads of a response: a real one would load the runtime's own fetch, and a real stream's lock costs
 * milliseconds to let go.
 */
function canonicalResponse(frames: AsyncGenerator<string>, watch: Watch): Response {
	const encoder = new TextEncoder();
	const reader = {
		async read() {
			const { done, value } = await frames.next();
			return done ? { done, value: undefined } : { done: false, value: encoder.encode(value) };
		},
		releaseLock: () => undefined,
		cancel: async () => watch.end(),
	};
	const headers = new Headers({ "content-type": "text/event-stream" });
	return { ok: true, status: 200, headers, body: { getReader: () => reader } } as unknown as Response;
}
