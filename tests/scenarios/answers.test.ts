// Turns that end with an answer, or with the reason why there is none; no tool has its say here.

import { hash } from "node:crypto";
import { afterEach, describe, expect, it } from "vitest";
import type { ScriptedReply } from "../../src/adapters/models/scripted.ts";
import { patchBody } from "../../src/agent/context/bodyDelta.ts";
import type { ModelFailure } from "../../src/types.ts";
import { outline } from "../support/outline.ts";
import { createTurnBench, type TurnBench, type TurnBenchOptions } from "../support/turnBench.ts";

const sha256 = (text: string) => hash("sha256", text, "hex");

let bench: TurnBench | undefined;
afterEach(async () => {
	await bench?.remove();
	bench = undefined;
});

async function start(options: TurnBenchOptions): Promise<TurnBench> {
	bench = await createTurnBench(options);
	return bench;
}

function failure(kind: ModelFailure["kind"], retryable: boolean, more: Partial<ModelFailure> = {}) {
	return { kind, message: `it failed by ${kind}.`, retryable, ...more };
}

const OVERLOADED: ScriptedReply = { failure: failure("overloaded", true, { status: 503 }) };

describe("a turn that answers", () => {
	it("goes from the message to its end in one step and two commits of the loop", async () => {
		const { say, commits } = await start({ script: [{ text: "Hello." }] });
		expect(await say("hi")).toEqual({ status: "completed", answer: "Hello." });
		expect((await commits()).map((commit) => outline(commit.events))).toEqual([
			[
				"session/created",
				"user/message message-1",
				"inbox/enqueued next_turn",
				"turn/start",
				"step/start message-1",
				"request/prepared",
				"inbox/included message-1",
				"attempt/start",
			],
			["attempt/end accepted stop", "assistant/accepted", "step/end answer", "turn/end completed"],
		]);
	});

	it("counts a reply that ended by tool_calls without calls as an answer", async () => {
		const { say, events } = await start({ script: [{ text: "Done.", finish: "tool_calls" }] });
		expect(await say("hi")).toMatchObject({ status: "completed", answer: "Done." });
		expect(outline(await events())).toContain("attempt/end accepted stop");
	});

	it("estimates the tokens where the server tells none, and says that it does", async () => {
		const { say, session, events } = await start({ script: [{ text: "Hello there.", usage: null }] });
		await say("hi");
		const end = (await events()).find((event) => event.type === "attempt/end");
		expect(end).toMatchObject({ usageEstimated: true });
		expect(session.state.usage.inputTokens).toBeGreaterThan(100);
		expect(session.state.usage.outputTokens).toBe(3);
	});

	it("takes secrets out of what the model says before it is stored", async () => {
		const { say, events } = await start({
			script: [{ text: "Your key is hunter2-hunter2." }],
			secrets: ["hunter2-hunter2"],
		});
		expect(await say("what is my key?")).toMatchObject({ answer: "Your key is [redacted: secret]." });
		expect(JSON.stringify(await events())).not.toContain("hunter2");
	});
});

describe("a failing model", () => {
	it("is asked again after waits that double, and text shown before is taken back", async () => {
		const network = failure("network", true);
		const { say, events, live, tracker } = await start({
			script: [{ text: "Hel", failure: network }, OVERLOADED, { text: "Hello." }],
		});
		expect(await say("hi")).toMatchObject({ status: "completed", answer: "Hello." });
		expect(outline(await events()).slice(5)).toEqual([
			"request/prepared",
			"inbox/included message-1",
			"attempt/start",
			"attempt/end failed network",
			"request/prepared",
			"attempt/start after 1 ms",
			"attempt/end failed overloaded",
			"request/prepared",
			"attempt/start after 2 ms",
			"attempt/end accepted stop",
			"assistant/accepted",
			"step/end answer",
			"turn/end completed",
		]);
		expect(live.filter((delta) => delta.type === "withdrawn")).toEqual([{ type: "withdrawn", text: "Hel" }]);
		expect(tracker.totals().outputTokens).toBe(10 + 1);
	});

	it("is given up after three retries with the number of tries", async () => {
		const { say, model } = await start({ script: () => OVERLOADED });
		expect(await say("hi")).toMatchObject({
			status: "failed",
			code: "model",
			reason: "it failed by overloaded. Tried 4 times.",
		});
		expect(model.requests).toHaveLength(4);
	});

	it.each([
		["invalid_request", "model"],
		["auth", "auth"],
		["context_overflow", "context"],
	] as const)("is not asked again after %s", async (kind, code) => {
		const { say, model, events } = await start({ script: () => ({ failure: failure(kind, false) }) });
		const end = await say("hi");
		expect(end).toMatchObject({ status: "failed", code, answer: end?.reason });
		expect(end?.reason).toMatch(new RegExp(`^it failed by ${kind}\\.`));
		expect(model.requests).toHaveLength(1);
		expect(outline(await events()).slice(-3)).toEqual([
			`attempt/end failed ${kind}`,
			"step/end failed",
			`turn/end failed ${code}`,
		]);
	});

	it("is not waited for when it asks for more than a minute", async () => {
		const { say, model } = await start({
			script: () => ({ failure: failure("rate_limit", true, { retryAfterMs: 3_600_000 }) }),
		});
		expect((await say("hi"))?.reason).toContain("asks to wait 60 minutes");
		expect(model.requests).toHaveLength(1);
	});

	it("stops being asked after five failures in a row, until the person asks anew", async () => {
		const { say, model } = await start({
			script: (_, index) => (index < 5 ? OVERLOADED : { text: "Back." }),
		});
		await say("one");
		expect((await say("two"))?.reason).toContain("5 requests to the model failed in a row");
		expect(model.requests).toHaveLength(5);
		expect(await say("three")).toMatchObject({ status: "completed", answer: "Back." });
	});

	it("is asked again when its whole reply says nothing", async () => {
		const { say } = await start({ script: [{ text: " \n" }, { reasoning: "hm" }, { text: "Now." }] });
		expect(await say("hi")).toMatchObject({ status: "completed", answer: "Now." });
	});
});

describe("an answer that the output limit cuts", () => {
	it("is asked to go on and joined to one message", async () => {
		const { say, model, session, events } = await start({
			script: [{ text: "one ", finish: "length" }, { text: "two ", finish: "length" }, { text: "three" }],
		});
		expect(await say("count")).toMatchObject({ status: "completed", answer: "one two three" });
		expect(model.requests[2]?.request.messages.slice(0, 2)).toEqual([
			{ role: "user", text: "count" },
			{ role: "assistant", text: "one two ", calls: [] },
		]);
		expect(session.state.history.map((item) => item.kind)).toEqual(["user", "assistant"]);
		expect(outline(await events()).filter((line) => line.startsWith("attempt/end"))).toEqual([
			"attempt/end rejected length",
			"attempt/end rejected length",
			"attempt/end accepted stop",
		]);
	});

	it("fails with what came and the way out when it is cut a third time", async () => {
		const { say, model } = await start({ script: () => ({ text: "more ", finish: "length" }) });
		const end = await say("count");
		expect(end).toMatchObject({ status: "failed", code: "model" });
		expect(end?.answer).toContain("more more more");
		expect(end?.answer.split("\n").at(-1)).toBe(
			"The output limit cut the answer again and again: ask for less at once, or raise the server's output limit.",
		);
		expect(model.requests).toHaveLength(3);
	});

	it("never runs a call that was cut, and tells the model to take smaller ones", async () => {
		const { say, model, events } = await start({
			script: [
				{ calls: [{ name: "writeFile", args: '{"path":"a.txt","content":"half' }], finish: "length" },
				{ text: "In parts then." },
			],
			mode: "acceptEdits",
		});
		expect(await say("write")).toMatchObject({ status: "completed", answer: "In parts then." });
		expect(JSON.stringify(model.requests[1]?.request.messages)).toContain("that call was not run");
		expect((await events()).filter((event) => event.type === "tool/call")).toEqual([]);
	});
});

describe("a reply that is no answer", () => {
	it.each([
		[
			{ text: "I will not.\n\nIt is dangerous", finish: "refusal" },
			"refusal",
			"The model refused: I will not. It is dangerous. Say it in other words, or use another model.",
		],
		[
			{ text: "", finish: "refusal" },
			"refusal",
			"The model refused: no reason given. Say it in other words, or use another model.",
		],
		[
			{ text: "so far", finish: "content_filter" },
			"refusal",
			"The server's content filter stopped the answer. Say it in other words, or use another model.",
		],
		[
			{ text: "", finish: "error" },
			"model",
			"The model ended its reply with an error. Send the message again, or use another model.",
		],
	] as const)("ends the turn as failed, on one line with the way out: %j", async (reply, code, reason) => {
		const { say, session, model } = await start({ script: [reply] });
		expect(await say("hi")).toMatchObject({ status: "failed", code, reason });
		expect(model.requests).toHaveLength(1);
		expect(session.state.history.map((item) => item.kind)).toEqual(["user"]);
	});
});

describe("messages that come while a turn runs", () => {
	it("opens the next step of the same turn for a steer that came during the last answer", async () => {
		const bench = await start({
			script: (_, index) => {
				if (index === 0) bench.submit("and shorter", "next_step");
				return { text: `answer ${index}` };
			},
		});
		expect(await bench.say("explain")).toMatchObject({ status: "completed", answer: "answer 1" });
		const lines = outline(await bench.events());
		expect(lines.filter((line) => line === "turn/start")).toHaveLength(1);
		expect(lines.filter((line) => line.startsWith("step/start"))).toEqual([
			"step/start message-1",
			"step/start message-2",
		]);
	});

	it("keeps a follow-up for a turn of its own", async () => {
		const bench = await start({
			script: (_, index) => {
				if (index === 0) bench.submit("and then?");
				return { text: `answer ${index}` };
			},
		});
		expect(await bench.say("explain")).toMatchObject({ answer: "answer 0" });
		expect(await bench.run()).toMatchObject({ answer: "answer 1" });
		expect(await bench.run()).toBeUndefined();
		const lines = outline(await bench.events());
		expect(lines.filter((line) => line === "turn/start")).toHaveLength(2);
	});
});

describe("the requests of a session", () => {
	it("share their whole beginning over fifty turns and can be given back byte for byte from the log", async () => {
		const { say, model, events } = await start({
			script: (_, index) =>
				index % 2 === 0
					? { reasoning: "look", calls: [{ id: "same", name: "readFile", args: { path: "a.txt" } }] }
					: { text: `answer ${index}` },
			files: { "a.txt": `${"alpha beta\n".repeat(50)}` },
		});
		for (let turn = 0; turn < 50; turn++) await say(`question ${turn}`);
		const bodies = model.requests.map(({ body }) => body);
		expect(bodies).toHaveLength(100);
		for (const [i, { request }] of model.requests.entries()) {
			const before = model.requests[i - 1]?.request;
			expect(request.messages.slice(0, before?.messages.length ?? 0)).toEqual(before?.messages ?? []);
			expect(request.system).toBe(model.requests[0]?.request.system);
			expect(request.tools).toEqual(model.requests[0]?.request.tools);
		}
		let body = "";
		const rebuilt = (await events())
			.filter((event) => event.type === "request/prepared")
			.map(({ delta, digest, bytes }) => {
				if (typeof delta.middle !== "string") throw new Error("a middle this small stands in the log itself");
				body = patchBody(body, { ...delta, middle: delta.middle });
				expect({ digest, bytes }).toEqual({ digest: sha256(body), bytes: Buffer.byteLength(body) });
				return body;
			});
		expect(rebuilt).toEqual(bodies);
	});
});
