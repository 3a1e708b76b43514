// Whatever ends the program, the terminal is as it was before.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { at, createProject, scripted, until } from "../support/program.ts";
import { KEYS, openScreen, type ScreenRun } from "../support/screen.ts";

const CLEAN = { bracketedPaste: false, focus: false, alternate: false, cursorHidden: false };
/** Tells the terminal's own state after agi has ended. */
const TELL_STATE = 'code=$?; stty -a | grep -oE -- "-?(icanon|echo) " | tr "\\n" " "; echo "ended=$code"';

/** In a session whose first answer never ends. */
async function working(env: Record<string, string> = {}, flags = ""): Promise<ScreenRun> {
	const server = await scripted([{ sse: [{ d: { content: "slow" } }, "hang"] }]);
	const shell = `"$AGI" ${at(server).join(" ")} ${flags}; ${TELL_STATE}`;
	const run = openScreen(createProject(), [], { shell, env });
	await run.shows(/case-model/);
	run.type(`go${KEYS.enter}`);
	await run.shows(/slow/);
	return run;
}

/** The pid of agi below the shell. */
async function agiOf(run: ScreenRun): Promise<number> {
	const { execFileSync } = await import("node:child_process");
	return Number(execFileSync("pgrep", ["-P", String(run.pid)], { encoding: "utf8" }).split("\n")[0]);
}

async function endsWith(run: ScreenRun, code: number): Promise<void> {
	await run.printed(new RegExp(`icanon\\s+echo\\s+ended=${code}`));
	expect(run.everything()).not.toMatch(/-icanon|-echo/);
	expect(run.modes()).toEqual(CLEAN);
	// What was pushed of the keyboard protocol is popped.
	expect(run.raw().split("\x1b[>1u").length).toBe(run.raw().split("\x1b[<u").length);
}

describe.concurrent("the terminal", () => {
	it("is as before after the exit command", async () => {
		const run = await working();
		run.type(`/exit${KEYS.enter}`);
		await endsWith(run, 0);
	});

	it("is as before after Ctrl+C twice", async () => {
		const run = await working();
		run.type(KEYS.ctrlC);
		await run.shows(/■/);
		run.type(KEYS.ctrlC);
		await run.shows(/again to leave/);
		run.type(KEYS.ctrlC);
		await endsWith(run, 0);
	});

	it.each([
		["SIGTERM", 143],
		["SIGHUP", 143],
		["SIGINT", 130],
	] as const)("is as before after %s", async (signal, code) => {
		const run = await working();
		process.kill(await agiOf(run), signal);
		await endsWith(run, code);
	});

	it.each([
		["an error that nobody caught", 'setImmediate(() => { throw new Error("a planted fault"); })'],
		["a promise that nobody caught", 'Promise.reject(new Error("a planted fault"))'],
	])("is as before after %s, which is told below in one line", async (_, fault) => {
		const folder = createProject().outer;
		const plant = join(folder, "plant.mjs");
		writeFileSync(plant, `process.on("SIGUSR2", () => { ${fault}; });\n`);
		const run = await working({ NODE_OPTIONS: `--import=${plant}` });
		process.kill(await agiOf(run), "SIGUSR2");
		await endsWith(run, 1);
		expect(run.everything()).toMatch(/^agi failed: a planted fault/m);
		expect(run.everything()).not.toMatch(/^\s+at /m);
	});

	it("gives up when the terminal itself goes away, and leaves no process", async () => {
		const run = await working();
		const agi = await agiOf(run);
		process.kill(run.pid, "SIGKILL");
		await run.ended;
		await until("agi's end", () => {
			try {
				process.kill(agi, 0);
				return false;
			} catch {
				return true;
			}
		});
	});
});

describe.concurrent("stepping aside", () => {
	it("stops at Ctrl+Z and comes back with the draft at fg", async () => {
		const server = await scripted([{ text: "ok" }]);
		const run = openScreen(createProject(), [], { shell: "exec sh -i", env: { PS1: "shell$ " } });
		await run.shows(/shell\$$/);
		run.type(`"$AGI" ${at(server).join(" ")}${KEYS.enter}`);
		await run.shows(/^default \| case-model/m);
		run.type("my draft");
		await run.shows(/> my draft/);
		run.type(KEYS.ctrlZ);
		await run.shows(/Stopped[\s\S]*shell\$$/);
		expect(run.modes()).toEqual(CLEAN);
		run.type(`fg${KEYS.enter}`);
		await run.shows(/> my draft[\s\S]*case-model/);
		expect(run.modes().bracketedPaste).toBe(true);
		run.type(KEYS.enter);
		await run.shows(/ok/);
	});

	it("takes the terminal anew where somebody else had stopped it", async () => {
		const server = await scripted([{ text: "fine" }]);
		const run = openScreen(createProject(), [], { shell: "exec sh -i", env: { PS1: "shell$ " } });
		await run.shows(/shell\$$/);
		run.type(`"$AGI" ${at(server).join(" ")}${KEYS.enter}`);
		await run.shows(/^default \| case-model/m);
		run.type("my draft");
		await run.shows(/> my draft/);
		process.kill(await agiOf(run), "SIGSTOP");
		await run.shows(/Stopped/);
		// Another program leaves the terminal in another mode.
		run.type("stty sane\nfg\n");
		await run.comes(
			"the screen again",
			() => /^> my draft/m.test(run.screen()) && !/Stopped/.test(run.screen()),
		);
		run.type(KEYS.enter);
		await run.shows(/fine/);
	});

	it("hands the terminal to the editor at Ctrl+G and takes the text it leaves", async () => {
		const project = createProject();
		const editor = project.path("editor.sh");
		writeFileSync(editor, '#!/bin/sh\nread -r answer\nprintf "%s and %s" "$(cat "$1")" "$answer" > "$1"\n', {
			mode: 0o755,
		});
		const server = await scripted([{ text: "ok" }]);
		const run = openScreen(project, at(server), { env: { VISUAL: editor } });
		await run.shows(/case-model/);
		run.type("first");
		await run.shows(/> first/);
		run.type(KEYS.ctrlG);
		await run.comes(
			"the editor's turn",
			() => run.raw().endsWith("\x1b[?2026l") && !run.modes().bracketedPaste,
		);
		run.type("second\r");
		await run.shows(/> first and second/);
		run.type(KEYS.enter);
		await until("the request", () => server.requests[0]);
		expect(server.requests[0]?.messages.at(-1)?.content).toBe("first and second");
	});
});
