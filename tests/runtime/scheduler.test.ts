import { afterEach, describe, expect, it } from "vitest";
import { createScriptedModel } from "../../src/adapters/models/scripted.ts";
import { createScheduler, type Scheduler } from "../../src/runtime/scheduler.ts";
import type { TurnEnd } from "../../src/session/live.ts";
import { AgiError } from "../../src/types.ts";
import { createTurnBench, type TurnBench, type TurnBenchOptions } from "../support/turnBench.ts";

let bench: TurnBench;
afterEach(() => bench.remove());

async function start(options: TurnBenchOptions): Promise<{ scheduler: Scheduler; ends: TurnEnd[] }> {
	bench = await createTurnBench(options);
	const ends: TurnEnd[] = [];
	const scheduler = createScheduler({
		session: bench.session,
		contextFor: bench.contextFor,
		onTurnEnd: (end) => void ends.push(end),
	});
	return { scheduler, ends };
}

describe("createScheduler", () => {
	it("runs every waiting message in a turn of its own, in order", async () => {
		const { scheduler, ends } = await start({ script: (_, index) => ({ text: `answer ${index}` }) });
		bench.submit("one");
		bench.submit("two");
		expect(await scheduler.runWaiting()).toMatchObject({ answer: "answer 1" });
		expect(ends.map(({ answer }) => answer)).toEqual(["answer 0", "answer 1"]);
		expect(scheduler.busy).toBe(false);
	});

	it("has nothing to tell where nothing waits", async () => {
		const { scheduler, ends } = await start({ script: [] });
		expect(await scheduler.runWaiting()).toBeUndefined();
		expect([ends, scheduler.interrupt()]).toEqual([[], false]);
	});

	it("runs once however often it is asked, and takes along what came meanwhile", async () => {
		const { scheduler, ends } = await start({ script: (_, index) => ({ text: `answer ${index}` }) });
		bench.submit("one");
		const first = scheduler.runWaiting();
		expect(scheduler.busy).toBe(true);
		bench.submit("two");
		expect(await scheduler.runWaiting()).toBe(await first);
		expect(ends).toHaveLength(2);
	});

	it("never leaves a message, in whatever moment of another turn it came", async () => {
		const { scheduler, ends } = await start({ script: (_, index) => ({ text: `answer ${index}` }) });
		const run = async (moment: number) => {
			bench.submit("one");
			const first = scheduler.runWaiting();
			let passed = 0;
			for (; passed < moment && scheduler.busy; passed++) await Promise.resolve();
			bench.submit("two");
			await Promise.all([first, scheduler.runWaiting()]);
			expect(ends.splice(0)).toHaveLength(2);
			return passed;
		};
		const whole = await run(Number.POSITIVE_INFINITY);
		for (let moment = whole - 25; moment <= whole; moment++) await run(moment);
	});

	it("ends the running turn at an interrupt and keeps the queue", async () => {
		const { scheduler, ends } = await start({
			script: (_, index) => (index === 0 ? { text: "so", hang: true } : { text: "ok" }),
		});
		bench.submit("one");
		bench.submit("two");
		const running = scheduler.runWaiting();
		await bench.until("attempt/start");
		expect(scheduler.interrupt()).toBe(true);
		expect(await running).toMatchObject({ status: "cancelled" });
		expect(bench.session.state.inbox.map(({ text }) => text)).toEqual(["two"]);
		expect(await scheduler.runWaiting()).toMatchObject({ status: "completed" });
		expect(ends).toHaveLength(2);
	});

	it("keeps a message whose turn was interrupted before its request until the person goes on", async () => {
		const { scheduler } = await start({ script: [{ text: "ok" }] });
		bench.submit("one");
		const running = scheduler.runWaiting();
		scheduler.interrupt();
		expect(await running).toMatchObject({ status: "cancelled" });
		expect(await scheduler.runWaiting()).toBeUndefined();
		expect(bench.session.state.inbox.map(({ text }) => text)).toEqual(["one"]);
		expect(await scheduler.runWaiting({ goOn: true })).toMatchObject({ answer: "ok" });
		expect(bench.model.requests[0]?.request.messages.map(({ text }) => text)).toEqual(["one"]);
		expect(await scheduler.runWaiting({ goOn: true })).toBeUndefined();
	});

	it("stops without starting what waits", async () => {
		const { scheduler, ends } = await start({ script: [{ text: "so", hang: true }] });
		bench.submit("one");
		bench.submit("two");
		void scheduler.runWaiting();
		await bench.until("attempt/start");
		await scheduler.stop();
		await scheduler.stop();
		expect(ends.map(({ status }) => status)).toEqual(["cancelled"]);
		expect(bench.model.requests).toHaveLength(1);
	});

	it("rejects where the log cannot be written, and closes that turn before the next", async () => {
		const model = createScriptedModel([{ text: "ok" }]);
		let isFull = true;
		const { scheduler } = await start({
			script: [],
			context: {
				model: {
					...model,
					async stream(request, options) {
						if (!isFull) return model.stream(request, options);
						await options.onPrepared("body");
						throw new AgiError("LOG_WRITE_FAILED", "the disk is full");
					},
				},
			},
		});
		bench.submit("one");
		await expect(scheduler.runWaiting()).rejects.toThrow("the disk is full");
		expect(scheduler.busy).toBe(false);
		isFull = false;
		bench.submit("two");
		expect(await scheduler.runWaiting()).toMatchObject({ status: "completed", answer: "ok" });
		await bench.commits();
	});

	it("opens the next step of the same turn for a message that came during its last answer", async () => {
		const model = createScriptedModel((_, index) => ({ text: `answer ${index}` }));
		const { scheduler, ends } = await start({
			script: [],
			context: {
				model: {
					...model,
					async stream(request, options) {
						const outcome = await model.stream(request, options);
						if (model.requests.length === 1) bench.submit("and this", "next_step");
						return outcome;
					},
				},
			},
		});
		bench.submit("one");
		await scheduler.runWaiting();
		expect(ends.map(({ answer }) => answer)).toEqual(["answer 1"]);
		expect((await bench.events()).filter((event) => event.type === "turn/start")).toHaveLength(1);
	});

	it("claims an interrupted turn's work only where it is told to go on", async () => {
		const { scheduler, ends } = await start({ script: [{ text: "went on" }] });
		bench.submit("one");
		bench.session.record({ do: "startTurn" });
		expect(await scheduler.runWaiting()).toBeUndefined();
		expect(bench.session.state.continuation).toEqual({ turnId: "turn-1" });
		expect(await scheduler.runWaiting({ goOn: true })).toMatchObject({ answer: "went on" });
		expect(ends).toHaveLength(1);
		expect(bench.model.requests[0]?.request.messages.some(({ text }) => text === "one")).toBe(true);
		await bench.commits();
	});
});
