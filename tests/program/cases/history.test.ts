// The conversation as strict servers want it, whatever happened: each call answered once and directly, no empty message,
// one system message. Waits for a later part: a cut between parallel calls (compaction). A kill in the middle of a
// command is in killed.test.ts, a No of a person in lineMode.test.ts.

import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Reply, WireMessage } from "../../support/caseServer.ts";
import { markedProcesses } from "../../support/markedProcesses.ts";
import {
	ask,
	at,
	BYPASS,
	createProject,
	outcomes,
	scripted,
	startAgi,
	until,
} from "../../support/program.ts";

function roles(messages: WireMessage[] = []): string[] {
	return messages.map((message) => message.role);
}

describe.concurrent("a run that was cancelled", () => {
	it("answers the open call as cancelled, leaves no process, and the next prompt works", async () => {
		const project = createProject();
		const command = "touch started; sleep 60";
		const server = await scripted([
			{ calls: [{ id: "r1", name: "runCommand", args: { command } }] },
			{ text: "ok" },
		]);
		const env = { MARK: project.outer };
		const run = startAgi(project, ["-p", "wait", ...at(server), ...BYPASS], { env });
		await until("the command", () => existsSync(project.path("started")));
		run.kill("SIGINT");
		expect((await run.ended).code).toBe(130);
		expect(markedProcesses(`MARK=${project.outer}`)).toEqual([]);
		const { result } = await ask(project, server, { prompt: "go on", flags: ["-c"] });
		expect(result.result).toBe("ok");
		expect(server.results()).toEqual([expect.stringMatching(/was cancelled/)]);
		expect(roles(server.requests[1]?.messages)).toEqual(["system", "user", "assistant", "tool", "user"]);
		expect(server.violations).toEqual([]);
	});

	it("leaves no empty message behind where only thoughts had come", async () => {
		const project = createProject();
		const server = await scripted([
			{ sse: [{ d: { reasoning_content: "hmm, let me" } }, "hang"] },
			{ text: "hello" },
		]);
		const run = startAgi(project, ["-p", "q", ...at(server)]);
		await until("the request", () => server.requests[0]);
		run.kill("SIGINT");
		expect((await run.ended).code).toBe(130);
		const { result } = await ask(project, server, { prompt: "again", flags: ["-c"] });
		expect(result.result).toBe("hello");
		expect(roles(server.requests[1]?.messages)).not.toContain("assistant");
		expect(server.violations).toEqual([]);
	});
});

describe.concurrent("parallel calls", () => {
	it("each get their own end where the middle one is denied", async () => {
		const project = createProject({ "a.txt": "alpha\n" });
		const server = await scripted([
			{
				calls: [
					{ id: "x1", name: "writeFile", args: { path: "n1", content: "1" } },
					{ id: "x2", name: "writeFile", args: { path: "../n2", content: "2" } },
					{ id: "x3", name: "readFile", args: { path: "a.txt" } },
				],
			},
			{ text: "ok" },
		]);
		const { lines } = await ask(project, server, { flags: ["--permission-mode", "acceptEdits"] });
		expect(outcomes(lines).map((end) => end.status)).toEqual(["result", "denied", "result"]);
		expect(project.read("n1")).toBe("1");
		expect(existsSync(project.path("../n2"))).toBe(false);
		const answered = server.requests[1]?.messages.filter((message) => message.role === "tool");
		expect(answered?.map((message) => message.tool_call_id)).toEqual(["x1", "x2", "x3"]);
	});
});

describe.concurrent("ids", () => {
	it("may be the same in every reply of a server", async () => {
		const read = (path: string): Reply => ({ calls: [{ id: "call_0", name: "readFile", args: { path } }] });
		const server = await scripted([read("1.txt"), read("2.txt"), read("3.txt"), { text: "done" }]);
		const project = createProject({ "1.txt": "one", "2.txt": "two", "3.txt": "three" });
		const { lines } = await ask(project, server);
		expect(server.results().map((text) => text.split("\n")[0])).toEqual(["one", "two", "three"]);
		expect(new Set(lines.flatMap((line) => line.message?.content ?? []).map((part) => part.id)).size).toBe(
			3 + 1,
		);
		expect(server.violations).toEqual([]);
	});

	it("may be the same twice in one reply, or empty", async () => {
		const calls = ["same", "same", ""].map((id, i) => ({
			id,
			name: "readFile",
			args: { path: `${i + 1}.txt` },
		}));
		const server = await scripted([{ calls }, { text: "done" }]);
		await ask(createProject({ "1.txt": "one", "2.txt": "two", "3.txt": "three" }), server);
		expect(server.results().map((text) => text.split("\n")[0])).toEqual(["one", "two", "three"]);
		expect(server.violations).toEqual([]);
	});
});

describe.concurrent("thoughts", () => {
	it("go back with the call they led to, also after a resume, and never with an answer", async () => {
		const thought = "I should read a.";
		const refuse = (messages: WireMessage[]) =>
			messages
				.filter((message) => message.role === "assistant")
				.filter((message) => (message.reasoning_content === thought) !== (message.tool_calls !== undefined))
				.map(() => "a message lacks its thoughts, or has some that are not its own");
		const server = await scripted(
			[
				{ reasoning: thought, calls: [{ name: "readFile", args: { path: "a.txt" } }] },
				{ reasoning: "Now I know.", text: "done" },
				{ text: "again" },
			],
			{ refuse },
		);
		const project = createProject({ "a.txt": "alpha\n" });
		const { result } = await ask(project, server);
		expect(result.result).toBe("done");
		expect((await ask(project, server, { flags: ["-c"] })).result.result).toBe("again");
		expect(server.violations).toEqual([]);
	});
});

describe.concurrent("results", () => {
	it("are never empty: they say that a command printed nothing and that a file has no bytes", async () => {
		const project = createProject();
		const server = await scripted([
			{ calls: [{ name: "runCommand", args: { command: "true" } }] },
			{ calls: [{ name: "writeFile", args: { path: "empty.txt", content: "" } }] },
			{ calls: [{ name: "readFile", args: { path: "empty.txt" } }] },
			{ text: "done" },
		]);
		await ask(project, server);
		expect(server.results()).toEqual([
			"Command completed successfully (no output)",
			"Successfully wrote 0 characters to empty.txt",
			expect.stringMatching(/empty\.txt is empty \(0 bytes\)/),
		]);
		expect(project.read("empty.txt")).toBe("");
		expect(server.violations).toEqual([]);
	});
});

describe.concurrent("notices of agi", () => {
	it("of a changed mode stand in user messages, never in a second system message", async () => {
		const project = createProject();
		const server = await scripted([{ text: "ok" }]);
		const modes = ["default", "plan", "acceptEdits", "plan"];
		for (const [i, mode] of modes.entries())
			await ask(project, server, {
				prompt: `p${i}`,
				flags: [...(i > 0 ? ["-c"] : []), "--permission-mode", mode],
			});
		const messages = server.requests.at(-1)?.messages ?? [];
		expect(roles(messages).filter((role) => role === "system" || role === "developer")).toEqual(["system"]);
		expect(messages.filter((message) => message.content?.startsWith("<agi_notice>"))).toHaveLength(3);
		expect(server.requests.map((request) => request.messages[0])).toEqual(
			server.requests.map(() => messages[0]),
		);
		expect(server.violations).toEqual([]);
	});
});
