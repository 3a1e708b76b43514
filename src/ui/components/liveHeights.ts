// How high each part of the live area is, and where the cursor stands in it. Nothing is drawn here.

import { mostEditorRows } from "../view/editorWindow.ts";
import { fitHeight, type HeightWish } from "../view/fitHeight.ts";
import type { InputView } from "../view/inputView.ts";
import type { Layout } from "../view/layout.ts";
import type { ViewState } from "../view/state.ts";
import { textColumns } from "../view/transcript.ts";
import { waitingText } from "../view/waiting.ts";
import { helpLines } from "./Help.tsx";
import { inputLayout, paletteLines } from "./Input.tsx";
import { noticeLines } from "./Notices.tsx";
import { planLines } from "./PlanList.tsx";
import { questionLayout, questionLeast } from "./Question.tsx";
import { queueLines } from "./Queue.tsx";
import { pickerHeight, pickerLayout } from "./SessionPicker.tsx";
import { streamLines } from "./StreamTail.tsx";
import { approvalLayout, approvalLeast } from "./ToolApproval.tsx";
import { callsHeight } from "./ToolCall.tsx";

/** The parts from top to bottom. */
export const PARTS = [
	"stream",
	"calls",
	"waiting",
	"plan",
	"queue",
	"notices",
	"gap",
	"dialog",
	"picker",
	"help",
	"editor",
	"palette",
	"status",
] as const;

/** The name of a part. */
export type Part = (typeof PARTS)[number];

/** Below this many rows no line is spent on looks. */
const ROOMY = 12;

/** How many rows each part gets; together at most one less than the screen has. */
export function liveHeights(view: ViewState, input: InputView): Map<Part, number> {
	const width = textColumns(view);
	const room = Math.max(1, view.size.rows - 1);
	const many = Number.MAX_SAFE_INTEGER;
	const isRoomy = room >= ROOMY;
	const editor = { name: "editor" as const, least: 1, wanted: editorHeight(view, input, room) };
	const dialog = dialogWish(view, input, room);
	const plan = view.isPlanShown ? planLines(view.plan, width).length : 0;
	const wishes: HeightWish<Part>[] = [
		...(input.dialog?.hasFocus === false ? [editor, dialog] : [dialog, editor]),
		{ name: "picker", least: 2, wanted: input.picker ? pickerHeight(input.picker) : 0 },
		{ name: "status", least: 1, wanted: 1 },
		{ name: "waiting", least: 1, wanted: waitingText(view) ? 1 : 0 },
		{ name: "notices", least: 1, wanted: noticeLines(view.notices, width).length },
		{ name: "palette", least: 1, wanted: paletteLines(input, width, many).length },
		// A part of the screen, so that the conversation stays in sight.
		{ name: "help", least: 1, wanted: Math.min(helpHeight(input, width), Math.ceil(room / 2)) },
		{ name: "stream", least: 1, wanted: streamLines(view.stream, view.blocks.at(-1)).length },
		{ name: "calls", least: 1, wanted: callsHeight(view.calls, width) },
		{ name: "queue", least: 1, wanted: queueLines(view.queue, width, input.marked).length },
		{ name: "plan", least: isRoomy ? 2 : 0, wanted: isRoomy ? Math.min(plan, Math.floor(room / 3)) : 0 },
		{ name: "gap", least: 1, wanted: isRoomy ? 1 : 0 },
	];
	return fitHeight(wishes, room);
}

function helpHeight({ help, picker }: InputView, width: number): number {
	return help && !picker ? helpLines(help, width).length : 0;
}

/** The editor is not drawn where a dialog or a list takes the keys. */
function editorHeight(view: ViewState, input: InputView, room: number): number {
	if (input.picker || (view.prompts.length > 0 && input.dialog?.hasFocus)) return 0;
	return inputLayout(input, textColumns(view), mostEditorRows(room)).lines.length;
}

function dialogWish(view: ViewState, input: InputView, room: number): HeightWish<Part> {
	const prompt = view.prompts[0];
	const { dialog } = input;
	if (!prompt || !dialog) return { name: "dialog", least: 0, wanted: 0 };
	const least = prompt.kind === "approval" ? approvalLeast(dialog) : questionLeast(dialog);
	return {
		name: "dialog",
		least,
		wanted: Math.max(least, dialogLayout(view, input, room - 3)?.lines.length ?? 0),
	};
}

function dialogLayout(view: ViewState, { dialog }: InputView, rows: number): Layout | undefined {
	const prompt = view.prompts[0];
	if (!prompt || !dialog) return undefined;
	return prompt.kind === "approval"
		? approvalLayout(prompt, dialog, textColumns(view), rows)
		: questionLayout(prompt, dialog, textColumns(view), rows);
}

/** Where the cursor is, from the live area's top left; undefined hides it. */
export function cursorPlace(
	view: ViewState,
	input: InputView,
	heights: ReadonlyMap<Part, number>,
): { x: number; y: number } | undefined {
	const width = textColumns(view);
	const rows = (part: Part) => heights.get(part) ?? 0;
	const place = (part: Part, cursor: Layout["cursor"]) => {
		const above = PARTS.slice(0, PARTS.indexOf(part)).reduce((sum, other) => sum + rows(other), 0);
		return cursor && rows(part) > 0 ? { x: cursor.x, y: above + cursor.y } : undefined;
	};
	if (input.picker) return place("picker", pickerLayout(input.picker, width, rows("picker")).cursor);
	if (input.dialog?.hasFocus) return place("dialog", dialogLayout(view, input, rows("dialog"))?.cursor);
	return place("editor", inputLayout(input, width, rows("editor")).cursor);
}
