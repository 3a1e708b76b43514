// One process writes a session. A second one is refused by name; a dead one blocks nobody; a full disk loses nothing.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
	ask,
	at,
	BYPASS,
	commitsOf,
	createProject,
	jsonLines,
	runAgi,
	runShell,
	scripted,
	sessionFolders,
	startAgi,
	until,
} from "../support/program.ts";

describe("two processes on one session", () => {
	it("refuses the second by naming the first, lets it read and copy, and forgets the first once that is dead", async () => {
		const project = createProject();
		const server = await scripted([
			{ text: "zero" },
			{ hang: true },
			{ text: "copied" },
			{ text: "mine now" },
		]);
		await runAgi(project, ["-p", "start", ...at(server)]);
		const first = startAgi(project, ["-c", "-p", "A", ...at(server)]);
		await until("the first one's request", () => server.requests[1]);
		const second = await runAgi(project, ["-c", "-p", "B", ...at(server)]);
		expect(second).toMatchObject({ code: 42, stdout: "" });
		expect(second.stderr).toContain(`process ${first.pid}`);
		expect(server.requests).toHaveLength(2);
		expect((await runAgi(project, ["sessions", "list", "--json"])).code).toBe(0);
		const copy = await runAgi(project, ["-c", "--fork-session", "-p", "copy", ...at(server)]);
		expect(copy).toMatchObject({ code: 0, stdout: "copied\n" });
		const [original = ""] = sessionFolders(project);
		first.kill("SIGKILL");
		await first.ended;
		const id = original.split("/").at(-1) ?? "";
		const third = await runAgi(project, ["-r", id, "-p", "C", ...at(server)]);
		expect(third).toMatchObject({ code: 0, stdout: "mine now\n" });
		expect(server.violations).toEqual([]);
		const commits = commitsOf(original);
		expect(commits.map((commit) => commit.seq)).toEqual(commits.map((_, i) => i + 1));
	});
});

describe("a disk without room", () => {
	it("is told in one sentence, leaves files whole, and the log goes on once there is room", async () => {
		const project = createProject({ "data.txt": "old content\n" });
		const big = "x".repeat(40_000);
		const server = await scripted([
			{ text: "first" },
			{ text: big, calls: [{ name: "readFile", args: { path: "data.txt" } }] },
			{ calls: [{ name: "writeFile", args: { path: "data.txt", content: "new content\n" } }] },
			{ text: "still here" },
		]);
		expect((await ask(project, server)).code).toBe(0);
		const [folder = ""] = sessionFolders(project);
		const size = readFileSync(join(folder, "log.jsonl")).length;
		// The shell ignores the signal of the limit, so that a write fails the way it does on a full disk.
		const blocks = Math.ceil(size / 512) + 8;
		const flags = [...at(server), ...BYPASS, "--output-format", "json"].join(" ");
		const ended = await runShell(
			project,
			`trap '' XFSZ; ulimit -f ${blocks}; exec "$AGI" -c -p more ${flags}`,
		);
		expect(ended.code).toBe(1);
		expect(jsonLines(ended.stdout)).toEqual([expect.objectContaining({ type: "result", is_error: true })]);
		expect(ended.stderr).toMatch(
			/^Mode bypass.*\nSession \S+ could not be saved: .*What was saved before is whole\..*\n$/,
		);
		expect(["old content\n", "new content\n"]).toContain(project.read("data.txt"));
		const after = await ask(project, server, { prompt: "again", flags: ["-c", ...BYPASS] });
		expect(after.code).toBe(0);
		expect(server.violations).toEqual([]);
		const commits = commitsOf(folder);
		expect(commits.map((commit) => commit.seq)).toEqual(commits.map((_, i) => i + 1));
	});

	it("before the message itself is saved is no fault of the message: exit code 1, and the way out", async () => {
		const project = createProject();
		const server = await scripted([{ text: "first" }, { text: "never" }]);
		expect((await ask(project, server)).code).toBe(0);
		const [folder = ""] = sessionFolders(project);
		const size = readFileSync(join(folder, "log.jsonl")).length;
		const flags = [...at(server), ...BYPASS, "--output-format", "json"].join(" ");
		const ended = await runShell(
			project,
			`trap '' XFSZ; ulimit -f ${Math.ceil(size / 512)}; exec "$AGI" -c -p ${"more".repeat(500)} ${flags}`,
		);
		expect(ended.code).toBe(1);
		expect(jsonLines(ended.stdout)).toEqual([
			expect.objectContaining({ type: "result", subtype: "error", is_error: true }),
		]);
		expect(ended.stderr.trimEnd().split("\n").at(-1)).toMatch(
			/^Session \S+ could not be saved: .*Free some space/,
		);
		expect(server.requests).toHaveLength(1);
	});

	it("before a new session holds anything ends with the same exit code, and asks no model", async () => {
		const project = createProject();
		const server = await scripted([{ text: "never" }]);
		const flags = [...at(server), ...BYPASS].join(" ");
		const ended = await runShell(
			project,
			`trap '' XFSZ; ulimit -f 1; exec "$AGI" -p ${"more".repeat(500)} ${flags}`,
		);
		expect(ended.code).toBe(1);
		expect(ended.stderr).toMatch(/Session \S+ could not be saved: the file would pass the size limit/);
		expect(server.requests).toEqual([]);
	});
});
