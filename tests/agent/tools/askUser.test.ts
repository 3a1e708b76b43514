import { afterEach, describe, expect, it } from "vitest";
import { askUser } from "../../../src/agent/tools/askUser.ts";
import { createToolBench, type ToolBench } from "../../support/toolContext.ts";

let bench: ToolBench;
afterEach(() => bench.remove());

describe("askUser", () => {
	it("hands on question, options and what counts as an answer", async () => {
		const asked: unknown[] = [];
		bench = await createToolBench({
			ask: async (...question) => {
				asked.push(question);
				return "red";
			},
		});
		const args = { question: "Which?", options: ["red", "blue"], freeText: false };
		expect(await bench.call(askUser, args)).toMatchObject({
			status: "result",
			text: "The user answered: red",
		});
		expect(asked).toEqual([["Which?", ["red", "blue"], { secret: false, freeText: false }]]);
	});

	it("keeps a secret answer to itself", async () => {
		bench = await createToolBench({ ask: async () => "hunter22" });
		const outcome = await bench.call(askUser, { question: "Password?", secret: true });
		expect(outcome).toEqual({ status: "result", text: "The user gave a secret answer." });
	});

	it("refuses a question that nothing could answer", async () => {
		bench = await createToolBench({ ask: async () => "x" });
		const outcome = await bench.call(askUser, { question: "Which?", freeText: false });
		expect(outcome).toMatchObject({ status: "error", error: { type: "INVALID_ARGUMENT" } });
	});

	it("says so where nobody can be asked", async () => {
		bench = await createToolBench();
		expect(await bench.call(askUser, { question: "Which?" })).toMatchObject({ error: { type: "DENIED" } });
	});
});
