// `npm run eval`: runs the suites of this repository with the model that the environment names, or with the embedded one
// where it names none. Thresholds decide the exit code.

import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { findEvalModel } from "../src/evals/evalModel.ts";
import { findJudge } from "../src/evals/judge.ts";
import { type EvalOptions, runEvals } from "../src/evals/runEvals.ts";
import { findJudgeFor, unjudgedNotices } from "../src/evals/suites.ts";
import type { Suite } from "../src/evals/types.ts";
import { AgiError } from "../src/types.ts";
import { calibrate } from "./calibrate.ts";
import { laminarKey, reportToLaminar } from "./laminar.ts";
import { progressLine, reportForm } from "./report.ts";

const HERE = fileURLToPath(new URL(".", import.meta.url));
const ROOT = fileURLToPath(new URL("..", import.meta.url));

const OPTIONS = {
	model: { type: "string", short: "m" },
	"base-url": { type: "string" },
	profile: { type: "string" },
	repeats: { type: "string", default: "1" },
	concurrency: { type: "string", default: "4" },
	retries: { type: "string", default: "2" },
	timeout: { type: "string", default: "300" },
	"max-cost": { type: "string" },
	seed: { type: "string" },
	resume: { type: "string" },
	compare: { type: "string" },
	format: { type: "string", default: "table" },
	calibrate: { type: "boolean", default: false },
	help: { type: "boolean", short: "h", default: false },
} as const;

const HELP = `npm run eval -- [SUITE...] [-m MODEL] [--base-url URL] [--profile NAME] [--repeats N] [--concurrency N]
  [--retries N] [--timeout SECONDS] [--max-cost USD] [--seed N] [--resume RUN] [--compare RUN]
  [--format table|json|junit|markdown] [--calibrate]
Suites are the names of evals/*.eval.ts. docs/evals.md tells more.
`;

async function main(): Promise<number> {
	const { values, positionals } = readFlags();
	if (values.help) {
		process.stdout.write(HELP);
		return 0;
	}
	const settings = runSettings(values);
	const shown = reportForm(values.format);
	const suites = await chosenSuites(positionals);
	const { model: name, profile, "base-url": baseUrl } = values;
	const model = await findEvalModel(process.env, ROOT, {
		...(name === undefined ? {} : { model: name }),
		...(profile === undefined ? {} : { profile }),
		...(baseUrl === undefined ? {} : { baseUrl }),
	});
	if (values.calibrate)
		return calibrate(await findJudge(process.env, ROOT), join(HERE, "calibration", "answers.json"));
	const judge = await findJudgeFor(suites, process.env, ROOT);
	if (suites.some(({ kind }) => kind === "workspace")) build();
	const stop = new AbortController();
	process.once("SIGINT", () => stop.abort());
	const end = await runEvals(suites, {
		...settings,
		...sendingToLaminar(),
		model,
		judge,
		runsFolder: join(ROOT, ".agent", "logs", "evals"),
		agi: [join(ROOT, "bin", "agi")],
		repository: ROOT,
		env: process.env,
		notices: unjudgedNotices(suites, judge),
		signal: stop.signal,
		now: Date.now,
		wait,
		onProgress: progressLine(process.stderr),
	});
	process.stdout.write(shown(end));
	if (end.reason !== "") process.stderr.write(`${end.reason}\n`);
	return end.exitCode;
}

/** Flags and suites as they were written. Throws `AgiError` (exit 2) for a flag that there is not. */
function readFlags() {
	try {
		return parseArgs({ options: OPTIONS, allowPositionals: true });
	} catch (cause) {
		const reason = cause instanceof Error ? cause.message : String(cause);
		throw new AgiError("BAD_FLAG", `${reason}. --help lists the flags.`, { exitCode: 2, cause });
	}
}

/** What the flags say of the run. Throws `AgiError` (exit 2) for a number that is none. */
function runSettings(values: Partial<Record<keyof typeof OPTIONS, string | boolean>>) {
	const number = (name: "repeats" | "concurrency" | "retries" | "timeout" | "max-cost" | "seed") =>
		readNumber(name, values[name]);
	const [maxCostUsd, seed] = [number("max-cost"), number("seed")];
	const { resume, compare } = values;
	return {
		concurrency: number("concurrency") ?? 4,
		repeats: number("repeats") ?? 1,
		retries: number("retries") ?? 2,
		timeoutMs: (number("timeout") ?? 300) * 1000,
		...(maxCostUsd === undefined ? {} : { maxCostUsd }),
		...(seed === undefined ? {} : { seed }),
		...(typeof resume === "string" ? { resume } : {}),
		...(typeof compare === "string" ? { compare } : {}),
	};
}

/** Where a key is set, a finished run goes to Laminar too; what it does not take is told and changes nothing. */
function sendingToLaminar(): Pick<EvalOptions, "onReport"> {
	const key = laminarKey();
	if (key === undefined) return {};
	return {
		async onReport(run, suites) {
			for (const failure of await reportToLaminar(run, suites, key)) process.stderr.write(`${failure}\n`);
		},
	};
}

/** The suites that were named, or all. Reading them finds every mistake in the cases. */
async function chosenSuites(names: readonly string[]): Promise<Suite[]> {
	const known = readdirSync(HERE)
		.filter((file) => file.endsWith(".eval.ts"))
		.map((file) => file.slice(0, -".eval.ts".length))
		.sort();
	const unknown = names.filter((name) => !known.includes(name));
	if (unknown.length > 0)
		throw new AgiError(
			"NO_SUITE",
			`There is no suite ${unknown.join(", ")}; there are ${known.join(", ")}.`,
			{
				exitCode: 2,
			},
		);
	const suites: Suite[] = [];
	for (const name of names.length > 0 ? names : known) {
		const module = (await import(pathToFileURL(join(HERE, `${name}.eval.ts`)).href)) as { suite: Suite };
		suites.push(module.suite);
	}
	return suites;
}

function readNumber(name: string, written: string | boolean | undefined): number | undefined {
	if (typeof written !== "string") return undefined;
	const number = Number(written);
	const isWhole = name === "timeout" || name === "max-cost" || Number.isSafeInteger(number);
	if (written.trim() !== "" && number >= (name === "repeats" || name === "concurrency" ? 1 : 0) && isWhole)
		return number;
	throw new AgiError("BAD_FLAG", `--${name} cannot be "${written}".`, { exitCode: 2 });
}

/** Jobs in a project start the built program. */
function build(): void {
	const { status } = spawnSync(process.execPath, [join(ROOT, "scripts", "build.mjs"), "--stale"], {
		stdio: "inherit",
	});
	if (status !== 0) throw new AgiError("BUILD_FAILED", "agi could not be built.");
}

try {
	process.chdir(ROOT);
	process.exitCode = await main();
} catch (error) {
	process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
	process.exitCode = error instanceof AgiError ? error.exitCode : 1;
}
