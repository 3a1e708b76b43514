import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { tools } from "../../src/agent/tools/index.ts";
import { loadSuite } from "../../src/evals/suites.ts";
import type { EvalData, EvalTarget } from "../../src/evals/types.ts";

const single = ["file-tools", "shell-tools", "other-tools"].map((name) =>
	loadSuite(`evals/data/${name}.json`),
);
const cases = single.flatMap((suite) => suite.cases);
const targets = cases.map(({ target }) => target as EvalTarget);
const CHINESE = /\p{Script=Han}/u;

describe("the cases of evals/data", () => {
	it("are enough of each kind, in English and Chinese", () => {
		const multi = loadSuite("evals/data/agent-multiturn.json");
		expect(cases.length).toBeGreaterThanOrEqual(120);
		expect(multi.cases.length).toBeGreaterThanOrEqual(40);
		expect(readdirSync("evals/workspaces").length).toBeGreaterThanOrEqual(12);
		expect(cases.filter(({ data }) => CHINESE.test((data as EvalData).prompt)).length).toBeGreaterThan(25);
	});

	it("expect every tool of agi in some case, and no tool at all in some", () => {
		const expected = new Set(targets.flatMap((target) => target.expectedTools ?? []));
		expect(Object.keys(tools).filter((name) => !expected.has(name))).toEqual([]);
		expect(
			targets.filter((target) => target.category === "negative" && !target.forbiddenTools).length,
		).toBeGreaterThan(10);
	});

	it("have ids and prompts that stand only once, so that a case can be told by either", () => {
		const ids = cases.map(({ id }) => id);
		const prompts = cases
			.filter(({ data }) => !(data as EvalData).messages)
			.map(({ data }) => (data as EvalData).prompt);
		expect(ids.length).toBe(new Set(ids).size);
		expect(prompts.filter((prompt, at) => prompts.indexOf(prompt) !== at)).toEqual([]);
	});

	it("never expect what they forbid", () => {
		const torn = cases.filter(({ target }) => {
			const { expectedTools = [], forbiddenTools = [] } = target as EvalTarget;
			return expectedTools.some((name) => forbiddenTools.includes(name));
		});
		expect(torn.map(({ id }) => id)).toEqual([]);
	});
});
