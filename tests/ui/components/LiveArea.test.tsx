import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { SessionEvent } from "../../../src/session/events.ts";
import { LiveArea } from "../../../src/ui/components/LiveArea.tsx";
import { cursorPlace, liveHeights } from "../../../src/ui/components/liveHeights.ts";
import { layoutEditor } from "../../../src/ui/input/layoutEditor.ts";
import type { InputView } from "../../../src/ui/view/inputView.ts";
import type { ViewEvent } from "../../../src/ui/view/reduce.ts";
import type { Size, ViewState } from "../../../src/ui/view/state.ts";
import { displayWidth } from "../../../src/ui/view/wrap.ts";
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
} from "../../support/screenView.ts";
import { rowsOf } from "./drawing.tsx";

const dialog = { options: ["Yes", "No"], selected: 0, hasFocus: true, hint: "Enter answers" };
const prompts: ViewEvent = {
	kind: "prompts",
	open: [
		{
			kind: "approval",
			prompt: {
				callId: "call-1",
				toolName: "runCommand",
				args: {},
				agent: "agi",
				reason: "why",
				preview: "ls",
				grantable: true,
			},
		},
	],
};

/** A view in which everything wants to be shown at once. */
function crowded(size: Size, asks: boolean): ViewState {
	const start: SessionEvent = { type: "tool/start", callId: "call-1", idempotencyKey: "k" };
	const items = Array.from({ length: 12 }, (_, i) => ({ content: `step ${i}`, status: "pending" as const }));
	const queued = ["a", "b", "c", "d"].map(
		(id): SessionEvent => ({ type: "user/message", messageId: id, text: id, origin: "person" }),
	);
	const view = afterEvents(
		viewOf(size),
		facts(
			{ type: "turn/start", turnId: "t", source: { kind: "recovery" } },
			attemptStart(),
			toolCall("runCommand", { command: "npm test" }),
			start,
		),
		{ kind: "live", delta: { type: "output", callId: "call-1", text: "out\n".repeat(9) } },
		text("語 word ".repeat(400)),
		facts({ type: "plan/replaced", items }, ...queued),
		{ kind: "notice", text: "Press Ctrl+C again to leave" },
		flush,
	);
	return asks ? afterEvents(view, prompts) : view;
}

describe("LiveArea", () => {
	it("draws what streams, what runs, what waits, the queue, the editor and the status, in this order", () => {
		const size = { columns: 60, rows: 40 };
		const rows = rowsOf(<LiveArea view={crowded(size, false)} input={inputOf("my draft", size)} />);
		const at = (part: string) => rows.findIndex((row) => row.includes(part));
		const order = [
			"word",
			"runCommand",
			"running npm test",
			"Plan, 0 of 12",
			"⧗ next turn · a",
			"Press Ctrl+C",
			"> my draft",
			"default | a-model",
		];
		const places = order.map(at);
		expect(places).not.toContain(-1);
		expect([...places].sort((a, b) => a - b)).toEqual(places);
	});

	it("hides the editor behind a dialog that has the keys, and keeps it while a draft has them", () => {
		const view = crowded({ columns: 60, rows: 30 }, true);
		const draft = inputOf("draft", view.size, {
			dialog: { ...dialog, hasFocus: false, hint: "Finish your draft first" },
		});
		expect(
			rowsOf(<LiveArea view={view} input={inputOf("", view.size, { dialog })} />).join("\n"),
		).not.toContain("Ask for anything");
		const rows = rowsOf(<LiveArea view={view} input={draft} />);
		expect(rows).toContain("> draft");
		expect(rows).toContain("Finish your draft first");
	});

	it("still shows who asks, for what and the answers on the smallest screen", () => {
		const size = { columns: 20, rows: 5 };
		const rows = rowsOf(<LiveArea view={crowded(size, true)} input={inputOf("", size, { dialog })} />);
		expect(rows).toEqual(["agi asks to run", "  ls", "❯ 1. Yes", "  2. No"]);
	});

	it("draws as many rows as it planned, always fewer than the screen has, and none too wide", () => {
		const size = fc.record({
			columns: fc.integer({ min: 20, max: 100 }),
			rows: fc.integer({ min: 5, max: 60 }),
		});
		const side = fc.constantFrom<(size: Size) => InputView>(
			(s) => inputOf("", s),
			(s) => inputOf("long draft 語 ".repeat(60), s),
			(s) => inputOf("line\n".repeat(40), s),
			(s) => inputOf("", s, { dialog }),
			(s) => inputOf("x", s, { dialog: { ...dialog, hasFocus: false } }),
			(s) =>
				inputOf("/", s, {
					palette: {
						items: Array.from({ length: 30 }, (_, i) => ({ label: `/c${i}`, detail: "does it" })),
						selected: 20,
					},
				}),
			(s) =>
				inputOf("", s, {
					help: Array.from({ length: 30 }, (_, i) => ({ keys: `Ctrl+${i}`, does: "something long to tell" })),
				}),
			(s) =>
				inputOf("", s, {
					picker: {
						title: "Resume",
						query: "q",
						items: Array.from({ length: 30 }, (_, i) => ({ label: `session ${i}` })),
						selected: 29,
					},
				}),
			(s) => inputOf("q", s, { search: { query: "q", isFound: false } }),
		);
		fc.assert(
			fc.property(size, side, fc.boolean(), (at, sideOf, asks) => {
				const view = crowded(at, asks);
				const input = sideOf(at);
				const heights = liveHeights(view, input);
				const planned = [...heights.values()].reduce((a, b) => a + b, 0);
				const rows = rowsOf(<LiveArea view={view} input={input} />);
				expect(planned).toBeLessThanOrEqual(at.rows - 1);
				expect(rows.length).toBe(planned);
				for (const row of rows) expect(displayWidth(row)).toBeLessThan(at.columns);
				const cursor = cursorPlace(view, input, heights);
				if (cursor) expect(cursor.y).toBeLessThan(planned);
			}),
			{ numRuns: 25 },
		);
	}, 60_000);
});

describe("cursorPlace", () => {
	it("is where the next letter goes, wide letters counted as two columns", () => {
		const input = inputOf("안녕");
		const view = viewOf();
		const heights = liveHeights(view, input);
		const rows = rowsOf(<LiveArea view={view} input={input} />);
		const cursor = cursorPlace(view, input, heights)!;
		expect(rows[cursor.y]).toBe("> 안녕");
		expect(cursor.x).toBe(6);
	});

	it("is in the dialog's field while words are typed there", () => {
		const view = afterEvents(viewOf(), prompts);
		const entry = { ...layoutEditor("no, do", 3, 40), isSecret: false };
		const input = inputOf("", WIDE, { dialog: { ...dialog, entry } });
		const cursor = cursorPlace(view, input, liveHeights(view, input))!;
		expect(rowsOf(<LiveArea view={view} input={input} />)[cursor.y]).toBe("> no, do");
		expect(cursor.x).toBe(5);
	});
});
