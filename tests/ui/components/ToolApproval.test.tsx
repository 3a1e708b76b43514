import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
	type ApprovalView,
	approvalLayout,
	approvalLeast,
	ToolApproval,
} from "../../../src/ui/components/ToolApproval.tsx";
import { layoutEditor } from "../../../src/ui/input/layoutEditor.ts";
import type { DialogView } from "../../../src/ui/view/inputView.ts";
import { plainText } from "../../../src/ui/view/style.ts";
import { lineWidth } from "../../../src/ui/view/wrap.ts";
import { rowsOf } from "./drawing.tsx";

const asked: ApprovalView = {
	kind: "approval",
	callId: "call-1",
	agent: "agi",
	toolName: "runCommand",
	reason: "it may write files",
	grantable: true,
	body: "rm -rf build",
	bodyKind: "plain",
};
const dialog: DialogView = {
	options: [
		"Yes",
		"Yes, and do not ask again this session for exactly this",
		"No, and tell agi what to do instead",
	],
	selected: 0,
	hasFocus: true,
	hint: "Enter answers, Esc = No",
};
const diff = ["--- (no file)", "+++ big", ...Array.from({ length: 2000 }, (_, i) => `+line ${i}`)].join("\n");

describe("ToolApproval", () => {
	it("says who asks, for what, why, and what can be answered", () => {
		expect(rowsOf(<ToolApproval prompt={asked} dialog={dialog} width={60} rows={20} />)).toEqual([
			"agi asks to run runCommand",
			"  rm -rf build",
			"Why you are asked: it may write files",
			"❯ 1. Yes",
			"  2. Yes, and do not ask again this session for exactly this",
			"  3. No, and tell agi what to do instead",
			"Enter answers, Esc = No",
		]);
	});

	it("says where a command would run and what it could reach", () => {
		const place = { text: "In /w · sandbox full, network off, writes only in the workspace", isFree: false };
		const rows = rowsOf(<ToolApproval prompt={{ ...asked, place }} dialog={dialog} width={70} rows={20} />);
		expect(rows.slice(1, 4)).toEqual(["  rm -rf build", place.text, "Why you are asked: it may write files"]);
	});

	it("shows the marked part of a change, with what is above told", () => {
		const hunk = (at: number) => [`@@ -${at},1 +${at},1 @@`, `-old ${at}`, `+new ${at}`];
		const body = ["--- a", "+++ a", ...hunk(1), ...hunk(50), ...hunk(90)].join("\n");
		const view = { ...dialog, parts: { count: 3, marked: 2, refused: [1] } };
		const rows = rowsOf(
			<ToolApproval prompt={{ ...asked, body, bodyKind: "diff" }} dialog={view} width={60} rows={24} />,
		);
		expect(rows.slice(1, 7)).toEqual([
			"  … 2 parts above (Ctrl+O shows all)",
			"  --- a",
			"  +++ a",
			"  ❯ [x] part 3 of 3",
			"  90 -old 90",
			"  90 +new 90",
		]);
	});

	it("shows the person's own text where there is one", () => {
		const view = { ...dialog, amended: "my\ntext\n" };
		const rows = rowsOf(
			<ToolApproval prompt={{ ...asked, body: diff, bodyKind: "diff" }} dialog={view} width={60} rows={24} />,
		);
		expect(rows.slice(1, 4)).toEqual(["  Your text instead:", "  my", "  text"]);
	});

	it("shows a small change whole in just the rows that it takes", () => {
		const body = ["--- f", "+++ f", "@@ -1,3 +1,3 @@", " one", "-two", "+2", " three"].join("\n");
		const prompt = { ...asked, body, bodyKind: "diff" as const };
		const { lines } = approvalLayout(prompt, dialog, 60, 24);
		const again = approvalLayout(prompt, dialog, 60, lines.length);
		expect(again.lines.map(plainText)).toEqual(lines.map(plainText));
		expect(lines.map(plainText).join("\n")).not.toContain("more line");
	});

	it("cuts a diff of 2,000 lines with a told count and keeps the answers", () => {
		const rows = rowsOf(
			<ToolApproval
				prompt={{ ...asked, body: diff, bodyKind: "diff" }}
				dialog={dialog}
				width={60}
				rows={14}
			/>,
		);
		expect(rows).toHaveLength(14);
		expect(rows).toContain("  … 1,995 more lines (Ctrl+O shows all)");
		expect(rows.filter((row) => /\d\. /.test(row))).toHaveLength(3);
	});

	it("shows the words being typed, with the cursor behind them", () => {
		const entry = { ...layoutEditor("use pnpm", 8, 50), isSecret: false };
		const layout = approvalLayout(asked, { ...dialog, selected: 2, entry }, 60, 20);
		expect(layout.lines.map(plainText)[layout.cursor!.y]).toBe("> use pnpm");
		expect(layout.cursor!.x).toBe(10);
	});

	it("keeps the head and all answers where only its least is given", () => {
		const rows = approvalLayout(asked, dialog, 30, approvalLeast(dialog)).lines.map(plainText);
		expect(rows).toHaveLength(5);
		expect(rows[0]).toContain("agi asks to run");
		expect(rows[1]).toContain("rm -rf build");
	});

	it("never takes more rows or columns than it is given", () => {
		const body = fc.array(
			fc.string({ unit: fc.constantFrom("a", " ", "語", "\t", "+", "-"), maxLength: 200 }),
			{ maxLength: 40 },
		);
		fc.assert(
			fc.property(
				body,
				fc.constantFrom("plain" as const, "diff" as const),
				fc.integer({ min: 10, max: 90 }),
				fc.integer({ min: 0, max: 30 }),
				(lines, bodyKind, width, rows) => {
					const drawn = approvalLayout(
						{ ...asked, body: lines.join("\n"), bodyKind },
						dialog,
						width,
						rows,
					).lines;
					expect(drawn.length).toBeLessThanOrEqual(rows);
					for (const row of drawn) expect(lineWidth(row)).toBeLessThanOrEqual(width);
				},
			),
		);
	});
});
