import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { NO_USAGE } from "../../src/evals/evalModel.ts";
import { createRunFolder, newestRun, readRun, resumeRunFolder } from "../../src/evals/runFolder.ts";
import type { Trial } from "../../src/evals/types.ts";
import { temporaryFolder } from "../support/evalRun.ts";

const HEAD = { id: "r", startedAt: "2026-11-29T00:00:00.000Z", model: "m", repeats: 1, seed: null };

function trial(caseId: string, outcome: Trial["outcome"] = "scored"): Trial {
	const result = { scores: {}, reasons: {}, usage: NO_USAGE, costUsd: 0, durationMs: 1, retries: 0 };
	return { suite: "s", caseId, repeat: 0, outcome, ...result };
}

describe("resumeRunFolder", () => {
	it("counts what was scored or came too late as done, and nothing else", async () => {
		const root = temporaryFolder();
		const { keep } = await createRunFolder(root, HEAD);
		for (const outcome of ["scored", "timeout", "error", "skipped"] as const)
			await keep(trial(outcome, outcome));
		const { done } = await resumeRunFolder(root, "r", HEAD);
		expect([...done.values()].map(({ caseId }) => caseId)).toEqual(["scored", "timeout"]);
	});

	it("keeps the next trial whole where a killed process left a line half written", async () => {
		const root = temporaryFolder();
		const { path, keep } = await createRunFolder(root, HEAD);
		await keep(trial("first"));
		appendFileSync(join(path, "trials.jsonl"), '{"suite":"s","ca');
		const again = await resumeRunFolder(root, "r", HEAD);
		await again.keep(trial("second"));
		const { done } = await resumeRunFolder(root, "r", HEAD);
		expect([...done.values()].map(({ caseId }) => caseId)).toEqual(["first", "second"]);
	});

	it("finds no run where its first line was never written whole", async () => {
		const root = temporaryFolder();
		const { path } = await createRunFolder(root, HEAD);
		writeFileSync(join(path, "trials.jsonl"), '{"id":');
		await expect(resumeRunFolder(root, "r", HEAD)).rejects.toMatchObject({ code: "NO_RUN", exitCode: 42 });
	});
});

describe("newestRun", () => {
	it("is the one that was started last, and refused where there is none", async () => {
		const root = temporaryFolder();
		await expect(newestRun(root)).rejects.toMatchObject({ code: "NO_RUN", exitCode: 42 });
		for (const id of ["20261129-2-m", "20261129-1-m"]) await createRunFolder(root, { ...HEAD, id });
		expect(await newestRun(root)).toBe("20261129-2-m");
	});
});

describe("readRun", () => {
	it("refuses a run that was never finished", async () => {
		const root = temporaryFolder();
		await createRunFolder(root, HEAD);
		await expect(readRun(root, "r")).rejects.toMatchObject({ code: "NO_RUN", exitCode: 42 });
	});
});
