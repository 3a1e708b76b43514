// Undo as a client asks for it, over a session that is wired like the program's.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openHostBench } from "../support/hostBench.ts";

const calls = (command: string) => [{ id: "c1", name: "runCommand", args: { command } }];

describe("rewind", () => {
	it("is listed, previewed, done and redone", async () => {
		const bench = await openHostBench([{ calls: calls("echo 2 > a; echo n > new") }, { text: "done" }], {
			undo: true,
		});
		bench.write("a", "1\n");
		await bench.say("change it");
		const { turnId } = (await bench.ok({ do: "rewindPoints" }))[0] ?? { turnId: "" };
		expect(await bench.ok({ do: "rewindPoints" })).toEqual([
			{ turnId: "turn-1", text: "change it", files: 2, inConversation: true },
		]);
		const { paths } = await bench.ok({ do: "previewRewind", turnId, what: "both" });
		expect(paths.toSorted((a, b) => a.path.localeCompare(b.path))).toEqual([
			{ path: "a", change: "restore" },
			{ path: "new", change: "remove" },
		]);
		const done = await bench.ok({ do: "rewind", turnId, what: "both" });
		expect([done.changed.toSorted(), done.left, done.text]).toEqual([["a", "new"], [], "change it"]);
		expect(readFileSync(join(bench.root, "a"), "utf8")).toBe("1\n");
		expect(bench.client.greeting.state.history).toEqual([]);
		expect((await bench.ok({ do: "previewRedo" })).paths).toHaveLength(2);
		await bench.ok({ do: "redo" });
		expect(readFileSync(join(bench.root, "a"), "utf8")).toBe("2\n");
		expect(await bench.refusal({ do: "redo" })).toMatch(/nothing to redo/);
		expect(bench.facts().filter((event) => event.type === "session/rewound")).toHaveLength(2);
	});

	it("knows what a turn changed as soon as its end is told", async () => {
		const bench = await openHostBench([{ calls: calls("echo 2 > a") }, { text: "done" }], { undo: true });
		await bench.say("go");
		const types = bench.heard.flatMap((one) =>
			one.kind === "facts" ? one.events.map(({ type }) => type) : one.kind === "turnEnded" ? [one.kind] : [],
		);
		expect(types.slice(-3)).toEqual(["turn/end", "file/changed", "turnEnded"]);
	});

	it("knows in a copy what its last turn changed, and that the file has changed since", async () => {
		const script = [{ calls: calls("echo 2 > a") }, { text: "one" }, { calls: calls("echo 3 > a") }];
		const bench = await openHostBench([...script, { text: "two" }], { undo: true });
		bench.write("a", "1\n");
		await bench.say("first");
		await bench.say("second");
		await bench.ok({ do: "forkSession", afterStep: "step-2" });
		const { paths, notes } = await bench.ok({ do: "previewRewind", turnId: "turn-1", what: "both" });
		expect(notes).toEqual([]);
		expect(paths).toEqual([{ path: "a", change: "restore", conflict: "it has changed since" }]);
		await bench.ok({ do: "rewind", turnId: "turn-1", what: "both", force: ["a"] });
		expect(readFileSync(join(bench.root, "a"), "utf8")).toBe("1\n");
	});

	it("keeps nothing of agi's own folders and puts nothing into the project", async () => {
		const bench = await openHostBench([{ calls: calls("touch made") }, { text: "done" }], { undo: true });
		await bench.say("go");
		expect(readdirSync(bench.root).sort()).toEqual([".agent", "made"]);
		expect(existsSync(join(bench.home, "data", "projects", bench.projectId, "snapshots"))).toBe(true);
	});

	it("is refused while a turn runs", async () => {
		const bench = await openHostBench([{ text: "one" }, { hang: true }], { undo: true });
		await bench.say("first");
		await bench.ok({ do: "submit", text: "second", target: "next_turn" });
		const refusal = await bench.refusal({ do: "rewind", turnId: "turn-1", what: "conversation" });
		expect(refusal).toBe("A turn is running. Interrupt it first, then go back.");
		await bench.ok({ do: "interrupt" });
	});

	it("lets a message that comes meanwhile wait until everything is back", async () => {
		const bench = await openHostBench([{ calls: calls("echo 2 > a") }, { text: "done" }, { text: "ok" }], {
			undo: true,
		});
		await bench.say("go");
		const back = bench.ok({ do: "rewind", turnId: "turn-1", what: "both" });
		await Promise.all([back, bench.say("and now?")]);
		const types = bench.facts().map(({ type }) => type);
		const order = ["session/rewound", "rewind/finished", "turn/start"].map((type) =>
			types.lastIndexOf(type as never),
		);
		expect(order.toSorted((a, b) => a - b)).toEqual(order);
		expect(existsSync(join(bench.root, "a"))).toBe(false);
	});

	it("leaves no copies where the session is not to leave any", async () => {
		const bench = await openHostBench([{ calls: calls("touch made") }, { text: "done" }]);
		await bench.say("go");
		expect(existsSync(join(bench.home, "data", "projects", bench.projectId, "snapshots"))).toBe(false);
		expect(await bench.refusal({ do: "rewind", turnId: "turn-1", what: "files" })).toMatch(
			/keeps nothing on the disk/,
		);
	});
});
