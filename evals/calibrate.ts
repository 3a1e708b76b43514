// How far the judge can be trusted: it grades answers that a person has graded, and the difference is told. Its grades
// enter no score of a model.

import { readFile } from "node:fs/promises";
import * as z from "zod";
import type { Judge } from "../src/evals/judge.ts";
import { meanOf } from "../src/evals/statistics.ts";
import { AgiError } from "../src/types.ts";

const ANSWERS = z.array(
	z.strictObject({
		id: z.string(),
		purpose: z.string(),
		task: z.string(),
		rubric: z.string(),
		calls: z.string(),
		answer: z.string(),
		/** A person's grade, from 1 to 10. */
		grade: z.number().min(1).max(10),
	}),
);

/** A judge that is this far off on average, in grades, is not to be trusted. */
const MOST_ERROR = 1.5;

/** A graded answer with the judge's own grade; null where it did not judge. */
export interface Calibrated {
	id: string;
	grade: number;
	judged: number | null;
}

/** Mean distance, mean bias (above 0: too kind), share within two grades, and share of pairs in the right order. */
export function agreement(answers: readonly Calibrated[]) {
	const judged = answers.flatMap(({ grade, judged: own }) => (own === null ? [] : [{ grade, judged: own }]));
	const pairs = judged.flatMap((one, i) =>
		judged
			.slice(i + 1)
			.filter((two) => two.grade !== one.grade)
			.map((two) => (one.grade - two.grade) * (one.judged - two.judged)),
	);
	return {
		judged: judged.length,
		meanError: meanOf(judged.map((one) => Math.abs(one.judged - one.grade))),
		bias: meanOf(judged.map((one) => one.judged - one.grade)),
		withinTwo: meanOf(judged.map((one) => (Math.abs(one.judged - one.grade) <= 2 ? 1 : 0))),
		rightOrder: meanOf(pairs.map((product) => (product > 0 ? 1 : product === 0 ? 0.5 : 0))),
	};
}

/** Grades the set at `path` and prints how far off the judge is; exit code 1 where it is too far, or does not judge. */
export async function calibrate(judge: Judge | undefined, path: string): Promise<number> {
	if (!judge)
		throw new AgiError("NO_JUDGE", "There is no judge to calibrate. Set LLM_JUDGE_MODEL.", { exitCode: 41 });
	const answers = ANSWERS.parse(JSON.parse(await readFile(path, "utf8")));
	const calibrated: Calibrated[] = [];
	for (const { id, grade, ...question } of answers) {
		const { score, reason } = await judge.judge(question);
		calibrated.push({ id, grade, judged: score === null ? null : score * 10 });
		const own = score === null ? reason : `${(score * 10).toFixed(1)}  ${reason}`;
		process.stdout.write(`${id.padEnd(32)} ${String(grade).padStart(2)} -> ${own}\n`);
	}
	const { judged, meanError, bias, withinTwo, rightOrder } = agreement(calibrated);
	process.stdout.write(
		`${judge.model}: ${judged} of ${answers.length} judged; off by ${meanError.toFixed(2)} grades on average ` +
			`(${bias >= 0 ? "too kind" : "too strict"} by ${Math.abs(bias).toFixed(2)}); ${Math.round(withinTwo * 100)} % within two grades; ` +
			`${Math.round(rightOrder * 100)} % of pairs in the right order.\n`,
	);
	return judged === answers.length && meanError <= MOST_ERROR ? 0 : 1;
}
