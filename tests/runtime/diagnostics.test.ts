import { afterEach, describe, expect, it } from "vitest";
import { createRedactor } from "../../src/policy/redact.ts";
import { logFacts } from "../../src/runtime/diagnostics.ts";
import { createTurnBench, type TurnBench, type TurnBenchOptions } from "../support/turnBench.ts";

let bench: TurnBench;
afterEach(() => bench.remove());

interface Entry {
	timestamp: string;
	conversationId: string;
	runId: string;
	event: string;
	data: Record<string, unknown>;
}

async function entriesOf(options: TurnBenchOptions): Promise<Entry[]> {
	bench = await createTurnBench(options);
	const lines: string[] = [];
	logFacts(bench.session, (line) => void lines.push(line), createRedactor(options.secrets ?? []));
	await bench.say("hello you");
	return lines.map((line) => JSON.parse(line) as Entry);
}

const read = (path: string) => ({ name: "readFile", args: { path } });

describe("logFacts", () => {
	it("tells every kind of event of a run, in order, under its session and turn", async () => {
		const entries = await entriesOf({
			script: [
				{ failure: { kind: "overloaded", message: "busy", retryable: true } },
				{ calls: [{ name: "writeFile", args: { path: "a.txt", content: "x" } }] },
				{ text: "Done." },
			],
			answers: ["yes"],
		});
		expect(entries.map(({ event, data }) => [event, ...Object.values(data)])).toEqual([
			["agent_run_started", "scripted", 0, 9],
			["llm_call_started", "scripted", 1],
			["error", "busy", expect.any(String), { attempt: "attempt-1" }],
			["llm_call_completed", "failed", 0, 0, 0],
			["llm_call_started", "scripted", 1],
			["llm_call_completed", "tool_calls", 100, 10, 1],
			["tool_call", "writeFile", { path: "a.txt", content: "x" }],
			["approval", "writeFile", true],
			["tool_execution_started", "writeFile", { path: "a.txt", content: "x" }],
			["tool_result", "writeFile", expect.any(Number), expect.any(Number)],
			["llm_call_started", "scripted", 3],
			["llm_call_completed", "stop", 100, 10, 0],
			["agent_run_completed", 5, 4],
		]);
		expect(new Set(entries.map(({ conversationId }) => conversationId))).toEqual(
			new Set([bench.session.state.sessionId]),
		);
		expect(new Set(entries.map(({ runId }) => runId))).toEqual(new Set(["turn-1"]));
	});

	it("counts the messages of earlier runs too", async () => {
		bench = await createTurnBench({ script: [{ calls: [read("a.txt")] }, { text: "one" }, { text: "two" }] });
		await bench.say("first");
		const lines: string[] = [];
		logFacts(bench.session, (line) => void lines.push(line), createRedactor([]));
		await bench.say("second");
		const [started, called] = lines.map((line) => (JSON.parse(line) as Entry).data);
		expect([started?.["historyLength"], called?.["messageCount"]]).toEqual([4, 5]);
	});

	it("tells the start of two reads before the result of either", async () => {
		const entries = await entriesOf({
			script: [{ calls: [read("a.txt"), read("b.txt")] }, { text: "ok" }],
			files: { "a.txt": "a", "b.txt": "b" },
		});
		expect(entries.map(({ event }) => event).filter((event) => /^tool_(exec|result)/.test(event))).toEqual([
			"tool_execution_started",
			"tool_execution_started",
			"tool_result",
			"tool_result",
		]);
	});

	it("tells a denied question as not approved, and no secret", async () => {
		const entries = await entriesOf({
			script: [
				{ calls: [{ name: "runCommand", args: { command: "touch hunter2-hunter2" } }] },
				{ text: "ok" },
			],
			secrets: ["hunter2-hunter2"],
		});
		expect(entries.find(({ event }) => event === "approval")?.data).toMatchObject({ approved: false });
		expect(JSON.stringify(entries)).not.toContain("hunter2");
	});
});
