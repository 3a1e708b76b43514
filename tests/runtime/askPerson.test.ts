import { afterEach, describe, expect, it } from "vitest";
import { createWorkspace } from "../../src/adapters/workspace/nodeWorkspace.ts";
import { askPerson, keepAnswer, openQuestion } from "../../src/runtime/askPerson.ts";
import { createPrompts } from "../../src/runtime/prompts.ts";
import { recoverSession } from "../../src/runtime/recovery.ts";
import type { CallRecord } from "../../src/session/commands.ts";
import { outline } from "../support/outline.ts";
import { ASKED, accept, decided, endCall, startCall } from "../support/sessionSteps.ts";
import { createTurnBench, type TurnBench } from "../support/turnBench.ts";

let bench: TurnBench;
afterEach(() => bench.remove());

const CALL: CallRecord = {
	providerId: "c",
	name: "askUser",
	args: { question: "Which?" },
	tool: { version: 1, effects: "none", recovery: "none" },
};
const QUESTION = { callId: "c", question: "Which?", options: [], secret: false, freeText: true };

/** A session whose call `c` runs and may ask; `onOpen` hears whenever the open questions change. */
async function asking(onOpen: (open: number) => void = () => undefined) {
	bench = await createTurnBench({ script: [] });
	for (const command of [...ASKED, accept("", CALL), decided("c", "allow"), startCall("c")])
		bench.session.record(command);
	await bench.session.flush({ wait: true });
	const seen = (await bench.events()).length;
	const news = async () => (await bench.events()).slice(seen);
	const opened = Promise.withResolvers<void>();
	const prompts = createPrompts((open) => {
		onOpen(open.length);
		if (open.length > 0) opened.resolve();
	});
	const controller = new AbortController();
	const parts = { session: bench.session, prompts, redact: (text: string) => text.replace("token", "[x]") };
	return {
		prompts,
		opened: opened.promise,
		controller,
		news,
		ask: (secret = false) => askPerson(parts, { ...QUESTION, secret }, controller.signal),
		recover: async () =>
			recoverSession({ session: bench.session, workspace: await createWorkspace({ root: bench.root }) }, () =>
				bench.contextFor(controller.signal),
			),
	};
}

describe("askPerson", () => {
	it("has the answer in the inbox, on the disk, before the question goes away", async () => {
		const atOpen: Promise<string[]>[] = [];
		const { prompts, news, ask, opened } = await asking(() => atOpen.push(news().then(outline)));
		const said = ask();
		await opened;
		expect(await prompts.answerQuestion("c", "a token")).toBe(true);
		expect(await said).toBe("a token");
		expect(await Promise.all(atOpen)).toEqual([
			["question/asked"],
			["question/asked", "inbox/enqueued question"],
		]);
		bench.session.record(endCall("c"));
		await bench.session.flush({ wait: true });
		expect((await news()).slice(1)).toMatchObject([
			{ target: "question", answer: "a [x]" },
			{ type: "question/answered", answer: "a [x]", by: "person" },
			{ type: "tool/result" },
		]);
	});

	it("gives a secret answer to its caller alone: the log holds that there was one", async () => {
		const { prompts, ask, opened } = await asking();
		const said = ask(true);
		await opened;
		await prompts.answerQuestion("c", "hunter2");
		expect(await said).toBe("hunter2");
		bench.session.record(endCall("c"));
		await bench.session.flush({ wait: true });
		expect(JSON.stringify(await bench.events())).not.toContain("hunter2");
	});

	it("refuses a second answer", async () => {
		const { prompts, ask, news, opened } = await asking();
		const said = ask();
		await opened;
		await prompts.answerQuestion("c", "blue");
		await said;
		expect(await prompts.answerQuestion("c", "red")).toBe(false);
		const second = { questionId: "question-1", callId: "c", answer: "red" };
		await expect(keepAnswer(bench.session, second)).rejects.toThrow("that question has its answer");
		expect(JSON.stringify(await news())).not.toContain("red");
	});

	it("tells that there is no answer where nobody gives one", async () => {
		const { ask, controller, news, opened } = await asking();
		const said = ask();
		await opened;
		controller.abort();
		expect(await said).toBeUndefined();
		expect((await news()).at(-1)).toMatchObject({ type: "question/answered", by: "agi" });
	});

	it("keeps an answer that came just before the cancel", async () => {
		const { ask, controller, news, prompts, opened } = await asking();
		const said = ask();
		await opened;
		const given = prompts.answerQuestion("c", "blue");
		controller.abort();
		await Promise.all([given, said]);
		bench.session.record(endCall("c", "cancelled"));
		await bench.session.flush({ wait: true });
		expect((await news()).filter(({ type }) => type === "question/answered")).toMatchObject([
			{ answer: "blue", by: "person" },
		]);
	});
});

describe("an answer that a dead process left in the inbox", () => {
	it.each([
		[false, "blue", { status: "result", text: expect.stringContaining("the user had answered: blue") }],
		[true, "(secret)", { status: "cancelled", text: expect.stringContaining("may be called again") }],
	])("ends its call, and nobody is asked again (secret: %s)", async (secret, answer, result) => {
		const { news, recover } = await asking();
		const questionId = await openQuestion(bench.session, { ...QUESTION, secret });
		await keepAnswer(bench.session, { questionId, callId: "c", answer });
		expect((await recover()).question).toBeUndefined();
		expect((await news()).slice(2, 4)).toMatchObject([{ type: "question/answered", answer }, result]);
	});
});
