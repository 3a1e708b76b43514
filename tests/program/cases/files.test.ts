// Files as people have them: line ends, encodings, modes, links, size, and edits that must not happen. Each scripted call
// goes through the built program to real files; several share a run. A letter case that only a case-insensitive volume
// folds is tested here by the judgement of the name alone.

import {
	appendFileSync,
	chmodSync,
	existsSync,
	lstatSync,
	mkdirSync,
	readFileSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Reply, ScriptedCall } from "../../support/caseServer.ts";
import { ask, createProject, outcomes, type Project, scripted, until } from "../../support/program.ts";

/** Runs these calls, each in a reply of its own, and returns how each ended. */
async function run(project: Project, calls: ScriptedCall[], flags?: readonly string[]) {
	const script: Reply[] = calls.map((call) => ({ calls: [call] }));
	const server = await scripted([...script, { text: "ok" }]);
	const ended = await ask(project, server, flags === undefined ? {} : { flags });
	expect(ended.code, ended.stderr).toBe(0);
	expect(server.violations).toEqual([]);
	return { ends: outcomes(ended.lines), server };
}

function edit(path: string, oldString: string, newString: string, more: object = {}): ScriptedCall {
	return { name: "editFile", args: { path, oldString, newString, ...more } };
}

function bytesOf(project: Project, name: string): string {
	return readFileSync(project.path(name)).toString("latin1");
}

describe.concurrent("an edit", () => {
	it("keeps the file's own kind of text: CRLF, byte order mark, Latin-1", async () => {
		const project = createProject({
			"w.cs": "a\r\nb\r\nc\r\n",
			"b.vb": Buffer.from("\ufeffDim é = 1\r\n"),
			"l.py": Buffer.from(`LIMIT = 10\n${"pass\n".repeat(40)}# Gr\xf6\xdfe\n`, "latin1"),
		});
		const { ends, server } = await run(project, [
			{ name: "readFile", args: { path: "w.cs" } },
			edit("w.cs", "a\nb", "a\nB2\nb"),
			edit("b.vb", "Dim é = 1", "Dim é = 2"),
			{ name: "readFile", args: { path: "b.vb" } },
			edit("l.py", "LIMIT = 10", "LIMIT = 20"),
		]);
		expect(ends.map((end) => end.status)).toEqual(["result", "result", "result", "result", "result"]);
		expect(bytesOf(project, "w.cs")).toBe("a\r\nB2\r\nb\r\nc\r\n");
		expect(bytesOf(project, "b.vb")).toBe(Buffer.from("\ufeffDim é = 2\r\n").toString("latin1"));
		expect(server.results()[3]).toMatch(/^Dim é = 2/);
		expect(bytesOf(project, "l.py")).toBe(`LIMIT = 20\n${"pass\n".repeat(40)}# Gr\xf6\xdfe\n`);
	});

	it("takes dollar signs for what they are, also in every match", async () => {
		const project = createProject({ "s.sh": "echo done\n", "t.sh": "x x\n" });
		const odd = "pid $$ match $& pre $` post $' one $1";
		await run(project, [edit("s.sh", "done", odd), edit("t.sh", "x", "$&$$", { replaceAll: true })]);
		expect(project.read("s.sh")).toBe(`echo ${odd}\n`);
		expect(project.read("t.sh")).toBe("$&$$ $&$$\n");
	});

	it("that is not clear changes nothing and says how to do better", async () => {
		const files = { "log.md": "line\n".repeat(300), "d.py": "x = 1\nlimit = 20 # seconds\nx = 1\n" };
		const project = createProject(files);
		const { ends } = await run(project, [
			edit("log.md", "", "one more line\n"),
			edit("log.md", "", "one more line\n", { replaceAll: true }),
			edit("d.py", "x = 1", "x = 9"),
			edit("d.py", "limit = 30 # seconds", "limit = 40 # seconds"),
		]);
		expect(ends).toEqual([
			{ status: "error", text: expect.stringMatching(/oldString is empty.*to append/) },
			{ status: "error", text: expect.stringMatching(/oldString is empty/) },
			{ status: "error", text: expect.stringMatching(/occurs 2 times.*lines 1, 3/) },
			{ status: "error", text: expect.stringMatching(/not found.*nearest text is line 2/s) },
		]);
		for (const [name, content] of Object.entries(files)) expect(project.read(name)).toBe(content);
	});

	it("keeps the mode of a file, and a link a link", async () => {
		const project = createProject({
			"run.sh": "#!/bin/sh\necho a\n",
			"key.txt": "k\n",
			"conf/real.yml": "a: 1\n",
		});
		chmodSync(project.path("run.sh"), 0o755);
		chmodSync(project.path("key.txt"), 0o600);
		symlinkSync("conf/real.yml", project.path("app.yml"));
		const { ends } = await run(project, [
			edit("run.sh", "echo a", "echo b"),
			{ name: "writeFile", args: { path: "key.txt", content: "k2\n" } },
			edit("app.yml", "a: 1", "a: 2"),
			{ name: "runCommand", args: { command: "./run.sh" } },
		]);
		expect(ends.at(-1)).toEqual({ status: "result", text: "b" });
		expect(statSync(project.path("run.sh")).mode & 0o777).toBe(0o755);
		expect(statSync(project.path("key.txt")).mode & 0o777).toBe(0o600);
		expect(project.read("key.txt")).toBe("k2\n");
		expect(lstatSync(project.path("app.yml")).isSymbolicLink()).toBe(true);
		expect(project.read("conf/real.yml")).toBe("a: 2\n");
	});

	it.each(["writeFile", "editFile"])(
		"by %s is refused where the person changed the file since it was read",
		async (name) => {
			const project = createProject({ "todo.txt": "one\n" });
			let change: () => void = () => {};
			const changed = new Promise<void>((resolve) => {
				change = resolve;
			});
			const args =
				name === "writeFile"
					? { path: "todo.txt", content: "one\ntwo\n" }
					: { path: "todo.txt", oldString: "one", newString: "two" };
			const server = await scripted([
				{ calls: [{ name: "readFile", args: { path: "todo.txt" } }] },
				{ until: changed, calls: [{ name, args }] },
				{ text: "ok" },
			]);
			const running = ask(project, server);
			await until("the request with the result of the read", () => server.requests[1]);
			appendFileSync(project.path("todo.txt"), "MINE\n");
			change();
			const { lines } = await running;
			expect(outcomes(lines)[1]).toEqual({
				status: "error",
				text: expect.stringMatching(/changed since.*read it again/),
			});
			expect(project.read("todo.txt")).toBe("one\nMINE\n");
		},
	);

	it("of one file three times in one reply lands three times, each in its turn", async () => {
		const rows = Array.from({ length: 60 }, (_, i) => `row-${String(i + 1).padStart(2, "0")}`);
		const project = createProject({ "d/n.txt": `${rows.join("\n")}\n` });
		symlinkSync("d", project.path("linked"));
		const server = await scripted([
			{
				calls: [
					edit("d/n.txt", "row-12", "row-twelve"),
					edit("./linked/n.txt", "row-48", "row-fortyeight"),
					{ name: "runCommand", args: { command: "echo END >> d/n.txt" } },
				],
			},
			{ text: "ok" },
		]);
		const { lines } = await ask(project, server);
		expect(outcomes(lines).map((end) => end.status)).toEqual(["result", "result", "result"]);
		const expected = rows.map((row) => ({ "row-12": "row-twelve", "row-48": "row-fortyeight" })[row] ?? row);
		expect(project.read("d/n.txt")).toBe(`${[...expected, "END"].join("\n")}\n`);
	});
});

describe.concurrent("a path", () => {
	it.each([
		[
			"a file of a sibling folder whose name begins alike",
			{ name: "readFile", args: { path: "../app-evil/secret.txt" } },
		],
		[
			"an absolute path beside the workspace",
			{ name: "writeFile", args: { path: "$OUTER/app-evil/new.txt", content: "x" } },
		],
		[
			"a command's folder beside the workspace",
			{ name: "runCommand", args: { command: "pwd", cwd: "../app-evil" } },
		],
		[
			"a new file below a link that leaves",
			{ name: "writeFile", args: { path: "outbox/new/deep.txt", content: "x" } },
		],
		[
			"a search below a link that leaves",
			{ name: "searchFiles", args: { pattern: "hidden", path: "outbox" } },
		],
		["an edit below a link that leaves", edit("outbox/secret.txt", "hidden", "x")],
		["a list of a folder above", { name: "listFiles", args: { directory: ".." } }],
		["a find in the root", { name: "findFiles", args: { pattern: "*.txt", path: "/" } }],
		["a deletion outside", { name: "deleteFile", args: { path: "../app-evil/secret.txt" } }],
	])("that leaves the workspace is denied unasked: %s", async (_, call) => {
		const project = createProject();
		const evil = join(project.outer, "app-evil");
		mkdirSync(evil);
		writeFileSync(join(evil, "secret.txt"), "hidden words\n");
		symlinkSync("../app-evil", project.path("outbox"));
		const args = JSON.parse(JSON.stringify(call.args).replace("$OUTER", project.outer));
		const { ends, server } = await run(project, [{ ...call, args }], ["--permission-mode", "acceptEdits"]);
		expect(["denied", "error"]).toContain(ends[0]?.status);
		expect(JSON.stringify(server.requests.at(-1)?.messages)).not.toContain("hidden words");
		expect(existsSync(join(evil, "new.txt")) || existsSync(join(evil, "new"))).toBe(false);
		expect(readFileSync(join(evil, "secret.txt"), "utf8")).toBe("hidden words\n");
	});

	it("of a protected file is asked for in any letter case, one that only looks alike is not", async () => {
		const project = createProject({ ".ENV": "TOKEN=1\n" });
		const config = readFileSync(project.path(".git/config"), "utf8");
		const write = (path: string) => ({
			name: "writeFile",
			args: { path, content: "[core]\n\tfsmonitor = ./x\n" },
		});
		const { ends } = await run(
			project,
			[
				write(".GIT/config"),
				write(".git/config"),
				{ name: "readFile", args: { path: ".ENV" } },
				write(".GITIGNORE"),
			],
			["--permission-mode", "acceptEdits"],
		);
		expect(ends.map((end) => end.status)).toEqual(["denied", "denied", "denied", "result"]);
		expect(readFileSync(project.path(".git/config"), "utf8")).toBe(config);
	});

	it("that does not exist is said to be missing; a new one is made with its folders", async () => {
		const project = createProject();
		const { ends } = await run(project, [
			{ name: "readFile", args: { path: "no/such.txt" } },
			{ name: "writeFile", args: { path: "deep/nested/file.txt", content: "x" } },
			{ name: "runCommand", args: { command: "ls /nonexistent 2>&1" } },
		]);
		expect(ends[0]).toEqual({
			status: "error",
			text: expect.stringContaining("File not found: no/such.txt"),
		});
		expect(project.read("deep/nested/file.txt")).toBe("x");
		expect(ends[2]?.text).toContain("No such file");
	});
});

describe.concurrent("a large file", () => {
	it("of one long line is read in part, with its length, and searched with a piece around the hit", async () => {
		const project = createProject({ "bundle.min.js": `${"a".repeat(750_000)}NEEDLE${"b".repeat(750_000)}` });
		const { server } = await run(project, [
			{ name: "readFile", args: { path: "bundle.min.js" } },
			{ name: "searchFiles", args: { pattern: "NEEDLE" } },
		]);
		const [read = "", found = ""] = server.results();
		expect(read).toMatch(/^a{1000}.*line cut: it has 1500006 characters/);
		expect(found).toMatch(/bundle\.min\.js.*NEEDLE/);
		for (const text of [read, found]) expect(text.length).toBeLessThan(50_000);
	});

	it("is read page by page without a lost or doubled line, and says where it ends", async () => {
		const lines = Array.from({ length: 7000 }, (_, i) => `line ${i + 1}`);
		const project = createProject({ "n.txt": lines.join("\n") });
		const page = (offset: number, limit: number) => ({
			name: "readFile",
			args: { path: "n.txt", offset, limit },
		});
		const { ends } = await run(project, [
			...[0, 2000, 4000, 6000].map((offset) => page(offset, 2000)),
			page(7000, 10),
			page(-5, 10),
			page(0, 0),
		]);
		const pages = ends.slice(0, 4).map((end) => end.text.split("\n"));
		expect(pages.flatMap((shown) => shown.slice(0, -1))).toEqual(lines);
		expect(pages.map((shown) => shown.at(-1))).toEqual([
			"[Showing lines 1-2000 of 7000. Use offset to read more.]",
			"[Showing lines 2001-4000 of 7000. Use offset to read more.]",
			"[Showing lines 4001-6000 of 7000. Use offset to read more.]",
			"[Showing lines 6001-7000 of 7000. End of file.]",
		]);
		expect(ends.slice(4)).toEqual([
			{ status: "error", text: expect.stringMatching(/past the end.*7000 lines/) },
			{ status: "error", text: expect.stringMatching(/offset/) },
			{ status: "error", text: expect.stringMatching(/limit/) },
		]);
	});
});

describe.concurrent("a search", () => {
	it("follows no link: a circle and the root are left alone, each file is found once", async () => {
		const project = createProject({ "x/y.txt": "TARGET\n" });
		symlinkSync("..", project.path("x/loop"));
		symlinkSync("/", project.path("x/root"));
		const { ends } = await run(project, [
			{ name: "findFiles", args: { pattern: "**/*.txt" } },
			{ name: "searchFiles", args: { pattern: "TARGET" } },
			{ name: "listFiles", args: { directory: "x" } },
		]);
		expect(ends[0]?.text).toBe("x/y.txt");
		expect(ends[1]?.text).toBe("x/y.txt:1: TARGET");
		expect(ends[2]?.text.split("\n")).toEqual(["[link] loop", "[link] root", "[file] y.txt"]);
	});
});
