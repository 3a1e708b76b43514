// The built program in a terminal, killed at each boundary around a call of each kind, and at the first line that its
// recovery writes: the work is done in the end, once. No built-in tool is `idempotent`; tests/crash has that one.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { checkLog } from "../../src/session/check.ts";
import type { CaseServer, Reply } from "../support/caseServer.ts";
import { type Death, dying } from "../support/mortalProgram.ts";
import {
	at,
	BYPASS,
	commitsOf,
	createProject,
	type Project,
	scripted,
	sessionFolders,
	until,
} from "../support/program.ts";
import { openTerminal } from "../support/terminal.ts";

const CALLS = {
	none: { name: "readFile", args: { path: "a.txt" } },
	reconcile: { name: "writeFile", args: { path: "n.txt", content: "new\n" } },
	manual: { name: "runCommand", args: { command: "echo ran >> journal" } },
};

/** What the last result says, in one way or another. */
const DONE: Record<string, RegExp> = {
	none: /alpha/,
	reconcile: /Successfully wrote|it was done/,
	manual: /no output|says that it ran/,
};

const START = '"type":"tool/start"';
const RESULT = '"type":"tool/result"';
const DEATHS: readonly Death[] = [
	{ at: "before write", line: START },
	{ at: "inside write", line: START },
	{ at: "after write", line: START },
	{ at: "after sync", line: START },
	{ at: "before write", line: RESULT },
	{ at: "after write", line: RESULT },
	{ at: "after sync", line: RESULT },
];
const IN_RECOVERY: Death = { at: "after write", line: "" };

/** A model that asks for the call until a result says that it is done. */
async function modelFor(call: { name: string; args: unknown }): Promise<CaseServer> {
	const ask: Reply = { calls: [call] };
	const server = await scripted([ask, () => judge(), () => judge(), () => judge(), { text: "Done." }], {
		by: "results",
	});
	const judge = (): Reply =>
		/was not run|may be called again|call it again/.test(server.results().at(-1) ?? "")
			? ask
			: { text: "Done." };
	return server;
}

function logOf(project: Project): Buffer {
	const path = join(sessionFolders(project)[0] ?? "", "log.jsonl");
	return existsSync(path) ? readFileSync(path) : Buffer.alloc(0);
}

function wholeLines(log: Buffer): Buffer {
	return log.subarray(0, log.lastIndexOf(0x0a) + 1);
}

function journalOf(project: Project): string {
	return existsSync(project.path("journal")) ? project.read("journal") : "";
}

/** Starts it again and does what a person would; false where it died before the work was done. */
async function goOn(project: Project, server: CaseServer, death?: Death): Promise<boolean> {
	const env = death ? dying(project, death) : {};
	const run = openTerminal(project, ["-c", ...at(server), ...BYPASS], { env });
	let hasEnded = false;
	void run.ended.then(() => (hasEnded = true));
	for (let seen = 0; ; ) {
		const shown = () => run.raw().slice(seen);
		await until(`a prompt in ${JSON.stringify(run.raw())}`, () => hasEnded || /[>?] $/.test(shown()));
		if (hasEnded) return false;
		if (/Done\./.test(shown())) break;
		const isDoubt = /What happened\?/.test(shown());
		const isWaiting = /Press Enter/.test(shown());
		seen = run.raw().length;
		if (isDoubt) run.enter(journalOf(project) === "" ? "2" : "1");
		else run.enter(isWaiting ? "" : "go on");
	}
	run.enter("exit");
	expect(await run.ended).toBe(0);
	return true;
}

describe.concurrent.each(Object.entries(CALLS))(
	"agi, killed around a call that recovery treats as %s",
	(kind, call) => {
		it.each(DEATHS)("does it once where it dies $at of $line, and again in recovery", async (death) => {
			const project = createProject({ "a.txt": "alpha\n" });
			const server = await modelFor(call);
			const first = openTerminal(project, [...at(server), ...BYPASS, "go"], { env: dying(project, death) });
			expect(await first.ended).toBe(137);
			const before = wholeLines(logOf(project));
			expect(await goOn(project, server, IN_RECOVERY)).toBe(false);
			const between = wholeLines(logOf(project));
			expect(await goOn(project, server)).toBe(true);
			const after = logOf(project);
			expect(between.subarray(0, before.length).equals(before)).toBe(true);
			expect(after.subarray(0, between.length).equals(between)).toBe(true);
			expect(checkLog(commitsOf(sessionFolders(project)[0] ?? ""))).toEqual([]);
			expect(server.violations).toEqual([]);
			expect(server.results().at(-1)).toMatch(DONE[kind] ?? /^$/);
			if (kind === "manual") expect(journalOf(project)).toBe("ran\n");
			if (kind === "reconcile") expect(project.read("n.txt")).toBe("new\n");
		});
	},
);
