import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseCases } from "../../src/evals/readCases.ts";
import { AgiError } from "../../src/types.ts";

const GOOD = {
	id: "a",
	purpose: "p",
	data: { prompt: "Read a.txt" },
	target: { category: "golden", expectedTools: ["readFile"] },
};

/** What is said of cases that cannot be run, one entry a mistake. */
function mistakes(value: unknown): string[] {
	try {
		parseCases(typeof value === "string" ? value : JSON.stringify(value, undefined, 1), "x.json");
	} catch (error) {
		if (!(error instanceof AgiError)) throw error;
		expect(error.exitCode).toBe(42);
		return error.message.split("\n").slice(1);
	}
	return [];
}

describe("parseCases", () => {
	it("reads an array of cases with the line of each", () => {
		const { kind, cases } = parseCases(JSON.stringify([GOOD, { ...GOOD, id: "b" }], undefined, 1), "x.json");
		expect(kind).toBe("single-turn");
		expect(cases.map(({ id, line }) => [id, line])).toEqual([
			["a", 2],
			["b", 15],
		]);
	});

	it("reads thresholds beside the cases", () => {
		expect(
			parseCases(JSON.stringify({ cases: [GOOD], thresholds: { "pass@1": 0.5 } }), "x.json").thresholds,
		).toEqual({
			"pass@1": 0.5,
		});
	});

	it("tells the kind by the shape of the data", () => {
		const multi = {
			...GOOD,
			data: { prompt: "x", mockTools: {} },
			target: { category: "task-completion", originalTask: "x", rubric: "r" },
		};
		const job = {
			...GOOD,
			data: { prompt: "x", verify: "true" },
			target: { category: "task-completion", originalTask: "x" },
		};
		expect([multi, job].map((given) => parseCases(JSON.stringify([given]), "x.json").kind)).toEqual([
			"multi-turn",
			"workspace",
		]);
	});

	it("names an unknown tool with file, line and the nearest name", () => {
		const target = { category: "golden", expectedTools: ["readFil"] };
		expect(mistakes([{ ...GOOD, target }])).toEqual([
			'x.json:10: a: no tool "readFil" is offered. Did you mean readFile?',
		]);
	});

	it("names a tool that is expected and not offered", () => {
		expect(mistakes([{ ...GOOD, data: { prompt: "x", tools: ["listFiles"] } }])[0]).toContain(
			'no tool "readFile" is offered',
		);
	});

	it("names a missing target, and one that expects nothing", () => {
		const { target: _, ...without } = GOOD;
		expect(mistakes([without])).toEqual(["x.json:2: a: target is missing"]);
		expect(mistakes([{ ...GOOD, target: { category: "golden" } }])).toEqual([
			"x.json:8: a: a golden case needs target.expectedTools",
		]);
	});

	it("names an id that stands twice, and where it stood first", () => {
		expect(mistakes([GOOD, GOOD])).toEqual(['x.json:16: the id "a" stands already in line 3']);
	});

	it("tells every mistake at once", () => {
		const found = mistakes([
			{ ...GOOD, target: { category: "silver" } },
			{ ...GOOD, id: "b", data: {} },
			{ ...GOOD, id: "" },
		]);
		expect(found).toEqual([
			expect.stringContaining("a: target.category:"),
			expect.stringContaining("b: data.prompt:"),
			expect.stringContaining("id:"),
		]);
	});

	it("refuses a file of two kinds, an unknown key, and a conversation that ends with nobody asking", () => {
		const job = {
			...GOOD,
			id: "j",
			data: { prompt: "x", verify: "true" },
			target: { category: "task-completion", originalTask: "x" },
		};
		expect(mistakes([GOOD, job])[0]).toContain("a workspace case among single-turn ones");
		expect(mistakes([{ ...GOOD, data: { prompt: "x", promt: "y" } }])[0]).toContain("promt");
		const multi = {
			...GOOD,
			data: { messages: [{ role: "assistant", content: "hi" }], mockTools: {} },
			target: { category: "task-completion", originalTask: "x", rubric: "r" },
		};
		expect(mistakes([multi])[0]).toContain("data.messages that end with the user's");
	});

	it.each(["x", 5, null, []])("names a case whose data is %j", (data) => {
		expect(mistakes([{ ...GOOD, data }])).toEqual([expect.stringMatching(/^x\.json:5: a: data: /)]);
	});

	it("reads or refuses any JSON, and never breaks", () => {
		const words = fc.constantFrom("cases", ...Object.keys(GOOD), "prompt", "verify", "mockTools", "tools");
		const { tree } = fc.letrec((tie) => ({
			tree: fc.oneof(
				{ depthSize: "medium" },
				fc.jsonValue({ maxDepth: 1 }),
				fc.array(tie("tree"), { maxLength: 3 }),
				fc.dictionary(words, tie("tree"), { maxKeys: 5 }),
			),
		}));
		fc.assert(
			fc.property(tree, (value) => {
				mistakes(JSON.stringify(value));
				mistakes([{ ...GOOD, data: value }]);
				mistakes([{ ...GOOD, target: value }]);
			}),
		);
	});

	it("names the place where the file is no JSON", () => {
		expect(mistakes('[\n{"id": }]')[0]).toMatch(/^x\.json:2:8: /);
	});
});
