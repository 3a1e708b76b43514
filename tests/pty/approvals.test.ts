// Consent on the screen: what answers a question, and what never does.

import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { at, createProject, scripted, until } from "../support/program.ts";
import { dialogAnswers, KEYS, openScreen } from "../support/screen.ts";

const write = (path: string) => ({ name: "writeFile", args: { path, content: "x\n" } });
const WRITE = { calls: [write("APPROVED")] };

function gate(): { opened: Promise<void>; open(): void } {
	const { promise, resolve } = Promise.withResolvers<void>();
	return { opened: promise, open: resolve };
}

async function asking(script: Parameters<typeof scripted>[0], prompt = "do it") {
	const project = createProject();
	const server = await scripted(script);
	const run = openScreen(project, [...at(server), "--trust"]);
	await run.shows(/case-model/);
	run.type(prompt + KEYS.enter);
	await run.shows(/asks to run/);
	return { project, server, run };
}

describe.concurrent("an approval on the screen", () => {
	it("runs the call after Enter on the preselected Yes", async () => {
		const { project, run } = await asking([WRITE, { text: "Done." }]);
		expect(run.screen()).toMatch(/\+\+\+ APPROVED[\s\S]*\+x/);
		await dialogAnswers(run);
		run.type(KEYS.enter);
		await run.shows(/Done\./);
		expect(existsSync(project.path("APPROVED"))).toBe(true);
	});

	it("does not ask again for the same call after the second answer, taken with the arrows", async () => {
		const { project, run } = await asking([WRITE, WRITE, { text: "Twice." }]);
		await dialogAnswers(run);
		run.type(KEYS.down);
		await run.shows(/❯ 2\. Yes/);
		run.type(KEYS.enter);
		await run.shows(/Twice\./);
		expect(existsSync(project.path("APPROVED"))).toBe(true);
	});

	it("ends the turn at Escape, with every call answered, and the next message works", async () => {
		const two = [write("APPROVED"), write("SECOND")];
		const { project, server, run } = await asking([{ calls: two }, { text: "Fine." }]);
		await dialogAnswers(run);
		run.type(KEYS.escape);
		await run.shows(/You said no/);
		await run.shows(/> Ask for anything/);
		run.type(`then say fine${KEYS.enter}`);
		await run.shows(/Fine\./);
		expect(existsSync(project.path("APPROVED")) || existsSync(project.path("SECOND"))).toBe(false);
		expect(server.results()).toHaveLength(2);
		expect(server.violations).toEqual([]);
	});

	it("goes on with the person's words after No with words", async () => {
		const { project, server, run } = await asking([WRITE, { text: "As you wish." }]);
		await dialogAnswers(run);
		run.type("3");
		await run.shows(/Enter sends No/);
		run.type("call it OTHER");
		await run.shows(/> call it OTHER/);
		run.type(KEYS.enter);
		await run.shows(/As you wish\./);
		expect(server.results()[0]).toMatch(/call it OTHER/);
		expect(existsSync(project.path("APPROVED"))).toBe(false);
	});

	it("is not answered by what was being typed when it opened; nothing of that is lost", async () => {
		const { opened, open } = gate();
		const project = createProject();
		const server = await scripted([{ ...WRITE, until: opened }, { text: "ok" }]);
		const run = openScreen(project, [...at(server), "--trust"]);
		await run.shows(/case-model/);
		run.type(`go${KEYS.enter}`);
		await until("the request", () => server.requests[0]);
		run.type("yes please 1 ");
		await run.shows(/> yes please 1/);
		open();
		await run.shows(/asks to run/);
		run.type("2 y");
		await run.shows(/> yes please 1 2 y/);
		run.type(KEYS.enter);
		await run.shows(/⧗ .*yes please 1 2 y/);
		expect(existsSync(project.path("APPROVED"))).toBe(false);
		await dialogAnswers(run);
		run.type(KEYS.enter);
		await run.shows(/ok/);
		expect(existsSync(project.path("APPROVED"))).toBe(true);
		expect(server.requests.at(-1)?.messages.map((message) => message.content)).toContain("yes please 1 2 y");
	});

	it("is not answered by keys of its first half second nor by a paste", async () => {
		const { project, run } = await asking([WRITE, { text: "ok" }]);
		run.type("y1");
		await run.shows(/> y1/);
		run.type(KEYS.ctrlC);
		await run.comes("the turn's end", () => !/asks to run/.test(run.screen()));
		expect(existsSync(project.path("APPROVED"))).toBe(false);
		const second = await asking([WRITE, { text: "ok" }]);
		await dialogAnswers(second.run);
		second.run.paste("y\n1\n");
		await second.run.shows(/> y/);
		expect(second.run.screen()).toMatch(/asks to run/);
		expect(existsSync(second.project.path("APPROVED"))).toBe(false);
	});

	it("is left unanswered by Ctrl+C, which ends the turn and keeps a draft", async () => {
		const { project, run, server } = await asking([WRITE, { text: "Here." }]);
		await dialogAnswers(run);
		run.type("draft");
		await run.shows(/> draft/);
		run.type(KEYS.escape);
		await run.comes("the turn's end", () => !/asks to run/.test(run.screen()));
		expect(run.screen()).toMatch(/> draft/);
		expect(existsSync(project.path("APPROVED"))).toBe(false);
		run.type(KEYS.enter);
		await run.shows(/Here\./);
		expect(server.violations).toEqual([]);
	});

	it("shows a change of 2,000 lines in part, and whole at Ctrl+O, on a screen of 24 rows", async () => {
		const content = Array.from({ length: 2000 }, (_, i) => `line ${i}`).join("\n");
		const big = { calls: [{ name: "writeFile", args: { path: "big.txt", content } }] };
		const { project, run } = await asking([big, { text: "Written." }]);
		expect(run.screen()).toMatch(/more lines? \(Ctrl\+O shows all\)/);
		await dialogAnswers(run);
		run.type(KEYS.ctrlO);
		await run.printed(/line 399\b/);
		await run.shows(/1\. Yes/);
		run.type(KEYS.enter);
		await run.shows(/Written\./);
		expect(project.read("big.txt")).toBe(content);
		expect(run.raw()).not.toContain("\x1b[3J");
	});
});

describe.concurrent("a change on the screen", () => {
	const OLD = Array.from({ length: 40 }, (_, i) => `line ${i}\n`).join("");
	const NEW = OLD.replace("line 2\n", "two\n")
		.replace("line 20\n", "twenty\n")
		.replace("line 37\n", "last\n");

	async function askingChange(env: Record<string, string> = {}) {
		const project = createProject({ "a.txt": OLD });
		const server = await scripted([
			{ calls: [{ name: "readFile", args: { path: "a.txt" } }] },
			{ calls: [{ name: "writeFile", args: { path: "a.txt", content: NEW } }] },
			{ text: "So be it." },
		]);
		const run = openScreen(project, [...at(server), "--trust"], { rows: 40, env });
		await run.shows(/case-model/);
		run.type(`go${KEYS.enter}`);
		await run.shows(/❯ \[x\] part 1/);
		await dialogAnswers(run);
		return { project, server, run };
	}

	it("is written without the part that Space refused, and the model reads which one", async () => {
		const { project, server, run } = await askingChange();
		run.type("\t");
		await run.shows(/❯ \[x\] part 2/);
		run.type(" ");
		await run.shows(/❯ \[ \] part 2 of 3, refused/);
		await run.shows(/1\. Yes, write 2 of its 3 parts/);
		run.type(KEYS.enter);
		await run.shows(/So be it\./);
		expect(project.read("a.txt")).toBe(NEW.replace("twenty\n", "line 20\n"));
		const result = server.results().at(-1);
		expect(result).toMatch(/refused 1 of its 3 parts/);
		expect(result).toMatch(/-line 20\n\+twenty/);
		expect(server.violations).toEqual([]);
	});

	it("is written as the person left it in the editor, and the model reads the difference", async () => {
		const editor = "sed -i s/twenty/zwanzig/";
		const { project, server, run } = await askingChange({ EDITOR: editor });
		run.type("e");
		await run.shows(/1\. Yes, write my text instead/);
		await dialogAnswers(run);
		run.type(KEYS.enter);
		await run.shows(/So be it\./);
		expect(project.read("a.txt")).toBe(NEW.replace("twenty", "zwanzig"));
		expect(server.results().at(-1)).toMatch(/-twenty\n\+zwanzig/);
	});

	it.each([
		["fails", "false", /"false" ended with 1/],
		["is not there", "no-such-editor -w", /no-such-editor was not found; the text stays/],
	])("stays open with the proposal where the editor %s", async (_, editor, told) => {
		const { project, run } = await askingChange({ EDITOR: editor });
		run.type("e");
		await run.shows(told);
		await run.shows(/1\. Yes$/m);
		expect(project.read("a.txt")).toBe(OLD);
	});
});

describe.concurrent("a command on the screen", () => {
	it("is asked about with its folder, its sandbox, its network and what it may write", async () => {
		const push = { name: "runCommand", args: { command: "git push", network: true } };
		const { project, run } = await asking([{ calls: [push] }, { text: "ok" }]);
		await run.printed(/network on/);
		const asked = run.everything().replaceAll("\n", "");
		expect(asked).toContain(`In ${project.root} · sandbox`);
		expect(run.screen()).toMatch(/❯ 2\. No/);
	});

	it("shows its hidden characters, and nothing of it reaches the terminal raw", async () => {
		const command = "git push origin main\u202e\u200b\u{e0072}\x1b[2K\x1b]0;t\x07\r; rm -rf ~";
		const { run } = await asking([
			{ calls: [{ name: "runCommand", args: { command: command.replace("rm -rf ~", "ls") } }] },
			{ text: "ok" },
		]);
		await run.shows(/❯ 2\. No/);
		const shown = run.everything().replaceAll("\n", "");
		for (const mark of ["<U+202E>", "<U+200B>", "<U+E0072>", "␍; ls"]) expect(shown).toContain(mark);
		expect(run.raw()).not.toMatch(/[\u202e\u200b]|\x1b\[2K; |\x1b\]0;t/u);
	});

	it("of 250 lines is printed whole above the question, whose answers stay on the screen", async () => {
		const command = Array.from({ length: 250 }, (_, i) => `echo "line ${i}" >> made.txt`).join("\n");
		const sudo = `sudo true\n${command}`;
		const { project, run } = await asking([
			{ calls: [{ name: "runCommand", args: { command: sudo } }] },
			{ text: "ok" },
		]);
		await run.shows(/❯ 2\. No/);
		for (const i of [0, 100, 249]) expect(run.everything()).toContain(`echo "line ${i}"`);
		expect(run.screen()).toMatch(/more lines \(Ctrl\+O shows all\)/);
		await dialogAnswers(run);
		run.type(KEYS.escape);
		await run.shows(/You said no/);
		expect(existsSync(project.path("made.txt"))).toBe(false);
	});

	it("can be answered in a window of 30 by 8", async () => {
		const project = createProject();
		const server = await scripted([WRITE, { text: "Small." }]);
		const run = openScreen(project, [...at(server), "--trust"], { columns: 30, rows: 8 });
		await run.shows(/default/);
		run.type(`go${KEYS.enter}`);
		await run.shows(/asks to run/);
		expect(run.screen()).toMatch(/1\. Yes[\s\S]*\d\. No/);
		await dialogAnswers(run);
		run.type(KEYS.enter);
		await run.shows(/Small\./);
		expect(existsSync(project.path("APPROVED"))).toBe(true);
	});

	it("runs in a sandbox that the status line tells", async () => {
		const project = createProject();
		const server = await scripted([{ text: "ok" }]);
		const run = openScreen(project, at(server), { columns: 120 });
		await run.shows(/sandbox (full|partial|none), net (on|off)/);
	});
});
