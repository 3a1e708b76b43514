// The main job: a scripted model mends a failing test of a small project, through the built program and real tools.

import { describe, expect, it } from "vitest";
import {
	ask,
	at,
	createProject,
	eventsOf,
	git,
	outcomes,
	runAgi,
	scripted,
	sessionFolders,
} from "../support/program.ts";
import { brokenRules } from "../support/strictRules.ts";

const PROJECT = {
	"package.json": '{"name":"sum","type":"module","scripts":{"test":"node --test"}}\n',
	"src/sum.js":
		"// Adds numbers.\nexport function sum(numbers) {\n\treturn numbers.reduce((a, b) => a - b, 0);\n}\n",
	"test/sum.test.js":
		'import assert from "node:assert";\nimport { test } from "node:test";\nimport { sum } from "../src/sum.js";\n\n' +
		'test("adds", () => assert.equal(sum([1, 2, 3]), 6));\n',
};

const SCRIPT = [
	{ text: "I run the tests.", calls: [{ name: "runCommand", args: { command: "node --test" } }] },
	{
		calls: [
			{ name: "readFile", args: { path: "src/sum.js" } },
			{ name: "searchFiles", args: { pattern: "sum\\(" } },
		],
	},
	{
		calls: [
			{ name: "editFile", args: { path: "src/sum.js", oldString: "a - b", newString: "a + b" } },
			{ name: "runCommand", args: { command: "node --test" } },
		],
	},
	{ text: "The test passes: `sum` subtracted." },
];

describe("agi -p with a real task", () => {
	it("reads, searches, edits, runs the tests, answers, and leaves exactly the edit", async () => {
		const project = createProject(PROJECT);
		const server = await scripted(SCRIPT);
		const { code, lines, result, stderr } = await ask(project, server, { prompt: "fix the failing test" });
		expect(code).toBe(0);
		expect(stderr).not.toMatch(/error|denied/i);
		expect(result).toMatchObject({ subtype: "success", num_steps: 4, permission_denials: [] });
		expect(result.result).toBe("The test passes: `sum` subtracted.");
		expect(project.read("src/sum.js")).toBe(PROJECT["src/sum.js"].replace("a - b", "a + b"));
		expect(project.read("test/sum.test.js")).toBe(PROJECT["test/sum.test.js"]);
		const ends = outcomes(lines);
		expect(ends.map((end) => end.status)).toEqual(["error", "result", "result", "result", "result"]);
		expect(ends[0]?.text).toMatch(
			/^Command failed \(exit code 1\):[\s\S]*not ok|^Command failed \(exit code 1\):[\s\S]*✖/,
		);
		expect(ends[2]?.text).toMatch(/src\/sum\.js:2: export function sum\(/);
		expect(ends[4]?.text).toMatch(/(# |ℹ )pass 1/);
		expect(server.violations).toEqual([]);
	});

	it("sends every next request as the last one with messages appended", async () => {
		const project = createProject(PROJECT);
		const server = await scripted(SCRIPT);
		await ask(project, server, { prompt: "fix the failing test" });
		const conversations = server.requests.map((request) => request.messages);
		expect(conversations).toHaveLength(4);
		for (const [i, messages] of conversations.slice(1).entries())
			expect(messages.slice(0, conversations[i]?.length)).toEqual(conversations[i]);
	});

	it("goes on in the same session with -c, in another one without, and in a copy with --fork-session", async () => {
		const project = createProject(PROJECT);
		const server = await scripted([
			{ text: "first" },
			{ text: "second" },
			{ text: "third" },
			{ text: "fourth" },
		]);
		await runAgi(project, ["-p", "one", ...at(server)]);
		expect((await runAgi(project, ["-c", "-p", "two", ...at(server)])).stdout).toBe("second\n");
		expect(eventsOf(project).filter((event) => event.type === "turn/end")).toHaveLength(2);
		await runAgi(project, ["-c", "--fork-session", "-p", "three", ...at(server)]);
		await runAgi(project, ["-p", "four", ...at(server)]);
		expect(sessionFolders(project)).toHaveLength(3);
		const said = server.requests.map(({ messages }) => messages.slice(1).map((message) => message.content));
		expect(said).toEqual([
			["one"],
			["one", "first", "two"],
			["one", "first", "two", "second", "three"],
			["four"],
		]);
		expect(server.requests.flatMap(({ messages }) => brokenRules(messages))).toEqual([]);
	});

	it("goes on in a copy that ends with a step: --at, and a clear word where that did not end", async () => {
		const project = createProject({ "a.txt": "alpha\n" });
		const server = await scripted([
			{ calls: [{ name: "readFile", args: { path: "a.txt" } }] },
			{ text: "first" },
			{ text: "another way" },
		]);
		await runAgi(project, ["-p", "one", ...at(server)]);
		const copy = ["-c", "--fork-session", "--at"];
		const wrong = await runAgi(project, [...copy, "step-7", "-p", "two", ...at(server)]);
		expect({ code: wrong.code, stdout: wrong.stdout }).toEqual({ code: 42, stdout: "" });
		expect(wrong.stderr).toMatch(/no ended step step-7: its last one that ended is step-2\.\n$/);
		expect(sessionFolders(project)).toHaveLength(1);
		const ended = await runAgi(project, [...copy, "1", "-p", "two", ...at(server)]);
		expect(ended).toMatchObject({ code: 0, stdout: "another way\n" });
		expect(ended.stderr).toContain('Copied from "one" up to the end of step-1. No file was changed.\n');
		const messages = server.requests.at(-1)?.messages ?? [];
		expect(messages.map(({ role }) => role)).toEqual(["system", "user", "assistant", "tool", "user"]);
		expect(messages.at(-1)?.content).toBe("two");
		expect(brokenRules(messages)).toEqual([]);
		expect(sessionFolders(project)).toHaveLength(2);
		expect((await runAgi(project, ["sessions", "check"])).code).toBe(0);
		const flag = await runAgi(project, ["-c", "--at", "1", "-p", "two", ...at(server)]);
		expect(flag.code).toBe(2);
		expect(flag.stderr).toMatch(/--at .*--fork-session/);
	});

	it("leaves no trace in the project but .agent, and none of that in git", async () => {
		const project = createProject({ "a.txt": "alpha\n" });
		await runAgi(project, ["-p", "read a.txt", "-m", "offline"]);
		expect(git(project.root, "status", "--porcelain", "--untracked-files=all").trim().split("\n")).toEqual([
			"?? .agent/.gitignore",
			"?? a.txt",
		]);
	});

	it("writes nothing at all to disk with --ephemeral", async () => {
		const project = createProject({ "a.txt": "alpha\n" });
		const ended = await runAgi(project, ["-p", "read a.txt", "-m", "offline", "--ephemeral"]);
		expect(ended.code, ended.stderr).toBe(0);
		expect(sessionFolders(project)).toEqual([]);
		expect(git(project.root, "status", "--porcelain").trim()).toBe("?? a.txt");
	});
});
