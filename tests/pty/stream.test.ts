// While the model works: interrupting, queueing, resizing, long answers, untrusted bytes.

import { describe, expect, it } from "vitest";
import type { Frame } from "../support/caseServer.ts";
import { markedProcesses } from "../support/markedProcesses.ts";
import { at, BYPASS, createProject, scripted, until } from "../support/program.ts";
import { KEYS, openScreen, type ScreenOptions } from "../support/screen.ts";

type Script = Parameters<typeof scripted>[0];

async function started(script: Script, options: ScreenOptions = {}, flags: readonly string[] = []) {
	const project = createProject();
	const server = await scripted(script);
	const run = openScreen(project, [...at(server), ...flags], options);
	await run.shows(/default/);
	return { project, server, run };
}

function gate(): { opened: Promise<void>; open(): void } {
	const { promise, resolve } = Promise.withResolvers<void>();
	return { opened: promise, open: resolve };
}

const FINISH: Frame[] = [
	{ d: {}, f: "stop" },
	{ u: { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 } },
	"DONE",
];

describe.concurrent("interrupting", () => {
	it("stops a stream at Escape and keeps the draft of two lines, also at Ctrl+C", async () => {
		const { run, server } = await started([
			{ sse: [{ d: { content: "beginning " } }, "hang"] },
			{ text: "Next." },
		]);
		run.type(`go${KEYS.enter}`);
		await run.shows(/beginning/);
		run.type("first line\x0asecond line");
		await run.shows(/> first line\n {2}second line/);
		run.type(KEYS.escape);
		await run.shows(/■/);
		expect(run.screen()).toMatch(/> first line\n {2}second line/);
		run.type(KEYS.ctrlC);
		await run.shows(/Ctrl\+_ brings it back/);
		run.type(KEYS.undo);
		await run.shows(/> first line\n {2}second line/);
		run.type(KEYS.enter);
		await run.shows(/Next\./);
		expect(server.violations).toEqual([]);
	});

	it("ends a command with its processes at Ctrl+C and goes on talking", async () => {
		const project = createProject();
		const mark = `AGI_TEST_MARK=${project.outer}`;
		const server = await scripted([
			{ calls: [{ name: "runCommand", args: { command: `${mark} sleep 100` } }] },
			{ text: "Here." },
		]);
		const run = openScreen(project, [...at(server), ...BYPASS]);
		await run.shows(/case-model/);
		run.type(`wait${KEYS.enter}`);
		await until("the command", () => markedProcesses(mark).length > 0);
		await run.shows(/running/);
		run.type(KEYS.ctrlC);
		await run.shows(/■/);
		expect(markedProcesses(mark)).toEqual([]);
		run.type(`still there?${KEYS.enter}`);
		await run.shows(/Here\./);
		run.type(KEYS.ctrlC);
		await run.shows(/Press Ctrl\+C again/);
		run.type(KEYS.ctrlC);
		expect(await run.ended).toBe(0);
	});
});

describe.concurrent("the queue", () => {
	it("shows what was typed meanwhile, gives it back at Alt+Up, and sends it for the turn after at Tab", async () => {
		const { opened, open } = gate();
		const { run, server } = await started([{ until: opened, text: "One." }, { text: "Two." }]);
		run.type(`first${KEYS.enter}`);
		await until("the request", () => server.requests[0]);
		run.type("secnd\t");
		await run.shows(/⧗ next turn · secnd/);
		await run.shows(/1 queued/);
		run.type(KEYS.altUp);
		await run.shows(/> secnd/);
		await run.comes("an empty queue", () => !run.screen().includes("⧗"));
		run.type(`${KEYS.left}${KEYS.left}o\t`);
		await run.shows(/⧗ next turn · second/);
		open();
		await run.shows(/Two\./);
		expect(server.requests).toHaveLength(2);
		expect(server.requests[1]?.messages.at(-1)?.content).toBe("second");
	});

	it("is put in another order, loses a message, and stays where Esc stops the turn", async () => {
		const { run, server } = await started([{ hang: true }, { text: "Two." }, { text: "Three." }]);
		run.type(`first${KEYS.enter}`);
		await until("the request", () => server.requests[0]);
		for (const text of ["alpha", "beta", "gamma"]) run.type(`${text}\t`);
		run.type(`steer${KEYS.enter}`);
		await run.shows(/next step · steer\n.*next turn · alpha\n.*next turn · beta\n.*and 1 more/);
		run.type(KEYS.altQ);
		await run.shows(/❯ next turn · gamma/);
		run.type(`${KEYS.altUp}${KEYS.altUp}`);
		await run.shows(/❯ next turn · gamma\n.*next turn · alpha/);
		run.type(`${KEYS.down}${KEYS.delete}`);
		await run.shows(/next turn · gamma\n❯ next turn · beta/);
		run.type(`${KEYS.escape}`);
		await run.shows(/⧗ next turn · beta/);
		run.type(KEYS.escape);
		await run.shows(/■/);
		await run.shows(/3 queued/);
		expect(server.requests).toHaveLength(1);
		run.type(`go${KEYS.enter}`);
		await run.shows(/Three\./);
	});
});

describe.concurrent("a long answer", () => {
	const lines = Array.from({ length: 200 }, (_, i) => `answer line ${i}.`);

	async function streamed(resizes: boolean) {
		const { opened, open } = gate();
		const pieces = lines.map((line): Frame => ({ d: { content: `${line}\n\n` } }));
		const frames: Frame[] = [...pieces.slice(0, 60), { until: opened }, ...pieces.slice(60), ...FINISH];
		const project = createProject();
		const server = await scripted([{ sse: frames }]);
		const shell = `for i in $(seq 1 100); do echo marker $i; done; "$AGI" ${at(server).join(" ")}`;
		const run = openScreen(project, [], { rows: 20, shell });
		await run.shows(/case-model/);
		run.type(`go${KEYS.enter}`);
		await run.shows(/answer line 59\./);
		if (resizes) {
			run.resize(60, 15);
			await run.comes("the narrower screen", () => /─{59}(?!─)|default/.test(run.screen()));
			run.resize(100, 30);
		}
		open();
		await run.shows(/answer line 199\./);
		await run.shows(/> Ask for anything/);
		return run;
	}

	it("leaves the scrollback alone: every line once, what the shell had printed still above", async () => {
		const run = await streamed(false);
		const text = run.everything();
		expect(lines.filter((line) => text.split(line).length !== 2)).toEqual([]);
		expect([...text.matchAll(/^marker \d+$/gm)]).toHaveLength(100);
		expect(run.raw()).not.toContain("\x1b[3J");
	});

	it("loses no line where the screen is resized twice meanwhile", async () => {
		const run = await streamed(true);
		const text = run.everything();
		expect(lines.filter((line) => !text.includes(line))).toEqual([]);
		expect([...text.matchAll(/^marker \d+$/gm)]).toHaveLength(100);
		expect(run.raw()).not.toContain("\x1b[3J");
	});

	it("fits a window of 20 by 5 and can be answered there", async () => {
		const { run } = await started([{ text: "A small answer.\n\nIn two parts." }, { text: "More." }], {
			columns: 20,
			rows: 5,
		});
		run.type(`hi${KEYS.enter}`);
		await run.shows(/In two parts\./);
		expect(run.screen().split("\n").length).toBeLessThanOrEqual(5);
		run.type(`again${KEYS.enter}`);
		await run.shows(/More\./);
	});
});

describe.concurrent("untrusted bytes", () => {
	it("never reach the terminal raw, from a file, a name, a command or the model", async () => {
		const evil =
			"\x1b]52;c;cm0gLXJmIH4=\x07\x1b]0;owned\x07\x1b[2J\x1b[10A\x1b[6n\x1b]8;;http://x\x07link\x1b]8;;\x07\x1bP+q\x1b\\\x9b31m\r\b\b\u202eabc";
		const project = createProject({ "evil.txt": `${evil}\x1b]` });
		project.write("a\x1b[2Jb.txt", "x\n");
		const server = await scripted([
			{
				calls: [
					{ name: "readFile", args: { path: "evil.txt" } },
					{ name: "listFiles", args: {} },
				],
			},
			{ calls: [{ name: "runCommand", args: { command: "cat evil.txt" } }] },
			{ text: `model text ${evil} the end` },
		]);
		const run = openScreen(project, [...at(server), ...BYPASS]);
		await run.shows(/case-model/);
		const before = run.raw().length;
		run.type(`look${KEYS.enter}`);
		await run.shows(/the end[\s\S]*> Ask for anything/);
		const written = run.raw().slice(before);
		expect(written).not.toMatch(/\x1b[\]P_^X]|\x1b\[2J|\x1b\[10A|\x1b\[6n|[\x80-\x9f]|\u202e|\x08/);
		run.type("typed");
		await run.shows(/> typed$/m);
	});
});
