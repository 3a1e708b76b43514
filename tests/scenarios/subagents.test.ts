// A turn that hands work to a subagent: a child session with its own log, read-only, inside its parent's limits.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import type { ScriptedReply } from "../../src/adapters/models/scripted.ts";
import type { ModelRequest } from "../../src/ports/model.ts";
import { checkLog } from "../../src/session/check.ts";
import { outline } from "../support/outline.ts";
import { createTurnBench, type TurnBench, type TurnBenchOptions } from "../support/turnBench.ts";

let bench: TurnBench;
afterEach(() => bench.remove());

const DELEGATE = {
	calls: [{ id: "d1", name: "delegateToSubagent", args: { subagent: "reviewer", task: "Review a.txt." } }],
};

/** Replies of the parent and of its reviewer, each in their own order. */
function script(parent: ScriptedReply[], child: ScriptedReply[]) {
	return (request: ModelRequest) =>
		(request.system.includes("You are the reviewer") ? child : parent).shift();
}

async function start(options: TurnBenchOptions): Promise<TurnBench> {
	bench = await createTurnBench({ files: { "a.txt": "alpha\n" }, ...options });
	return bench;
}

async function childLog() {
	const changed = (await bench.events()).find((event) => event.type === "subagent/changed");
	const { commits } = await bench.sessions.read(changed?.sessionId ?? "");
	expect(checkLog(commits)).toEqual([]);
	return commits.flatMap((commit) => commit.events);
}

const READ = { calls: [{ id: "r1", name: "readFile", args: { path: "a.txt" } }] };

describe("a subagent", () => {
	it("works in a session of its own, and its last message is the call's result", async () => {
		const { say, events, session } = await start({
			script: script([DELEGATE, { text: "The review is fine." }], [READ, { text: "No faults." }]),
		});
		expect(await say("have it reviewed")).toMatchObject({ answer: "The review is fine." });
		const lines = outline(await events());
		expect(lines.filter((line) => /^tool|^subagent/.test(line))).toEqual([
			"tool/call d1 delegateToSubagent",
			"tool/start d1",
			"subagent/changed reviewer started",
			"subagent/changed reviewer completed",
			"tool/result d1 result",
		]);
		const child = await childLog();
		expect(child[0]).toMatchObject({
			parent: { sessionId: session.state.sessionId, callId: "d1", agent: "reviewer" },
		});
		expect(outline(child).filter((line) => /^tool|^turn/.test(line))).toEqual([
			"turn/start",
			"tool/call r1 readFile",
			"tool/start r1",
			"tool/result r1 result",
			"turn/end completed",
		]);
		expect((await events()).find((event) => event.type === "tool/result")).toMatchObject({
			text: "No faults.",
		});
	});

	it("is shown by its calls, without its words", async () => {
		const { say, live } = await start({
			script: script([DELEGATE, { text: "Fine." }], [READ, { text: "No faults." }]),
		});
		await say("review");
		const told = live.flatMap((delta) =>
			delta.type === "subagent" && delta.event.type === "tool/call"
				? [`${delta.agent}.${delta.event.name}`]
				: [],
		);
		expect(told).toEqual(["reviewer.readFile"]);
		expect(live.flatMap((delta) => (delta.type === "text" ? [delta.text] : [])).join("")).toBe("Fine.");
	});

	it("is offered only tools that read, and cannot delegate or write", async () => {
		const { say, model, root } = await start({
			script: script(
				[DELEGATE, { text: "Fine." }],
				[
					{ calls: [{ id: "w", name: "writeFile", args: { path: "x", content: "x" } }, ...DELEGATE.calls] },
					{ text: "I cannot." },
				],
			),
			mode: "bypassPermissions",
		});
		await say("review");
		const offered = model.requests[1]?.request.tools.map(({ name }) => name);
		expect(offered).toEqual(["readFile", "listFiles", "findFiles", "searchFiles", "readArtifact", "recall"]);
		const results = (await childLog()).filter((event) => event.type === "tool/result");
		expect(results.map(({ error }) => error?.type)).toEqual(["UNKNOWN_TOOL", "UNKNOWN_TOOL"]);
		expect(existsSync(join(root, "x"))).toBe(false);
	});

	it("sees the whole task and at most the last six messages of its parent, closed", async () => {
		const { say, model } = await start({
			script: (request, index) => {
				if (request.system.includes("You are the reviewer")) return { text: "No faults." };
				return index === 4 ? DELEGATE : { text: `answer ${index}` };
			},
		});
		for (let turn = 0; turn < 5; turn++) await say(`question ${turn}`);
		const seen = model.requests[5]?.request.messages.map(({ role, text }) => `${role} ${text}`);
		expect(seen).toEqual([
			"assistant answer 1",
			"user question 2",
			"assistant answer 2",
			"user question 3",
			"assistant answer 3",
			"user question 4",
			"user Review a.txt.",
		]);
	});

	it("sees what its parent's calls found since the last message of the user, closed", async () => {
		const read = (id: string) => ({ calls: [{ id, name: "readFile", args: { path: "a.txt" } }] });
		const { say, model } = await start({
			script: script(
				[read("r1"), read("r2"), read("r3"), { text: "Now the review.", ...DELEGATE }, { text: "Fine." }],
				[{ text: "No faults." }],
			),
		});
		await say("is a.txt all right?");
		const seen = model.requests[4]?.request.messages.map(({ role, text, ...rest }) => [
			role,
			text.split("\n").slice(0, 3).join(" ").slice(0, 70),
			...("calls" in rest ? [rest.calls?.map(({ id, name }) => `${id} ${name}`)] : []),
		]);
		expect(seen).toEqual([
			["user", "is a.txt all right?"],
			["user", '[readFile {"path":"a.txt"}] <tool_result name="readFile"> alpha'],
			["assistant", "Now the review.", []],
			["user", "Review a.txt."],
		]);
		await childLog();
	});

	it("uses its parent's limits, and the parent stops with it", async () => {
		const { say, model } = await start({
			script: script([DELEGATE, { text: "never" }], [READ, { text: "never" }]),
			limits: { maxToolCalls: 1 },
		});
		expect((await say("review"))?.answer).toContain("Tool call limit exceeded (2)");
		expect(model.requests).toHaveLength(2);
		expect(outline(await childLog()).at(-1)).toBe("turn/end failed limit");
	});

	it("ends with its parent's cancel, both logs whole", async () => {
		const controller = new AbortController();
		const { say, events } = await start({
			script: (request) => {
				if (!request.system.includes("You are the reviewer")) return DELEGATE;
				setImmediate(() => controller.abort());
				return { text: "hm", hang: true };
			},
		});
		expect(await say("review", controller.signal)).toMatchObject({ status: "cancelled" });
		expect(outline(await events())).toContain("tool/result d1 cancelled");
		expect(outline(await childLog()).at(-1)).toBe("turn/end cancelled cancelled");
	});

	it("that does not exist is an error that names those that do", async () => {
		const { say, events } = await start({
			script: [
				{ calls: [{ id: "d1", name: "delegateToSubagent", args: { subagent: "tester", task: "x" } }] },
				{ text: "ok" },
			],
		});
		await say("go");
		expect((await events()).find((event) => event.type === "tool/result")).toMatchObject({
			error: { fields: { subagent: "one of reviewer, explorer" } },
		});
	});

	it("has its parent's mode in its log, and is told nothing of planning", async () => {
		const { say, model } = await start({
			script: script([DELEGATE, { text: "A plan." }], [READ, { text: "No faults." }]),
			mode: "plan",
		});
		await say("review");
		expect((await childLog())[0]).toMatchObject({ type: "session/created", mode: "plan" });
		expect(JSON.stringify(model.requests[1]?.request.messages)).not.toContain("Plan mode");
	});

	it("tells under its own name that it waits to ask its model again", async () => {
		const { say, live } = await start({
			script: script(
				[DELEGATE, { text: "Fine." }],
				[
					{ failure: { kind: "overloaded", message: "The server is busy.", retryable: true } },
					{ text: "No faults." },
				],
			),
		});
		await say("review");
		const waits = live.flatMap((delta) =>
			delta.type === "waiting" && delta.for === "retry" ? [delta.detail] : [],
		);
		expect(waits).toEqual(["reviewer: retry 1 of 3 in 1 s: The server is busy."]);
	});
});

describe("a person's no to a call of a subagent", () => {
	const OUTSIDE = { calls: [{ id: "o1", name: "readFile", args: { path: "/etc/hosts" } }] };

	it("ends the turn, as a no to a call of agi itself", async () => {
		const { say, model, events, asked } = await start({
			script: script([DELEGATE, { text: "never" }], [{ text: "I look.", ...OUTSIDE }, { text: "never" }]),
			answers: ["no"],
		});
		expect(await say("review")).toMatchObject({ status: "cancelled", code: "denied" });
		expect(asked.at(-1)).toMatch(/^reviewer\.readFile: /);
		expect(model.requests).toHaveLength(2);
		const result = (await events()).find((event) => event.type === "tool/result");
		expect(result).toMatchObject({
			callId: "d1",
			status: "denied",
			text: 'The user denied readFile {"path":"/etc/hosts"} of the reviewer. It did not finish.\nSo far it said: I look.',
			error: { type: "DENIED" },
		});
		expect(outline(await childLog()).at(-1)).toBe("turn/end cancelled denied");
	});

	it("with words goes to the subagent, which goes on", async () => {
		const { say, model } = await start({
			script: script([DELEGATE, { text: "Fine." }], [OUTSIDE, { text: "No faults." }]),
			answers: [{ answer: "no", words: "only a.txt" }],
		});
		expect(await say("review")).toMatchObject({ status: "completed", answer: "Fine." });
		expect(JSON.stringify(model.requests[2]?.request.messages)).toContain("only a.txt");
	});

	it("stops the subagents that work beside it, whose questions are taken back", async () => {
		const both = [
			{ id: "d1", name: "delegateToSubagent", args: { subagent: "explorer", task: "Look." } },
			{ id: "d2", name: "delegateToSubagent", args: { subagent: "reviewer", task: "Review." } },
		];
		const { say, model, events } = await start({
			script: (request) => {
				if (request.system.includes("You are the reviewer")) return OUTSIDE;
				if (request.system.includes("You are the explorer")) return { text: "hm", hang: true };
				return { calls: both };
			},
			answers: ["no"],
		});
		expect(await say("both")).toMatchObject({ status: "cancelled", code: "denied" });
		expect(model.requests).toHaveLength(3);
		expect(outline(await events()).filter((line) => line.startsWith("tool/result"))).toEqual([
			"tool/result d1 cancelled",
			"tool/result d2 denied",
		]);
	});

	it("where nobody can be asked goes to the subagent, and the turn goes on", async () => {
		const { say } = await start({
			script: script([DELEGATE, { text: "Fine." }], [OUTSIDE, { text: "I could not." }]),
		});
		expect(await say("review")).toMatchObject({ status: "completed", answer: "Fine." });
	});
});
