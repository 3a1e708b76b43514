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
		await run.shows(/⧗ yes please 1 2 y/);
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
