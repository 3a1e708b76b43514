import { describe, expect, it } from "vitest";
import type { ModelChoice } from "../../src/settings/chooseModel.ts";
import { openHostBench } from "../support/hostBench.ts";

const UNPRICED = /price of \S+ is not known.*\(--max-cost or limits\.costPerSession\) cannot hold/;
const limits = { stepsPerTurn: 5, toolCallsPerTurn: 5, costPerSession: 1 };
const offline: ModelChoice = { kind: "offline" };

describe("a limit of the cost", () => {
	it("that cannot hold for the model is told at the start, where a person reads it", async () => {
		const { notices } = await openHostBench([], { limits });
		expect(notices).toEqual([expect.stringMatching(UNPRICED)]);
	});

	it("is told once the person changes to a model for which it cannot hold", async () => {
		const { notices, ok, heard, until } = await openHostBench([], { limits, model: offline });
		expect(notices).toEqual([]);
		await ok({ do: "switchModel", model: "somebodys-model", baseUrl: "http://127.0.0.1:9/v1" });
		const told = await until(() => heard.find((one) => one.kind === "live" && one.delta.type === "notice"));
		expect(told).toMatchObject({ delta: { text: expect.stringMatching(UNPRICED) } });
	});
});
