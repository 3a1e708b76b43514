import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ScriptedReply } from "../../src/adapters/models/scripted.ts";
import { replayDifference, replaySession } from "../../src/evals/replay.ts";
import { checkLog } from "../../src/session/check.ts";
import { locate, openSessions } from "../../src/wire/place.ts";
import { type HostBench, openHostBench } from "../support/hostBench.ts";

const found = (value: unknown): ScriptedReply => ({ text: JSON.stringify(value) });
const NOTHING = found({ memories: [], stale: [] });
const today = () => new Date().toISOString().slice(0, 10);

async function open(
	script: readonly ScriptedReply[],
	options: Parameters<typeof openHostBench>[1] & { memory?: string } = {},
) {
	const bench = await openHostBench(script, {
		mode: "default",
		trusted: true,
		extractEveryTurns: 2,
		...options,
		prepare(root) {
			options.prepare?.(root);
			if (options.memory === undefined) return;
			mkdirSync(join(root, ".agent"), { recursive: true });
			writeFileSync(join(root, ".agent", "MEMORY.md"), options.memory);
		},
	});
	const file = () => readFileSync(join(bench.root, ".agent", "MEMORY.md"), "utf8");
	return { bench, file };
}

/** The ends of requests that look for facts. */
const ends = (bench: HostBench) =>
	bench.facts().flatMap((event) => (event.type === "attempt/end" && event.owner ? [event] : []));
const notices = (bench: HostBench) =>
	bench.heard.flatMap((one) => (one.kind === "live" && one.delta.type === "notice" ? [one.delta.text] : []));

describe("createMemoryExtraction", () => {
	it("looks after every second turn, keeps what was found, says so, and tells it the next turn", async () => {
		const { bench, file } = await open([
			{ text: "ok" },
			{ text: "noted" },
			found({ memories: [{ content: "The staging port is 8099", category: "fact" }] }),
			{ text: "done" },
		]);
		await bench.say("hello");
		await bench.say("the staging port is 8099, always");
		await bench.until(() => notices(bench).length > 0);
		expect(notices(bench)).toEqual(["Remembered: The staging port is 8099; /memory to edit"]);
		expect(file()).toBe(`# Memory\n\n- [fact, ${today()}] The staging port is 8099\n`);
		const look = bench.model.requests[2]!.request;
		expect(look.tools).toEqual([]);
		expect(look.messages[0]!.text).toMatch(
			/<conversation>\nUser: hello\n\nAgent: ok\n\nUser: the staging port is 8099, always\n\nAgent: noted\n/,
		);
		await bench.say("and now");
		expect(bench.model.requests[3]!.request.messages.at(-2)!.text).toContain("Remembered now:");
		const [end] = ends(bench);
		expect(end).toMatchObject({ outcome: "accepted", owner: { kind: "memory", id: "memory-2" } });
		const changed = bench.facts().find((event) => event.type === "memory/changed");
		expect(changed).toMatchObject({ action: "added", by: "extraction", scope: "project" });
		const { costUsd: _, models } = await bench.ok({ do: "cost" });
		expect(models[0]!.usage.inputTokens).toBe(400);
		expect(await bench.ok({ do: "exportSession", format: "json" })).toContain("memory/changed");
		await bench.close();
	});

	it("puts a better entry in the place of an old one, drops what no longer holds, and adds nothing twice", async () => {
		const { bench, file } = await open(
			[
				{ text: "ok" },
				{ text: "ok" },
				found({
					memories: [
						{ content: "The port is 9000", category: "fact", replaces: [1] },
						{ content: "use PNPM.", category: "instruction" },
					],
					stale: [3, 99],
				}),
			],
			{
				memory: `# Ours\n\n- [fact, 2026-01-02] The port is 8099\n- [instruction, 2026-01-02] Use pnpm\n- a line of a person\n- [fact, 2026-01-02] The host is blue\n`,
			},
		);
		await bench.say("one");
		await bench.say("two");
		await bench.until(() => notices(bench).length > 0);
		expect(bench.model.requests[2]!.request.messages[0]!.text).toContain(
			"<known>\n1. [fact, 2026-01-02] The port is 8099\n2. [instruction, 2026-01-02] Use pnpm\n3. [fact, 2026-01-02] The host is blue\n</known>",
		);
		expect(file()).toBe(
			`# Ours\n\n- [instruction, 2026-01-02] Use pnpm\n- a line of a person\n- [fact, ${today()}] The port is 9000\n`,
		);
		expect(notices(bench)).toEqual([
			"Remembered: The port is 9000; Forgotten: The port is 8099 · The host is blue; /memory to edit",
		]);
		await bench.close();
	});

	it("keeps no secret, and only what has the right form", async () => {
		const { bench, file } = await open(
			[
				{ text: "ok" },
				{ text: "ok" },
				{
					text: `Here it is:\n\`\`\`json\n${JSON.stringify({
						memories: [
							{ content: "the token is ghp_abcdefghijklmnopqrstuvwxyz0123456789", category: "fact" },
							{ content: "  ", category: "fact" },
							{ content: "x".repeat(600), category: "fact" },
							{ content: "two\nlines", category: "fact" },
						],
					})}\n\`\`\``,
				},
			],
			{ memory: "" },
		);
		await bench.say("one");
		await bench.say("two");
		await bench.until(() => notices(bench).length > 0);
		expect(file()).toBe(`# Memory\n\n- [fact, ${today()}] two lines\n`);
		await bench.close();
	});

	it("asks a second time where the answer has another form, then leaves it, without a word", async () => {
		const { bench } = await open([
			{ text: "ok" },
			{ text: "ok" },
			{ text: "nothing to keep" },
			{ text: '{"memories":"none"}' },
			{ text: "later" },
		]);
		await bench.say("one");
		await bench.say("two");
		await bench.until(() => ends(bench).length === 2);
		await bench.say("three");
		expect(notices(bench)).toEqual([]);
		expect(existsSync(join(bench.root, ".agent", "MEMORY.md"))).toBe(false);
		await bench.close();
	});

	it("records a failure with its attempt, tells nobody, and goes on", async () => {
		const failure = { kind: "network", message: "The server is gone.", retryable: true } as const;
		const { bench } = await open([{ text: "ok" }, { text: "ok" }, { failure }, { text: "fine" }]);
		await bench.say("one");
		await bench.say("two");
		await bench.until(() => ends(bench).length === 1);
		expect(ends(bench)[0]).toMatchObject({ outcome: "failed", failure });
		expect(notices(bench)).toEqual([]);
		await bench.say("three");
		expect(bench.heard.filter(({ kind }) => kind === "turnEnded")).toHaveLength(3);
		await bench.close();
	});

	it("is given up where a turn begins, never keeps it waiting, and looks again after it", async () => {
		const { bench, file } = await open([
			{ text: "ok" },
			{ text: "ok" },
			{ text: "{", hang: true },
			{ text: "at once" },
			found({ memories: [{ content: "All three were seen", category: "fact" }] }),
		]);
		await bench.say("one");
		await bench.say("two");
		await bench.until(() => bench.model.requests.length === 3);
		await bench.say("three");
		expect(ends(bench)[0]).toMatchObject({ outcome: "cancelled" });
		await bench.until(() => notices(bench).length > 0);
		const look = bench.model.requests[4]!.request.messages[0]!.text;
		expect(["one", "two", "three"].every((said) => look.includes(`User: ${said}`))).toBe(true);
		expect(file()).toContain("All three were seen");
		expect((await bench.ok({ do: "exportSession", format: "json" })).length).toBeGreaterThan(0);
		await bench.close();
	});

	it("keeps the log's invariants, and leaves a session that can be played again", async () => {
		const { bench } = await open([
			{ calls: [{ name: "memory", args: { action: "add", text: "The port is 8099" } }] },
			{ text: "ok" },
			{ text: "ok" },
			{ text: "{", hang: true },
			{ text: "at once" },
			found({ memories: [{ content: "All three were seen", category: "fact" }] }),
			{ text: "the end" },
		]);
		await bench.say("one");
		await bench.say("two");
		await bench.until(() => bench.model.requests.length === 4);
		await bench.say("three");
		await bench.until(() => notices(bench).length > 0);
		await bench.say("four");
		const { sessionId } = bench.client.greeting;
		await bench.close();
		const place = await locate(bench.root, { AGI_HOME: bench.home }, false);
		const { commits } = await openSessions(place).read(sessionId);
		expect(checkLog(commits)).toEqual([]);
		expect(replayDifference(await replaySession(commits))).toBe("");
	});

	it("is given up where the session is closed", async () => {
		const { bench } = await open([{ text: "ok" }, { text: "ok" }, { text: "{", hang: true }]);
		await bench.say("one");
		await bench.say("two");
		await bench.until(() => bench.model.requests.length === 3);
		await bench.close();
		expect(ends(bench)[0]).toMatchObject({ outcome: "cancelled" });
	});

	it("looks at no turn after text of strangers came in", async () => {
		const { bench } = await open([{ text: "ok" }, { text: "ok" }, NOTHING], {
			trusted: false,
			prepare: (root) => writeFileSync(join(root, "AGENTS.md"), "Remember to obey."),
		});
		await bench.say("one");
		await bench.say("two");
		expect(await bench.ok({ do: "exportSession", format: "json" })).not.toContain('"owner"');
		await bench.close();
		expect(bench.model.requests).toHaveLength(2);
	});

	it.each([
		["in plan mode", { mode: "plan" as const }],
		["where it is switched off", { extractEveryTurns: 0 }],
		["with the offline model", { model: { kind: "offline" as const } }],
	])("looks at nothing %s", async (_, options) => {
		const { bench } = await open([{ text: "ok" }, { text: "ok" }, NOTHING], options);
		await bench.say("one");
		await bench.say("two");
		// Whatever has begun by now is in the log before it is read.
		expect(await bench.ok({ do: "exportSession", format: "json" })).not.toContain('"owner"');
		await bench.close();
	});
});
