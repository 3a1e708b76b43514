// A yes holds for what was shown and for nothing else: not for another folder under the same name, not for long.

import { existsSync, mkdirSync, renameSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createWorld } from "../../src/adapters/world.ts";
import { createTurnBench, type TurnBench } from "../support/turnBench.ts";

const write = (path: string) => ({ calls: [{ id: "c1", name: "writeFile", args: { path, content: "x" } }] });

async function start(
	act: (bench: TurnBench, asked: number) => void,
	world = {},
): Promise<TurnBench & { reasons: string[] }> {
	const reasons: string[] = [];
	const bench: TurnBench = await createTurnBench({
		files: { "sub/a.txt": "a" },
		script: [write("sub/new.txt"), { text: "ok" }],
		world,
		approver: async ({ reason }) => {
			reasons.push(reason);
			act(bench, reasons.length);
			return reasons.length === 1
				? { answer: "yes", by: "person" }
				: { answer: "no", words: "no", by: "person" };
		},
	});
	onTestFinished(() => bench.remove());
	return { ...bench, reasons };
}

describe("a yes", () => {
	it("is asked for again where the folder was replaced by another after it", async () => {
		const { say, root, reasons } = await start(({ root: folder }, asked) => {
			if (asked > 1) return;
			renameSync(join(folder, "sub"), join(folder, "old"));
			mkdirSync(join(folder, "sub"));
		});
		await say("go");
		expect(reasons).toHaveLength(2);
		expect(existsSync(join(root, "sub/new.txt"))).toBe(false);
	});

	it("is asked for again, and names the new place, where a link took the folder's name", async () => {
		const { say, reasons } = await start(({ root: folder }, asked) => {
			if (asked > 1) return;
			renameSync(join(folder, "sub"), join(folder, "old"));
			symlinkSync("/usr", join(folder, "sub"));
		});
		await say("go");
		expect(reasons[1]).toContain("/usr/new.txt, outside the workspace");
		expect(existsSync("/usr/new.txt")).toBe(false);
	});

	it("is asked for once where everything stayed as it was", async () => {
		const { say, root, reasons } = await start(() => undefined);
		await say("go");
		expect(reasons).toHaveLength(1);
		expect(existsSync(join(root, "sub/new.txt"))).toBe(true);
	});

	it("is asked for again once five minutes have passed", async () => {
		const { clock } = createWorld();
		let later = 0;
		const world = { clock: { ...clock, now: () => clock.now() + later } };
		const bench: TurnBench = await createTurnBench({
			script: [
				{
					calls: [
						...write("a.txt").calls,
						{ id: "c2", name: "writeFile", args: { path: "b.txt", content: "x" } },
					],
				},
				{ text: "ok" },
			],
			world,
			approver: async ({ callId }) => {
				bench.asked.push(callId);
				if (callId === "c2") later += 6 * 60_000;
				return { answer: "yes", by: "person" };
			},
		});
		onTestFinished(() => bench.remove());
		await bench.say("go");
		expect(bench.asked.slice(0, 3)).toEqual(["c1", "c2", "c1"]);
	});
});
