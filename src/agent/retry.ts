// When a failed request is sent again, and how long to wait before. The rules are pure; only `withRetry`, for one-shot
// requests outside a Turn, waits by itself. Nothing here sends a request again that the failure does not allow.

import type { ModelFailure } from "../types.ts";

export interface RetryPolicy {
	/** How often one request is sent again. */
	retries: number;
	/** The first wait; doubled each time, with chance added. */
	baseMs: number;
	/** Longest wait; a server that asks for more is not waited for. */
	maxWaitMs: number;
	/** Failures in a row after which nothing is sent again, whatever the failure says. */
	breakerAfter: number;
}

export const DEFAULT_RETRY: RetryPolicy = { retries: 3, baseMs: 1000, maxWaitMs: 60_000, breakerAfter: 5 };

/**
 * Milliseconds to wait before the next Attempt, or `give_up`.
 * @param attempt how often this request was sent already, from 1
 * @param random in [0, 1)
 */
export function retryDelay(
	failure: ModelFailure,
	attempt: number,
	random: () => number,
	policy: RetryPolicy = DEFAULT_RETRY,
): number | "give_up" {
	if (!failure.retryable || attempt > policy.retries) return "give_up";
	if ((failure.retryAfterMs ?? 0) > policy.maxWaitMs) return "give_up";
	return waitBefore(attempt, failure.retryAfterMs, random, policy);
}

/**
 * The failure as the person reads it once nothing is sent again: with the wait that the server asks for, or with how
 * often it was tried.
 */
export function describeGiveUp(
	failure: ModelFailure,
	attempt: number,
	policy: RetryPolicy = DEFAULT_RETRY,
): string {
	const wait = failure.retryAfterMs ?? 0;
	if (wait > policy.maxWaitMs)
		return `${failure.message} The server asks to wait ${readableWait(wait)}; send it again then.`;
	if (failure.retryable && attempt > 1) return `${failure.message} Tried ${attempt} times.`;
	return failure.message;
}

/** Counts failed Attempts in a row, over all requests of a session, and says when to stop. */
export interface Breaker {
	/** Call after each Attempt that reached its end; a cancelled one counts as neither. */
	record(outcome: "ok" | "failed"): void;
	/** Call when the person asks anew. */
	reset(): void;
	/** The sentence that says so once it is open; undefined while requests may go on. */
	openReason(): string | undefined;
}

/** A closed breaker. */
export function createBreaker(policy: RetryPolicy = DEFAULT_RETRY): Breaker {
	let failures = 0;
	return {
		record(outcome) {
			failures = outcome === "ok" ? 0 : failures + 1;
		},
		reset() {
			failures = 0;
		},
		openReason: () =>
			failures < policy.breakerAfter
				? undefined
				: `${failures} requests to the model failed in a row, so no more are sent. Send the message again to try anew.`,
	};
}

export interface WithRetryOptions {
	/** Default 3. */
	retries?: number;
	/** Default 1000. */
	baseMs?: number;
	/** Aborts the wait; the error it rejects with is the signal's reason. */
	signal?: AbortSignal;
	/** Resolves after `ms`, or rejects once the signal is aborted. */
	wait?(ms: number, signal?: AbortSignal): Promise<void>;
	/** In [0, 1). */
	random?(): number;
	/** Default: network errors and the statuses 408, 429 and 5xx. */
	isRetryable?(error: unknown): boolean;
}

/** Runs `fn` until it resolves; rejects with its last error once that may not be retried or the tries are used up. */
export async function withRetry<T>(fn: () => Promise<T>, options: WithRetryOptions = {}): Promise<T> {
	const { isRetryable = isPassing, wait = waitFor, random = Math.random, signal } = options;
	const policy = {
		...DEFAULT_RETRY,
		retries: options.retries ?? DEFAULT_RETRY.retries,
		baseMs: options.baseMs ?? DEFAULT_RETRY.baseMs,
	};
	for (let attempt = 1; ; attempt++) {
		signal?.throwIfAborted();
		try {
			return await fn();
		} catch (error) {
			const asked = numberIn(error, "retryAfterMs");
			if (attempt > policy.retries || !isRetryable(error) || (asked ?? 0) > policy.maxWaitMs) throw error;
			await wait(waitBefore(attempt, asked, random, policy), signal);
		}
	}
}

/** What the server asks, else base × 2ⁿ within half and whole of it; a little chance on top of the server's wish. */
function waitBefore(
	attempt: number,
	asked: number | undefined,
	random: () => number,
	policy: RetryPolicy,
): number {
	// Many clients that were told the same moment must not all come at it.
	if (asked !== undefined) return Math.round(asked + random() * Math.min(policy.baseMs, 1000));
	const full = Math.min(policy.baseMs * 2 ** (attempt - 1), policy.maxWaitMs);
	return Math.round(full / 2 + (random() * full) / 2);
}

function isPassing(error: unknown): boolean {
	const status = numberIn(error, "status") ?? numberIn(error, "statusCode");
	if (status !== undefined) return status === 408 || status === 429 || status >= 500;
	if (!(error instanceof Error) || error.name === "AbortError") return false;
	return (
		error.name === "TimeoutError" ||
		/fetch failed|network|socket|ECONN|ETIMEDOUT|EAI_AGAIN/i.test(textOf(error))
	);
}

function textOf(error: Error): string {
	const { code } = error as { code?: unknown };
	const cause = error.cause instanceof Error ? textOf(error.cause) : "";
	return `${error.message} ${typeof code === "string" ? code : ""} ${cause}`;
}

function numberIn(value: unknown, key: string): number | undefined {
	const found =
		typeof value === "object" && value !== null ? (value as Record<string, unknown>)[key] : undefined;
	return typeof found === "number" ? found : undefined;
}

function waitFor(ms: number, signal?: AbortSignal): Promise<void> {
	return new Promise((resolve, reject) => {
		if (signal?.aborted) return reject(signal.reason);
		const stop = () => {
			clearTimeout(timer);
			reject(signal?.reason);
		};
		const timer = setTimeout(() => {
			signal?.removeEventListener("abort", stop);
			resolve();
		}, ms);
		signal?.addEventListener("abort", stop, { once: true });
	});
}

function readableWait(ms: number): string {
	const minutes = Math.ceil(ms / 60_000);
	if (minutes < 120) return `${minutes} minutes`;
	return `${Math.round(minutes / 6) / 10} hours`;
}
