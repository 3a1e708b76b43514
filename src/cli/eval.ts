// `agi eval`: runs the cases of the user's own repository with their model, and writes first ones from their sessions. It
// works in copies; the repository itself gets nothing but `.agent/evals` and what lies in `.agent/logs`.

import { existsSync, realpathSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { makeFolder } from "../adapters/shellFiles.ts";
import { findEvalModel } from "../evals/evalModel.ts";
import { casesFromSession } from "../evals/fromSession.ts";
import { runEvals } from "../evals/runEvals.ts";
import { newestRun } from "../evals/runFolder.ts";
import { casesThatRun, findJudgeFor, loadSuites, unjudgedNotices } from "../evals/suites.ts";
import type { EvalCase, Suite } from "../evals/types.ts";
import { createRedactor, redactValue } from "../policy/redact.ts";
import { AgiError, type ExitCode } from "../types.ts";
import { locate, openSessions, type Place } from "../wire/place.ts";
import type { CommandLine } from "./arguments.ts";
import { keysOf } from "./sessionExport.ts";
import { ownSurroundings, type Surroundings } from "./surroundings.ts";
import { isTrusted } from "./trust.ts";

/** Sessions that `init` reads, newest first, and cases that it writes at most. */
const READ_SESSIONS = 20;
const FIRST_CASES = 20;
const DEFAULT_TIMEOUT_SECONDS = 300;

/** Runs `agi eval`. Rejects with `AgiError` for what is wrong before anything is spent. */
export async function evalCommand(
	parsed: CommandLine<"eval">,
	around: Surroundings = ownSurroundings(),
): Promise<ExitCode> {
	const place = await locate(around.folder(), around.env, false);
	if (parsed.action === "init") return writeFirstSuite(place, parsed, around);
	const path = resolve(place.cwd, parsed.path ?? join(agentFolderOf(place), "evals"));
	const suites = loadSuites(path);
	const trusted = isTrusted(place, parsed.flags.trust);
	refuseUntrustedCommands(suites, trusted);
	const model = await findEvalModel(around.env, place.cwd, parsed.flags, trusted);
	const judge = await findJudgeFor(suites, around.env, place.cwd);
	const { flags, repeats, concurrency, seed, resume, compare } = parsed;
	const runsFolder = join(agentFolderOf(place), "logs", "evals");
	const stop = new AbortController();
	process.once("SIGINT", () => stop.abort());
	const end = await runEvals(suites, {
		model,
		judge,
		concurrency: concurrency ?? 4,
		repeats: repeats ?? 1,
		retries: 2,
		timeoutMs: (flags.timeout ?? DEFAULT_TIMEOUT_SECONDS) * 1000,
		...(flags.maxCost === undefined ? {} : { maxCostUsd: flags.maxCost }),
		...(seed === undefined ? {} : { seed }),
		...(resume === undefined ? {} : { resume: resume || (await newestRun(runsFolder)) }),
		...(compare === undefined ? {} : { compare }),
		prompts: { cwd: realpathSync(place.cwd), configFolder: place.folders.config, trusted },
		runsFolder,
		agi: [process.execPath, process.argv[1] ?? ""],
		repository: dirname(agentFolderOf(place)),
		env: around.env,
		notices: unjudgedNotices(suites, judge),
		signal: stop.signal,
		now: around.now,
		wait,
		...(around.columns === undefined
			? {}
			: {
					onProgress: (done, all, trial) =>
						around.err(`${done}/${all} ${trial.suite}/${trial.caseId}: ${trial.outcome}`),
				}),
	});
	around.out(parsed.json ? `${JSON.stringify(end.run)}\n` : end.text);
	if (end.reason !== "") around.err(end.reason);
	return end.exitCode;
}

/** Checks run as the person, so a folder that came from elsewhere must not bring its own unseen. */
function refuseUntrustedCommands(suites: readonly Suite[], trusted: boolean): void {
	const first = casesThatRun(suites)[0];
	if (!first || trusted) return;
	const { verify } = first.data as { verify: string };
	throw new AgiError(
		"UNTRUSTED",
		`${first.file}:${first.line}: ${first.id} runs a command of this folder: ${verify}. Read the cases, then trust the folder at a start of agi, or add --trust.`,
		{ exitCode: 42 },
	);
}

/** Writes cases from this folder's newest sessions; a file that is there stays as it is. */
async function writeFirstSuite(
	place: Place,
	parsed: CommandLine<"eval">,
	around: Surroundings,
): Promise<ExitCode> {
	const path = join(agentFolderOf(place), "evals", "recorded.json");
	if (existsSync(path))
		throw new AgiError("EXISTS", `${path} is there already and stays as it is. Move it, then try again.`, {
			exitCode: 42,
		});
	const sessions = openSessions(place);
	const redact = createRedactor(await keysOf(place, parsed.flags, around));
	const cases: EvalCase[] = [];
	for (const id of (await sessions.ids()).slice(0, READ_SESSIONS)) {
		const reading = await sessions.read(id, { onLostText: () => undefined });
		const isChild = reading.commits.some(({ events }) =>
			events.some((event) => event.type === "session/created" && event.parent),
		);
		if (!isChild) cases.push(...casesFromSession(redactValue(reading.commits, redact)));
		if (cases.length >= FIRST_CASES) break;
	}
	if (cases.length === 0)
		throw new AgiError(
			"NO_SESSIONS",
			"No session of this folder has a finished turn with a tool call yet. Work with agi first.",
			{
				exitCode: 42,
			},
		);
	await makeFolder(dirname(path));
	writeFileSync(path, `${JSON.stringify(cases.slice(0, FIRST_CASES), undefined, "\t")}\n`);
	around.err(
		`${Math.min(cases.length, FIRST_CASES)} cases are written to ${path}. Read them: what was done is not always what was right.`,
	);
	return 0;
}

function agentFolderOf(place: Place): string {
	const folder = place.agentFolder ?? join(place.cwd, ".agent");
	return existsSync(folder) && !statSync(folder).isDirectory() ? join(place.cwd, ".agent") : folder;
}
