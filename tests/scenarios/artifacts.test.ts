// Results that were cut, read on later: by the same session, by its subagent, after a resume, in a copy.

import { afterEach, describe, expect, it } from "vitest";
import type { ScriptedReply } from "../../src/adapters/models/scripted.ts";
import { sessionArtifacts } from "../../src/agent/sessionArtifacts.ts";
import { MAX_TOOL_RESULT_LENGTH } from "../../src/agent/toolResults.ts";
import type { ModelRequest } from "../../src/ports/model.ts";
import { createTurnBench, type TurnBench, type TurnBenchOptions } from "../support/turnBench.ts";

let bench: TurnBench;
afterEach(() => bench.remove());

async function start(options: Omit<TurnBenchOptions, "mode">): Promise<TurnBench> {
	bench = await createTurnBench({ ...options, mode: "bypassPermissions" });
	return bench;
}

const COUNT = { calls: [{ id: "c1", name: "runCommand", args: { command: "seq 1 20000" } }] };
const readOn = (args: object): ScriptedReply => ({ calls: [{ name: "readArtifact", args: { ...args } }] });

async function resultTexts(): Promise<string[]> {
	return (await bench.events()).flatMap((event) => (event.type === "tool/result" ? [event.text] : []));
}

describe("a result that was cut", () => {
	it("names its artifact and where to go on, and a later turn reads there and searches it", async () => {
		const { say } = await start({
			script: [
				COUNT,
				{ text: "counted" },
				readOn({ id: "artifact-1", offset: 9_999, limit: 3 }),
				readOn({ id: "artifact-1", search: "1234" }),
				{ text: "read" },
			],
		});
		await say("count");
		await say("read on");
		const [cut = "", page, found] = await resultTexts();
		expect(cut.length).toBeLessThanOrEqual(MAX_TOOL_RESULT_LENGTH);
		const note =
			/\n\[All 20000 lines: artifact-1\. Go on with readArtifact (\{.*\}), or search it\.\]\n/.exec(cut);
		const { id, offset } = JSON.parse(note?.[1] ?? "") as { id: string; offset: number };
		expect(id).toBe("artifact-1");
		expect(cut).toContain(`\n${offset + 1}\n...`);
		expect(page).toBe("10000\n10001\n10002\n[Showing lines 10000-10002 of 20000. Use offset to read more.]");
		expect(found).toBe(
			"1234: 1234\n11234: 11234\n12340: 12340\n12341: 12341\n12342: 12342\n12343: 12343\n12344: 12344\n12345: 12345\n12346: 12346\n12347: 12347\n12348: 12348\n12349: 12349\n[Showing matching lines 1-12 of 12. There are no more.]",
		);
	});

	it("does not say that it holds all of a flood, whose middle nobody kept", async () => {
		const { say } = await start({
			script: [{ calls: [{ name: "runCommand", args: { command: "seq 1 1000000" } }] }, { text: "counted" }],
		});
		await say("count");
		const [cut = ""] = await resultTexts();
		const note = /\n\[artifact-1 holds (\d+) lines of it, without (\d+) bytes of the middle/.exec(cut);
		expect(Number(note?.[1])).toBeLessThan(1_000_000);
		expect(cut).toContain(`[${note?.[2]} bytes of its output were not kept`);
		expect(cut).not.toMatch(/\[All /);
	});

	it("is read by a subagent, whose own artifacts have other ids", async () => {
		const parent: ScriptedReply[] = [
			COUNT,
			{
				calls: [
					{ name: "delegateToSubagent", args: { subagent: "explorer", task: "Look into artifact-1." } },
				],
			},
			{ text: "done" },
		];
		const child: ScriptedReply[] = [
			readOn({ id: "artifact-1", search: "19999" }),
			{ calls: [{ name: "searchFiles", args: { pattern: "x", path: "long.txt" } }] },
			readOn({ id: "explorer-artifact-1", limit: 1 }),
			{ text: "It is in line 19999." },
		];
		await start({
			script: (request: ModelRequest) =>
				(request.system.includes("You are the explorer") ? child : parent).shift(),
			context: { redact: (text) => (text.startsWith("long.txt:1: ") ? text.padEnd(60_000, "y") : text) },
			files: { "long.txt": "x" },
		});
		await bench.say("explore");
		const changed = (await bench.events()).find((event) => event.type === "subagent/changed");
		const { commits } = await bench.sessions.read(changed?.sessionId ?? "");
		const texts = commits
			.flatMap(({ events }) => events)
			.flatMap((event) => (event.type === "tool/result" ? [event.text] : []));
		expect(texts[0]).toBe("19999: 19999\n[Showing matching lines 1-1 of 1. There are no more.]");
		expect(texts[2]).toMatch(/^long\.txt:1: xy+\n\[Showing lines 1-1 of 30\. /);
		expect(bench.session.state.artifacts.map(({ artifactId }) => artifactId)).toEqual(["artifact-1"]);
	});

	it("is read after a resume and in a copy, as it was redacted", async () => {
		const { say, session, sessions } = await start({
			script: [
				{ calls: [{ name: "runCommand", args: { command: "echo secret-word-1; seq 1 20000" } }] },
				{ text: "ok" },
			],
			secrets: ["secret-word-1"],
		});
		await say("count");
		const { sessionId } = session.state;
		await session.close();
		const copy = await sessions.fork(sessionId);
		const { session: again } = await sessions.open(sessionId);
		for (const opened of [copy, again]) {
			const artifacts = sessionArtifacts(opened);
			expect(artifacts.list()).toEqual([
				{
					id: "artifact-1",
					bytes: expect.any(Number),
					summary: expect.stringMatching(/^runCommand: .*seq 1 20000/),
				},
			]);
			const text = await artifacts.read("artifact-1");
			expect(text).not.toContain("secret-word-1");
			expect(text.trimEnd().endsWith("\n20000")).toBe(true);
			expect(JSON.stringify(artifacts.list())).not.toContain("secret-word-1");
		}
		await copy.close();
		await again.close();
	});
});
