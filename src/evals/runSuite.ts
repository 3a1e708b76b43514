// Runs the cases of a suite: several at once, each several times, and hands out one trial after the other. A trial that
// could not be run is told apart from one that went badly; nothing is asked once the money is spent.

import { AgiError } from "../types.ts";
import { addUsed, ModelUnavailable, NO_USAGE, type Used } from "./evalModel.ts";
import type {
	Execution,
	LocatedCase,
	Score,
	SingleTurnResult,
	Suite,
	Trial,
	WorkspaceResult,
} from "./types.ts";

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

/** Longest wait for a trial to end after its abort, in milliseconds. */
const PATIENCE_MS = 8_000;

/** The result of a trial that did nothing, of every kind of suite at once. */
const NOTHING: SingleTurnResult & WorkspaceResult = {
	toolCalls: [],
	toolNames: [],
	selectedAny: false,
	text: "",
	steps: [],
	toolsUsed: [],
	toolCallOrder: [],
	verified: false,
	checkOutput: "",
	broken: [],
};

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
	};
	let used: Used = { usage: NO_USAGE, costUsd: 0 };
	for (let retries = 0; ; retries++) {
		const end = (rest: Partial<Trial> & Pick<Trial, "outcome">): Trial => ({
			...base,
			...used,
			retries,
			durationMs: Math.round(options.now() - started),
			...rest,
		});
		const stop = options.signal.aborted ? "The run was cancelled." : options.stopReason();
		if (stop !== undefined) return end({ outcome: "skipped", error: stop });
		const limit = AbortSignal.timeout(options.timeoutMs);
		const signal = AbortSignal.any([options.signal, limit]);
		let output: Trial["output"];
		const execute = async () => {
			const execution = await options.execute(suite, given, repeat, signal);
			used = addUsed(used, execution);
			output = execution.output;
			return execution;
		};
		try {
			const execution = await untilAborted(execute(), signal);
			const scored = await untilAborted(score(suite, given, execution, signal), signal);
			return end({ outcome: "scored", output: execution.output, ...scored });
		} catch (error) {
			const message = error instanceof Error ? error.message : String(error);
			if (error instanceof ModelUnavailable) used = addUsed(used, error.used);
			if (limit.aborted)
				return end({
					outcome: "timeout",
					error: `It took more than ${options.timeoutMs / 1000} s.`,
					scores: await zeros(suite, given),
					...(output ? { output } : {}),
				});
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

/** What comes too late scores 0 by every rule that is meant for the case. */
async function zeros(suite: Suite, given: LocatedCase): Promise<Trial["scores"]> {
	const isJudged = (given.target as { rubric?: string }).rubric !== undefined;
	const scores: Trial["scores"] = {};
	for (const [name, evaluator] of Object.entries(suite.evaluators)) {
		// The judge is not asked about nothing.
		const scored =
			name === "llmJudge" ? (isJudged ? 0 : null) : await evaluator(NOTHING as never, given.target as never);
		const value = typeof scored === "object" && scored !== null ? scored.score : scored;
		scores[name] = value === null ? null : 0;
	}
	return scores;
}

/**
 * Rejects once `signal` is aborted. The work has a moment to clear away what it began; one that does not listen must not
 * hold up the run.
 */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
	return new Promise((resolve, reject) => {
		const abort = () => {
			const patience = setTimeout(() => reject(signal.reason), PATIENCE_MS);
			void Promise.allSettled([work]).then(() => {
				clearTimeout(patience);
				reject(signal.reason);
			});
		};
		if (signal.aborted) abort();
		signal.addEventListener("abort", abort, { once: true });
		work
			.then(
				(value) => !signal.aborted && resolve(value),
				(error) => !signal.aborted && reject(error),
			)
			.finally(() => signal.removeEventListener("abort", abort));
	});
}
