import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createScriptedModel, type ScriptedReply } from "../../src/adapters/models/scripted.ts";
import { type CommandLine, parseArguments } from "../../src/cli/arguments.ts";
import { sessionsCommand } from "../../src/cli/sessions.ts";
import { givenModel } from "../../src/evals/evalModel.ts";
import { casesFromSession } from "../../src/evals/fromSession.ts";
import { runMultiTurn } from "../../src/evals/multiTurn.ts";
import { parseCases } from "../../src/evals/readCases.ts";
import type { MultiTurnEvalData } from "../../src/evals/types.ts";
import { locate, openSessions } from "../../src/wire/place.ts";
import { temporaryFolder } from "../support/evalRun.ts";
import { type Desk, openDesk, recordSession } from "../support/recordedSession.ts";

let desk: Desk;
beforeEach(() => {
	desk = openDesk({ LLM_API_KEY: "sk-secret-0123456789abcdef" });
});
afterEach(() => desk.remove());

const SCRIPT: ScriptedReply[] = [
	{ text: "I look.", calls: [{ name: "listFiles" }] },
	{ calls: [{ name: "readFile", args: { path: "missing.txt" } }] },
	{ text: "There is no such file." },
	{ text: "Just words." },
	{ calls: [{ name: "listFiles", args: {} }] },
	{ text: "Still empty." },
];

async function record() {
	const { sessionId } = await recordSession(desk, ["What is here?", "Thanks", "And now?"], SCRIPT);
	const sessions = openSessions(await locate(desk.project, desk.around.env, false));
	return { sessionId, commits: (await sessions.read(sessionId)).commits };
}

describe("casesFromSession", () => {
	it("makes a case of each finished turn with a call, with what was said before it", async () => {
		const { sessionId, commits } = await record();
		const [first, second, ...others] = casesFromSession(commits);
		expect(others).toEqual([]);
		expect(first).toMatchObject({
			id: `${sessionId}-turn-1`,
			data: { prompt: "What is here?" },
			target: {
				category: "task-completion",
				originalTask: "What is here?",
				expectedToolOrder: ["listFiles"],
			},
		});
		expect(first?.data.mockTools["readFile"]?.mockReturn).toContain("missing.txt");
		expect(second).toMatchObject({
			target: { category: "conversation-continuation", expectedToolOrder: ["listFiles"] },
		});
		expect(second?.data.messages?.map(({ role }) => role)).toEqual([
			"user",
			"assistant",
			"tool",
			"assistant",
			"tool",
			"assistant",
			"user",
			"assistant",
			"user",
		]);
	});

	it("makes cases that can be read and run again, and that the same model passes", async () => {
		const { commits } = await record();
		const { kind, cases } = parseCases(JSON.stringify(casesFromSession(commits)), "made.json");
		expect(kind).toBe("multi-turn");
		const model = givenModel(createScriptedModel(SCRIPT.slice(0, 3)));
		const { output } = await runMultiTurn(cases[0]?.data as MultiTurnEvalData, {
			model,
			scratch: temporaryFolder(),
		});
		expect(output.toolCallOrder).toEqual(["listFiles", "readFile"]);
		expect(output.text).toBe("There is no such file.");
	});
});

describe("sessionsCommand to-eval", () => {
	async function run(...words: string[]) {
		const parsed = parseArguments(["sessions", "to-eval", ...words]) as CommandLine<"sessions">;
		const code = await sessionsCommand(parsed, desk.around).catch((error) => {
			desk.around.err(error.message);
			return error.exitCode as number;
		});
		return { code, ...desk.taken() };
	}

	it("prints cases without the keys that are set now", async () => {
		const { sessionId } = await recordSession(
			desk,
			["Where is sk-secret-0123456789abcdef used?"],
			[{ calls: [{ name: "searchFiles", args: { pattern: "sk-" } }] }, { text: "Nowhere." }],
		);
		const { code, out } = await run(sessionId);
		expect(code).toBe(0);
		expect(parseCases(out, "out.json").cases).toHaveLength(1);
		expect(out).not.toContain("sk-secret");
	});

	it("ends with 42 for a session in which no tool was called", async () => {
		const { sessionId } = await recordSession(desk, ["Hello"], [{ text: "Hi." }]);
		const { code, out, err } = await run(sessionId);
		expect({ code, out }).toEqual({ code: 42, out: "" });
		expect(err).toContain("no case can be made of it");
	});
});
