import { describe, expect, it } from "vitest";
import type { ForkPoint } from "../../src/session/fork.ts";
import type { CommandDesk } from "../../src/ui/commandDesk.ts";
import { fork, forkItems } from "../../src/ui/forking.ts";
import type { PickerItem } from "../../src/ui/input/picker.ts";
import { openHostBench } from "../support/hostBench.ts";

const POINT: ForkPoint = {
	stepId: "step-4",
	text: "write docs",
	outcome: "answer",
	said: "The docs are **written**.\nAll of them.",
	calls: [],
	endsTurn: true,
	inConversation: true,
};

const rowOf = (point: Partial<ForkPoint>) => forkItems([{ ...POINT, ...point }], false)[1];

describe("forkItems", () => {
	it("begins with the whole conversation, and keeps the order of the steps", () => {
		const items = forkItems([POINT, { ...POINT, stepId: "step-3" }], false);
		expect(items[0]).toEqual({ id: "here", label: "Here: the whole conversation" });
		expect(items.slice(1).map(({ id }) => id)).toEqual(["step-4", "step-3"]);
	});

	it("says what becomes of a turn that runs", () => {
		expect(forkItems([POINT], true)[0]?.detail).toBe("the turn that runs is cancelled");
	});

	it("names the turn by its words, and the end of the turn by its answer", () => {
		expect(rowOf({})).toEqual({
			id: "step-4",
			label: "step-4 · write docs",
			detail: "end of the turn: The docs are **written**. All of them.",
		});
	});

	it("tells of a step inside a turn what it called", () => {
		const calls = [
			{ name: "readFile", args: { path: "a.ts" } },
			{ name: "runCommand", args: { command: "npm test" } },
		];
		const row = rowOf({ outcome: "tools", said: "I look.", calls, endsTurn: false });
		expect(row?.detail).toBe("readFile a.ts, runCommand npm test");
	});

	it("says so where a step did not end well or a rewind took its turn back", () => {
		expect(rowOf({ outcome: "cancelled", said: "" })?.detail).toBe("end of the turn, cancelled");
		expect(rowOf({ outcome: "interrupted", said: "", endsTurn: false })?.detail).toBe("interrupted");
		expect(rowOf({ inConversation: false, said: "Yes." })?.detail).toBe("taken back · end of the turn: Yes.");
	});

	it("keeps long words and control characters out of its one line", () => {
		const row = rowOf({ text: `a\u001b[31m red\n${"long ".repeat(40)}`, said: "x".repeat(1000) });
		expect(row?.label).toMatch(/^step-4 · a red long .*…$/);
		expect(row?.label.length).toBeLessThan(60);
		expect(row?.detail?.length).toBeLessThan(230);
	});
});

/** A desk over a session of two turns, in whose list the person takes that row. */
async function deskTaking(id: string | undefined) {
	const bench = await openHostBench([
		{ calls: [{ name: "listFiles", args: {} }] },
		{ text: "one" },
		{ text: "two" },
	]);
	const lists: (readonly PickerItem[])[] = [];
	const desk = {
		client: bench.client,
		questions: {
			pick: async (_title: string, items: readonly PickerItem[]) => {
				lists.push(items);
				return items.find((item) => item.id === id);
			},
		},
		view: () => ({ busy: false }),
	} as unknown as CommandDesk;
	const said = () =>
		bench.client.greeting.state.history.flatMap((item) => (item.kind === "assistant" ? [item.text] : []));
	return { bench, desk, lists, said };
}

describe("fork", () => {
	it("lists every closed step, and copies all where the first row is taken", async () => {
		const { bench, desk, lists, said } = await deskTaking("here");
		await bench.say("look around");
		await bench.say("and again");
		const first = bench.client.greeting.sessionId;
		await fork(desk, "");
		expect(lists[0]?.map(({ id }) => id)).toEqual(["here", "step-3", "step-2", "step-1"]);
		expect(lists[0]?.[3]).toMatchObject({ label: "step-1 · look around", detail: "listFiles" });
		expect(bench.client.greeting.sessionId).not.toBe(first);
		expect(said()).toEqual(["", "one", "two"]);
	});

	it("copies up to the step that is taken", async () => {
		const { bench, desk, said } = await deskTaking("step-2");
		await bench.say("look around");
		await bench.say("and again");
		await fork(desk, "");
		expect(said()).toEqual(["", "one"]);
	});

	it("stays where it is where nothing is taken", async () => {
		const { bench, desk } = await deskTaking(undefined);
		await bench.say("look around");
		const first = bench.client.greeting.sessionId;
		await fork(desk, "");
		expect(bench.client.greeting.sessionId).toBe(first);
	});

	it("asks nothing where a step is named, or where none is closed", async () => {
		const { bench, desk, lists, said } = await deskTaking(undefined);
		await fork(desk, "");
		await bench.say("look around");
		await fork(desk, "1");
		expect(lists).toEqual([]);
		expect(said()).toEqual([""]);
		await expect(fork(desk, "step-9")).rejects.toThrow(
			/has no ended step step-9: its last one that ended is step-1\.$/,
		);
	});
});
