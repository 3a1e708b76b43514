import { describe, expect, it } from "vitest";
import { createScriptedModel } from "../../src/adapters/models/scripted.ts";
import { activateModel, createModelSwitch, recordedCost } from "../../src/wire/activeModel.ts";
import { openHostBench } from "../support/hostBench.ts";

const USAGE = { inputTokens: 1_000_000, outputTokens: 1_000_000, cachedInputTokens: 0, reasoningTokens: 0 };
const OPENAI = {
	kind: "model",
	model: "gpt-5",
	profile: "openai",
	baseUrl: "https://api.openai.com/v1",
} as const;

describe("activateModel", () => {
	it("takes window and price of a known model from the catalog", async () => {
		const active = await activateModel(OPENAI, {});
		expect(active.shown).toEqual({
			model: "gpt-5",
			profile: "openai",
			contextWindow: 400_000,
			priceKnown: true,
			offline: false,
		});
		expect(active.priceOf(USAGE)).toBe(11.25);
	});

	it("lets the person's own limits beat the catalog", async () => {
		expect((await activateModel(OPENAI, { contextWindow: 5000 })).limits.contextWindow).toBe(5000);
	});

	it("knows no price of a model that a program brings", async () => {
		const active = await activateModel({ kind: "given", model: createScriptedModel([]) }, {});
		expect(active.shown.priceKnown).toBe(false);
		expect(active.priceOf(USAGE)).toBeUndefined();
	});
});

describe("createModelSwitch", () => {
	it("keeps the open step's model until that step is over", async () => {
		const first = await activateModel({ kind: "offline" }, {});
		let step: typeof first.config | undefined = first.config;
		const models = createModelSwitch(first, {}, () => step);
		await models.change(OPENAI);
		expect([models.asked().config.model, models.current().config.model]).toEqual(["offline", "gpt-5"]);
		step = undefined;
		expect(models.asked().config.model).toBe("gpt-5");
	});

	it("sends the retries of a step to the model that the step began with", async () => {
		const bench = await openHostBench([
			{ failure: { kind: "overloaded", message: "busy", retryable: true, retryAfterMs: 300 } },
			{ text: "done" },
		]);
		const said = bench.say("go");
		await bench.until(() =>
			bench.heard.find(
				(one) => one.kind === "live" && one.delta.type === "waiting" && one.delta.for === "retry",
			),
		);
		await bench.ok({ do: "switchModel", model: "offline" });
		await said;
		expect(bench.model.requests).toHaveLength(2);
		await bench.say("again");
		const steps = bench.facts().flatMap((event) => (event.type === "step/start" ? [event.model.model] : []));
		expect(steps).toEqual(["scripted", "offline"]);
	});

	it("applies the person's limits only to the model they were set for", async () => {
		const first = await activateModel(OPENAI, { contextWindow: 5000 });
		const models = createModelSwitch(first, { contextWindow: 5000 }, () => undefined);
		expect((await models.change({ ...OPENAI, model: "gpt-4o" })).contextWindow).toBe(128_000);
		expect((await models.change(OPENAI)).contextWindow).toBe(5000);
	});

	it("knows the whole cost only while every model has a price", async () => {
		const models = createModelSwitch(await activateModel(OPENAI, {}), {}, () => undefined);
		expect(models.allPriced()).toBe(true);
		await models.change({ ...OPENAI, model: "unheard-of" });
		await models.change(OPENAI);
		expect(models.allPriced()).toBe(false);
	});
});

describe("recordedCost", () => {
	it("prices what a log tells, and nothing that the catalog does not know", () => {
		const config = {
			model: "gpt-5",
			profile: "openai",
			baseUrl: "https://api.openai.com/v1",
			contextWindow: 1,
		};
		expect(recordedCost(config, USAGE)).toBe(11.25);
		expect(recordedCost({ ...config, model: "unheard-of" }, USAGE)).toBeUndefined();
		expect(recordedCost({ ...config, profile: "offline", model: "offline" }, USAGE)).toBe(0);
	});
});
