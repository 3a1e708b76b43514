// Runs the cases of a suite: several at once, each several times, and hands out one trial after the other. A trial that
// could not be run is told apart from one that went badly; nothing is asked once the money is spent.

import { AgiError } from "../types.ts";
import { ModelUnavailable, NO_USAGE } from "./evalModel.ts";
import type { Execution, LocatedCase, Score, Suite, Trial } from "./types.ts";

export interface RunOptions {
	/** Runs one case once. */
	execute(suite: Suite, given: LocatedCase, repeat: number, signal: AbortSignal): Promise<Execution>;
	/** Cases at once. */
	concurrency: number;
	/** Trials of each case. */
	repeats: number;
	/** Runs of a trial after one that did not reach the model. */
	retries: number;
	/** Longest time of a trial, in milliseconds, its evaluators included. */
	timeoutMs: number;
	/** Waits before a retry; `attempt` from 1. */
	pause(attempt: number): Promise<void>;
	now(): number;
	/** Trials of an earlier run that count: they are not run again. */
	done?: ReadonlyMap<string, Trial>;
	/** Hears of each new trial, in order of its end. */
	onTrial(trial: Trial): void | Promise<void>;
	/** Says why nothing more may be asked; undefined as long as it may. */
	stopReason(): string | undefined;
	signal: AbortSignal;
}

/** What names a trial within a run. */
export function trialKey({ suite, caseId, repeat }: Pick<Trial, "suite" | "caseId" | "repeat">): string {
	return JSON.stringify([suite, caseId, repeat]);
}

/** Runs every case `repeats` times. Trials come in the order of cases and repeats. */
export async function runSuite(suite: Suite, options: RunOptions): Promise<Trial[]> {
	const jobs = Array.from({ length: options.repeats }, (_, repeat) =>
		suite.cases.map((given) => ({ given, repeat })),
	).flat();
	const trials: Trial[] = new Array(jobs.length);
	let next = 0;
	const worker = async (): Promise<void> => {
		for (let at = next++; at < jobs.length; at = next++) {
			const { given, repeat } = jobs[at]!;
			const known = options.done?.get(trialKey({ suite: suite.name, caseId: given.id, repeat }));
			trials[at] = known ?? (await runTrial(suite, given, repeat, options));
			if (!known) await options.onTrial(trials[at]!);
		}
	};
	await Promise.all(Array.from({ length: Math.max(1, options.concurrency) }, worker));
	return trials;
}

async function runTrial(
	suite: Suite,
	given: LocatedCase,
	repeat: number,
	options: RunOptions,
): Promise<Trial> {
	const started = options.now();
	const base = {
		suite: suite.name,
		caseId: given.id,
		repeat,
		scores: {},
		reasons: {},
		usage: NO_USAGE,
		costUsd: 0,
	};
	for (let retries = 0; ; retries++) {
		const end = (rest: Partial<Trial> & Pick<Trial, "outcome">): Trial => ({
			...base,
			retries,
			durationMs: Math.round(options.now() - started),
			...rest,
		});
		const stop = options.signal.aborted ? "The run was cancelled." : options.stopReason();
		if (stop !== undefined) return end({ outcome: "skipped", error: stop });
		const limit = AbortSignal.timeout(options.timeoutMs);
		const signal = AbortSignal.any([options.signal, limit]);
		try {
			const execution = await untilAborted(options.execute(suite, given, repeat, signal), signal);
			const scored = await untilAborted(score(suite, given, execution, signal), signal);
			return end({ outcome: "scored", ...execution, ...scored });
		} catch (error) {
			const message = error instanceof Error ? error.message : String(error);
			if (limit.aborted)
				return end({ outcome: "timeout", error: `It took more than ${options.timeoutMs / 1000} s.` });
			if (options.signal.aborted) return end({ outcome: "skipped", error: "The run was cancelled." });
			if (error instanceof AgiError && error.code === "UNMET_NEED")
				return end({ outcome: "skipped", error: message });
			const mayRetry =
				error instanceof ModelUnavailable && error.failure.retryable && retries < options.retries;
			if (!mayRetry) return end({ outcome: "error", error: message });
			await options.pause(retries + 1);
		}
	}
}

async function score(
	suite: Suite,
	given: LocatedCase,
	execution: Execution,
	signal: AbortSignal,
): Promise<Pick<Trial, "scores" | "reasons">> {
	const scores: Record<string, Score> = {};
	const reasons: Record<string, string> = {};
	for (const [name, evaluator] of Object.entries(suite.evaluators)) {
		const scored = await evaluator(execution.output as never, given.target as never, signal);
		const { score: value, reason } =
			typeof scored === "object" && scored !== null ? scored : { score: scored, reason: "" };
		scores[name] = value;
		if (reason !== "") reasons[name] = reason;
	}
	return { scores, reasons };
}

/** An executor that does not listen to its signal must not hold up the run. */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
	return new Promise((resolve, reject) => {
		const abort = () => reject(signal.reason);
		signal.addEventListener("abort", abort, { once: true });
		work.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
	});
}
