// A run as text: a table for the terminal, Markdown for a change request, JUnit for a build server. Pure.

import { countOf } from "../ui/view/format.ts";
import type { Used } from "./evalModel.ts";
import { trialPassed } from "./summarize.ts";
import type { CaseReport, Mean, RunReport, SuiteReport, Trial } from "./types.ts";

/** Says of the embedded model, wherever a score of it is shown, what it is. */
export const OFFLINE_NOTE =
	"These are scores of the embedded offline model: rules, no AI. They show that the evaluation works, not how well a model does.";

/** Failed cases that the table names for each suite. */
const NAMED_FAILURES = 10;

/** The table for a terminal; ends with a newline. */
export function reportTable(run: RunReport): string {
	const rows = run.suites.flatMap((suite) => [
		[
			suite.name,
			countOf(suite.cases.length, "case"),
			shown(suite.passAt1),
			interval(suite.passAt1),
			"pass@1",
		],
		...repeatRows(suite, run.repeats),
		...Object.entries(suite.evaluators)
			.filter(([, mean]) => mean.n > 0)
			.map(([name, mean]) => ["", `${mean.n}`, shown(mean), interval(mean), name]),
	]);
	const widths = [0, 1, 2, 3].map((at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
	const lines = rows.map((row) =>
		row
			.map((cell, at) => cell.padEnd(widths[at] ?? 0))
			.join("  ")
			.trimEnd(),
	);
	return `${[
		...(run.offline ? [OFFLINE_NOTE, ""] : []),
		...lines,
		...run.suites.flatMap(failureLines),
		"",
		`Model ${run.model}; judge ${run.judge ?? "none"}; ${usedText(run)}; ${(run.durationMs / 1000).toFixed(1)} s`,
		...run.notices,
		...verdictLines(run),
	].join("\n")}\n`;
}

/** The same for Markdown; ends with a newline. */
export function reportMarkdown(run: RunReport): string {
	return `${[
		`# Evaluation of ${run.model}: ${run.ok ? "passed" : "failed"}`,
		...(run.offline ? ["", `> ${OFFLINE_NOTE}`] : []),
		"",
		"| Suite | Score | Mean | 95 % interval | Cases |",
		"|---|---|---|---|---|",
		...run.suites.flatMap((suite) =>
			[["pass@1", suite.passAt1] as const, ...Object.entries(suite.evaluators)]
				.filter(([, mean]) => mean.n > 0)
				.map(
					([name, mean]) => `| ${suite.name} | ${name} | ${shown(mean)} | ${interval(mean)} | ${mean.n} |`,
				),
		),
		"",
		...run.suites.flatMap((suite) => [
			...failedCases(suite).map(
				(report) => `- **${suite.name}/${report.id}** (${report.purpose}): ${whyLost(report)}`,
			),
		]),
		"",
		`Run ${run.id}; ${countOf(run.repeats, "trial")} a case; judge ${run.judge ?? "none"}; ${usedText(run)}.`,
		...run.notices.map((notice) => `- ${notice}`),
		...verdictLines(run),
	].join("\n")}\n`;
}

/** JUnit's XML: a suite each, a case each; what could not be run is an error, what was not run is skipped. */
export function reportJunit(run: RunReport): string {
	const suites = run.suites.map((suite) => {
		const bodies = suite.cases.map(junitBody);
		const cases = suite.cases.map((report, at) => {
			const seconds = report.trials.reduce((sum, trial) => sum + trial.durationMs, 0) / 1000;
			const head = `<testcase classname="${xml(suite.name)}" name="${xml(report.id)}" time="${seconds}" file="${xml(report.file)}" line="${report.line}">`;
			return `    ${head}${bodies[at]}</testcase>`;
		});
		// Of cases, as what stands below them: a case may have several trials that could not be run.
		const count = (element: string) => bodies.filter((body) => body.startsWith(`<${element} `)).length;
		return `  <testsuite name="${xml(suite.name)}" tests="${suite.cases.length}" failures="${count("failure")}" errors="${count("error")}" skipped="${count("skipped")}">\n${cases.join("\n")}\n  </testsuite>`;
	});
	return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="agi evals ${xml(run.model)}">\n${suites.join("\n")}\n</testsuites>\n`;
}

/** Cases of which not every counted trial passed. */
function failedCases(suite: SuiteReport): CaseReport[] {
	return suite.cases.filter((report) => report.counted > 0 && report.passed < report.counted);
}

/** Why a case lost points, in one line: of its first trial that did. */
function whyLost(report: CaseReport): string {
	const trial = report.trials.find((one) => one.outcome !== "skipped" && !trialPassed(one));
	return trial ? whyTrialLost(trial).replace(/\s+/g, " ") : "";
}

/** Why a trial lost points. */
export function whyTrialLost(trial: Trial): string {
	if (trial.outcome !== "scored") return trial.error ?? trial.outcome;
	const low = Object.entries(trial.scores).filter(([, score]) => score !== null && score < 1);
	const called = trial.output ? callsOf(trial.output).join(", ") || "no tool" : "";
	const scores = low.map(
		([name, score]) =>
			`${name} ${score?.toFixed(2)}${trial.reasons[name] ? ` (${trial.reasons[name]})` : ""}`,
	);
	return `${scores.join("; ")}; called ${called}`;
}

/** Names of the tools that were called, in order. */
export function callsOf(output: NonNullable<Trial["output"]>): string[] {
	return "toolNames" in output ? output.toolNames : output.toolCallOrder;
}

function repeatRows(suite: SuiteReport, repeats: number): string[][] {
	if (repeats < 2) return [];
	const share = (value: number) => (suite.passAt1.n === 0 ? "-" : value.toFixed(3));
	return [
		["", "", share(suite.passAtK), "", `pass@${repeats} (any of ${repeats})`],
		["", "", share(suite.passHatK), "", `pass^${repeats} (all of ${repeats})`],
	];
}

function failureLines(suite: SuiteReport): string[] {
	const failed = failedCases(suite);
	if (failed.length === 0) return [];
	const more = failed.length > NAMED_FAILURES ? [`  and ${failed.length - NAMED_FAILURES} more`] : [];
	return [
		"",
		`${suite.name}: ${failed.length} of ${countOf(suite.cases.length, "case")} lost points`,
		...failed.slice(0, NAMED_FAILURES).map((report) => `  ${report.id}: ${whyLost(report).slice(0, 160)}`),
		...more,
	];
}

function verdictLines(run: RunReport): string[] {
	const missed = run.suites.flatMap((suite) => suite.missed.map((what) => `${suite.name}: ${what}`));
	const errors = run.suites.filter((suite) => suite.errors > 0);
	const skipped = run.suites.filter((suite) => suite.skipped > 0);
	return [
		...missed,
		...errors.map(
			(suite) =>
				`${suite.name}: ${countOf(suite.errors, "trial")} could not be run: ${firstError(suite, "error")}`,
		),
		...skipped.map(
			(suite) => `${suite.name}: ${countOf(suite.skipped, "trial")} skipped: ${firstError(suite, "skipped")}`,
		),
		verdict(run.ok, missed.length),
	];
}

function verdict(ok: boolean, missed: number): string {
	if (ok) return "Every threshold is met.";
	return missed > 0 ? "Not every threshold is met." : "Not every trial could be run.";
}

function firstError(suite: SuiteReport, outcome: Trial["outcome"]): string {
	return (
		suite.cases.flatMap((report) => report.trials).find((trial) => trial.outcome === outcome)?.error ?? ""
	);
}

function junitBody(report: CaseReport): string {
	const error = report.trials.find((trial) => trial.outcome === "error");
	if (error) return `<error message="${xml(error.error ?? "")}"/>`;
	if (report.counted === 0)
		return `<skipped message="${xml(report.trials[0]?.error ?? "No rule scored it.")}"/>`;
	return report.passed < report.counted ? `<failure message="${xml(whyLost(report))}"/>` : "";
}

function shown(mean: Mean): string {
	return mean.n === 0 ? "-" : mean.mean.toFixed(3);
}

function interval({ low, high, n }: Mean): string {
	return n === 0 ? "" : `${low.toFixed(2)}-${high.toFixed(2)}`;
}

/** What requests used, in words. */
export function usedText({ usage, costUsd }: Used): string {
	const cost = costUsd === null ? "cost not known" : `$${costUsd.toFixed(4)}`;
	return `${usage.inputTokens} tokens in, ${usage.outputTokens} out, ${cost}`;
}

/** Text inside XML; letters that XML forbids are left out. */
function xml(text: string): string {
	return text
		.replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, "")
		.replace(/[&<>"]/g, (sign) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[sign] ?? "");
}
