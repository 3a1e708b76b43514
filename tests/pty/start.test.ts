// The first moments: keys before the program is loaded, the hand-over to Ink, terminals that are none.

import { describe, expect, it } from "vitest";
import { at, createProject, runShell, scripted, until } from "../support/program.ts";
import { dialogAnswers, KEYS, openScreen } from "../support/screen.ts";

describe.concurrent("the first frame", () => {
	it("takes keys that were sent before the program said anything, and Enter sends them", async () => {
		const project = createProject();
		const server = await scripted([{ text: "Early bird." }]);
		const run = openScreen(project, at(server), { typedAhead: `hello there${KEYS.enter}` });
		await run.shows(/Early bird\./);
		expect(server.requests[0]?.messages.at(-1)?.content).toBe("hello there");
	});

	it("loses no key while it hands over, typed one by one", async () => {
		const project = createProject();
		const server = await scripted([{ text: "ok" }]);
		const run = openScreen(project, at(server));
		await run.shows(/Ask for anything/);
		let typed = "";
		for (let i = 0; !/case-model/.test(run.screen()); i++) {
			const letter = "abcdefghij"[i % 10]!;
			typed += letter;
			run.type(letter);
			await run.comes("its echo", () =>
				run
					.screen()
					.replaceAll(/\n {2}/g, "")
					.includes(`> ${typed}`),
			);
		}
		run.type(KEYS.enter);
		await until("the request", () => server.requests[0]);
		expect(typed.length).toBeGreaterThan(0);
		expect(server.requests[0]?.messages.at(-1)?.content).toBe(typed);
	});

	it("keeps a paste whole that is open while it hands over, and half a letter too", async () => {
		const project = createProject();
		const server = await scripted([{ text: "ok" }]);
		const run = openScreen(project, at(server));
		const [half = 0, ...rest] = new TextEncoder().encode("é");
		await run.shows(/Ask for anything/);
		run.type("\x1b[200~one\rtwo ");
		run.type(Uint8Array.of(half));
		await run.shows(/case-model/);
		run.type(Uint8Array.from(rest));
		run.type(" three\x1b[20");
		run.type("1~");
		await run.shows(/two é three/);
		expect(server.requests).toHaveLength(0);
		run.type(KEYS.enter);
		await until("the request", () => server.requests[0]);
		expect(server.requests[0]?.messages.at(-1)?.content).toBe("one\ntwo é three");
	});

	it("leaves at once at Ctrl+D, whatever is still being loaded, with the terminal as it was", async () => {
		const run = openScreen(createProject(), []);
		await run.shows(/Ask for anything/);
		run.type(KEYS.ctrlD);
		expect(await run.ended).toBe(0);
		expect(run.modes()).toEqual({
			bracketedPaste: false,
			focus: false,
			alternate: false,
			cursorHidden: false,
		});
	});

	it("says what is wrong with the start below a clean screen", async () => {
		const run = openScreen(createProject(), ["-r", "nope"]);
		expect(await run.ended).toBe(42);
		expect(run.everything()).toMatch(/No session nope/);
		expect(run.everything()).not.toMatch(/Ask for anything/);
		expect(run.modes().bracketedPaste).toBe(false);
	});
});

describe.concurrent("the first start in a folder", () => {
	const files = { ".agent/settings.json": "{}", "a.txt": "alpha\n" };

	it("asks for trust; what was typed ahead, Enter and a lone y are no yes", async () => {
		const project = createProject(files);
		const server = await scripted([{ text: "ok" }]);
		const run = openScreen(project, at(server), { trusted: false, typedAhead: "y" });
		await run.printed(/rules and settings \(\.agent\/settings\.json\)/);
		await run.shows(/❯ 1\. No/);
		run.type(KEYS.backspace);
		await dialogAnswers(run);
		run.type(KEYS.enter);
		await run.shows(/untrusted/);
		await run.printed(/Do you trust this folder\?\n+❯ No, work here without that\n/);
		run.type(`go${KEYS.enter}`);
		await run.shows(/ok/);
	});

	it("keeps a yes, given with y and Enter, for later starts", async () => {
		const project = createProject(files);
		const server = await scripted([{ text: "ok" }]);
		const run = openScreen(project, at(server), { trusted: false });
		await run.shows(/❯ 1\. No/);
		await dialogAnswers(run);
		run.type("y");
		await run.shows(/❯ 2\. Yes/);
		run.type(KEYS.enter);
		await run.shows(/\| trusted/);
		await run.printed(/Do you trust this folder\?\n+❯ Yes, I trust this folder\n/);
		run.type(`/exit${KEYS.enter}`);
		await run.ended;
		const again = openScreen(project, at(server), { trusted: false });
		await again.shows(/\| trusted/);
	});
});

describe.concurrent("agi without a whole terminal", () => {
	it("starts without a key, with the offline model and the way to another", async () => {
		const run = openScreen(createProject({ "a.txt": "alpha\n" }), []);
		await run.shows(/offline model, not an AI/);
		await run.printed(/agi setup/);
		run.type(`read a.txt${KEYS.enter}`);
		await run.printed(/alpha/);
	});

	it.each([
		["stdin is a pipe", 'echo hi | "$AGI"'],
		["stdin is nothing", '"$AGI" < /dev/null'],
		["stdout is a pipe", '"$AGI" | cat; exit 2'],
	])("says one sentence that names -p and exits with 2 where %s", async (_, line) => {
		const ended = await runShell(createProject(), line);
		expect(ended.code).toBe(2);
		expect(ended.stderr).toMatch(/^agi needs a terminal.*-p.*\n$/);
		expect(ended.stdout).toBe("");
	});

	it("talks line by line on a terminal that can only do that", async () => {
		const project = createProject();
		const server = await scripted([{ text: "Plain." }]);
		const run = openScreen(project, at(server), { env: { TERM: "dumb" } });
		await run.shows(/^>$/m);
		run.type(`hi${KEYS.enter}`);
		await run.shows(/Plain\.\n>/);
		expect(run.raw()).not.toContain("\x1b[?2026h");
	});
});
