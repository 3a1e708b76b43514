import { render } from "ink-testing-library";
import { describe, expect, it } from "vitest";
import { Screen } from "../../../src/ui/components/Screen.tsx";
import {
	afterEvents,
	attemptEnd,
	attemptStart,
	facts,
	flush,
	inputOf,
	text,
	viewOf,
	WIDE,
} from "../../support/screenView.ts";
import "./drawing.tsx";

describe("Screen", () => {
	it("prints finished lines above the live area, each once and in order", () => {
		const view = afterEvents(viewOf(), facts(attemptStart()), text("one\ntwo\nthr"), flush);
		const drawn = render(<Screen view={view} input={inputOf()} level={0} />);
		const next = afterEvents(view, text("ee\n"), facts(attemptEnd("")), flush);
		drawn.rerender(<Screen view={next} input={inputOf()} level={0} />);
		const rows = drawn.lastFrame()!.split("\n");
		expect(rows.slice(0, 3)).toEqual(["one", "two", "three"]);
		expect(rows.filter((row) => row === "three")).toHaveLength(1);
		expect(rows.at(-1)).toContain("default | a-model | 0% of 1k");
	});

	it("keeps colours off the screen where there are none, and uses them where there are", () => {
		const view = afterEvents(viewOf(WIDE), facts(attemptStart()), text("**bold** text\n"), flush);
		const frame = (level: 0 | 1) =>
			render(<Screen view={view} input={inputOf("x")} level={level} />).lastFrame()!;
		expect(frame(0)).not.toContain("\x1b");
		expect(frame(1)).toContain("\x1b[1mbold");
	});

	it("turns the spinner with the view's time while something is waited for", () => {
		const view = afterEvents(viewOf(), { kind: "sent" });
		const drawn = render(<Screen view={view} input={inputOf()} level={0} />);
		for (const now of [250, 500])
			drawn.rerender(<Screen view={{ ...view, now }} input={inputOf()} level={0} />);
		expect(new Set(drawn.frames.map((frame) => frame[0])).size).toBe(3);
		expect(drawn.lastFrame()).toContain("queueing 0 s  (Esc interrupts)");
	});
});
