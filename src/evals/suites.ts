// Makes suites out of case files: evaluators by kind, thresholds by what the file or the suite says.

import { readdirSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { AgiError } from "../types.ts";
import { countOf } from "../ui/view/format.ts";
import { MULTI_TURN_EVALUATORS, SINGLE_TURN_EVALUATORS, WORKSPACE_EVALUATORS } from "./evaluators.ts";
import { findJudge, type Judge } from "./judge.ts";
import { readCaseFile } from "./readCases.ts";
import type { Evaluator, LocatedCase, Suite, SuiteKind, Thresholds } from "./types.ts";

/** Evaluators of each kind of case. */
export const EVALUATORS: Readonly<Record<SuiteKind, Readonly<Record<string, Evaluator>>>> = {
	"single-turn": SINGLE_TURN_EVALUATORS,
	"multi-turn": MULTI_TURN_EVALUATORS,
	workspace: WORKSPACE_EVALUATORS,
};

/** Where a file sets no thresholds, nine cases of ten must pass; the embedded model is no AI and has none. */
const DEFAULT_THRESHOLDS: Thresholds = { "pass@1": 0.9 };

/** One suite of a case file, absolute paths in its cases. Throws as `readCaseFile`. */
export function loadSuite(
	path: string,
	options: { name?: string; thresholds?: Suite["thresholds"] } = {},
): Suite {
	const file = resolve(path);
	const { kind, cases, thresholds } = readCaseFile(file);
	const own = options.thresholds ?? { model: thresholds ?? DEFAULT_THRESHOLDS, offline: thresholds ?? {} };
	refuseUnknownThresholds(file, kind, own);
	return {
		name: options.name ?? basename(file, ".json"),
		kind,
		cases: cases.map((given) => ({ ...given, file })),
		evaluators: EVALUATORS[kind],
		thresholds: own,
	};
}

/** Every suite of a folder, by name; or the one of a file. Throws with exit 42 where there is none. */
export function loadSuites(path: string): Suite[] {
	if (path.endsWith(".json")) return [loadSuite(path)];
	const files = namesIn(path).filter((name) => name.endsWith(".json"));
	if (files.length === 0)
		throw new AgiError("NO_CASES", `There are no cases in ${path}. \`agi eval init\` writes first ones.`, {
			exitCode: 42,
		});
	return files.sort().map((name) => loadSuite(join(path, name)));
}

function namesIn(folder: string): string[] {
	try {
		return readdirSync(folder);
	} catch {
		return [];
	}
}

/** Cases that run commands which the case file names. */
export function casesThatRun(suites: readonly Suite[]): LocatedCase[] {
	return suites.filter(({ kind }) => kind === "workspace").flatMap(({ cases }) => cases);
}

/** Cases that wait for a judge. */
function casesToJudge(suites: readonly Suite[]): LocatedCase[] {
	return suites.flatMap(({ cases }) =>
		cases.filter(({ target }) => (target as { rubric?: string }).rubric !== undefined),
	);
}

/** Says how many rubrics count nowhere without a judge; [] where there is one, or no case waits for it. */
export function unjudgedNotices(suites: readonly Suite[], judge: Judge | undefined): string[] {
	const count = judge ? 0 : casesToJudge(suites).length;
	if (count === 0) return [];
	return [
		`No judge: ${countOf(count, "rubric")} ${count === 1 ? "is" : "are"} not judged (LLM_JUDGE_MODEL).`,
	];
}

/** The judge that is set, where a case waits for one. Rejects with `AgiError`, which names the case, where it cannot be asked. */
export async function findJudgeFor(
	suites: readonly Suite[],
	env: Readonly<Record<string, string | undefined>>,
	cwd: string,
): Promise<Judge | undefined> {
	const first = casesToJudge(suites)[0];
	if (!first) return undefined;
	try {
		return await findJudge(env, cwd);
	} catch (error) {
		const reason = error instanceof Error ? error.message : String(error);
		const where = `${first.file}:${first.line}: ${first.id} needs the judge.`;
		throw new AgiError("NO_JUDGE", `${where} ${reason}`, { exitCode: 41, cause: error });
	}
}

function refuseUnknownThresholds(file: string, kind: SuiteKind, given: Suite["thresholds"]): void {
	const known = [...Object.keys(EVALUATORS[kind]), "llmJudge", "pass@1", "pass@k", "pass^k"];
	for (const name of [...Object.keys(given.model), ...Object.keys(given.offline)])
		if (!known.includes(name))
			throw new AgiError(
				"BAD_CASES",
				`${file}: there is no score "${name}"; a ${kind} suite has ${known.join(", ")}.`,
				{
					exitCode: 42,
				},
			);
}
