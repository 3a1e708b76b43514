// Sends evaluations to Laminar where a key is set. It is a second way to look at the scores and decides nothing: the
// runner's exit code never depends on it. The vendor is loaded only here, and only with a key.

import { createRequire } from "node:module";
import { join } from "node:path";
import type { RunReport, Suite, Trial } from "../src/evals/types.ts";
import { multiTurnWithMocks, singleTurnExecutor } from "./executors.ts";

interface Datapoint {
	data: { id: string; input: unknown };
	target: Record<string, unknown>;
}

/** The key, under either of its names. */
export function laminarKey(env: NodeJS.ProcessEnv = process.env): string | undefined {
	return env["LMNR_PROJECT_API_KEY"] || env["LMNR_API_KEY"] || undefined;
}

/**
 * For `npx lmnr eval evals/NAME.eval.ts`: hands the suite over, and Laminar's own runner runs it. Does nothing where this
 * file is loaded by anybody else.
 */
export function offerToLaminar(suite: Suite): void {
	if (!("_set_global_evaluation" in globalThis) || suite.kind === "workspace") return;
	// Its runner looks for evaluations the moment this file is loaded, so nothing may be waited for.
	const load = createRequire(join(process.cwd(), "evals", "laminar.ts"));
	const { evaluate } = load("@lmnr-ai/lmnr") as typeof import("@lmnr-ai/lmnr");
	void evaluate<Datapoint["data"], Datapoint["target"], Record<string, unknown>>({
		data: datapoints(suite),
		executor: async ({ input }) => ({
			...(suite.kind === "single-turn"
				? await singleTurnExecutor(input as never)
				: await multiTurnWithMocks(input as never)),
		}),
		evaluators: Object.fromEntries(
			Object.entries(suite.evaluators).map(([name, evaluator]) => [
				name,
				async (output: unknown, target?: Datapoint["target"]) =>
					asRecord(name, scoreOf(await evaluator(output as never, target as never))),
			]),
		),
		groupName: suite.name,
	});
}

/** Sends what a run has scored; resolves with sentences about what could not be sent. Asks no model again. */
export async function reportToLaminar(
	run: RunReport,
	suites: readonly Suite[],
	key: string,
): Promise<string[]> {
	const { evaluate } = await import("@lmnr-ai/lmnr");
	const failures: string[] = [];
	for (const suite of suites) {
		const report = run.suites.find(({ name }) => name === suite.name);
		const trials = new Map<string, Trial>();
		for (const { id, trials: own } of report?.cases ?? [])
			if (own[0]?.outcome === "scored") trials.set(id, own[0]);
		const data = datapoints(suite).filter((point) => trials.has(point.data.id));
		if (data.length === 0) continue;
		const sent = await evaluate<Datapoint["data"], Datapoint["target"], Record<string, unknown>>({
			data,
			executor: ({ id }) => ({ ...trials.get(id) }),
			evaluators: Object.fromEntries(
				Object.keys(suite.evaluators).map((name) => [
					name,
					(trial: Partial<Trial>) => asRecord(name, trial.scores?.[name] ?? null),
				]),
			),
			groupName: suite.name,
			name: run.id,
			config: { projectApiKey: key },
		}).catch((error: unknown) => ({ errorMessage: error instanceof Error ? error.message : String(error) }));
		if (sent && "errorMessage" in sent && sent.errorMessage)
			failures.push(`Laminar did not take ${suite.name}: ${sent.errorMessage}`);
	}
	return failures;
}

function datapoints(suite: Suite): Datapoint[] {
	return suite.cases.map(({ id, data, target }) => ({
		data: { id, input: data },
		target: target as Record<string, unknown>,
	}));
}

function scoreOf(scored: number | null | { score: number | null }): number | null {
	return typeof scored === "object" && scored !== null ? scored.score : scored;
}

/** Laminar knows no "not applicable": a score that is none is left out. */
function asRecord(name: string, score: number | null): Record<string, number> {
	return score === null ? {} : { [name]: score };
}
