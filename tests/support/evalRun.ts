// An evaluation in a temporary folder, with everything that a test does not care about filled in.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import type { EvalModel } from "../../src/evals/evalModel.ts";
import { evalModel } from "../../src/evals/evalModel.ts";
import type { EvalOptions } from "../../src/evals/runEvals.ts";
import { EVALUATORS } from "../../src/evals/suites.ts";
import type { EvalCase, Suite, Thresholds } from "../../src/evals/types.ts";
import { AGI } from "./program.ts";

const folders: string[] = [];
afterAll(() => {
	for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** A folder that is removed with the test file. */
export function temporaryFolder(): string {
	const folder = mkdtempSync(join(tmpdir(), "agi-evals-test-"));
	folders.push(folder);
	return folder;
}

/** A model behind a server on this machine. */
export function servedModel(baseUrl: string): EvalModel {
	return evalModel({ kind: "model", model: "played", profile: "custom", baseUrl });
}

/** Options for a run of one trial a case that waits for nothing. */
export function evalOptions(model: EvalModel, more: Partial<EvalOptions> = {}): EvalOptions {
	return {
		model,
		concurrency: 4,
		repeats: 1,
		retries: 0,
		timeoutMs: 20_000,
		runsFolder: temporaryFolder(),
		agi: [AGI],
		repository: temporaryFolder(),
		env: { PATH: process.env["PATH"], HOME: temporaryFolder() },
		signal: new AbortController().signal,
		now: Date.now,
		wait: async () => undefined,
		...more,
	};
}

/** A suite of single-turn cases. */
export function singleTurnSuite(cases: readonly EvalCase[], thresholds: Thresholds = {}): Suite {
	return {
		name: "suite",
		kind: "single-turn",
		cases: cases.map((given, at) => ({ ...given, file: "cases.json", line: at + 1 })),
		evaluators: EVALUATORS["single-turn"],
		thresholds: { model: thresholds, offline: thresholds },
	};
}
