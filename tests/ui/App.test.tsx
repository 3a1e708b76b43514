import { render } from "ink-testing-library";
import { describe, expect, it } from "vitest";
import { App } from "../../src/ui/App.tsx";
import {
	afterEvents,
	attemptStart,
	facts,
	flush,
	inputOf,
	text,
	toolCall,
	viewOf,
	WIDE,
} from "../support/screenView.ts";
import "./components/drawing.tsx";

describe("App", () => {
	it("keeps colours off the screen where there are none, and uses them where there are", () => {
		const view = afterEvents(viewOf(WIDE), facts(attemptStart()), text("**bold** text"), flush);
		const frame = (level: 0 | 1) =>
			render(<App view={view} input={inputOf("x")} level={level} />).lastFrame()!;
		expect(frame(0)).not.toContain("\x1b");
		expect(frame(1)).toContain("\x1b[1mbold");
	});

	it("turns the spinner of a call with the view's time, while the dots of the wait stand", () => {
		const start = facts({ type: "tool/start", callId: "call-1", idempotencyKey: "k" });
		const view = afterEvents(viewOf(), facts(toolCall("runCommand", { command: "npm test" })), start);
		const drawn = render(<App view={view} input={inputOf()} level={0} />);
		for (const now of [250, 500]) drawn.rerender(<App view={{ ...view, now }} input={inputOf()} level={0} />);
		expect(new Set(drawn.frames.map((frame) => frame[0])).size).toBe(3);
		expect(drawn.lastFrame()).toContain("... running npm test 0 s  (Esc interrupts)");
	});
});
