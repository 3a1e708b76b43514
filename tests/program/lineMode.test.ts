// A conversation line by line in a plain terminal: start without a key, approve, refuse, steer, interrupt, leave.

import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { markedProcesses } from "../support/markedProcesses.ts";
import { at, createProject, eventsOf, scripted, until } from "../support/program.ts";
import { CTRL_C, openTerminal } from "../support/terminal.ts";

const WRITE = { calls: [{ name: "writeFile", args: { path: "n.txt", content: "hello\n" } }] };

describe.concurrent("agi in a terminal", () => {
	it("starts without any key, with the offline model labelled as such, and works", async () => {
		const run = openTerminal(createProject({ "a.txt": "alpha\n" }), []);
		await run.shows(/> $/);
		expect(await run.screen()).toMatch(/offline model, not an AI/);
		run.enter("read a.txt");
		await run.shows(/alpha[\s\S]*> $/);
		run.enter("exit");
		expect(await run.ended).toBe(0);
	});

	it("asks before a write, shows what it would write, and writes only after y", async () => {
		const project = createProject();
		const server = await scripted([WRITE, { text: "Written." }]);
		const run = openTerminal(project, at(server));
		await run.shows(/> $/);
		run.enter("write it");
		await run.shows(/asks to run writeFile[\s\S]*\? $/);
		expect(await run.screen()).toMatch(/\+\s*hello/);
		expect(existsSync(project.path("n.txt"))).toBe(false);
		run.enter("y");
		await run.shows(/Written\.[\s\S]*> $/);
		expect(project.read("n.txt")).toBe("hello\n");
		run.enter("quit");
		expect(await run.ended).toBe(0);
	});

	it("never runs a call that was answered with n; the turn ends and the next one is valid", async () => {
		const project = createProject({ "a.txt": "alpha\n" });
		const server = await scripted([
			{ calls: [...WRITE.calls, { name: "readFile", args: { path: "a.txt" } }] },
			{ text: "Fine." },
		]);
		const run = openTerminal(project, at(server));
		await run.shows(/> $/);
		run.enter("write it");
		await run.shows(/asks to run writeFile[\s\S]*\? $/);
		run.enter("n");
		await run.shows(/You said no[\s\S]*> $/);
		run.enter("then just say fine");
		await run.shows(/Fine\.[\s\S]*> $/);
		expect(existsSync(project.path("n.txt"))).toBe(false);
		expect(server.results()[0]).toMatch(/denied/);
		expect(server.results()).toHaveLength(2);
		expect(server.violations).toEqual([]);
		run.enter("exit");
		expect(await run.ended).toBe(0);
	});

	it("hands what else is typed at a question to the model, which goes on with it", async () => {
		const project = createProject();
		const server = await scripted([WRITE, { text: "m.txt it is." }]);
		const run = openTerminal(project, at(server));
		await run.shows(/> $/);
		run.enter("write it");
		await run.shows(/asks to run writeFile[\s\S]*\? $/);
		run.enter("call it m.txt");
		await run.shows(/m\.txt it is\.[\s\S]*> $/);
		expect(server.results()).toEqual([expect.stringMatching(/call it m\.txt/)]);
		expect(existsSync(project.path("n.txt"))).toBe(false);
	});

	it("asks no more for the same call after a", async () => {
		const project = createProject();
		const server = await scripted([WRITE, WRITE, { text: "Twice." }]);
		const run = openTerminal(project, [...at(server)]);
		await run.shows(/> $/);
		run.enter("run it twice");
		await run.shows(/asks to run writeFile[\s\S]*a = yes[\s\S]*\? $/);
		run.enter("a");
		await run.shows(/Twice\.[\s\S]*> $/);
		expect(server.results()).toHaveLength(2);
		expect(project.read("n.txt")).toBe("hello\n");
	});

	it("takes a line typed while it works into the next request of the same turn", async () => {
		const project = createProject({ "a.txt": "alpha\n" });
		let go: () => void = () => {};
		const typed = new Promise<void>((resolve) => {
			go = resolve;
		});
		const server = await scripted([
			{ until: typed, calls: [{ name: "readFile", args: { path: "a.txt" } }] },
			{ text: "Also b." },
		]);
		const run = openTerminal(project, at(server));
		await run.shows(/> $/);
		run.enter("read a");
		await until("the request", () => server.requests[0]);
		run.enter("and look at b too");
		await until("the line in the log", () =>
			eventsOf(project).some((event) => event.type === "user/message" && event.text === "and look at b too"),
		);
		go();
		await run.shows(/Also b\.[\s\S]*> $/);
		expect(server.requests).toHaveLength(2);
		expect(server.requests[1]?.messages.at(-1)).toEqual({ role: "user", content: "and look at b too" });
		expect(eventsOf(project).filter((event) => event.type === "turn/start")).toHaveLength(1);
	});

	it("cancels what runs at Ctrl+C, with its processes, and leaves at the second one when idle", async () => {
		const project = createProject();
		const command = `AGI_TEST_MARK='${project.outer}' sleep 100`;
		const server = await scripted([
			{ calls: [{ name: "runCommand", args: { command } }] },
			{ text: "Here." },
		]);
		const run = openTerminal(project, [...at(server), "--permission-mode", "bypassPermissions"]);
		const mark = `AGI_TEST_MARK=${project.outer}`;
		await run.shows(/> $/);
		run.enter("wait");
		await until("the command", () => markedProcesses(mark).length > 0);
		run.type(CTRL_C);
		await run.shows(/cancelled[\s\S]*> $/);
		expect(markedProcesses(mark)).toEqual([]);
		run.enter("are you there?");
		await run.shows(/Here\.[\s\S]*> $/);
		run.type(CTRL_C);
		await run.shows(/Ctrl\+C again[\s\S]*> $/);
		run.type(CTRL_C);
		expect(await run.ended).toBe(0);
		expect(server.violations).toEqual([]);
	});

	it("lets no control sequence of a model, a file or a file's name reach the terminal", async () => {
		const evil =
			"\x1b]52;c;cm0gLXJmIH4=\x07\x1b]0;owned\x07\x1b[2J\x1b[10A\x1b[6n\x1b]8;;http://x\x07link\x1bP+q\x1b\\\x9b31m\u202eabc";
		const project = createProject({ "evil.txt": `${evil}\n` });
		project.write("a\x1b[2Jb.txt", "x\n");
		const server = await scripted([
			{
				calls: [
					{ name: "readFile", args: { path: "evil.txt" } },
					{ name: "listFiles", args: {} },
				],
			},
			{ text: `model text ${evil} end` },
		]);
		const run = openTerminal(project, at(server));
		await run.shows(/> $/);
		const before = run.raw().length;
		run.enter("look");
		await run.shows(/end\r\n> $/);
		const written = run.raw().slice(before);
		// The line editor's own sequences move the cursor in the line; nothing else may.
		expect(written.match(/\x1b(?!\[(\d*[GJKCD]|\?2004[hl]))[\s\S]{0,6}|[\x80-\x9f]|\u202e/g)).toBeNull();
		expect(written).not.toMatch(/\x1b\[2J|\x1b\[10A/);
		run.enter("exit");
		expect(await run.ended).toBe(0);
	});

	it("carries slash commands out, and puts a turn's files back after a numbered yes", async () => {
		const project = createProject();
		const server = await scripted([WRITE, { text: "Written." }]);
		const run = openTerminal(project, [...at(server), "--permission-mode", "acceptEdits"]);
		await run.shows(/> $/);
		run.enter("/status");
		await run.shows(/mode +acceptEdits[\s\S]*> $/);
		run.enter("/stattus");
		await run.shows(/no command \/stattus\. Did you mean \/status\?\r?\n> $/);
		run.enter("write it");
		await run.shows(/Written\.[\s\S]*> $/);
		run.enter("/undo");
		await run.shows(/1 file would change[\s\S]*1\. Go back[\s\S]*\? $/);
		run.enter("1");
		await run.shows(/Done: 1 file put back\.\r?\n> $/);
		expect(existsSync(project.path("n.txt"))).toBe(false);
		expect(server.requests).toHaveLength(2);
		run.enter("/exit");
		expect(await run.ended).toBe(0);
	});

	it("goes on with a session that is named, and tells where it cannot", async () => {
		const project = createProject();
		const server = await scripted([{ text: "one" }]);
		const first = openTerminal(project, [...at(server), "say one"]);
		await first.shows(/one\r\n> $/);
		first.enter("exit");
		await first.ended;
		const second = openTerminal(project, [...at(server), "-c"]);
		await second.shows(/> $/);
		second.enter("again");
		await until("the request", () => server.requests[1]);
		expect(server.requests[1]?.messages.map((message) => message.content).slice(1)).toEqual([
			"say one",
			"one",
			"again",
		]);
		const third = openTerminal(project, [...at(server), "-r", "nope"]);
		expect(await third.ended).toBe(42);
		expect(await third.screen()).toMatch(/No session nope/);
	});
});

describe("the first start in a folder", () => {
	it("asks for trust before it reads the folder's settings, and never again after a yes", {
		timeout: 60_000,
	}, async () => {
		const project = createProject({
			".agent/settings.json": '{"permissions":{"deny":["readFile"]}}',
			"a.txt": "alpha\n",
		});
		const first = openTerminal(project, [], { term: "dumb", trusted: false });
		await first.shows(
			/rules and settings \(\.agent\/settings\.json\)[\s\S]*Do you trust this folder\? \[y\/N\] $/,
		);
		first.enter("y");
		await first.shows(/> $/);
		first.enter("read a.txt");
		await first.shows(/forbids it[\s\S]*> $/);
		first.enter("exit");
		expect(await first.ended).toBe(0);
		const second = openTerminal(project, [], { term: "dumb", trusted: false });
		await second.shows(/> $/);
		expect(second.raw()).not.toContain("Do you trust");
		second.enter("exit");
		expect(await second.ended).toBe(0);
	});
});
