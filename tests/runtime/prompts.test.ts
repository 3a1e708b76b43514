import { describe, expect, it } from "vitest";
import { createPrompts, type OpenPrompt } from "../../src/runtime/prompts.ts";

const approval = (callId: string) => ({
	callId,
	toolName: "writeFile",
	args: {},
	agent: "agi",
	reason: "r",
	grantable: true,
});
const question = (callId: string) => ({ callId, question: "q", options: [], secret: false });
const never = new AbortController().signal;

function start() {
	const heard: string[][] = [];
	const idsOf = (open: readonly OpenPrompt[]) => open.map(({ prompt }) => prompt.callId);
	return { heard, prompts: createPrompts((open) => heard.push(idsOf(open))) };
}

describe("createPrompts", () => {
	it("tells every question that opens and closes, the oldest first", async () => {
		const { heard, prompts } = start();
		const first = prompts.approve(approval("a"), never);
		const second = prompts.ask(question("b"), never);
		expect(prompts.open().map(({ kind }) => kind)).toEqual(["approval", "question"]);
		expect(prompts.answerApproval("a", { answer: "yes", by: "person" })).toBe(true);
		expect(await prompts.answerQuestion("b", "blue")).toBe(true);
		expect([await first, await second]).toEqual([{ answer: "yes", by: "person" }, "blue"]);
		expect(heard).toEqual([["a"], ["a", "b"], ["b"], []]);
	});

	it("takes one answer for each, and only of its kind", async () => {
		const { prompts } = start();
		const asked = prompts.approve(approval("a"), never);
		expect(await prompts.answerQuestion("a", "x")).toBe(false);
		expect(prompts.answerApproval("other", { answer: "yes", by: "person" })).toBe(false);
		expect(prompts.answerApproval("a", { answer: "no", by: "person" })).toBe(true);
		expect(prompts.answerApproval("a", { answer: "yes", by: "person" })).toBe(false);
		expect(await asked).toMatchObject({ answer: "no" });
	});

	it("keeps a question open until its answer is kept, and takes no second one meanwhile", async () => {
		const { prompts } = start();
		const kept = Promise.withResolvers<void>();
		const asked = prompts.ask(question("b"), never, () => kept.promise);
		const first = prompts.answerQuestion("b", "blue");
		expect(await prompts.answerQuestion("b", "red")).toBe(false);
		expect(prompts.open()).toHaveLength(1);
		kept.resolve();
		expect([await first, await asked, prompts.open()]).toEqual([true, "blue", []]);
	});

	it("takes another answer where the first could not be kept", async () => {
		const { prompts } = start();
		const full = [() => Promise.reject(new Error("the disk is full")), () => Promise.resolve()];
		const asked = prompts.ask(question("b"), never, () => full.shift()?.() ?? Promise.resolve());
		await expect(prompts.answerQuestion("b", "blue")).rejects.toThrow("the disk is full");
		expect(await prompts.answerQuestion("b", "red")).toBe(true);
		expect(await asked).toBe("red");
	});

	it("answers everything open as cancelled at an abort, also one that came before", async () => {
		const { heard, prompts } = start();
		const controller = new AbortController();
		const [one, two] = [
			prompts.approve(approval("a"), controller.signal),
			prompts.ask(question("b"), controller.signal),
		];
		controller.abort();
		expect([await one, await two]).toEqual([{ answer: "cancelled", by: "agi" }, undefined]);
		expect(await prompts.approve(approval("c"), controller.signal)).toMatchObject({ answer: "cancelled" });
		expect([heard.at(-1), prompts.open()]).toEqual([[], []]);
	});
});
