import { describe, expect, it, vi } from "vitest";
import type { Clock } from "../../src/ui/clock.ts";
import { type Drawing, startDrawing } from "../../src/ui/drawing.tsx";
import { createPerson } from "../../src/ui/personState.ts";
import { createStore, type Store } from "../../src/ui/store.ts";
import { type Frame, NO_FRAME } from "../../src/ui/terminal/liveFrame.ts";
import { shownAfter } from "../support/emulator.ts";
import { viewOf } from "../support/screenView.ts";

const SIZE = { columns: 60, rows: 14 };
/** Nothing is drawn but what is drawn at once. */
const CLOCK: Clock = { now: () => 0, after: () => () => undefined };

function drawn(first: Frame = NO_FRAME) {
	const written: string[] = [];
	const writer = {
		write: (text: string) => {
			if (text !== "") written.push(text);
		},
		pause: () => undefined,
		resume: () => undefined,
		size: () => SIZE,
	};
	const store: Store = createStore(viewOf(SIZE), createPerson(SIZE.columns), CLOCK);
	const drawing: Drawing = startDrawing(store, writer, 0, first);
	const print = (text: string) => store.change({ kind: "print", text });
	return { store, drawing, written, print, shown: async () => shownAfter(written.join(""), SIZE) };
}

describe("startDrawing", () => {
	it("prints finished lines above the live area, each once and in order, in one write with it", async () => {
		const { written, print, shown } = drawn();
		const before = written.length;
		print("one\ntwo");
		print("three");
		expect(written).toHaveLength(before + 2);
		const { lines, cursor } = await shown();
		expect(lines.slice(0, 5)).toEqual(["one", "two", "three", "", lines[4]]);
		expect(lines[4]).toMatch(/^> /);
		expect(lines.at(-1)).toContain("default | a-model");
		expect(cursor).toEqual({ x: 2, y: 4 });
	});

	it("writes nothing where nothing looks different", async () => {
		const { store, written } = drawn();
		const before = written.length;
		store.resume();
		expect(written).toHaveLength(before);
	});

	it("takes the place of the frame that stood there", async () => {
		const { written } = drawn({ rows: ["> ", "starting"], cursor: { x: 2, y: 0 } });
		const { lines } = await shownAfter(`> \r\nstarting\r\n\x1b[2A\x1b[3G${written.join("")}`, SIZE);
		expect(lines.join("\n")).not.toContain("starting");
		expect(lines.at(-1)).toContain("default | a-model");
	});

	it("comes back after it was cleared, with what was printed meanwhile", async () => {
		const { store, drawing, print, shown } = drawn();
		store.pause();
		drawing.clear();
		expect((await shown()).lines).toEqual([]);
		print("meanwhile");
		store.resume();
		const { lines } = await shown();
		expect(lines[0]).toBe("meanwhile");
		expect(lines.at(-1)).toContain("default | a-model");
	});

	it("draws nothing that moves by itself between a clearing and the next drawing", async () => {
		vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
		try {
			const [cleared, other] = [drawn(), drawn()];
			for (const { store } of [cleared, other]) store.change({ kind: "sent" });
			cleared.store.pause();
			cleared.drawing.clear();
			const before = cleared.written.length;
			vi.advanceTimersByTime(400);
			await vi.waitFor(async () => {
				expect((await other.shown()).lines.join("\n")).toMatch(/^\.\. {2}queueing/m);
			});
			expect(cleared.written).toHaveLength(before);
			cleared.store.resume();
			expect((await cleared.shown()).lines).toEqual((await other.shown()).lines);
			for (const { drawing } of [cleared, other]) drawing.end();
		} finally {
			vi.useRealTimers();
		}
	});

	it("fills an empty screen with the end of the transcript and the live area at a redraw", async () => {
		const { drawing, print, written } = drawn();
		print(Array.from({ length: 30 }, (_, i) => `line ${i}`).join("\n"));
		written.length = 0;
		drawing.redraw();
		expect(written).toHaveLength(1);
		const { lines } = await shownAfter(written.join(""), SIZE);
		expect(lines.filter((line) => line.startsWith("line")).at(-1)).toBe("line 29");
		expect(lines.length).toBeLessThanOrEqual(SIZE.rows);
		expect(lines.at(-1)).toContain("default | a-model");
	});

	it("has drawn when it is told to draw, so that nothing meets a terminal that was given away", () => {
		const { print, written } = drawn();
		written.length = 0;
		print("at once");
		expect(written.join("")).toContain("at once");
	});

	it("leaves only the transcript when it has ended", async () => {
		const { drawing, print, shown } = drawn();
		print("said");
		drawing.end();
		print("too late");
		expect((await shown()).lines).toEqual(["said"]);
	});
});
