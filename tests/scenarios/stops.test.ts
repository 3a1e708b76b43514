// Turns that are stopped: by a limit, by the clock, by the person. Every call has its end, and nothing starts again.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import * as z from "zod";
import type { AnyTool, Tool } from "../../src/ports/tool.ts";
import type { Clock } from "../../src/ports/world.ts";
import { markedProcesses } from "../support/markedProcesses.ts";
import { outline } from "../support/outline.ts";
import { createTurnBench, type TurnBench, type TurnBenchOptions } from "../support/turnBench.ts";

let bench: TurnBench;
afterEach(() => bench.remove());

async function start(options: TurnBenchOptions): Promise<TurnBench> {
	bench = await createTurnBench(options);
	return bench;
}

const run = (command: string, id: string) => ({ id, name: "runCommand", args: { command } });

/** A clock that stands still until a test moves it. */
function createManualClock(): Clock & { advance(ms: number): void } {
	let now = 0;
	const sleepers = new Set<{ at: number; wake(): void }>();
	return {
		now: () => now,
		wait: (ms, signal) =>
			new Promise((resolve, reject) => {
				const sleeper = { at: now + ms, wake: resolve };
				sleepers.add(sleeper);
				signal.addEventListener("abort", () => reject(signal.reason), { once: true });
			}),
		advance(ms) {
			now += ms;
			for (const sleeper of sleepers) {
				if (sleeper.at > now) continue;
				sleepers.delete(sleeper);
				sleeper.wake();
			}
		},
	};
}

describe("the limit of tool calls", () => {
	it("stops before the call that passes it, and the call never runs", async () => {
		const { say, root, events, model } = await start({
			script: [{ calls: [run("touch a", "c1"), run("touch b", "c2")] }],
			limits: { maxToolCalls: 0 },
			answers: ["yes"],
		});
		const end = await say("run");
		expect(end).toMatchObject({ status: "failed", code: "limit" });
		expect(end?.answer).toBe(
			"[Agent stopped: Tool call limit exceeded (1)] Raise it with limits.toolCallsPerTurn.",
		);
		expect(existsSync(join(root, "a")) || existsSync(join(root, "b"))).toBe(false);
		expect(outline(await events()).slice(-4)).toEqual([
			"tool/result c1 error",
			"tool/result c2 error",
			"step/end tools",
			"turn/end failed limit",
		]);
		expect((await events()).find((event) => event.type === "tool/result")).toMatchObject({
			error: { type: "LIMIT" },
		});
		expect(model.requests).toHaveLength(1);
	});

	it("counts anew in each turn", async () => {
		const { say } = await start({
			script: (_, index) => (index % 2 === 0 ? { calls: [run("true", "c")] } : { text: "ok" }),
			limits: { maxToolCalls: 1 },
			mode: "bypassPermissions",
		});
		expect(await say("one")).toMatchObject({ status: "completed" });
		expect(await say("two")).toMatchObject({ status: "completed" });
	});
});

describe("the other limits", () => {
	it("stop the second turn at once where the first used the session's tokens", async () => {
		const { say, run, session, model } = await start({
			script: () => ({ text: "ok" }),
			limits: { maxTokens: 1 },
		});
		expect(await say("one")).toMatchObject({ status: "completed" });
		expect((await say("two"))?.answer).toBe(
			"[Agent stopped: Token limit exceeded (110)] Raise it with --max-tokens or limits.tokensPerSession.",
		);
		expect(model.requests).toHaveLength(1);
		expect(await run()).toBeUndefined();
		expect(session.state.inbox).toMatchObject([{ text: "two", wakeup: false }]);
	});

	it("leave a message that reached no request to the next turn", async () => {
		const { say, tracker, model } = await start({ script: () => ({ text: "ok" }), limits: { maxTokens: 1 } });
		await say("one");
		await say("two");
		tracker.limits.maxTokens = 1000;
		await say("three");
		expect(model.requests[1]?.request.messages.map(({ text }) => text)).toEqual([
			"one",
			"ok",
			"two",
			"three",
		]);
	});

	it("stop after as many steps as are allowed", async () => {
		const { say, model } = await start({
			script: (_, index) => ({ calls: [run(`echo ${index}`, "c")] }),
			limits: { maxIterations: 2 },
			mode: "bypassPermissions",
		});
		expect((await say("go"))?.answer).toContain("[Agent stopped: Loop iteration limit exceeded (3)]");
		expect(model.requests).toHaveLength(2);
	});

	it("stop at the cost where the price is known", async () => {
		const { say } = await start({
			script: (_, index) => ({ calls: [run(`echo ${index}`, "c")] }),
			limits: { maxCost: 1 },
			context: { costOf: () => 0.75 },
			mode: "bypassPermissions",
		});
		expect((await say("go"))?.answer).toContain("[Agent stopped: Cost limit exceeded ($1.50)]");
	});

	it("stop a stream at the deadline", async () => {
		const clock = createManualClock();
		const { say, events, until } = await start({
			script: [{ text: "thinking", hang: true }],
			world: { clock },
			context: { deadline: 60_000 },
		});
		const end = say("go");
		await until("attempt/start");
		clock.advance(60_001);
		expect((await end)?.answer).toBe(
			"[Agent stopped: Time limit exceeded] Raise it with --timeout or limits.turnSeconds.",
		);
		expect(outline(await events()).slice(-3)).toEqual([
			"attempt/end cancelled cancelled",
			"step/end cancelled",
			"turn/end failed limit",
		]);
	});
});

describe("the deadline", () => {
	const resultTexts = async () =>
		(await bench.events()).flatMap((event) => (event.type === "tool/result" ? [event.text] : []));

	it("is told as what stopped a command, and what kept the next call from running", async () => {
		const clock = createManualClock();
		const { say, live } = await start({
			script: [{ calls: [run("echo up; sleep 300", "c1"), run("touch late", "c2")] }],
			world: { clock },
			context: { deadline: 60_000 },
			mode: "bypassPermissions",
		});
		const end = say("go");
		while (!live.some((delta) => delta.type === "output")) await tick();
		clock.advance(60_001);
		expect(await end).toMatchObject({ code: "limit" });
		const [ran, late] = await resultTexts();
		expect(ran).toContain("[The time limit of the turn was over; the user did not cancel it.]");
		expect(late).toBe("The call was not run: the time limit of the turn was over.");
	});

	it("is told as what ended a question", async () => {
		const clock = createManualClock();
		const { say } = await start({
			script: [{ calls: [run("touch a", "c1")] }],
			world: { clock },
			context: { deadline: 60_000 },
			approver: (_, signal) =>
				new Promise((resolve) => {
					signal.addEventListener("abort", () => resolve({ answer: "cancelled", by: "agi" }));
					clock.advance(60_001);
				}),
		});
		expect(await say("go")).toMatchObject({ code: "limit" });
		expect((await resultTexts())[0]).toContain("the question was cancelled.\n[The time limit of the turn");
	});
});

describe("a cancel", () => {
	it("while the answer streams ends the turn, takes the text back and keeps the message", async () => {
		const controller = new AbortController();
		const { say, session, live, model } = await start({
			script: [{ text: "Once upon a time", hang: true }, { text: "hello" }],
		});
		const end = say("tell", controller.signal);
		while (!live.some((delta) => delta.type === "text")) await bench.until("attempt/start").then(tick);
		controller.abort();
		expect(await end).toMatchObject({ status: "cancelled", code: "cancelled" });
		expect(live.at(-1)).toEqual({ type: "withdrawn", text: "Once upon a time" });
		expect(session.state.history.map((item) => item.kind)).toEqual(["user"]);
		expect(await say("again")).toMatchObject({ answer: "hello" });
		expect(model.requests[1]?.request.messages.map(({ text }) => text)).toEqual(["tell", "again"]);
	});

	it("while only reasoning has streamed leaves no empty message behind", async () => {
		const controller = new AbortController();
		const { say, until, model } = await start({
			script: [{ reasoning: "hm", hang: true }, { text: "hello" }],
		});
		const end = say("q", controller.signal);
		await until("attempt/start");
		controller.abort();
		expect(await end).toMatchObject({ status: "cancelled" });
		await say("again");
		expect(model.requests[1]?.request.messages.every((message) => message.role === "user")).toBe(true);
	});

	it("while a command runs ends its processes and answers every call", async () => {
		const controller = new AbortController();
		const mark = `AGI_STOPS=${process.pid}-${Date.now()}`;
		const { say, live, events, session } = await start({
			script: [{ calls: [run(`${mark} bash -c 'echo up; sleep 300'`, "c1"), run("touch late", "c2")] }],
			mode: "bypassPermissions",
		});
		const end = say("wait", controller.signal);
		await bench.until("tool/start");
		while (!live.some((delta) => delta.type === "output")) await tick();
		controller.abort();
		expect(await end).toMatchObject({ status: "cancelled", code: "cancelled" });
		expect(markedProcesses(mark)).toEqual([]);
		const results = (await events()).filter((event) => event.type === "tool/result");
		expect(results.map((result) => result.callId)).toEqual(["c1", "c2"]);
		expect(results.every(({ status }) => status === "cancelled" || status === "outcome_unknown")).toBe(true);
		expect(session.state.step).toBeUndefined();
	});

	it("while a question is open answers it as cancelled", async () => {
		const controller = new AbortController();
		const { say, events } = await start({
			script: [{ calls: [run("touch a", "c1")] }],
			approver: (_, signal) =>
				new Promise((resolve) => {
					signal.addEventListener("abort", () => resolve({ answer: "cancelled", by: "agi" }));
					controller.abort();
				}),
		});
		expect(await say("go", controller.signal)).toMatchObject({ status: "cancelled", code: "cancelled" });
		expect(outline(await events()).slice(-4)).toEqual([
			"approval/resolved c1 cancelled",
			"tool/result c1 cancelled",
			"step/end cancelled",
			"turn/end cancelled cancelled",
		]);
	});

	it("while it waits to ask again ends the wait", async () => {
		const controller = new AbortController();
		const { say, live } = await start({
			script: [{ failure: { kind: "overloaded", message: "busy", retryable: true, retryAfterMs: 30_000 } }],
		});
		const end = say("go", controller.signal);
		while (!live.some((delta) => delta.type === "waiting" && delta.for === "retry")) await tick();
		controller.abort();
		expect(await end).toMatchObject({ status: "cancelled", code: "cancelled" });
	});

	it("gives up a call that does not stop, as an outcome that nobody knows", async () => {
		const clock = createManualClock();
		const controller = new AbortController();
		const stubborn = stubbornTool();
		const { say, until, events } = await start({
			script: [{ calls: [{ id: "c1", name: "stubborn", args: {} }] }],
			mode: "bypassPermissions",
			world: { clock },
			context: { tools: { get: () => stubborn, names: () => ["stubborn"] } },
		});
		const end = say("go", controller.signal);
		await until("tool/start");
		controller.abort();
		await tick();
		clock.advance(5_001);
		expect(await end).toMatchObject({ status: "cancelled" });
		expect(outline(await events())).toContain("tool/result c1 outcome_unknown");
	});

	it("before the first request leaves the message to the next turn", async () => {
		const { say, events, model } = await start({ script: [{ text: "ok" }] });
		expect(await say("one", AbortSignal.abort())).toMatchObject({ status: "cancelled" });
		expect(outline(await events()).slice(3)).toEqual(["turn/start", "turn/end cancelled cancelled"]);
		await say("two");
		expect(model.requests[0]?.request.messages.map(({ text }) => text)).toEqual(["one", "two"]);
	});
});

/** Lets everything that is ready run once. */
function tick(): Promise<void> {
	return new Promise((resolve) => setImmediate(resolve));
}

/** A tool with effects that never ends. */
function stubbornTool(): AnyTool {
	const tool: Tool<object> = {
		name: "stubborn",
		description: "never ends",
		schema: z.strictObject({}),
		version: 1,
		effects: "possible",
		recovery: "manual",
		prepare: async () => ({ resources: [], summary: "never ends", run: () => new Promise(() => undefined) }),
	};
	return tool as unknown as AnyTool;
}
