// What changed between two runs: cases that flipped, and means that moved. Pure.

import type { CaseReport, RunReport } from "./types.ts";

/** A case that passed in one run and not in the other. */
export interface Flip {
	suite: string;
	caseId: string;
	purpose: string;
	/** Shares of passed trials. */
	before: number;
	after: number;
}

export interface RunComparison {
	before: string;
	after: string;
	lost: Flip[];
	won: Flip[];
	/** Pass@1 of each suite of which both have scored a case. */
	suites: { name: string; before: number; after: number }[];
	/** Cases that only one of the runs has, as `suite/id`. */
	added: string[];
	removed: string[];
}

/** Compares by suite and case id; a case flips where its majority of trials does. */
export function compareRuns(before: RunReport, after: RunReport): RunComparison {
	const old = casesOf(before);
	const now = casesOf(after);
	const flips = [...now].flatMap(([key, { suite, report }]): Flip[] => {
		const earlier = old.get(key)?.report;
		if (!earlier || earlier.counted === 0 || report.counted === 0) return [];
		const shares = { before: shareOf(earlier), after: shareOf(report) };
		if (shares.before >= 0.5 === shares.after >= 0.5) return [];
		return [{ suite, caseId: report.id, purpose: report.purpose, ...shares }];
	});
	return {
		before: before.id,
		after: after.id,
		lost: flips.filter((flip) => flip.after < flip.before),
		won: flips.filter((flip) => flip.after > flip.before),
		suites: after.suites.flatMap(({ name, passAt1 }) => {
			const earlier = before.suites.find((suite) => suite.name === name);
			return earlier?.passAt1.n && passAt1.n
				? [{ name, before: earlier.passAt1.mean, after: passAt1.mean }]
				: [];
		}),
		added: [...now.keys()].filter((key) => !old.has(key)),
		removed: [...old.keys()].filter((key) => !now.has(key)),
	};
}

/** A comparison as lines for a person; ends with a newline. */
export function comparisonText(comparison: RunComparison): string {
	const { before, lost, won, suites, added, removed } = comparison;
	const line = (mark: string, flip: Flip) =>
		`  ${mark} ${flip.suite}/${flip.caseId}  ${percent(flip.before)} -> ${percent(flip.after)}  ${flip.purpose}`;
	return `${[
		`Against run ${before}:`,
		...suites.map(({ name, before: was, after }) => `  ${name}: pass@1 ${percent(was)} -> ${percent(after)}`),
		...lost.map((flip) => line("lost", flip)),
		...won.map((flip) => line("won ", flip)),
		...(lost.length + won.length === 0 ? ["  No case flipped."] : []),
		...(added.length > 0 ? [`  New cases: ${added.length}`] : []),
		...(removed.length > 0 ? [`  Cases no longer there: ${removed.length}`] : []),
	].join("\n")}\n`;
}

function casesOf(run: RunReport): Map<string, { suite: string; report: CaseReport }> {
	return new Map(
		run.suites.flatMap((suite) =>
			suite.cases.map((report) => [`${suite.name}/${report.id}`, { suite: suite.name, report }] as const),
		),
	);
}

function shareOf({ passed, counted }: CaseReport): number {
	return passed / counted;
}

function percent(share: number): string {
	return `${Math.round(share * 100)} %`;
}
