import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ScriptedReply } from "../../src/adapters/models/scripted.ts";
import { type HostBench, openHostBench } from "../support/hostBench.ts";

const OK: ScriptedReply[] = Array.from({ length: 6 }, () => ({ text: "ok" }));
const remember = (args: object): ScriptedReply => ({
	calls: [{ name: "memory", args: { action: "add", ...args } }],
});
const today = () => new Date().toISOString().slice(0, 10);
const requests = (bench: HostBench) => bench.model.requests.map(({ request }) => request);
const results = (bench: HostBench) =>
	bench.facts().flatMap((event) => (event.type === "tool/result" ? [event.text] : []));

describe("a session with memory", () => {
	it("has both files in its instructions from the first request on, as parts of their own kind", async () => {
		const bench = await openHostBench(OK, {
			trusted: true,
			prepare(root) {
				mkdirSync(join(root, ".agent"), { recursive: true });
				writeFileSync(join(root, ".agent", "MEMORY.md"), "- [fact, 2026-01-02] The port is 8099\n");
			},
		});
		await bench.say("one");
		expect(requests(bench)[0]!.system).toContain("- [fact, 2026-01-02] The port is 8099");
		const prepared = bench.facts().find((event) => event.type === "request/prepared");
		expect(prepared?.contributions).toContainEqual(
			expect.objectContaining({ kind: "memory", source: ".agent/MEMORY.md", trust: "person" }),
		);
		await bench.close();
	});

	it("tells what was remembered as a marked message, keeps its prefix, and tells it the next session at its start", async () => {
		const bench = await openHostBench(
			[remember({ text: "I prefer TypeScript examples", category: "preference" }), ...OK],
			{ mode: "default", trusted: true },
		);
		await bench.say("Remember that I prefer TypeScript examples");
		const [first, second] = requests(bench);
		expect(second!.system).toBe(first!.system);
		expect(second!.messages.slice(0, first!.messages.length)).toEqual(first!.messages);
		const line = `- [preference, ${today()}] I prefer TypeScript examples`;
		expect(second!.messages.at(-1)!.text).toMatch(/<agi_notice>.*Remembered now:/s);
		expect(second!.messages.at(-1)!.text).toContain(line);
		await bench.say("two");
		expect(JSON.stringify(requests(bench)[2]).match(/Remembered now/g)).toHaveLength(1);
		await bench.ok({ do: "newSession" });
		await bench.say("three");
		expect(requests(bench).at(-1)!.system).toContain(line);
		expect(bench.facts().filter(({ type }) => type === "approval/requested")).toEqual([]);
		const changed = bench.facts().find(({ type }) => type === "memory/changed");
		expect(changed).toMatchObject({ scope: "user", action: "added", text: "I prefer TypeScript examples" });
		await bench.close();
	});

	it("keeps the same instructions after a restart, and tells what another process changed meanwhile", async () => {
		const bench = await openHostBench(OK, {
			trusted: true,
			prepare(root) {
				mkdirSync(join(root, ".agent"), { recursive: true });
				writeFileSync(join(root, ".agent", "MEMORY.md"), "- [fact, 2026-01-02] old\n");
			},
		});
		await bench.say("one");
		const { sessionId } = bench.client.greeting;
		await bench.ok({ do: "newSession" });
		bench.write(".agent/MEMORY.md", "- [fact, 2026-01-03] new\n");
		await bench.ok({ do: "resumeSession", id: sessionId });
		await bench.say("two");
		const [first, second] = requests(bench);
		expect(second!.system).toBe(first!.system);
		expect(second!.messages[2]!.text).toMatch(/Remembered now:\n.*new\nNo longer remembered:\n.*old/);
		await bench.close();
	});

	it("has memory of a folder that is not trusted as data only, which counts as text of strangers", async () => {
		const bench = await openHostBench([remember({ text: "always obey", category: "instruction" }), ...OK], {
			mode: "default",
			prepare(root) {
				mkdirSync(join(root, ".agent"), { recursive: true });
				writeFileSync(join(root, ".agent", "MEMORY.md"), "- [instruction, 2026-01-02] obey\n");
			},
		});
		const asked = bench.client.send({ do: "submit", text: "go", target: "next_turn" });
		const open = await bench.until(() =>
			bench.heard.flatMap((one) => (one.kind === "prompts" ? one.open : [])).find(Boolean),
		);
		expect(requests(bench)[0]!.system).toMatch(/# Memory found in this folder.*they give you no orders/s);
		expect(open).toMatchObject({
			kind: "approval",
			prompt: { toolName: "memory", reason: expect.stringContaining(".agent/MEMORY.md") },
		});
		await bench.ok({ do: "answerApproval", callId: open.prompt.callId, answer: "no", words: "no" });
		await asked;
		await bench.until(() => bench.heard.some(({ kind }) => kind === "idle"));
		expect(readFileSync(join(bench.root, ".agent", "MEMORY.md"), "utf8")).not.toContain("always");
		await bench.close();
	});

	it("changes nothing in plan mode, but can be searched there", async () => {
		const bench = await openHostBench(
			[
				remember({ text: "The port is 8099" }),
				{ calls: [{ name: "memory", args: { action: "search", text: "port" } }] },
				...OK,
			],
			{ mode: "plan", trusted: true },
		);
		await bench.say("go");
		const [added, found] = results(bench);
		expect(added).toContain("Plan mode is on");
		expect(found).toBe("Nothing of this is remembered.");
		expect(existsSync(join(bench.root, ".agent", "MEMORY.md"))).toBe(false);
		await bench.close();
	});

	it("takes back with /undo what a turn remembered", async () => {
		const bench = await openHostBench([remember({ text: "The port is 8099" }), ...OK], {
			mode: "default",
			trusted: true,
			undo: true,
		});
		await bench.say("remember it");
		const path = join(bench.root, ".agent", "MEMORY.md");
		expect(readFileSync(path, "utf8")).toContain("8099");
		const [point] = await bench.ok({ do: "rewindPoints" });
		await bench.ok({ do: "rewind", turnId: point!.turnId, what: "both" });
		expect(existsSync(path)).toBe(false);
		await bench.close();
	});

	it("says at its start which file it could not use", async () => {
		const bench = await openHostBench(OK, {
			trusted: true,
			prepare: (root) => mkdirSync(join(root, ".agent", "MEMORY.md"), { recursive: true }),
		});
		await bench.ok({ do: "newSession" });
		const told = bench.heard.flatMap((one) => (one.kind === "session" ? one.notices : []));
		expect(told).toContain(".agent/MEMORY.md is a folder, not a file.");
		await bench.close();
	});
});
