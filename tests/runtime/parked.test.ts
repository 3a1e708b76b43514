import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { createWorkspace } from "../../src/adapters/workspace/nodeWorkspace.ts";
import { askPerson } from "../../src/runtime/askPerson.ts";
import { createPrompts, type Prompts } from "../../src/runtime/prompts.ts";
import { recoverSession } from "../../src/runtime/recovery.ts";
import { createScheduler } from "../../src/runtime/scheduler.ts";
import { outline } from "../support/outline.ts";
import { createTurnBench, type TurnBench, type TurnBenchOptions } from "../support/turnBench.ts";

let bench: TurnBench;
afterEach(() => bench.remove());

const ASK = { id: "q", name: "askUser", args: { question: "Which?", options: ["a", "b"] } };
const RUN = { id: "c", name: "runCommand", args: { command: "echo ran > ran" } };
const WAIT = { id: "w", name: "runCommand", args: { command: "touch begun; sleep 30" } };

/** One life of agi over the bench's session. */
function live() {
	const { session } = bench;
	const asked = Promise.withResolvers<void>();
	const prompts: Prompts = createPrompts((open) => open.length > 0 && asked.resolve());
	const contextFor = (signal: AbortSignal) => {
		const context = bench.contextFor(signal);
		return {
			...context,
			approver: prompts.approve,
			toolContext: (callId: string, callSignal: AbortSignal) => ({
				...context.toolContext(callId, callSignal),
				ask: (question: string, options: string[], kind: { secret: boolean; freeText: boolean }) =>
					askPerson(
						{ session, prompts, redact: context.redact },
						{ callId, question, options, ...kind },
						callSignal,
					),
			}),
		};
	};
	const parts = async () => ({ session, workspace: await createWorkspace({ root: bench.root }), prompts });
	return {
		prompts,
		asked: asked.promise,
		recover: async () => recoverSession(await parts(), () => contextFor(new AbortController().signal)),
		scheduler: async () =>
			createScheduler({ session, contextFor, onTurnEnd: () => undefined, recovery: await parts() }),
	};
}

/** Asks and is then left in good order; resolves with what was recorded after the question. */
async function leftWhileAsked(script: TurnBenchOptions["script"], begun?: string) {
	bench = await createTurnBench({ script, answers: [], mode: begun ? "bypassPermissions" : "default" });
	bench.submit("go");
	const { prompts, asked, scheduler } = live();
	const first = await scheduler();
	const ran = first.runWaiting();
	await asked;
	while (begun && !existsSync(join(bench.root, begun))) await new Promise(setImmediate);
	const before = (await bench.events()).length;
	prompts.park();
	await first.stop();
	expect(await ran).toBeUndefined();
	await bench.session.flush({ wait: true });
	return outline((await bench.events()).slice(before));
}

describe("a question that is open when agi ends in good order", () => {
	it("of the model stays open, and its answer after the next start goes to the call that asked", async () => {
		const news = await leftWhileAsked([{ calls: [ASK] }, { text: "told" }]);
		expect(news).toEqual([]);
		const { prompts, asked, recover, scheduler } = live();
		expect(await recover()).toEqual({
			notices: ['askUser "Which?" waits for an answer.'],
			question: 'askUser "Which?" waits for an answer.',
		});
		const next = await scheduler();
		const ran = next.runWaiting();
		await asked;
		expect(await prompts.answerQuestion("q", "b")).toBe(true);
		expect(await ran).toMatchObject({ status: "completed", answer: "told" });
		const events = await bench.events();
		expect(events.filter(({ type }) => type === "question/asked")).toHaveLength(1);
		expect(events.find(({ type }) => type === "tool/result")).toMatchObject({
			status: "result",
			text: "The user answered: b",
		});
		expect(events.find((event) => event.type === "turn/end" && event.status !== "completed")).toMatchObject({
			reason: "agi ended while this turn waited for you",
		});
	});

	it("about a call stays open, and a yes after the next start runs it once", async () => {
		expect(await leftWhileAsked([{ calls: [RUN] }, { text: "told" }])).toEqual([]);
		const { prompts, asked, recover, scheduler } = live();
		expect((await recover()).notices).toEqual([
			expect.stringMatching(/^runCommand .* waits for a yes or no/),
		]);
		const next = await scheduler();
		const ran = next.runWaiting();
		await asked;
		prompts.answerApproval("c", { answer: "yes", by: "person" });
		expect(await ran).toMatchObject({ status: "completed", answer: "told" });
		expect(existsSync(join(bench.root, "ran"))).toBe(true);
		expect((await bench.events()).filter(({ type }) => type === "approval/requested")).toHaveLength(1);
	});

	it("does not keep what runs beside it from being ended and recorded", async () => {
		const news = await leftWhileAsked([{ calls: [ASK, WAIT] }, { text: "told" }], "begun");
		expect(news).toEqual(["tool/result w cancelled"]);
		expect((await live().recover()).question).toMatch(/waits for an answer/);
	});

	it("is asked again after each further end", async () => {
		await leftWhileAsked([{ calls: [ASK] }, { text: "told" }]);
		const second = live();
		const scheduler = await second.scheduler();
		const ran = scheduler.runWaiting();
		await second.asked;
		second.prompts.park();
		await scheduler.stop();
		await ran;
		expect((await live().recover()).notices).toEqual(['askUser "Which?" waits for an answer.']);
	});
});

describe("a question that nobody answers", () => {
	it.each([
		["is left", false, /The user gave no answer/, "error"],
		["is cancelled with its turn", true, /was not answered: the turn was cancelled/, "cancelled"],
	])("%s is told as what happened", async (_, cancels, words, status) => {
		bench = await createTurnBench({ script: [{ calls: [ASK] }, { text: "told" }], answers: [] });
		bench.submit("go");
		const { prompts, asked, scheduler } = live();
		const only = await scheduler();
		const ran = only.runWaiting();
		await asked;
		if (cancels) only.interrupt();
		else await prompts.answerQuestion("q", undefined);
		await ran;
		const result = (await bench.events()).find(({ type }) => type === "tool/result");
		expect(result).toMatchObject({ status, text: expect.stringMatching(words) });
	});
});
