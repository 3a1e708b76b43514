// Commands, plan mode and sessions on the screen.

import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { dying } from "../support/mortalProgram.ts";
import { at, BYPASS, createProject, runAgi, scripted, sessionFolders, until } from "../support/program.ts";
import { dialogAnswers, KEYS, openScreen } from "../support/screen.ts";

type Script = Parameters<typeof scripted>[0];

async function started(script: Script, flags: readonly string[] = []) {
	const project = createProject({ "a.txt": "alpha\n" });
	const server = await scripted(script);
	const run = openScreen(project, [...at(server), "--trust", ...flags], { columns: 100, rows: 30 });
	await run.shows(/case-model/);
	return { project, server, run };
}

const WRITE = { calls: [{ name: "writeFile", args: { path: "n.txt", content: "hello\n" } }] };

describe.concurrent("commands", () => {
	it("print what they know and write what they are told", async () => {
		const { project, run } = await started([WRITE, { text: "Wrote **it**." }]);
		run.type(`go${KEYS.enter}`);
		await run.shows(/asks to run/);
		await dialogAnswers(run);
		run.type(KEYS.enter);
		await run.shows(/Wrote it\./);
		run.type(`/cost${KEYS.enter}`);
		await run.printed(/In all:/);
		run.type(`/context${KEYS.enter}`);
		await run.printed(/The next request: ≈[\s\S]*result: writeFile/);
		run.type(`/context mask 3${KEYS.enter}`);
		await run.printed(/3, result: writeFile .*masked\. The model sees a mark/);
		run.type(`/diff${KEYS.enter}`);
		await run.printed(/^ {2}\+hello$/m);
		run.type(`/export talk.md${KEYS.enter}`);
		await run.printed(/Written: .*talk\.md/);
		expect(project.read("talk.md")).toMatch(/Wrote \*\*it\*\*\./);
		run.type(`/export talk.html${KEYS.enter}`);
		await run.printed(/Written: .*talk\.html/);
		expect(project.read("talk.html")).toMatch(/^<!doctype html>[\s\S]*hello/i);
		run.type(`/copy${KEYS.enter}`);
		await run.shows(/Copied as Markdown/);
		expect(run.raw()).toContain(`\x1b]52;c;${Buffer.from("Wrote **it**.").toString("base64")}\x07`);
		run.type(`/help${KEYS.enter}`);
		await run.printed(/\/resume SEARCH/);
	});

	it("take a turn back with its files, and forward again", async () => {
		const { project, run } = await started([WRITE, { text: "Wrote it." }]);
		run.type(`make n.txt${KEYS.enter}`);
		await run.shows(/asks to run/);
		await dialogAnswers(run);
		run.type(KEYS.enter);
		await run.shows(/Wrote it\./);
		await run.shows(/Ask for anything/);
		run.type(`/undo${KEYS.enter}`);
		await run.shows(/Go back\?/);
		run.type(KEYS.enter);
		await run.comes("the file's end", () => !existsSync(project.path("n.txt")));
		await run.shows(/Done: 1 file/);
		run.type(`/undo${KEYS.enter}`);
		await run.printed(/No turn has changed files/);
		run.type(`/redo${KEYS.enter}`);
		await run.shows(/Bring it back\?/);
		run.type(KEYS.enter);
		await run.comes("the file again", () => existsSync(project.path("n.txt")));
		await run.shows(/Ask for anything/);
		run.type(`${KEYS.escape}${KEYS.escape}`);
		await run.shows(/❯ make n\.txt {2}1 file/);
		run.type(KEYS.enter);
		await run.shows(/❯.*Files and conversation/);
		run.type(KEYS.enter);
		await run.shows(/- n\.txt[\s\S]*Go back\?/);
		run.type(KEYS.enter);
		await run.shows(/Done: 1 file[\s\S]*> make n\.txt/);
		expect(existsSync(project.path("n.txt"))).toBe(false);
	});

	it("begin a new session, and /resume goes back to the first by its title", async () => {
		const { run } = await started([{ text: "Answer one." }, { text: "Answer two." }]);
		run.type(`first topic${KEYS.enter}`);
		await run.shows(/Answer one\./);
		run.type(`/clear${KEYS.enter}`);
		await run.printed(/── session/);
		run.type(`second topic${KEYS.enter}`);
		await run.shows(/Answer two\./);
		run.type(`/resume${KEYS.enter}`);
		await run.shows(/❯ first topic/);
		run.type(KEYS.enter);
		await run.comes("the first session", () => run.everything().split("Answer one.").length === 3);
	});

	it("copy the session up to a step that is chosen, and say so", async () => {
		const read = { calls: [{ name: "readFile", args: { path: "a.txt" } }] };
		const { server, run } = await started([read, { text: "It says alpha." }, { text: "Another way." }]);
		run.type(`look at it${KEYS.enter}`);
		await run.shows(/It says alpha\./);
		run.type(`/fork step-9${KEYS.enter}`);
		await run.printed(/has no ended step step-9: its last one that ended is step-2/);
		run.type(`/fork${KEYS.enter}`);
		await run.shows(/❯ Here: the whole conversation/);
		await run.shows(/step-2 · look at it {2}end of the turn: It says alpha\./);
		run.type("readFile");
		await run.shows(/❯ step-1 · look at it {2}readFile a\.txt/);
		run.type(KEYS.enter);
		await run.printed(/Copied from "look at it" up to the end of step-1\. No file was changed\./);
		run.type(`try again${KEYS.enter}`);
		await run.shows(/Another way\./);
		const roles = server.requests.at(-1)?.messages.map(({ role }) => role);
		expect(roles).toEqual(["system", "user", "assistant", "tool", "user"]);
	});

	it("ask with -r --fork-session which session is copied, and leave that one as it is", async () => {
		const { project, server, run } = await started([{ text: "Answer one." }, { text: "In the copy." }]);
		run.type(`first topic${KEYS.enter}`);
		await run.shows(/Answer one\./);
		run.type(`/exit${KEYS.enter}`);
		await run.ended;
		const [first = ""] = sessionFolders(project);
		const log = readFileSync(join(first, "log.jsonl"), "utf8");
		const again = openScreen(project, [...at(server), "-r", "--fork-session", "--at", "1"]);
		await again.shows(/❯ first topic/);
		again.type(KEYS.enter);
		await again.printed(/Copied from "first topic" up to the end of step-1/);
		again.type(`go on${KEYS.enter}`);
		await again.shows(/In the copy\./);
		expect(
			server.requests
				.at(-1)
				?.messages.map(({ content }) => content)
				.slice(1),
		).toEqual(["first topic", "Answer one.", "go on"]);
		expect(readFileSync(join(first, "log.jsonl"), "utf8")).toBe(log);
	});

	it("ask which session with -r", async () => {
		const { project, server, run } = await started([{ text: "Answer one." }]);
		run.type(`first topic${KEYS.enter}`);
		await run.shows(/Answer one\./);
		run.type(`/exit${KEYS.enter}`);
		await run.ended;
		const again = openScreen(project, [...at(server), "-r"]);
		await again.shows(/❯ first topic/);
		again.type(KEYS.enter);
		await again.printed(/Answer one\./);
	});
});

describe.concurrent("a session whose log is damaged", () => {
	const lines = (project: ReturnType<typeof createProject>) => {
		const [folder = ""] = sessionFolders(project);
		return join(folder, "log.jsonl");
	};

	/** After a session of two turns, with a flipped letter in the middle of its log. */
	async function damaged() {
		const project = createProject();
		const server = await scripted(["One.", "Two.", "Three."].map((text) => ({ text })));
		await runAgi(project, ["-p", "first topic", ...at(server)]);
		await runAgi(project, ["-c", "-p", "more", ...at(server)]);
		const path = lines(project);
		const log = readFileSync(path, "utf8").split("\n");
		log[3] = (log[3] ?? "").replace('"seq"', '"Seq"');
		writeFileSync(path, log.join("\n"));
		return { project, server, path, log: log.join("\n") };
	}

	it("is told at the start and gone on with in a copy after a yes", async () => {
		const { project, server, path, log } = await damaged();
		const run = openScreen(project, [...at(server), "--trust", "-c"], { columns: 100, rows: 30 });
		await run.printed(/is damaged \(line 4: [\s\S]*Go on in a copy of what can be read\?/);
		await dialogAnswers(run);
		run.type("y");
		run.type(KEYS.enter);
		await run.printed(/Copied from .*[\s\S]*1 part of it could not be read/);
		run.type(`go on${KEYS.enter}`);
		await run.shows(/Three\./);
		expect(readFileSync(path, "utf8")).toBe(log);
		expect(sessionFolders(project)).toHaveLength(2);
	});

	it("ends after a no with the reason and the way out, and with 42", async () => {
		const { project, server } = await damaged();
		const run = openScreen(project, [...at(server), "--trust", "-c"], { columns: 100, rows: 30 });
		await run.printed(/Go on in a copy of what can be read\?/);
		await dialogAnswers(run);
		run.type(KEYS.enter);
		expect(await run.ended).toBe(42);
		expect(run.everything().replace(/\s+/g, "")).toMatch(/inacopy:agi-r[\d-]+\w+--fork-session/);
		expect(sessionFolders(project)).toHaveLength(1);
	});

	it("is offered as a copy where it was chosen from the list", async () => {
		const { project, server } = await damaged();
		const run = openScreen(project, [...at(server), "--trust", "-r"], { columns: 100, rows: 30 });
		await run.shows(/❯ first topic/);
		run.type(KEYS.enter);
		await run.shows(/Go on in a copy of what can be read\?/);
		await run.shows(/Yes, copy it and go on there/);
		await dialogAnswers(run);
		run.type("1");
		run.type(KEYS.enter);
		await run.printed(/Copied from .*[\s\S]*1 part of it could not be read/);
		expect(sessionFolders(project).length).toBeGreaterThan(1);
	});
});

describe.concurrent("/login", () => {
	it("asks for a server, a hidden key and a model, tries them, stores them and goes on with them", async () => {
		const server = await scripted([{ text: "Hello." }]);
		const project = createProject();
		const run = openScreen(project, [], { columns: 100, rows: 30 });
		await run.shows(/offline model, not an AI/);
		run.type(`/login${KEYS.enter}`);
		await run.shows(/Provider: /);
		run.type(`custom${KEYS.enter}`);
		await run.shows(/Address of the server/);
		run.type(server.baseUrl + KEYS.enter);
		await run.shows(/Key for .*shown as dots/);
		run.paste("sk-hidden-0123456789");
		await run.shows(/> •{20}/);
		run.type(KEYS.enter);
		await run.shows(/Name of the model/);
		run.type(`case-model${KEYS.enter}`);
		await run.shows(/Stored and in use/);
		await run.shows(/^default \| case-model/m);
		expect(run.raw()).not.toContain("sk-hidden");
		expect(server.requests[0]?.headers.authorization).toBe("Bearer sk-hidden-0123456789");
		run.type(`hi${KEYS.enter}`);
		await run.printed(/Hello\./);
	});
});

describe.concurrent("a person who looks elsewhere", () => {
	it("is called by the bell when something is asked, and not while looking", async () => {
		const { run } = await started([WRITE, WRITE]);
		run.type(`go${KEYS.enter}`);
		await run.shows(/asks to run/);
		expect(run.raw()).not.toContain("\x07");
		run.type("\x1b[O");
		await dialogAnswers(run);
		run.type(KEYS.enter);
		await run.comes("the bell", () => run.raw().includes("\x07"));
	});
});

describe.concurrent("plan mode", () => {
	it("plans read-only, takes the answer as the plan at approve, stores it and starts the work", async () => {
		const plan = "## Plan\n\nWrite n.txt.";
		const { project, server, run } = await started([WRITE, { text: plan }, WRITE, { text: "Built." }]);
		run.type(`/plan make a file${KEYS.enter}`);
		await run.shows(/Write n\.txt\./);
		await run.shows(/^plan \|/m);
		expect(existsSync(project.path("n.txt"))).toBe(false);
		expect(server.results()[0]).toMatch(/plan/i);
		await run.shows(/approve starts the work/);
		run.type(`approve${KEYS.enter}`);
		await run.shows(/asks to run writeFile/);
		await run.printed(/Plan stored in \.agent\/plans\//);
		await dialogAnswers(run);
		run.type(KEYS.enter);
		await run.shows(/Built\./);
		expect(project.read("n.txt")).toBe("hello\n");
		expect(readdirSync(project.path(".agent/plans"))).toHaveLength(1);
	});

	it("is turned on and off with Shift+Tab, through acceptEdits", async () => {
		const { run } = await started([]);
		run.type(KEYS.shiftTab);
		await run.shows(/^acceptEdits \|/m);
		run.type(KEYS.shiftTab);
		await run.shows(/^plan \|/m);
		run.type(KEYS.shiftTab);
		await run.shows(/^default \|/m);
	});

	it("opens the plan in the editor at e, and what the editor leaves is the plan", async () => {
		const project = createProject();
		project.write("editor.sh", '#!/bin/sh\necho "Also test it." >> "$1"\n');
		const server = await scripted([{ text: "Do it." }, { text: "Done." }]);
		const run = openScreen(project, [...at(server), "--permission-mode", "plan"], {
			env: { EDITOR: `sh ${project.path("editor.sh")}` },
		});
		await run.shows(/case-model/);
		run.type(`plan it${KEYS.enter}`);
		await run.shows(/e opens the plan/);
		run.type(`e${KEYS.enter}`);
		await run.shows(/Done\./);
		expect(JSON.stringify(server.requests.at(-1)?.messages)).toMatch(/Also test it\./);
	});
});

describe.concurrent("a question of the model", () => {
	it("is answered with an option, and a secret is never on the screen or in the request", async () => {
		const ask = (args: unknown) => ({ calls: [{ name: "askUser", args }] });
		const { server, run } = await started([
			ask({ question: "Which colour?", options: ["red", "blue"] }),
			ask({ question: "The token?", secret: true }),
			{ text: "Thanks." },
		]);
		run.type(`ask me${KEYS.enter}`);
		await run.shows(/\? Which colour\?/);
		await dialogAnswers(run);
		run.type("2");
		await run.shows(/\? The token\?/);
		await dialogAnswers(run);
		run.type("s3cr3t-value");
		await run.shows(/> •{12}/);
		run.type(KEYS.enter);
		await run.shows(/Thanks\./);
		expect(run.raw()).not.toContain("s3cr3t");
		expect(server.requests.map(({ body }) => body.toString()).join()).not.toContain("s3cr3t-value");
		expect(server.results()[0]).toMatch(/blue/);
	});
});

describe.concurrent("a killed rewind", () => {
	it("is told at the next start, and is finished or taken back from there", async () => {
		const { project, server, run } = await started([WRITE, { text: "Wrote it." }], BYPASS);
		run.type(`make n.txt${KEYS.enter}`);
		await run.shows(/Wrote it\./);
		run.type(`/exit${KEYS.enter}`);
		await run.ended;
		const env = dying(project, { at: "after sync", line: '"type":"session/rewound"' });
		const killed = openScreen(project, [...at(server), "-c"], { env });
		await killed.printed(/Wrote it\./);
		await killed.shows(/case-model/);
		killed.type(`/undo${KEYS.enter}`);
		await killed.shows(/Go back\?/);
		killed.type(KEYS.enter);
		expect(await killed.ended).toBe(137);
		expect(existsSync(project.path("n.txt"))).toBe(true);
		const again = openScreen(project, [...at(server), "-c"], { columns: 100 });
		await again.printed(/middle of going back: 0 of 1 files were put back, not n\.txt\./);
		await again.shows(/case-model/);
		again.type(`/rewind${KEYS.enter}`);
		await again.shows(/❯ make n\.txt {2}1 file/);
		again.type(KEYS.enter);
		await again.shows(/Files only/);
		again.type(KEYS.enter);
		await again.shows(/- n\.txt[\s\S]*Go back\?/);
		again.type(KEYS.enter);
		await again.comes("the file's end", () => !existsSync(project.path("n.txt")));
	});
});

describe.concurrent("a killed run", () => {
	it("is gone on with by -c: what was said is there and the interrupted work continues", async () => {
		const project = createProject({ "a.txt": "alpha\n" });
		const server = await scripted([
			{ calls: [{ name: "readFile", args: { path: "a.txt" } }] },
			{ hang: true },
			{ text: "Finished." },
		]);
		const run = openScreen(project, at(server));
		await run.shows(/case-model/);
		run.type(`read it${KEYS.enter}`);
		await until("the second request", () => server.requests[1]);
		run.kill("SIGKILL");
		await run.ended;
		const again = openScreen(project, [...at(server), "-c"]);
		await again.printed(/> read it/);
		await again.printed(/readFile a\.txt/);
		await again.shows(/case-model/);
		again.type(KEYS.enter);
		await again.shows(/Finished\./);
		expect(server.violations).toEqual([]);
	});
});
