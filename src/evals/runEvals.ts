// A whole evaluation: suites in, reports and an exit code out. It looks at everything that can be wrong before it spends
// anything, and keeps each trial the moment it ends.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { listModels } from "../adapters/models/listModels.ts";
import type { AnyTool } from "../ports/tool.ts";
import { AgiError, type ExitCode } from "../types.ts";
import { countOf } from "../ui/view/format.ts";
import { recordedCost } from "../wire/activeModel.ts";
import { compareRuns, comparisonText } from "./compareRuns.ts";
import { addUsage, type EvalModel, NO_USAGE } from "./evalModel.ts";
import { type Judge, judgeEvaluator } from "./judge.ts";
import { runMultiTurn } from "./multiTurn.ts";
import { copyPrompts, type PromptCopy, type PromptSource } from "./promptCopy.ts";
import { reportHtml } from "./reportHtml.ts";
import { reportJunit, reportMarkdown, reportTable } from "./reportText.ts";
import { createRunFolder, type RunFolder, readRun, resumeRunFolder } from "./runFolder.ts";
import { runSuite, trialKey } from "./runSuite.ts";
import { runSingleTurn } from "./singleTurn.ts";
import { summarizeSuite } from "./summarize.ts";
import type {
	EvalData,
	Execution,
	LocatedCase,
	MultiTurnEvalData,
	RunReport,
	Suite,
	Trial,
	WorkspaceData,
	WorkspaceTarget,
} from "./types.ts";
import { runWorkspaceTask } from "./workspaceTask.ts";

/** How an evaluation is run; times in milliseconds. */
export interface EvalOptions {
	model: EvalModel;
	judge?: Judge | undefined;
	concurrency: number;
	repeats: number;
	retries: number;
	timeoutMs: number;
	/** US dollars for the model under test; what the judge costs is told in tokens. */
	maxCostUsd?: number;
	seed?: number;
	/** Tools by name in place of agi's own, for single-turn cases: to see what another description does. */
	tools?: Readonly<Record<string, AnyTool>>;
	/** Where the prompts are that cases are asked with beside agi's own. */
	prompts?: PromptSource;
	/** Folder of all runs. */
	runsFolder: string;
	/** The run to go on with, and the run to compare with, by id. */
	resume?: string;
	compare?: string;
	/** The command that starts agi, and the repository that cases without a project work in. */
	agi: readonly string[];
	repository: string;
	env: Readonly<Record<string, string | undefined>>;
	notices?: readonly string[];
	signal: AbortSignal;
	now(): number;
	/** Waits between two tries to reach the model. */
	wait(ms: number): Promise<void>;
	/** Hears of each trial that ended. */
	onProgress?(done: number, all: number, trial: Trial): void;
	/** Hears of the finished run, with its suites. Must not reject. */
	onReport?(run: RunReport, suites: readonly Suite[]): Promise<void>;
}

/** A finished evaluation. `text` is for the terminal. */
export interface EvalEnd {
	run: RunReport;
	text: string;
	folder: string;
	exitCode: ExitCode;
	/** Why the exit code is not 0, for the person; "" where it is. */
	reason: string;
}

/** First wait before a retry; doubled each time. */
const FIRST_PAUSE_MS = 500;

/** Runs the suites. Rejects with `AgiError` for what is wrong before the start. */
export async function runEvals(suites: readonly Suite[], options: EvalOptions): Promise<EvalEnd> {
	const { model, repeats, now } = options;
	refuseUnpriced(options);
	await refuseUnreachable(suites, model);
	const before =
		options.compare === undefined ? undefined : await readRun(options.runsFolder, options.compare);
	const cap = options.maxCostUsd;
	const folder = await openFolder(options);
	const scratch = await mkdtemp(join(tmpdir(), "agi-evals-"));
	const prompts = options.prompts ? await copyPrompts(options.prompts, join(scratch, "prompts")) : undefined;
	const judged = suites.map((suite) => withJudge(suite, options.judge));
	const started = now();
	let spent = 0;
	let unknownCost = false;
	let done = 0;
	const all = countOwed(judged, repeats, folder.done);
	for (const { costUsd } of folder.done.values()) {
		spent += costUsd ?? 0;
		unknownCost ||= costUsd === null;
	}
	const stopReason = (): string | undefined => {
		if (cap === undefined) return undefined;
		if (unknownCost) return `What ${model.name} used or costs is not known, so --max-cost cannot hold.`;
		return spent >= cap ? `The cap of $${cap} is reached.` : undefined;
	};
	try {
		const reports = [];
		for (const suite of judged) {
			const trials = await runSuite(suite, {
				execute: (_, given, repeat, signal) =>
					execute(suite, given, repeat, { ...options, scratch, copy: prompts, signal }),
				// Each job in a project starts a program and a check of its own.
				concurrency: suite.kind === "workspace" ? Math.min(2, options.concurrency) : options.concurrency,
				repeats,
				retries: options.retries,
				timeoutMs: options.timeoutMs,
				pause: (attempt) => options.wait(FIRST_PAUSE_MS * 2 ** (attempt - 1)),
				now,
				done: folder.done,
				stopReason,
				signal: options.signal,
				async onTrial(trial) {
					spent += trial.costUsd ?? 0;
					unknownCost ||= trial.costUsd === null;
					await folder.keep(trial);
					done++;
					// What an ended run leaves out needs no line each.
					if (!options.signal.aborted) options.onProgress?.(done, all, trial);
				},
			});
			const thresholds = model.offline ? suite.thresholds.offline : suite.thresholds.model;
			reports.push(summarizeSuite(suite, trials, thresholds, repeats));
		}
		const run = finish(reports, folder, options, now() - started);
		return await report(run, judged, before, folder, options, stopReason());
	} finally {
		await rm(scratch, { recursive: true, force: true });
	}
}

/** Trials of these suites that are not done yet; a run that is taken up again may hold others. */
function countOwed(suites: readonly Suite[], repeats: number, done: RunFolder["done"]): number {
	const keys = suites.flatMap(({ name, cases }) =>
		cases.flatMap(({ id }) =>
			Array.from({ length: repeats }, (_, repeat) => trialKey({ suite: name, caseId: id, repeat })),
		),
	);
	return keys.filter((key) => !done.has(key)).length;
}

/** A cap that cannot hold is refused before it matters. */
function refuseUnpriced({ model, maxCostUsd }: EvalOptions): void {
	if (maxCostUsd === undefined || model.choice.kind !== "model") return;
	const { model: name, profile, baseUrl } = model.choice;
	if (recordedCost({ model: name, profile, baseUrl, contextWindow: 0 }, NO_USAGE) !== undefined) return;
	throw new AgiError(
		"PRICE_UNKNOWN",
		`The price of ${name} is not known, so --max-cost cannot hold. Nothing was spent. Leave --max-cost out.`,
		{ exitCode: 53 },
	);
}

/** One look at the server, which costs nothing: else each case would find out by itself, after its retries. */
async function refuseUnreachable(suites: readonly Suite[], { name, choice }: EvalModel): Promise<void> {
	if (choice.kind !== "model") return;
	const listed = await listModels(choice);
	// Not every server lists its models, so only what no request can get past counts.
	if (listed.ok || !["network", "timeout", "auth"].includes(listed.failure.kind)) return;
	const first = suites.flatMap(({ cases }) => cases)[0];
	const where = first
		? `${first.file}:${first.line}: ${first.id} and the other cases need the model ${name}. `
		: "";
	throw new AgiError("UNREACHABLE", `${where}Nothing was spent. ${listed.failure.message}`, {
		exitCode: listed.failure.kind === "auth" ? 41 : 1,
	});
}

function openFolder(options: EvalOptions): Promise<RunFolder> {
	const { runsFolder, resume, model, repeats, seed = null } = options;
	if (resume !== undefined) return resumeRunFolder(runsFolder, resume, { model: model.name, repeats, seed });
	const startedAt = new Date(options.now()).toISOString();
	const id = `${startedAt.slice(0, 23).replace(/[-:.]/g, "").replace("T", "-")}-${model.name.replace(/[^\w.-]/g, "_").slice(0, 40)}`;
	return createRunFolder(runsFolder, { id, startedAt, model: model.name, repeats, seed });
}

function withJudge(suite: Suite, judge: Judge | undefined): Suite {
	if (!judge || suite.kind === "single-turn") return suite;
	return { ...suite, evaluators: { ...suite.evaluators, llmJudge: judgeEvaluator(judge) } };
}

function execute(
	suite: Suite,
	given: LocatedCase,
	repeat: number,
	options: EvalOptions & { scratch: string; copy: PromptCopy | undefined; signal: AbortSignal },
): Promise<Execution> {
	const { model, scratch, copy: prompts, signal } = options;
	const seed = options.seed === undefined ? {} : { seed: options.seed + repeat };
	switch (suite.kind) {
		case "single-turn":
			return runSingleTurn(given.data as EvalData, {
				model,
				signal,
				prompts,
				...seed,
				...(options.tools ? { tools: options.tools } : {}),
			});
		case "multi-turn":
			return runMultiTurn(given.data as MultiTurnEvalData, { model, scratch, signal, prompts, ...seed });
		case "workspace": {
			const { agi, repository, env, prompts: own } = options;
			const at = { model, agi, repository, env, signal, file: given.file, prompts: own };
			return runWorkspaceTask(given.data as WorkspaceData, given.target as WorkspaceTarget, at);
		}
		default: {
			const unknown: never = suite.kind;
			throw new AgiError("BUG", `no kind of suite ${String(unknown)}`);
		}
	}
}

function finish(
	suites: RunReport["suites"],
	folder: RunFolder,
	options: EvalOptions,
	durationMs: number,
): RunReport {
	const trials = suites.flatMap((suite) => suite.cases.flatMap((report) => report.trials));
	const costs = trials.map((trial) => trial.costUsd);
	const unjudged = trials.filter((trial) => trial.reasons["llmJudge"]?.startsWith("Not judged")).length;
	const judge = options.judge?.used();
	return {
		version: 1,
		...folder.head,
		offline: options.model.offline,
		judge: options.judge?.model ?? null,
		usage: trials.reduce((sum, trial) => addUsage(sum, trial.usage), NO_USAGE),
		costUsd: costs.includes(null) ? null : costs.reduce((sum: number, cost) => sum + (cost ?? 0), 0),
		durationMs: Math.round(durationMs),
		suites,
		notices: [
			...(options.notices ?? []),
			...(judge ? [`The judge used ${judge.inputTokens} tokens in and ${judge.outputTokens} out.`] : []),
			...(unjudged > 0 ? [`The judge failed: ${countOf(unjudged, "trial")} not judged.`] : []),
		],
		ok: suites.every((suite) => suite.missed.length === 0 && suite.errors === 0),
	};
}

async function report(
	run: RunReport,
	suites: readonly Suite[],
	before: RunReport | undefined,
	folder: RunFolder,
	options: EvalOptions,
	capReason: string | undefined,
): Promise<EvalEnd> {
	await folder.write("run.json", `${JSON.stringify(run)}\n`);
	await folder.write("report.md", reportMarkdown(run));
	await folder.write("report.html", reportHtml(run));
	await folder.write("junit.xml", reportJunit(run));
	await options.onReport?.(run, suites);
	const compared = before ? comparisonText(compareRuns(before, run)) : "";
	const text = `${reportTable(run)}${compared}Reports: ${folder.path}\n`;
	const end = { run, text, folder: folder.path };
	if (options.signal.aborted)
		return { ...end, exitCode: 130, reason: `The run was ended. --resume ${run.id} goes on with it.` };
	if (capReason !== undefined) return { ...end, exitCode: 53, reason: capReason };
	if (run.ok) return { ...end, exitCode: 0, reason: "" };
	return { ...end, exitCode: 1, reason: reasonOf(run) };
}

function reasonOf({ suites }: RunReport): string {
	const errors = suites.reduce((sum, suite) => sum + suite.errors, 0);
	const missed = suites.flatMap((suite) => suite.missed).length;
	return [
		...(missed > 0 ? [`${countOf(missed, "threshold")} missed.`] : []),
		...(errors > 0 ? [`${countOf(errors, "trial")} could not be run.`] : []),
	].join(" ");
}
