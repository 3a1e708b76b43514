// Whatever way a person or the system ends agi: of a stubborn command nothing is left, everything is saved, and the next
// start has nothing to tell; a question that was open stays open and is asked again.

import { execFileSync, spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { markedProcesses } from "../support/markedProcesses.ts";
import { at, BYPASS, createProject, eventsOf, scripted, until } from "../support/program.ts";
import { dialogAnswers, KEYS, openScreen, type ScreenRun } from "../support/screen.ts";

/** What is promised, however stubborn the command is. */
const MOST_MS = 3_000;
/** Stands in the environment of the command, so that it can be found. */
const MARK = "AGI_TEST_MARK";

/** The pid of agi below the shell of `run`. */
function agiOf(run: ScreenRun): number {
	return Number(execFileSync("pgrep", ["-P", String(run.pid)], { encoding: "utf8" }).split("\n")[0]);
}

const ENDS: [string, (run: ScreenRun) => unknown][] = [
	["SIGTERM", (run) => process.kill(agiOf(run), "SIGTERM")],
	["SIGHUP", (run) => process.kill(agiOf(run), "SIGHUP")],
	["a terminal that is closed", (run) => process.kill(run.pid, "SIGKILL")],
	["/exit", (run) => run.type(`/exit${KEYS.enter}`)],
];

describe.concurrent("agi, ended while a command runs that ignores to be asked", () => {
	it.each(ENDS)("by %s is gone in time and leaves no process and nothing to recover", async (_, end) => {
		const project = createProject();
		const command = `trap '' TERM HUP INT; ${MARK}='${project.outer}' sleep 300 & wait; sleep 300`;
		const server = await scripted([{ calls: [{ name: "runCommand", args: { command } }] }, { text: "ok" }]);
		const shell = `"$AGI" ${[...at(server), ...BYPASS].join(" ")}; exit`;
		const run = openScreen(project, [], { shell });
		await run.shows(/case-model/);
		run.type(`go${KEYS.enter}`);
		const mark = `${MARK}=${project.outer}`;
		await until("the command", () => markedProcesses(mark).length > 0);
		const agi = agiOf(run);
		const endedAt = performance.now();
		end(run);
		await until("agi's end", () => !isAlive(agi));
		expect(performance.now() - endedAt).toBeLessThan(MOST_MS);
		expect(markedProcesses(mark)).toEqual([]);
		const ends = eventsOf(project).filter(({ type }) => type === "turn/end");
		expect(ends).toMatchObject([{ status: "cancelled" }]);
		const again = openScreen(project, [...at(server), "-c"]);
		await again.printed(/> go/);
		await again.shows(/case-model/);
		expect(again.everything()).not.toMatch(/middle of a turn|Press Enter|was dropped/);
		again.type(`${KEYS.ctrlD}`);
		expect(await again.ended).toBe(0);
	});
});

const QUESTIONS = [
	{
		what: "of the model",
		call: { name: "askUser", args: { question: "Which colour?", options: ["red", "blue"] } },
		shown: /Which colour\?[\s\S]*arrows and Enter/,
		waits: /askUser "Which colour\?" waits for an answer/,
		result: "The user answered: red",
	},
	{
		what: "about a call",
		call: { name: "writeFile", args: { path: "n.txt", content: "new" } },
		shown: /n\.txt[\s\S]*arrows and Enter/,
		waits: /writeFile "n\.txt" waits for a yes or no/,
		result: "Successfully wrote 3 characters to n.txt",
	},
];

describe.concurrent.each(QUESTIONS)(
	"a question $what, open when agi is ended",
	({ call, shown, waits, result }) => {
		it.each(ENDS)("by %s is asked again at the next start, without an alarm", async (_, end) => {
			const project = createProject();
			const server = await scripted([{ calls: [call] }, { text: "All done." }]);
			const run = openScreen(project, [], { shell: `"$AGI" ${at(server).join(" ")}; exit` });
			await run.shows(/case-model/);
			run.type(`go${KEYS.enter}`);
			await run.shows(shown);
			const agi = agiOf(run);
			const endedAt = performance.now();
			end(run);
			await until("agi's end", () => !isAlive(agi));
			expect(performance.now() - endedAt).toBeLessThan(MOST_MS);
			expect(typesOf(project)).not.toContain("tool/result");
			expect(typesOf(project)).not.toContain("turn/end");
			const again = openScreen(project, [...at(server), "-c"]);
			await again.printed(waits);
			await again.shows(shown);
			expect(again.everything()).not.toMatch(/middle of a turn/);
			await dialogAnswers(again);
			again.type("1");
			again.type(KEYS.enter);
			await again.printed(/All done\./);
			expect(server.results()).toEqual([result]);
			again.type(KEYS.ctrlD);
			expect(await again.ended).toBe(0);
		});
	},
);

function typesOf(project: Parameters<typeof eventsOf>[0]): string[] {
	return eventsOf(project).map(({ type }) => type);
}

/** One that has ended and that nobody has asked about yet counts as gone. */
function isAlive(pid: number): boolean {
	return /^[^Z]/.test(spawnSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" }).stdout);
}
