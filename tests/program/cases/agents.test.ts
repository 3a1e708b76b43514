// Subagents end to end: rights, depth, cancel. Wait for later parts: background jobs, subagents of the user's own that may
// write, the command judge in plan mode.

import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { ScriptedCall } from "../../support/caseServer.ts";
import {
	ask,
	at,
	BYPASS,
	commitsOf,
	createProject,
	outcomes,
	runAgi,
	scripted,
	sessionFolders,
	startAgi,
	until,
} from "../../support/program.ts";

const READ_ONLY = ["findFiles", "listFiles", "readArtifact", "readFile", "recall", "searchFiles"];

function delegate(task: string, subagent = "reviewer"): ScriptedCall {
	return { name: "delegateToSubagent", args: { subagent, task } };
}

describe.concurrent("a subagent", () => {
	it("reads with tools of its own, changes nothing, and hands its last words to the main answer", async () => {
		const project = createProject({ "sum.js": "export const sum = (a, b) => a - b;\n" });
		const server = await scripted([
			{ text: "I let it be reviewed.", calls: [delegate("Review sum.js and change nothing.")] },
			{ calls: [{ name: "readFile", args: { path: "sum.js" } }] },
			{ text: "sum.js:1 subtracts." },
			{ text: "The reviewer found that sum.js:1 subtracts." },
		]);
		const { lines, result } = await ask(project, server, { prompt: "use the reviewer on sum.js" });
		expect(result).toMatchObject({
			subtype: "success",
			result: "The reviewer found that sum.js:1 subtracts.",
		});
		expect(outcomes(lines)).toEqual([{ status: "result", text: "sum.js:1 subtracts." }]);
		expect(server.requests.map((request) => request.tools.toSorted())).toEqual([
			server.requests[0]?.tools.toSorted(),
			READ_ONLY,
			READ_ONLY,
			server.requests[0]?.tools.toSorted(),
		]);
		expect(JSON.stringify(server.requests[1]?.messages)).toContain("Review sum.js and change nothing.");
		expect(result.usage?.["input_tokens"]).toBe(400);
		expect(project.read("sum.js")).toBe("export const sum = (a, b) => a - b;\n");
		expect(server.violations).toEqual([]);
		const logs = sessionFolders(project).map((folder) =>
			commitsOf(folder).flatMap((commit) => commit.events),
		);
		const child = logs.find((events) =>
			events.some((e) => e.type === "session/created" && e.parent !== undefined),
		);
		const parent = logs.find((events) => events !== child);
		expect(logs).toHaveLength(2);
		expect(parent?.filter((event) => event.type === "subagent/changed").map((event) => event.status)).toEqual(
			["started", "completed"],
		);
		expect((await runAgi(project, ["sessions", "check", "--json"])).code).toBe(0);
		expect(JSON.parse((await runAgi(project, ["sessions", "list", "--json"])).stdout)).toHaveLength(1);
	});

	it("is no way around what its parent may not do", async () => {
		const project = createProject({ "a.txt": "x\n" });
		const server = await scripted([
			{ calls: [delegate("write y to a.txt")] },
			{
				calls: [
					{ name: "writeFile", args: { path: "a.txt", content: "y" } },
					{ name: "runCommand", args: { command: "echo y > a.txt" } },
					delegate("write y to a.txt", "explorer"),
				],
			},
			{ text: "I may only read." },
			{ text: "It may only read." },
		]);
		const { result } = await ask(project, server);
		expect(result.result).toBe("It may only read.");
		expect(project.read("a.txt")).toBe("x\n");
		const refused = server.requests[2]?.messages.filter((message) => message.role === "tool") ?? [];
		expect(refused).toHaveLength(3);
		for (const message of refused) expect(message.content).toMatch(/Unknown tool/);
		expect(server.requests).toHaveLength(4);
	});

	it("that only delegates comes to an end: its own call is refused, and the loop is broken", async () => {
		const again = { calls: [delegate("research this", "explorer")] };
		const server = await scripted(Array.from({ length: 60 }, () => again));
		const { code, result } = await ask(createProject(), server, { prompt: "research this" });
		expect(code).not.toBe(0);
		expect(result.error).toMatch(/repeated the same failing call/);
		expect(server.requests.length).toBeLessThan(60);
	});

	it("is ended with its parent, and the next prompt finds its call answered", async () => {
		const project = createProject();
		const server = await scripted([
			{ calls: [delegate("look around")] },
			{ sse: [{ d: { content: "So far I saw" } }, "hang"] },
			{ text: "hello" },
		]);
		const run = startAgi(project, ["-p", "go", ...at(server), ...BYPASS]);
		await until("the child's request", () => server.requests[1]);
		run.kill("SIGINT");
		expect((await run.ended).code).toBe(130);
		expect(server.requests).toHaveLength(2);
		const { result } = await ask(project, server, { prompt: "hello", flags: ["-c"] });
		expect(result.result).toBe("hello");
		expect(server.results()).toEqual([expect.stringMatching(/cancelled/)]);
		expect(server.violations).toEqual([]);
		expect(existsSync(project.path("x"))).toBe(false);
	});
});
