import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { createScriptedModel } from "../../src/adapters/models/scripted.ts";
import { createTools, tools } from "../../src/agent/tools/index.ts";
import { givenModel } from "../../src/evals/evalModel.ts";
import { runEvals } from "../../src/evals/runEvals.ts";
import { EVALUATORS, loadSuite } from "../../src/evals/suites.ts";
import type { EvalCase, EvalData, EvalTarget, RunReport, Suite } from "../../src/evals/types.ts";
import { evalOptions, servedModel, singleTurnSuite } from "../support/evalRun.ts";
import {
	lastWords,
	type PlayReply,
	type PlayRequest,
	type PlayServer,
	startPlayServer,
} from "../support/playServer.ts";

const servers: PlayServer[] = [];
afterAll(() => Promise.all(servers.map((server) => server.close())));

async function played(play: (request: PlayRequest, index: number) => PlayReply) {
	const server = await startPlayServer(play);
	servers.push(server);
	return { server, model: servedModel(server.baseUrl) };
}

const CASES = ["file-tools", "shell-tools", "other-tools"].map((name) =>
	loadSuite(`evals/data/${name}.json`, { name }),
);
const targets = new Map(
	CASES.flatMap(({ cases }) =>
		cases.map(({ data, target }) => [(data as EvalData).prompt, target as EvalTarget]),
	),
);

/** What an ideal model would call, and for a negative case nothing. */
function ideal(request: PlayRequest): PlayReply {
	const calls = (targets.get(lastWords(request))?.expectedTools ?? []).map((name) => ({ name }));
	return calls.length > 0 ? { calls } : { text: "Here is the answer." };
}

function scoreOf(run: RunReport, name: string): number[] {
	return run.suites.map((suite) => suite.evaluators[name]?.mean ?? 0);
}

const READ: EvalCase = {
	id: "read",
	purpose: "p",
	data: { prompt: "Read a.txt" },
	target: { category: "golden", expectedTools: ["readFile"] },
};
const PICKS_READ = () => ({ calls: [{ name: "readFile", args: { path: "a.txt" } }] });

describe("runEvals", () => {
	it("ranks a perfect, a mediocre and a careless model, and catches the careless one by the negative cases", async () => {
		const perfect = await played(ideal);
		const mediocre = await played((request) =>
			lastWords(request).length % 2 === 0 ? ideal(request) : { text: "I am not sure." },
		);
		const careless = await played((request) => {
			const target = targets.get(lastWords(request));
			return {
				calls: [...(target?.expectedTools ?? []), ...(target?.forbiddenTools ?? ["runCommand"])].map(
					(name) => ({ name }),
				),
			};
		});
		const runs: RunReport[] = [];
		const suites = CASES.map((suite) => ({
			...suite,
			thresholds: { model: { "pass@1": 0.9, toolsAvoided: 0.9 }, offline: {} },
		}));
		for (const { model } of [perfect, mediocre, careless])
			runs.push((await runEvals(suites, evalOptions(model))).run);
		expect(runs.map(({ ok }) => ok)).toEqual([true, false, false]);
		const [best, middle, worst] = runs.map((run) => run.suites.map((suite) => suite.passAt1.mean));
		for (const at of [0, 1, 2]) {
			expect(best?.[at]).toBe(1);
			expect(middle?.[at]).toBeLessThan(0.9);
			expect(middle?.[at]).toBeGreaterThan(worst?.[at] ?? 1);
		}
		expect(scoreOf(runs[2]!, "toolsSelected")).toEqual([1, 1, 1]);
		expect(scoreOf(runs[2]!, "toolsAvoided")).toEqual([0, 0, 0]);
		expect(runs[2]!.suites[0]!.missed).toContainEqual("toolsAvoided is 0.000, below its threshold 0.9");
	});

	it("fails where two descriptions are swapped and a model goes by descriptions", async () => {
		const words = (text: string) => new Set(text.toLowerCase().match(/[a-z]{3,}/g));
		const { model } = await played((request) => {
			const asked = words(lastWords(request));
			const overlap = ({ description }: { description: string }) =>
				[...words(description)].filter((word) => asked.has(word)).length;
			const [best] = request.tools.toSorted((one, other) => overlap(other) - overlap(one));
			return { calls: [{ name: best?.name ?? "" }] };
		});
		const suite = singleTurnSuite(
			[
				["deleteFile", "Delete one file, not a folder: old.log"],
				["listFiles", "List the entries of one folder: src"],
				["searchFiles", "Search file contents, line by line, for TODO"],
			].map(([name = "", prompt]) => ({
				id: name,
				purpose: "p",
				data: { prompt },
				target: { category: "golden", expectedTools: [name] },
			})),
			{ "pass@1": 1 },
		);
		const { deleteFile, listFiles } = tools;
		const swapped = {
			...tools,
			deleteFile: { ...deleteFile!, description: listFiles!.description },
			listFiles: { ...listFiles!, description: deleteFile!.description },
		};
		expect((await runEvals([suite], evalOptions(model))).exitCode).toBe(0);
		const worsened = await runEvals([suite], evalOptions(model, { tools: swapped }));
		expect(worsened.exitCode).toBe(1);
		expect(worsened.run.suites[0]!.passAt1.mean).toBeCloseTo(1 / 3);
	});

	it("asks with the product's own instructions, tools and schemas, and runs nothing", async () => {
		const { server, model } = await played(PICKS_READ);
		await runEvals([singleTurnSuite([READ])], evalOptions(model));
		const [request] = server.requests;
		expect(server.requests).toHaveLength(1);
		expect(request?.messages[0]?.content).toContain("You are agi");
		expect(request?.tools.map(({ name }) => name)).toEqual(createTools({ canSearchWeb: true }).names());
		expect(request?.tools[0]?.description).toBe(tools["readFile"]?.description);
	});

	it("counts repeats as pass@1, pass@k and pass^k, with a seed of its own for each", async () => {
		const { server, model } = await played((_, index) => (index === 0 ? { text: "no" } : PICKS_READ()));
		const { run } = await runEvals(
			[singleTurnSuite([READ])],
			evalOptions(model, { repeats: 4, seed: 7, concurrency: 1 }),
		);
		const [suite] = run.suites;
		expect([suite?.passAt1.mean, suite?.passAtK, suite?.passHatK]).toEqual([0.75, 1, 0]);
		expect(server.requests.map(({ seed }) => seed)).toEqual([7, 8, 9, 10]);
	});

	it("tries again where the server failed, and counts that as no wrong choice", async () => {
		const { model } = await played((_, index) => (index < 2 ? { status: 503 } : PICKS_READ()));
		const { run, exitCode } = await runEvals([singleTurnSuite([READ])], evalOptions(model, { retries: 2 }));
		expect(run.suites[0]?.cases[0]?.trials[0]).toMatchObject({ outcome: "scored", retries: 2 });
		expect(exitCode).toBe(0);
	});

	it("tells an unreachable model as an error and leaves the score alone", async () => {
		const { model } = await played(() => ({ status: 401 }));
		const { run, exitCode, text, reason } = await runEvals(
			[singleTurnSuite([READ])],
			evalOptions(model, { retries: 2 }),
		);
		expect(run.suites[0]).toMatchObject({ errors: 1, passAt1: { n: 0 } });
		expect(exitCode).toBe(1);
		expect(text).toContain("1 trial could not be run");
		expect(text).toContain("Not every trial could be run.");
		expect(reason).toBe("1 trial could not be run.");
	});

	it("refuses a server that is not there before a case is run, and names the first one", async () => {
		const { server } = await played(PICKS_READ);
		await server.close();
		const model = servedModel(server.baseUrl);
		await expect(runEvals([singleTurnSuite([READ])], evalOptions(model))).rejects.toThrow(
			/^cases\.json:1: read and the other cases need the model played\. Nothing was spent\. /,
		);
	});

	it("counts an answer that comes too late as 0", async () => {
		const { model } = await played(() => ({ hang: true }));
		const { run } = await runEvals([singleTurnSuite([READ])], evalOptions(model, { timeoutMs: 50 }));
		expect(run.suites[0]?.cases[0]?.trials[0]).toMatchObject({ outcome: "timeout" });
		expect(run.suites[0]?.evaluators["toolsSelected"]?.mean).toBe(0);
		expect(run.suites[0]?.evaluators["toolsAvoided"]?.n).toBe(0);
	});

	it("counts what a failed try used too", async () => {
		const usage = { inputTokens: 7_000, outputTokens: 1, cachedInputTokens: 0, reasoningTokens: 0 };
		const failing = createScriptedModel(
			[{ failure: { kind: "overloaded", message: "busy", retryable: true }, usage }, PICKS_READ()],
			{ name: "gpt-4.1-nano", profile: "openai" },
		);
		const { run } = await runEvals(
			[singleTurnSuite([READ])],
			evalOptions(givenModel(failing), { retries: 1 }),
		);
		expect(run.suites[0]?.cases[0]?.trials[0]).toMatchObject({ outcome: "scored", retries: 1 });
		expect(run.usage.inputTokens).toBe(7_100);
	});

	it("asks nothing under a cost cap where the price is not known, and ends with 53", async () => {
		const { server, model } = await played(PICKS_READ);
		const running = runEvals([singleTurnSuite([READ])], evalOptions(model, { maxCostUsd: 1 }));
		await expect(running).rejects.toMatchObject({
			exitCode: 53,
			message:
				"The price of played is not known, so --max-cost cannot hold. Nothing was spent. Leave --max-cost out.",
		});
		expect(server.requests).toEqual([]);
	});

	it("stops at the cost cap where the price is known", async () => {
		const priced = createScriptedModel(
			() => ({
				text: "no",
				usage: { inputTokens: 500_000, outputTokens: 0, cachedInputTokens: 0, reasoningTokens: 0 },
			}),
			{ name: "gpt-4.1-nano", profile: "openai" },
		);
		const cases = [READ, { ...READ, id: "second" }, { ...READ, id: "third" }];
		const { run, exitCode, reason } = await runEvals(
			[singleTurnSuite(cases)],
			evalOptions(givenModel(priced), { maxCostUsd: 0.08, concurrency: 1 }),
		);
		expect(run.costUsd).toBeCloseTo(0.1);
		expect(run.suites[0]?.cases.map(({ trials }) => trials[0]?.outcome)).toEqual([
			"scored",
			"scored",
			"skipped",
		]);
		expect(exitCode).toBe(53);
		expect(reason).toBe("The cap of $0.08 is reached.");
	});

	it("stops under a cost cap where a reply came without its usage", async () => {
		const silent = createScriptedModel(() => ({ text: "no", usage: null }), {
			name: "gpt-4.1-nano",
			profile: "openai",
		});
		const { run, exitCode, reason } = await runEvals(
			[singleTurnSuite([READ, { ...READ, id: "second" }])],
			evalOptions(givenModel(silent), { maxCostUsd: 1, concurrency: 1 }),
		);
		expect(silent.requests).toHaveLength(1);
		expect(run.costUsd).toBeNull();
		expect(exitCode).toBe(53);
		expect(reason).toBe("What gpt-4.1-nano used or costs is not known, so --max-cost cannot hold.");
	});

	it("does not take a request that failed without usage for an unknown cost", async () => {
		const failure = { kind: "overloaded", message: "busy", retryable: true } as const;
		const model = createScriptedModel([{ failure }, PICKS_READ()], {
			name: "gpt-4.1-nano",
			profile: "openai",
		});
		const { exitCode } = await runEvals(
			[singleTurnSuite([READ])],
			evalOptions(givenModel(model), { maxCostUsd: 1, retries: 1 }),
		);
		expect(exitCode).toBe(0);
	});

	it("counts its progress by the suites that it was given, whatever else the run holds", async () => {
		const options = evalOptions(givenModel(createScriptedModel(() => PICKS_READ())));
		const first = await runEvals([singleTurnSuite([READ])], options);
		const other = { ...singleTurnSuite([READ]), name: "other" };
		const progress: number[][] = [];
		await runEvals([other], {
			...options,
			resume: first.run.id,
			onProgress: (done, all) => progress.push([done, all]),
		});
		expect(progress).toEqual([[1, 1]]);
	});

	it("counts cases in JUnit as they stand below the suite, however many trials each had", async () => {
		const failure = { kind: "auth", message: "no", retryable: false } as const;
		const model = givenModel(createScriptedModel(() => ({ failure })));
		const { folder } = await runEvals([singleTurnSuite([READ])], evalOptions(model, { repeats: 3 }));
		expect(readFileSync(join(folder, "junit.xml"), "utf8")).toContain(
			'tests="1" failures="0" errors="1" skipped="0">',
		);
	});

	it("compares no suite of which one of the runs scored nothing", async () => {
		const options = evalOptions(givenModel(createScriptedModel(() => PICKS_READ())));
		const before = await runEvals([singleTurnSuite([READ])], options);
		const failure = { kind: "auth", message: "no", retryable: false } as const;
		const model = givenModel(createScriptedModel(() => ({ failure })));
		const after = await runEvals([singleTurnSuite([READ])], { ...options, model, compare: before.run.id });
		expect(after.text).toContain(`Against run ${before.run.id}:\n  No case flipped.\n`);
	});

	it("goes on with a run that was broken off, and asks only what is missing", async () => {
		const { server, model } = await played((_, index) => (index === 1 ? { status: 401 } : PICKS_READ()));
		const suite = singleTurnSuite([READ, { ...READ, id: "second" }]);
		const options = evalOptions(model, { concurrency: 1 });
		const first = await runEvals([suite], options);
		expect(first.exitCode).toBe(1);
		const second = await runEvals([suite], { ...options, resume: first.run.id });
		expect(server.requests).toHaveLength(3);
		expect(second.exitCode).toBe(0);
		expect(second.run.id).toBe(first.run.id);
		await expect(runEvals([suite], { ...options, resume: first.run.id, seed: 3 })).rejects.toThrow(
			"was started with seed null, not 3",
		);
		await expect(runEvals([suite], { ...options, resume: "nothing" })).rejects.toThrow(
			"There is no run nothing",
		);
	});

	it("shows which cases flipped since another run", async () => {
		const options = evalOptions(givenModel(createScriptedModel(() => PICKS_READ())));
		const suite = singleTurnSuite([READ, { ...READ, id: "steady" }]);
		const before = await runEvals([suite], options);
		const model = givenModel(
			createScriptedModel(({ messages }, index) =>
				index === 0 && messages.length > 0 ? { text: "no" } : PICKS_READ(),
			),
		);
		const after = await runEvals([suite], { ...options, model, concurrency: 1, compare: before.run.id });
		expect(after.text).toContain("  suite: pass@1 100 % -> 50 %\n  lost suite/read  100 % -> 0 %  p\n");
	});

	it("keeps the reports of a run in its folder, escaped", async () => {
		const model = givenModel(createScriptedModel(() => ({ text: '<script>alert("x")</script> & more' })));
		const { folder } = await runEvals([singleTurnSuite([READ])], evalOptions(model));
		const read = (name: string) => readFileSync(join(folder, name), "utf8");
		expect(read("report.html")).toContain("&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt; &amp; more");
		expect(read("report.html")).not.toMatch(/<script|https?:\/\/|src=/);
		expect(read("junit.xml")).toContain('<failure message="toolsSelected 0.00; called no tool"/>');
		expect(read("report.md")).toContain("- **suite/read** (p): toolsSelected 0.00; called no tool");
		expect(JSON.parse(read("run.json"))).toMatchObject({ version: 1, ok: true, suites: [{ name: "suite" }] });
		expect(read("trials.jsonl").trimEnd().split("\n")).toHaveLength(2);
	});

	it("counts what no judge graded neither as good nor as bad, and does not call it passed", async () => {
		const { model } = await played(() => ({ text: "It is P." }));
		const suite: Suite = {
			...singleTurnSuite([
				{
					id: "explain",
					purpose: "p",
					data: { prompt: "Explain", mockTools: {} },
					target: { category: "task-completion", originalTask: "t", rubric: "says P" },
				},
			]),
			kind: "multi-turn",
			evaluators: EVALUATORS["multi-turn"],
			thresholds: { model: { "pass@1": 0.9 }, offline: {} },
		};
		const { run, exitCode, reason } = await runEvals([suite], evalOptions(model));
		expect(run.suites[0]).toMatchObject({ passAt1: { n: 0 }, missed: ["no case could be scored"] });
		expect(exitCode).toBe(1);
		expect(reason).toBe("1 threshold missed.");
	});

	it("says of the offline model that it is no AI", async () => {
		const model = givenModel(
			createScriptedModel(() => PICKS_READ()),
			{ offline: true },
		);
		expect((await runEvals([singleTurnSuite([READ])], evalOptions(model))).text).toMatch(
			/^These are scores of the embedded offline model: rules, no AI\./,
		);
	});
});
