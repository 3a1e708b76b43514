// Where runs are kept: a folder each, with the trials as they end (so that a run can be taken up again) and the reports.
// Nothing here is ever sent anywhere.

import { appendFile, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { makeFolder } from "../adapters/shellFiles.ts";
import { AgiError } from "../types.ts";
import { trialKey } from "./runSuite.ts";
import type { RunReport, Trial } from "./types.ts";

/** What a run was started with: taken up again, it must be the same. */
export interface RunHead {
	id: string;
	startedAt: string;
	model: string;
	repeats: number;
	seed: number | null;
}

export interface RunFolder {
	path: string;
	head: RunHead;
	/** Trials of the run before it was taken up again. */
	done: ReadonlyMap<string, Trial>;
	keep(trial: Trial): Promise<void>;
	write(name: string, content: string): Promise<void>;
}

/** Makes the folder of a new run. Rejects with exit 42 where it cannot be made. */
export async function createRunFolder(root: string, head: RunHead): Promise<RunFolder> {
	const path = join(root, head.id);
	await makeFolder(path);
	await writeFile(join(path, "trials.jsonl"), `${JSON.stringify(head)}\n`);
	return runFolder(path, head, new Map());
}

/**
 * Opens an earlier run to go on with it; trials that could not be run are run again. Rejects with exit 42 where there is
 * none, or where it was started with another model, seed or number of repeats.
 */
export async function resumeRunFolder(
	root: string,
	id: string,
	expected: Omit<RunHead, "id" | "startedAt">,
): Promise<RunFolder> {
	const path = join(root, id);
	const text = await readFile(join(path, "trials.jsonl"), "utf8").catch(() => undefined);
	if (text === undefined) throw noRun(id, root);
	const [head, ...trials] = text.split("\n").flatMap(readLine) as [RunHead?, ...Trial[]];
	if (!head) throw noRun(id, root);
	for (const key of ["model", "repeats", "seed"] as const)
		if (head[key] !== expected[key])
			throw new AgiError(
				"OTHER_RUN",
				`Run ${id} was started with ${key} ${head[key]}, not ${expected[key]}. Start a new run, or use the same.`,
				{ exitCode: 42 },
			);
	// The next trial must not go on with a line that a killed process left half written.
	if (!text.endsWith("\n")) await appendFile(join(path, "trials.jsonl"), "\n");
	const kept = trials.filter((trial) => trial.outcome === "scored" || trial.outcome === "timeout");
	return runFolder(path, head, new Map(kept.map((trial) => [trialKey(trial), trial])));
}

/** The id of the newest run. Rejects with exit 42 where there is none. */
export async function newestRun(root: string): Promise<string> {
	const ids = await readdir(root).catch(() => []);
	// Ids begin with the time of their start.
	const newest = ids.sort().at(-1);
	if (newest !== undefined) return newest;
	throw new AgiError("NO_RUN", `There is no run in ${root} to go on with.`, { exitCode: 42 });
}

/** A finished run's report. Rejects with exit 42 where there is none. */
export async function readRun(root: string, id: string): Promise<RunReport> {
	const text = await readFile(join(root, id, "run.json"), "utf8").catch(() => undefined);
	if (text === undefined) throw noRun(id, root);
	return JSON.parse(text) as RunReport;
}

function runFolder(path: string, head: RunHead, done: RunFolder["done"]): RunFolder {
	return {
		path,
		head,
		done,
		keep: (trial) => appendFile(join(path, "trials.jsonl"), `${JSON.stringify(trial)}\n`),
		write: (name, content) => writeFile(join(path, name), content),
	};
}

/** A last line that a killed process left half written is no trial. */
function readLine(line: string): unknown[] {
	try {
		return line === "" ? [] : [JSON.parse(line)];
	} catch {
		return [];
	}
}

function noRun(id: string, root: string): AgiError {
	return new AgiError("NO_RUN", `There is no run ${id} in ${root}; its folder's names are the runs.`, {
		exitCode: 42,
	});
}
