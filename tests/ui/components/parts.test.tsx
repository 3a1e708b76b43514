import { render } from "ink-testing-library";
import { describe, expect, it, vi } from "vitest";
import { Help } from "../../../src/ui/components/Help.tsx";
import { Input, Palette } from "../../../src/ui/components/Input.tsx";
import { Notices } from "../../../src/ui/components/Notices.tsx";
import { PlanList } from "../../../src/ui/components/PlanList.tsx";
import { Question } from "../../../src/ui/components/Question.tsx";
import { Queue } from "../../../src/ui/components/Queue.tsx";
import { SessionPicker } from "../../../src/ui/components/SessionPicker.tsx";
import { Status } from "../../../src/ui/components/Status.tsx";
import { meterStyle, TokenUsage } from "../../../src/ui/components/TokenUsage.tsx";
import { ToolCalls } from "../../../src/ui/components/ToolCall.tsx";
import { Waiting } from "../../../src/ui/components/Waiting.tsx";
import { layoutEditor } from "../../../src/ui/input/layoutEditor.ts";
import { newCall } from "../../../src/ui/view/calls.ts";
import { inputOf, viewOf, WIDE } from "../../support/screenView.ts";
import { rowsOf } from "./drawing.tsx";

describe("Status", () => {
	const view = viewOf({ columns: 100, rows: 30 });

	it("tells mode, model, meter, sandbox, branch, trust and folder", () => {
		expect(rowsOf(<Status facts={view} width={99} />)).toEqual([
			"default | a-model | 0% of 1k | sandbox full, net off | main | trusted | project",
		]);
	});

	it("tells costs, the queue and a folder that is not trusted", () => {
		const facts = {
			...view,
			costUsd: 0.5,
			trusted: false,
			queue: [{ messageId: "m", rawText: "x", target: "next_turn" as const }],
		};
		expect(rowsOf(<Status facts={facts} width={99} />)[0]).toContain("$0.50 | 1 queued | main | untrusted");
	});

	it("drops the least telling parts first where it is narrow", () => {
		const at = (width: number) => rowsOf(<Status facts={view} width={width} />)[0];
		expect(at(75)).toBe("default | a-model | 0% of 1k | sandbox full, net off | main | trusted");
		expect(at(65)).toBe("default | a-model | 0% of 1k | sandbox full, net off | trusted");
		expect(at(60)).toBe("default | a-model | 0% of 1k | sandbox full, net off");
		expect(at(40)).toBe("default | a-model | 0% of 1k");
		expect(at(19)).toBe("default | a-model");
		expect(at(5)).toBe("defa…");
	});
});

describe("TokenUsage", () => {
	const meter = (tokens: number) => ({ tokens, window: 1000, threshold: 0.8 });

	it("tells the share of the window", () => {
		expect(rowsOf(<TokenUsage meter={meter(123)} />)).toEqual(["12% of 1k"]);
		expect(rowsOf(<TokenUsage meter={{ ...meter(123), estimated: true }} />)).toEqual(["≈12% of 1k"]);
	});

	it("is green, yellow from 75 % of the threshold, red at it", () => {
		const colours = [0, 599, 600, 799, 800].map((tokens) => meterStyle(meter(tokens)).colour);
		expect(colours).toEqual(["green", "green", "yellow", "yellow", "red"]);
	});
});

describe("ToolCalls", () => {
	const call = {
		...newCall("call-1", "runCommand", { command: "npm test" }, 1000),
		phase: "running" as const,
	};

	it("shows a running call's time and the last lines that it wrote", () => {
		const rows = rowsOf(
			<ToolCalls calls={[{ ...call, tail: ["one", "two"] }]} width={40} rows={3} now={32_000} />,
		);
		expect(rows[0]).toMatch(/^\S runCommand npm test {2}31 s$/);
		expect(rows.slice(1)).toEqual(["  one", "  two"]);
	});

	it("keeps every head before any output, and counts the calls without room", () => {
		const calls = ["a", "b", "c"].map((id) => ({ ...call, callId: id, title: id, tail: ["out"] }));
		expect(
			rowsOf(<ToolCalls calls={calls} width={40} rows={3} now={1000} />).map((row) => row.slice(2)),
		).toEqual(["runCommand a  0 s", "runCommand b  0 s", "runCommand c  0 s"]);
		expect(rowsOf(<ToolCalls calls={calls} width={40} rows={2} now={1000} />)[1]).toBe("… 2 more calls");
	});

	it("says that a call waits for the person", () => {
		const rows = rowsOf(<ToolCalls calls={[{ ...call, phase: "asking" }]} width={60} rows={1} now={0} />);
		expect(rows).toEqual(["● runCommand npm test  waits for your answer"]);
	});
});

describe("Waiting", () => {
	it("has no dots where the person is waited for", () => {
		expect(rowsOf(<Waiting text="waiting for your answer" needsPerson isStill={false} width={40} />)).toEqual(
			["? waiting for your answer"],
		);
	});

	it("has dots that move by themselves, and that stand where something else moves", async () => {
		const framesOf = (isStill: boolean) =>
			render(<Waiting text="thinking 3 s" needsPerson={false} isStill={isStill} width={50} />).frames;
		const [still, moving] = [framesOf(true), framesOf(false)];
		const line = (dots: string) => `${dots.padEnd(4)}thinking 3 s  (Esc interrupts)`;
		await vi.waitFor(() => expect(moving.slice(0, 2)).toEqual([line("."), line("..")]), 5_000);
		expect(still).toEqual([line("...")]);
	});
});

describe("Question", () => {
	const asked = {
		kind: "question" as const,
		callId: "c",
		question: "Which one?",
		options: ["a", "b"],
		secret: false,
	};

	it("shows options to choose from", () => {
		const dialog = { options: ["a", "b"], selected: 1, hasFocus: true, hint: "Enter answers" };
		expect(rowsOf(<Question prompt={asked} dialog={dialog} width={40} rows={9} />)).toEqual([
			"? Which one?",
			"  1. a",
			"❯ 2. b",
			"Enter answers",
		]);
	});

	it("draws a secret answer as dots", () => {
		const entry = { ...layoutEditor("geheim", 6, 30), isSecret: true };
		const dialog = { options: [], selected: 0, hasFocus: true, hint: "", entry };
		expect(rowsOf(<Question prompt={asked} dialog={dialog} width={40} rows={9} />)).toEqual([
			"? Which one?",
			"> ••••••",
		]);
	});
});

describe("Input", () => {
	it("shows its placeholder where nothing is typed", () => {
		expect(rowsOf(<Input input={inputOf()} width={79} rows={1} />)).toEqual(["> Ask for anything"]);
	});

	it("keeps the row of the cursor where it has fewer rows than text", () => {
		const editor = layoutEditor("one\ntwo\nthree\nfour", 5, 40);
		expect(rowsOf(<Input input={{ editor, isEmpty: false, placeholder: "" }} width={40} rows={1} />)).toEqual(
			["  two"],
		);
	});
});

describe("Palette", () => {
	it("shows eight entries around the selected one and where that is", () => {
		const items = Array.from({ length: 20 }, (_, i) => ({ label: `/c${i}` }));
		const rows = rowsOf(<Palette input={{ palette: { items, selected: 12 } }} width={40} rows={9} />);
		expect(rows).toHaveLength(9);
		expect(rows).toContain("❯ /c12");
		expect(rows.at(-1)).toBe("  13 of 20");
	});

	it("says that the history holds nothing like it", () => {
		const search = { query: "zzz", isFound: false };
		expect(rowsOf(<Palette input={{ search }} width={40} rows={1} />)).toEqual([
			"history: zzz  (nothing found)",
		]);
	});
});

describe("PlanList", () => {
	const items = Array.from({ length: 9 }, (_, i) => ({
		content: `step ${i}`,
		status: i < 6 ? ("completed" as const) : ("pending" as const),
	}));

	it("keeps the step that is next where rows are few", () => {
		const rows = rowsOf(<PlanList items={items} width={40} rows={3} />);
		expect(rows).toEqual(["Plan, 6 of 9 done (Ctrl+T hides)", "☐ step 6", "☐ step 7"]);
	});

	it("goes away when all is done", () => {
		expect(rowsOf(<PlanList items={items.slice(0, 6)} width={40} rows={9} />)).toEqual([""]);
	});
});

describe("Queue", () => {
	const queue = ["a\nb", "c", "d", "e", "f"].map((rawText, i) => ({
		messageId: String(i),
		rawText,
		target: i === 0 ? ("next_step" as const) : ("next_turn" as const),
	}));

	it("shows the first messages with what they wait for, counts the rest and names the keys", () => {
		expect(rowsOf(<Queue queue={queue} width={90} rows={9} />)).toEqual([
			"⧗ next step · a b",
			"⧗ next turn · c",
			"⧗ next turn · d",
			"  and 2 more messages, Alt+Up edits the last, Alt+Q goes through them",
		]);
	});

	it("shows those around the marked one and what can be done with it", () => {
		expect(rowsOf(<Queue queue={queue} width={90} rows={9} marked="3" />)).toEqual([
			"⧗ next turn · d",
			"❯ next turn · e",
			"⧗ next turn · f",
			"  and 2 more messages, Enter edits, Alt+Up and Alt+Down move, Delete deletes, Esc leaves",
		]);
	});
});

describe("Notices", () => {
	it("keeps the newest where rows are few", () => {
		const notices = [
			{ text: "old", untilMs: 1 },
			{ text: "new", untilMs: 2 },
		];
		expect(rowsOf(<Notices notices={notices} width={WIDE.columns} rows={1} />)).toEqual(["new"]);
	});
});

describe("SessionPicker", () => {
	it("shows the search, the list around the selected one, and what to press", () => {
		const picker = {
			title: "Resume",
			query: "fi",
			items: [{ label: "fix", detail: "2h" }, { label: "find" }],
			selected: 1,
		};
		expect(rowsOf(<SessionPicker picker={picker} width={60} rows={9} />)).toEqual([
			"Resume: fi",
			"  fix  2h",
			"❯ find",
			"2 found, Enter takes, Esc leaves, letters search",
		]);
	});
});

describe("Help", () => {
	it("aligns what the keys do and counts what does not fit", () => {
		const help = [
			{ keys: "Esc", does: "interrupts" },
			{ keys: "Ctrl+O", does: "unfolds" },
			{ keys: "x", does: "y" },
		];
		expect(rowsOf(<Help help={help} width={60} rows={3} />)).toEqual([
			"Esc     interrupts",
			"Ctrl+O  unfolds",
			"x       y",
		]);
		expect(rowsOf(<Help help={help} width={60} rows={2} />)[1]).toBe("… 2 more rows: /help prints all");
	});
});
