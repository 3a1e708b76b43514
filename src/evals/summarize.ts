// Turns trials into reports and reports into a verdict. Pure: the same trials always give the same numbers.

import { meanOf, meanWithInterval, passAtK, passHatK } from "./statistics.ts";
import type { CaseReport, Mean, Suite, SuiteReport, Thresholds, Trial } from "./types.ts";

/** From here on a score counts as passed: judges grade in tenths, rules are exact. */
const PASS_MARK: Readonly<Record<string, number>> = { llmJudge: 0.7, toolSelectionScore: 0.66 };

/** Whether a trial that counts passed: it was scored, and no score that applies is below its mark. */
export function trialPassed(trial: Trial): boolean {
	return (
		trial.outcome === "scored" &&
		Object.entries(trial.scores).every(([name, score]) => score === null || score >= (PASS_MARK[name] ?? 1))
	);
}

/** The scores of a suite's trials. `repeats` is the `k` of pass@k and pass^k. */
export function summarizeSuite(
	suite: Pick<Suite, "name" | "kind" | "cases" | "evaluators">,
	trials: readonly Trial[],
	thresholds: Thresholds,
	repeats: number,
): SuiteReport {
	const names = Object.keys(suite.evaluators);
	const cases = suite.cases.map(({ id, purpose, file, line }): CaseReport => {
		const own = trials.filter((trial) => trial.caseId === id);
		const counted = own.filter(countsAsAnswer);
		return {
			id,
			purpose,
			file,
			line,
			passed: counted.filter(trialPassed).length,
			counted: counted.length,
			means: Object.fromEntries(names.map((name) => [name, caseMean(counted, name)])),
			trials: own,
		};
	});
	const counted = cases.filter((report) => report.counted > 0);
	const evaluators = Object.fromEntries(
		names.map((name): [string, Mean] => [
			name,
			meanWithInterval(
				counted.map((report) => report.means[name]).filter((mean) => typeof mean === "number"),
			),
		]),
	);
	const report = {
		name: suite.name,
		kind: suite.kind,
		cases,
		evaluators,
		passAt1: meanWithInterval(counted.map(({ passed, counted: n }) => passed / n)),
		passAtK: meanOf(counted.map(({ passed, counted: n }) => passAtK(n, passed, repeats))),
		passHatK: meanOf(counted.map(({ passed, counted: n }) => passHatK(n, passed, repeats))),
		errors: trials.filter((trial) => trial.outcome === "error").length,
		skipped: trials.filter((trial) => trial.outcome === "skipped").length,
	};
	const isUnscored = counted.length === 0 && trials.some(({ outcome }) => outcome === "scored");
	const unscored = isUnscored && Object.keys(thresholds).length > 0 ? ["no case could be scored"] : [];
	return { ...report, missed: [...unscored, ...missedThresholds(report, thresholds)] };
}

/**
 * A time-out is an answer too late, so it counts; what never reached the model does not, nor does what no rule scored: a
 * judge that failed has not said that it is good.
 */
function countsAsAnswer({ outcome, scores }: Trial): boolean {
	return (
		outcome === "timeout" || (outcome === "scored" && Object.values(scores).some((score) => score !== null))
	);
}

/** Null where the rule is meant for none of the trials. */
function caseMean(trials: readonly Trial[], name: string): number | null {
	const scores = trials.flatMap((trial) => {
		const score = trial.scores[name];
		return typeof score === "number" ? [score] : [];
	});
	return scores.length === 0 ? null : meanOf(scores);
}

function missedThresholds(
	report: Pick<SuiteReport, "evaluators" | "passAt1" | "passAtK" | "passHatK">,
	thresholds: Thresholds,
): string[] {
	return Object.entries(thresholds).flatMap(([name, least]) => {
		const mean =
			name === "pass@1"
				? report.passAt1
				: name === "pass@k"
					? { mean: report.passAtK, n: report.passAt1.n }
					: name === "pass^k"
						? { mean: report.passHatK, n: report.passAt1.n }
						: report.evaluators[name];
		if (!mean || mean.n === 0) return [];
		return mean.mean + 1e-9 < least
			? [`${name} is ${mean.mean.toFixed(3)}, below its threshold ${least}`]
			: [];
	});
}
