// Sessions that outlive torn writes, moved folders and other servers. Kills are in killed.test.ts, two processes and a full
// disk in oneWriter.test.ts. Waits for a later part: images in a history that goes to a server without eyes.

import { readFileSync, renameSync, rmSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { WireMessage } from "../../support/caseServer.ts";
import {
	ask,
	at,
	commitsOf,
	createProject,
	outcomes,
	type Project,
	runAgi,
	scripted,
	sessionFolders,
	until,
} from "../../support/program.ts";

function logOf(project: Project): string {
	return join(sessionFolders(project)[0] ?? "", "log.jsonl");
}

describe.concurrent("a torn last record", () => {
	it("is dropped with a notice, once, and what comes after it is whole", async () => {
		const project = createProject();
		const server = await scripted([{ text: "first" }, { text: "second" }, { text: "third" }]);
		await ask(project, server, { prompt: "one" });
		const whole = readFileSync(logOf(project));
		truncateSync(logOf(project), whole.length - 40);
		const resumed = await ask(project, server, { prompt: "two", flags: ["-c"] });
		expect(resumed).toMatchObject({ code: 0, result: { result: "second" } });
		expect(resumed.stderr).toMatch(/last record was incomplete \(\d+ bytes\) and was dropped/);
		const again = await ask(project, server, { prompt: "three", flags: ["-c"] });
		expect(again).toMatchObject({ code: 0, stderr: "" });
		const said = server.requests[2]?.messages.map((message) => message.content).join("\n");
		expect(said).toMatch(/one.*two.*second.*three/s);
		const commits = commitsOf(join(logOf(project), ".."));
		expect(commits.map((commit) => commit.seq)).toEqual(commits.map((_, i) => i + 1));
		expect(server.violations).toEqual([]);
	});
});

describe.concurrent("a project folder", () => {
	it("that is deleted under a run is said to be gone by each tool, and the run still ends", async () => {
		const project = createProject();
		let remove: () => void = () => {};
		const removed = new Promise<void>((resolve) => {
			remove = resolve;
		});
		const server = await scripted([
			{ until: removed, calls: [{ name: "runCommand", args: { command: "pwd" } }] },
			{ calls: [{ name: "listFiles", args: {} }] },
			{ calls: [{ name: "writeFile", args: { path: "a.txt", content: "x" } }] },
			{ text: "The folder is gone." },
		]);
		const running = ask(project, server);
		await until("the first request", () => server.requests[0]);
		rmSync(project.root, { recursive: true });
		remove();
		const { lines, result, stderr } = await running;
		expect(result).toMatchObject({ subtype: "success", result: "The folder is gone." });
		expect(outcomes(lines)).toEqual(
			Array.from({ length: 3 }, () => ({ status: "error", text: expect.stringMatching(/no longer exists/) })),
		);
		expect(stderr).not.toMatch(/^\s+at /m);
	});

	it("that was moved keeps its sessions, and the move is told", async () => {
		const project = createProject();
		const server = await scripted([{ text: "first" }, { text: "second" }]);
		await ask(project, server, { prompt: "one" });
		const moved = join(project.outer, "moved");
		renameSync(project.root, moved);
		const ended = await ask(project, server, { prompt: "two", flags: ["-c"], cwd: moved });
		expect(ended).toMatchObject({ code: 0, result: { result: "second" } });
		expect(ended.stderr).toContain(`started in ${project.root}; it goes on in ${moved}`);
	});
});

describe.concurrent("another server", () => {
	it("gets a history without the first one's dialect, calls and results still linked", async () => {
		const project = createProject({ "a.txt": "alpha\n" });
		const id = `call-${"x".repeat(59)}`;
		const first = await scripted([
			{ reasoning: "I read.", calls: [{ id, name: "readFile", args: { path: "a.txt" } }] },
			{ text: "alpha" },
		]);
		expect((await ask(project, first)).code).toBe(0);
		const known = new Set(["role", "content", "tool_calls", "tool_call_id"]);
		const refuse = (messages: WireMessage[]) =>
			messages.flatMap((message) => [
				...Object.keys(message).filter((key) => !known.has(key)),
				...(message.tool_calls ?? []).map((call) => call.id).filter((callId) => callId.length > 40),
			]);
		const second = await scripted([{ text: "I see alpha." }], { refuse });
		const { result } = await ask(project, second, { prompt: "go on", flags: ["-c"] });
		expect(second.violations).toEqual([]);
		expect(result.result).toBe("I see alpha.");
		expect(second.results()).toEqual([expect.stringMatching(/^alpha/)]);
	});
});

describe.concurrent("agi sessions", () => {
	it("lists, shows, and names an unknown id, as JSON and for people", async () => {
		const project = createProject({ "a.txt": "alpha\n" });
		const server = await scripted([
			{ calls: [{ name: "readFile", args: { path: "a.txt" } }] },
			{ text: "It says alpha." },
		]);
		expect(JSON.parse((await runAgi(project, ["sessions", "list", "--json"])).stdout)).toEqual([]);
		await runAgi(project, ["-p", "what is in a.txt?", ...at(server)]);
		const listed = JSON.parse((await runAgi(project, ["sessions", "list", "--json"])).stdout);
		expect(listed).toEqual([
			{
				id: expect.any(String),
				title: expect.stringContaining("a.txt"),
				cwd: project.root,
				created: expect.stringMatching(/^\d{4}-.*Z$/),
				updated: expect.stringMatching(/^\d{4}-.*Z$/),
				turns: 1,
				model: "case-model",
			},
		]);
		const shown = await runAgi(project, ["sessions", "show", listed[0].id, "--json"]);
		const types = shown.stdout
			.trim()
			.split("\n")
			.map((line) => JSON.parse(line).type);
		expect(types).toEqual(
			commitsOf(sessionFolders(project)[0] ?? "").flatMap((c) => c.events.map((e) => e.type)),
		);
		const plain = await runAgi(project, ["sessions", "show", listed[0].id]);
		expect(plain.stdout).toMatch(/what is in a\.txt\?.*readFile.*It says alpha\./s);
		const unknown = await runAgi(project, ["sessions", "show", "nope"]);
		expect(unknown).toMatchObject({ code: 42, stdout: "" });
		expect(unknown.stderr).toMatch(/nope/);
	});
});
