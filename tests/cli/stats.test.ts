import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type CommandLine, parseArguments } from "../../src/cli/arguments.ts";
import { type StatRow, statsCommand } from "../../src/cli/stats.ts";
import { type Desk, openDesk, recordSession } from "../support/recordedSession.ts";

let desk: Desk;
beforeEach(() => {
	desk = openDesk();
});
afterEach(() => desk.remove());

async function run(...words: string[]) {
	const code = await statsCommand(parseArguments(["stats", ...words]) as CommandLine<"stats">, desk.around);
	return { code, ...desk.taken() };
}

describe("statsCommand", () => {
	it("counts turns, denials and tokens by day, model and project", async () => {
		const usage = { inputTokens: 100, outputTokens: 20, cachedInputTokens: 50, reasoningTokens: 0 };
		await recordSession(
			desk,
			["one", "two"],
			[
				{
					calls: [{ name: "runCommand", args: { command: "rm -rf /" } }, { name: "listFiles" }],
					usage,
				},
				{ text: "Not allowed.", usage },
				{ text: "Fine.", usage },
			],
		);
		const { out } = await run("--json");
		const [row, ...others] = JSON.parse(out) as StatRow[];
		expect(others).toEqual([]);
		expect(row).toMatchObject({
			model: "scripted",
			project: desk.project,
			turns: 2,
			completed: 2,
			toolCalls: 2,
			denied: 1,
			completionRate: 1,
			wrongActionRate: 0.5,
			takeOverRate: 0,
			cacheHitShare: 0.5,
			tokensPerTurn: 180,
			sessions: 1,
			tokensPerSession: 360,
			costPerSessionUsd: null,
			compactionRetention: null,
			completionRateWithSubagents: null,
			costUsd: null,
		});
	});

	it("shows a table with a line for each, and says where nothing is recorded", async () => {
		expect((await run()).out).toBe("Nothing is recorded yet.\n");
		await recordSession(desk, ["one"], [{ text: "Fine." }]);
		const [head, line] = (await run()).out.split("\n");
		expect(head).toMatch(/^DAY {9}MODEL {5}TURNS {2}DONE/);
		expect(line).toMatch(/^\d{4}-\d\d-\d\d {2}scripted {2}1 {6}100 %/);
	});
});
