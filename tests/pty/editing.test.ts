// The prompt line as a person sees it: wide letters, the real cursor, history, the palettes.

import { describe, expect, it } from "vitest";
import { ERASE_BELOW } from "../../src/ui/terminal/liveFrame.ts";
import { at, createProject, scripted, until } from "../support/program.ts";
import { KEYS, openScreen } from "../support/screen.ts";

async function started(files: Record<string, string> = {}) {
	const project = createProject(files);
	const server = await scripted([{ text: "ok" }]);
	const run = openScreen(project, at(server));
	await run.shows(/case-model/);
	return { project, server, run };
}

describe.concurrent("the prompt line", () => {
	it("deletes whole visible characters and keeps the cursor under the caret, at any speed and cut", async () => {
		const { server, run } = await started();
		const bytes = new TextEncoder().encode("안녕하세요👨‍👩‍👧e\u0301");
		run.type(bytes.slice(0, 7));
		run.type(bytes.slice(7, 20));
		run.type(bytes.slice(20));
		await run.shows(/> 안녕하세요/);
		for (let i = 0; i < 3; i++) run.type(KEYS.backspace);
		await run.comes("the cursor behind the fourth letter", () => run.cursor().x === 2 + 8);
		run.type(KEYS.left);
		run.type(KEYS.left);
		await run.comes("the cursor behind the second letter", () => run.cursor().x === 2 + 4);
		run.type("x");
		await run.shows(/> 안녕x하세$/m);
		expect(run.screen().split("\n")[run.cursor().y]).toBe("> 안녕x하세");
		run.type(KEYS.enter);
		await until("the request", () => server.requests[0]);
		expect(server.requests[0]?.messages.at(-1)?.content).toBe("안녕x하세");
	});

	it.each([
		["line feeds", "one\ntwo\nthree"],
		["carriage returns", "one\rtwo\rthree"],
		["both", "one\r\ntwo\r\nthree"],
	])("takes a paste with %s as lines and sends nothing before Enter", async (_, pasted) => {
		const { server, run } = await started();
		run.paste(pasted);
		await run.shows(/> one\n {2}two\n {2}three/);
		expect(server.requests).toHaveLength(0);
		run.type(KEYS.enter);
		await until("the request", () => server.requests[0]);
		expect(server.requests[0]?.messages.at(-1)?.content).toBe("one\ntwo\nthree");
	});

	it("folds a big paste and sends it whole", async () => {
		const { server, run } = await started();
		const text = Array.from({ length: 120 }, (_, i) => `row ${i}`).join("\n");
		run.paste(text);
		await run.shows(/> \[pasted 120 lines\]/);
		run.type(KEYS.enter);
		await until("the request", () => server.requests[0]);
		expect(server.requests[0]?.messages.at(-1)?.content).toBe(text);
	});

	it("completes a command and a file, and runs a command of the person", async () => {
		const { project, run } = await started({ "src/deep/target.ts": "x\n" });
		run.type("/sta");
		await run.shows(/❯ \/status/);
		run.type(KEYS.enter);
		await run.shows(/session +\S+/);
		run.type("look at @targ");
		await run.shows(/❯ src\/deep\/target\.ts/);
		run.type("\t");
		await run.shows(/> look at @src\/deep\/target\.ts/);
		run.type(`\x15!echo from the shell > made.txt; cat made.txt${KEYS.enter}`);
		await run.printed(/^ {2}from the shell$/m);
		expect(project.read("made.txt")).toBe("from the shell\n");
	});

	it("finds earlier messages of other sessions at Ctrl+R", async () => {
		const { project, server, run } = await started();
		run.type(`the first question${KEYS.enter}`);
		await run.shows(/ok/);
		run.type(`/exit${KEYS.enter}`);
		await run.ended;
		const second = openScreen(project, at(server));
		await second.shows(/case-model/);
		second.type(KEYS.ctrlR);
		await second.shows(/Earlier messages:/);
		second.type("quest");
		await second.shows(/❯ the first question/);
		second.type(KEYS.enter);
		await second.shows(/^> the first question/m);
	});

	it("suggests the command that was meant and keeps what was typed", async () => {
		const { run } = await started();
		run.type("/stauts");
		await run.shows(/> \/stauts/);
		run.type(KEYS.enter);
		await run.shows(/no command \/stauts\. Did you mean \/status/);
		expect(run.screen()).toMatch(/> \/stauts/);
	});

	it("puts the screen back at Ctrl+L: the end of the transcript, the draft and the cursor", async () => {
		const { run } = await started();
		run.type(`hi${KEYS.enter}`);
		await run.shows(/ok[\s\S]*Ask for anything/);
		run.type("draft");
		await run.shows(/> draft/);
		run.type("\x0c");
		await run.comes("the redraw", () => run.raw().includes(`\x1b[H${ERASE_BELOW}`));
		await run.shows(/^> hi\n\nok\n[\s\S]*> draft/);
		expect(run.raw()).not.toContain("\x1b[3J");
		// tmux keeps a screen that is erased from its first column on; each frame would end up in its history.
		expect(run.raw()).not.toMatch(/(\r|\x1b\[[\d;]*[HGA])\x1b\[0?J|\x1b\[2J/);
		run.type("!");
		await run.comes("the cursor behind it", () => run.cursor().x === 2 + 6);
	});

	it("shows the keys at ? and goes back at the next key", async () => {
		const { run } = await started();
		run.type("?");
		await run.shows(/Enter\s+send; to a running turn[\s\S]*more rows: \/help prints all/);
		expect(run.screen().split("\n").filter(Boolean).length).toBeLessThan(24);
		run.type(KEYS.escape);
		await run.comes("the end of the help", () => !/\/help prints all/.test(run.screen()));
	});
});
