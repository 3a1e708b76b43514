import { describe, expect, it } from "vitest";
import { multiTurnWithMocks } from "../../evals/executors.ts";
import { createMockListFiles, createMockReadFile, createMockShell } from "../../evals/mocks/tools.ts";
import { buildMessages } from "../../evals/utils.ts";
import { createScriptedModel, type ScriptedReply } from "../../src/adapters/models/scripted.ts";
import { givenModel } from "../../src/evals/evalModel.ts";
import { conversationOf, runMultiTurn } from "../../src/evals/multiTurn.ts";
import type { MultiTurnEvalData } from "../../src/evals/types.ts";
import { temporaryFolder } from "../support/evalRun.ts";

const MOCKS = {
	listFiles: { mockReturn: "[file] package.json" },
	readFile: { mockReturn: '1: {"name": "shop"}' },
};
const call = (name: string, args: Record<string, unknown> = {}) => ({ calls: [{ name, args }] });

function run(data: MultiTurnEvalData, script: readonly ScriptedReply[] | (() => ScriptedReply)) {
	const model = createScriptedModel(script);
	return { model, ended: runMultiTurn(data, { model: givenModel(model), scratch: temporaryFolder() }) };
}

describe("runMultiTurn", () => {
	it("goes through the product's loop to the final answer and tells calls and results in order", async () => {
		const { model, ended } = run({ prompt: "What is it called?", mockTools: MOCKS }, [
			call("listFiles"),
			{ text: "I look.", ...call("readFile", { path: "package.json" }) },
			{ text: "It is called shop." },
		]);
		const { output } = await ended;
		expect(output).toEqual({
			text: "It is called shop.",
			toolsUsed: ["listFiles", "readFile"],
			toolCallOrder: ["listFiles", "readFile"],
			steps: [
				{
					toolCalls: [{ toolName: "listFiles", args: {} }],
					toolResults: [{ toolName: "listFiles", result: "[file] package.json" }],
				},
				{
					text: "I look.",
					toolCalls: [{ toolName: "readFile", args: { path: "package.json" } }],
					toolResults: [{ toolName: "readFile", result: '1: {"name": "shop"}' }],
				},
				{ text: "It is called shop." },
			],
		});
		expect(model.requests[0]?.request.tools.map(({ name }) => name)).toEqual(["listFiles", "readFile"]);
	});

	it("begins after a conversation that is already there", async () => {
		const messages = [
			{ role: "user" as const, content: "Hello" },
			{ role: "assistant" as const, content: "Hi." },
			{ role: "user" as const, content: "What is it called?" },
		];
		const { model, ended } = run({ messages, mockTools: MOCKS }, [{ text: "shop" }]);
		expect((await ended).output.steps).toEqual([{ text: "shop" }]);
		expect(model.requests[0]?.request.messages.map(({ role }) => role)).toEqual([
			"user",
			"assistant",
			"user",
		]);
	});

	it("stops after 20 steps", async () => {
		const { model, ended } = run(
			{ prompt: "go", mockTools: { runCommand: { mockReturn: ["1", "2"] } } },
			() => call("runCommand", { command: "ls" }),
		);
		expect((await ended).output.toolCallOrder).toHaveLength(20);
		expect(model.requests).toHaveLength(20);
	});

	it("denies calls with effects in plan mode, as the product does", async () => {
		const { ended } = run(
			{ prompt: "go", mode: "plan", mockTools: { writeFile: { mockReturn: "written" } } },
			[call("writeFile", { path: "a.txt", content: "x" }), { text: "This is the plan." }],
		);
		expect((await ended).output.steps[0]?.toolResults?.[0]?.result).toMatch(/plan mode/i);
	});

	it("denies what the case's person refuses", async () => {
		const data = {
			prompt: "go",
			mockTools: { deleteFile: { mockReturn: "deleted" } },
			config: { approve: false },
		};
		const { ended } = run(data, [call("deleteFile", { path: "a.txt" }), { text: "I may not." }]);
		expect((await ended).output.steps[0]?.toolResults?.[0]?.result).not.toBe("deleted");
	});

	it("rejects where the model could not be reached, with the reason", async () => {
		const failure = { kind: "auth" as const, message: "The key is not valid.", retryable: false };
		await expect(run({ prompt: "go", mockTools: {} }, [{ failure }]).ended).rejects.toThrow(
			"The key is not valid.",
		);
	});
});

describe("multiTurnWithMocks", () => {
	it("uses a tool that is not agi's own by its description and parameters", async () => {
		const model = createScriptedModel([call("getWeather", { city: "Oslo" }), { text: "Snow." }]);
		const weather = {
			description: "Weather of a city",
			parameters: { city: "its name" },
			mockReturn: "-4, snow",
		};
		const output = await multiTurnWithMocks(
			{ prompt: "?", mockTools: { getWeather: weather } },
			givenModel(model),
		);
		expect(output.steps[0]?.toolResults).toEqual([{ toolName: "getWeather", result: "-4, snow" }]);
		expect(model.requests[0]?.request.tools[0]).toMatchObject({
			description: "Weather of a city",
			inputSchema: { required: ["city"] },
		});
	});
});

describe("conversationOf", () => {
	it("takes the last words of a conversation as the prompt", () => {
		const content = [
			{ type: "text" as const, text: "Go " },
			{ type: "text" as const, text: "on" },
		];
		expect(conversationOf({ messages: [{ role: "user", content }], mockTools: {} })).toEqual({
			prompt: "Go on",
			history: [],
		});
	});
});

describe("the pretended tools", () => {
	it("answer call after call, the last text again and again", () => {
		const shell = createMockShell(["first", "second"]);
		expect([shell.execute(), shell.execute(), shell.execute()]).toEqual(["first", "second", "second"]);
		expect(createMockReadFile("hello").execute({ path: "a" })).toBe("hello");
		expect(createMockListFiles(["src/", "a.txt"]).execute()).toBe("[dir] src\n[file] a.txt");
	});
});

describe("buildMessages", () => {
	it("puts the instructions first, agi's own where a case has none", () => {
		expect(buildMessages({ prompt: "hi", systemPrompt: "Be kind." })).toEqual([
			{ role: "system", content: "Be kind." },
			{ role: "user", content: "hi" },
		]);
		expect(buildMessages({ prompt: "hi" })[0]?.content).toContain("You are agi");
	});
});
