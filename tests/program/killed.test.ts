// The program killed in the middle, and what the next start makes of it: a valid request, nothing run twice, nothing of
// the log lost. Commands write a journal outside of the project's log, so that a second run of one would show.

import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { createJsonlStore } from "../../src/adapters/sessionLog/jsonl.ts";
import { createWorld } from "../../src/adapters/world.ts";
import { createSessions } from "../../src/runtime/sessions.ts";
import type { Command } from "../../src/session/commands.ts";
import type { CaseServer, Reply } from "../support/caseServer.ts";
import { markedProcesses } from "../support/markedProcesses.ts";
import { dying } from "../support/mortalProgram.ts";
import {
	at,
	BYPASS,
	commitsOf,
	createProject,
	eventsOf,
	type Project,
	runAgi,
	scripted,
	sessionFolders,
	startAgi,
	until,
} from "../support/program.ts";
import { accept, decided, START_STEP, START_TURN, startAttempt, submit } from "../support/sessionSteps.ts";
import { openTerminal } from "../support/terminal.ts";

/** A command that notes that it ran, and then runs on and on; the killed program cannot end it, so the test does. */
const ENDLESS = "echo ran >> ../journal; echo $$ > started; exec sleep 321";

function hasStarted(project: Project): boolean {
	return existsSync(project.path("started")) && project.read("started").endsWith("\n");
}

function endCommand(project: Project): void {
	process.kill(Number(project.read("started")), "SIGKILL");
}

/** Starts, waits for the moment, kills. Resolves when the process is gone. */
async function killAt(project: Project, args: string[], what: string, moment: () => unknown): Promise<void> {
	const run = startAgi(project, args);
	await until(what, moment);
	run.kill("SIGKILL");
	expect((await run.ended).code).toBe(137);
}

function goOn(project: Project, server: CaseServer) {
	return runAgi(project, ["-c", "-p", "go on", ...at(server), ...BYPASS]);
}

function journal(project: Project): string {
	return readFileSync(join(project.outer, "journal"), "utf8");
}

/** The log still passes the checker, and every request can be given back byte for byte. */
async function expectWholeLog(project: Project, server: CaseServer): Promise<void> {
	const [folder = ""] = sessionFolders(project);
	const commits = commitsOf(folder);
	expect(commits.map((commit) => commit.seq)).toEqual(commits.map((_, i) => i + 1));
	const checked = await runAgi(project, ["sessions", "check", "--json"]);
	expect(JSON.parse(checked.stdout)).toEqual({ ok: true, sessions: 1, violations: [] });
	expect(checked.code).toBe(0);
	const id = folder.split("/").at(-1) ?? "";
	const bodies = await Promise.all(
		server.requests.map((_, i) => runAgi(project, ["sessions", "request", id, String(i + 1)])),
	);
	expect(bodies.map((ended) => ended.stdout)).toEqual(
		server.requests.map(({ body }) => body.toString("utf8")),
	);
	const none = await runAgi(project, ["sessions", "request", id, String(server.requests.length + 1)]);
	expect(none).toMatchObject({ code: 42, stdout: "" });
	expect(none.stderr).toContain(String(server.requests.length));
}

describe("agi, killed and continued", () => {
	it("keeps what had streamed for audit and asks anew where the model was killed in mid-sentence", async () => {
		const project = createProject();
		const server = await scripted([
			{ sse: [{ d: { content: "Step one is" } }, "hang"] },
			{ text: "All done." },
		]);
		await killAt(project, ["-p", "plan it", ...at(server), ...BYPASS], "the partial text on disk", () => {
			const [folder = ""] = sessionFolders(project);
			return existsSync(join(folder, "partial.json"))
				? readFileSync(join(folder, "partial.json"), "utf8").includes("Step one is")
				: false;
		});
		const ended = await goOn(project, server);
		expect(ended).toMatchObject({ code: 0, stdout: "All done.\n" });
		expect(ended.stderr).toMatch(/ended in the middle of a turn/);
		expect(eventsOf(project).find((event) => event.type === "attempt/end")).toMatchObject({
			outcome: "interrupted",
			text: "Step one is",
		});
		const sent = JSON.stringify(server.requests[1]?.messages);
		expect(sent).toContain("plan it");
		expect(sent).not.toContain("Step one is");
		expect(server.violations).toEqual([]);
		await expectWholeLog(project, server);
	});

	it("stops with 54 at a started command, as often as it is asked, and runs it never again", async () => {
		const project = createProject();
		const server = await scripted([{ calls: [{ name: "runCommand", args: { command: ENDLESS } }] }]);
		await killAt(project, ["-p", "deploy", ...at(server), ...BYPASS], "the command", () =>
			hasStarted(project),
		);
		endCommand(project);
		const stopped = await goOn(project, server);
		expect(stopped).toMatchObject({ code: 54, stdout: "" });
		expect(stopped.stderr).toMatch(/person is needed.*runCommand "echo ran.*agi -r .*--fork-session/);
		const [folder = ""] = sessionFolders(project);
		const before = readFileSync(join(folder, "log.jsonl"));
		const json = await runAgi(project, [
			"-c",
			"-p",
			"go on",
			...at(server),
			...BYPASS,
			"--output-format",
			"json",
		]);
		expect(json.code).toBe(54);
		expect(JSON.parse(json.stdout)).toMatchObject({
			type: "result",
			subtype: "error_blocked",
			session_id: basename(folder),
		});
		expect(readFileSync(join(folder, "log.jsonl")).equals(before)).toBe(true);
		expect(server.requests).toHaveLength(1);
		expect(journal(project)).toBe("ran\n");
	});

	it("tells the model in a copy of the session that a started command may have run, twice over", async () => {
		const project = createProject();
		const endless: Reply = { calls: [{ name: "runCommand", args: { command: ENDLESS } }] };
		const server = await scripted([endless, { hang: true }, { text: "looked" }], { by: "requests" });
		await killAt(project, ["-p", "deploy", ...at(server), ...BYPASS], "the command", () =>
			hasStarted(project),
		);
		endCommand(project);
		await killAt(
			project,
			["-c", "--fork-session", "-p", "go on", ...at(server), ...BYPASS],
			"the request after it",
			() => server.requests[1],
		);
		expect(server.results()).toEqual([
			expect.stringMatching(/interrupted after it had started: the outcome is unknown/),
		]);
		expect(await goOn(project, server)).toMatchObject({ code: 0, stdout: "looked\n" });
		expect(server.results()).toEqual([expect.stringMatching(/outcome is unknown/)]);
		expect(server.violations).toEqual([]);
		expect(journal(project)).toBe("ran\n");
	});

	it("keeps a result that was known before the kill, and never asks for the call again", async () => {
		const project = createProject();
		const note: Reply = {
			calls: [{ name: "runCommand", args: { command: "echo ran | tee -a ../journal" } }],
		};
		const server = await scripted([note, { hang: true }, { text: "It ran." }]);
		const arrived = () => server.requests[1];
		await killAt(
			project,
			["-p", "note it", ...at(server), ...BYPASS],
			"the request with the result",
			arrived,
		);
		expect(await goOn(project, server)).toMatchObject({ code: 0, stdout: "It ran.\n" });
		expect(server.results()).toEqual(["ran"]);
		expect(server.violations).toEqual([]);
		expect(journal(project)).toBe("ran\n");
		await expectWholeLog(project, server);
	});

	it("ends calls that never began as unfinished work", async () => {
		const project = createProject();
		const server = await scripted([
			{
				calls: [
					{ name: "runCommand", args: { command: ENDLESS } },
					{ name: "runCommand", args: { command: "echo second >> ../journal" } },
				],
			},
			{ text: "ok" },
		]);
		await killAt(project, ["-p", "both", ...at(server), ...BYPASS], "the first command", () =>
			hasStarted(project),
		);
		endCommand(project);
		const copy = ["-c", "--fork-session", "-p", "go on", ...at(server), ...BYPASS];
		expect((await runAgi(project, copy)).code).toBe(0);
		expect(server.results()).toEqual([
			expect.stringMatching(/outcome is unknown/),
			expect.stringMatching(/was not run.*unfinished work/),
		]);
		expect(journal(project)).toBe("ran\n");
	});

	it("changes no byte of a session that was finished, until new input comes", async () => {
		const project = createProject();
		const server = await scripted([{ text: "done" }]);
		await runAgi(project, ["-p", "one", ...at(server)]);
		const [folder = ""] = sessionFolders(project);
		const before = readFileSync(join(folder, "log.jsonl"));
		for (const args of [["list"], ["show", folder.split("/").at(-1) ?? ""], ["check"]])
			expect((await runAgi(project, ["sessions", ...args])).code).toBe(0);
		expect(readFileSync(join(folder, "log.jsonl")).equals(before)).toBe(true);
		await runAgi(project, ["-c", "-p", "two", ...at(server)]);
		const after = readFileSync(join(folder, "log.jsonl"));
		expect(after.subarray(0, before.length).equals(before)).toBe(true);
	});
});

/** Leaves the project's only session as a process does that died inside of a write of `new` to n.txt. */
async function dieInWrite(project: Project): Promise<void> {
	const [folder = ""] = sessionFolders(project);
	const world = createWorld();
	const store = createJsonlStore({ folder: dirname(folder), digest: world.digest });
	const { session } = await createSessions(store, world, () => undefined).open(basename(folder));
	const call = {
		providerId: "w",
		name: "writeFile",
		args: { path: "n.txt", content: "new\n" },
		tool: { version: 1, effects: "possible", recovery: "reconcile" },
	} as const;
	const path = project.path("n.txt");
	const start: Command = {
		do: "startCall",
		callId: "w",
		before: [{ path, digest: null }],
		after: [{ path, digest: world.digest("new\n") }],
	};
	const asked: Command[] = [submit(), START_TURN, START_STEP, startAttempt(world.digest("x"))];
	for (const command of [...asked, accept("", call), decided("w", "allow"), start]) {
		session.record(command);
		await session.flush({ wait: true });
	}
	await session.close();
}

describe.concurrent("agi, killed before it began with a message", () => {
	it("answers that one first in the next run, says so, and gives the answer to the run's own prompt", async () => {
		const project = createProject();
		const server = await scripted([{ text: "The first." }, { text: "The second." }]);
		const death = dying(project, { at: "after sync", line: "inbox/enqueued" });
		await runAgi(project, ["-p", "one", ...at(server)], { env: death });
		const next = await runAgi(project, ["-c", "-p", "two", ...at(server)]);
		expect(next).toMatchObject({ code: 0, stdout: "The second.\n" });
		expect(next.stderr.trim().split("\n")).toEqual([
			expect.stringMatching(/^Answered first.*"one".*in the session, not in this result\.$/),
		]);
		expect(eventsOf(project).filter(({ type }) => type === "turn/start")).toHaveLength(2);
	});
});

describe.concurrent("agi, killed inside of a write", () => {
	it.each([
		["takes it for done where the file is there", true, /was interrupted, but it was done/],
		["does it where it had not happened", false, /Successfully wrote/],
	])("%s", async (_, happened, words) => {
		const project = createProject();
		const server = await scripted([{ text: "hi" }, { text: "Good." }]);
		await runAgi(project, ["-p", "hello", ...at(server), ...BYPASS]);
		await dieInWrite(project);
		if (happened) project.write("n.txt", "new\n");
		project.write(".agi-0123456789ab.tmp", "ne");
		expect(await goOn(project, server)).toMatchObject({ code: 0, stdout: "Good.\n" });
		expect(server.results()).toEqual([expect.stringMatching(words)]);
		expect(project.read("n.txt")).toBe("new\n");
		expect(existsSync(project.path(".agi-0123456789ab.tmp"))).toBe(false);
		expect(server.violations).toEqual([]);
		const checked = await runAgi(project, ["sessions", "check", "--json"]);
		expect(JSON.parse(checked.stdout)).toMatchObject({ ok: true, violations: [] });
	});
});

describe.concurrent("agi, killed before a person and started again", () => {
	const plain = { term: "dumb" };

	it("asks what became of a started command, and tells the model what the person says", async () => {
		const project = createProject();
		const endless: Reply = { calls: [{ name: "runCommand", args: { command: ENDLESS } }] };
		const server = await scripted([endless, { text: "Good." }], { by: "results" });
		await killAt(project, ["-p", "deploy", ...at(server), ...BYPASS], "the command", () =>
			hasStarted(project),
		);
		endCommand(project);
		const run = openTerminal(project, ["-c", ...at(server)], plain);
		await run.shows(/middle of a turn \("deploy"\)[\s\S]*What happened\?[\s\S]*3\. Leave it/);
		run.enter("perhaps");
		await run.shows(/Choose one of: It ran/);
		expect(server.requests).toHaveLength(1);
		run.enter("1");
		await run.shows(/Good\.[\s\S]*> $/);
		expect(server.results()).toEqual([expect.stringMatching(/The user says that it ran/)]);
		expect(eventsOf(project).filter((event) => event.type === "turn/start")).toMatchObject([
			{ source: { kind: "inbox" } },
			{ source: { kind: "recovery" } },
		]);
		expect(server.violations).toEqual([]);
		expect(journal(project)).toBe("ran\n");
		run.enter("exit");
		expect(await run.ended).toBe(0);
		await expectWholeLog(project, server);
	});

	it("asks for an approval that was not answered as the same question, and runs the call at a yes", async () => {
		const project = createProject();
		const server = await scripted(
			[{ calls: [{ name: "writeFile", args: { path: "n.txt", content: "hello\n" } }] }, { text: "Written." }],
			{ by: "results" },
		);
		const first = openTerminal(project, [...at(server), "write it"], plain);
		await first.shows(/asks to run writeFile[\s\S]*\? $/);
		first.kill("SIGKILL");
		await first.ended;
		const again = openTerminal(project, ["-c", ...at(server)], plain);
		await again.shows(/asks to run writeFile[\s\S]*\? $/);
		again.enter("y");
		await again.shows(/Written\.[\s\S]*> $/);
		expect(project.read("n.txt")).toBe("hello\n");
		const events = eventsOf(project);
		expect(events.filter((event) => event.type === "approval/requested")).toHaveLength(1);
		expect(server.violations).toEqual([]);
		again.enter("exit");
		expect(await again.ended).toBe(0);
		await expectWholeLog(project, server);
	});

	it("asks the model's question again under the same id and hands on the answer", async () => {
		const project = createProject();
		const question = { question: "Which colour?", options: ["red", "blue"] };
		const server = await scripted(
			[{ calls: [{ name: "askUser", args: question }] }, { text: "Blue it is." }],
			{
				by: "results",
			},
		);
		const first = openTerminal(project, [...at(server), "paint"], plain);
		await first.shows(/Which colour\?[\s\S]*2\. blue[\s\S]*\? $/);
		first.kill("SIGKILL");
		await first.ended;
		const again = openTerminal(project, ["-c", ...at(server)], plain);
		await again.shows(/Which colour\?[\s\S]*2\. blue[\s\S]*\? $/);
		again.enter("2");
		await again.shows(/Blue it is\.[\s\S]*> $/);
		expect(server.results()).toEqual(["The user answered: blue"]);
		expect(eventsOf(project).filter((event) => event.type === "question/asked")).toHaveLength(1);
		again.enter("exit");
		await again.ended;
		await expectWholeLog(project, server);
	});

	it.each([
		["while the answer waits in the inbox", '"target":"question"', "the user had answered: blue"],
		["right after the call took it", '"type":"question/answered"', "The user answered: blue"],
	])("never asks again what was answered, where it dies %s", async (_, line, result) => {
		const project = createProject();
		const server = await scripted(
			[{ calls: [{ name: "askUser", args: { question: "Which colour?" } }] }, { text: "Blue it is." }],
			{ by: "results" },
		);
		const env = dying(project, { at: "after sync", line });
		const first = openTerminal(project, [...at(server), "paint"], { ...plain, env });
		await first.shows(/Which colour\?[\s\S]*\? $/);
		first.enter("blue");
		expect(await first.ended).toBe(137);
		const again = openTerminal(project, ["-c", ...at(server)], plain);
		await again.shows(/Press Enter[\s\S]*> $/);
		again.enter("");
		await again.shows(/Blue it is\.[\s\S]*> $/);
		expect(again.raw()).not.toMatch(/Which colour\?[\s\S]*\? $/);
		expect(server.results()).toEqual([expect.stringContaining(result)]);
		again.enter("exit");
		await again.ended;
	});

	it("runs nothing by itself, and goes on with an interrupted request at Enter", async () => {
		const project = createProject();
		const server = await scripted([{ hang: true }, { text: "Here I am." }]);
		await killAt(project, ["-p", "hello", ...at(server)], "the request", () => server.requests[0]);
		const run = openTerminal(project, ["-c", ...at(server)], plain);
		await run.shows(/middle of a turn \("hello"\)[\s\S]*Press Enter[\s\S]*> $/);
		expect(server.requests).toHaveLength(1);
		run.enter("");
		await run.shows(/Here I am\.[\s\S]*> $/);
		expect(JSON.stringify(server.requests[1]?.messages)).toContain("hello");
		run.enter("exit");
		await run.ended;
		await expectWholeLog(project, server);
	});

	it.each(["SIGTERM", "SIGHUP"] as const)("finds nothing to recover after %s", async (signal) => {
		const project = createProject();
		const command = `AGI_TEST_MARK='${project.outer}' sleep 100`;
		const server = await scripted([{ calls: [{ name: "runCommand", args: { command } }] }]);
		const run = openTerminal(project, [...at(server), ...BYPASS, "wait"], plain);
		const mark = `AGI_TEST_MARK=${project.outer}`;
		await until("the command", () => markedProcesses(mark).length > 0);
		run.kill(signal);
		expect(await run.ended).toBe(143);
		expect(markedProcesses(mark)).toEqual([]);
		const ends = eventsOf(project).filter((event) => event.type === "turn/end");
		expect(ends).toMatchObject([{ status: "cancelled" }]);
		const again = openTerminal(project, ["-c", ...at(server)], plain);
		await again.shows(/> $/);
		expect(await again.screen()).not.toMatch(/middle of a turn|Press Enter/);
		again.enter("exit");
		expect(await again.ended).toBe(0);
	});
});
