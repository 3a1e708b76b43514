// Tool calls on the screen: what a call is about in one line, and how it looks in the transcript once it has ended.

import type { EventOf } from "../../session/events.ts";
import type { ToolStatus } from "../../types.ts";
import { escapedText, visibleText } from "../visibleText.ts";
import { isDiff, renderDiff } from "./diff.ts";
import { countOf, formatDuration } from "./format.ts";
import { oneLine } from "./oneLine.ts";
import { resultWords } from "./resultWords.ts";
import type { CallView, ViewState } from "./state.ts";
import { BAD, BOLD, DIM, GOOD, type Style, type StyledLine, WARN } from "./style.ts";
import { keepFolded, pushBlock, textColumns } from "./transcript.ts";
import { cutLine } from "./wrap.ts";

/** Lines of a result that are shown; of a diff. */
const RESULT_LINES = 5;
const DIFF_LINES = 20;
/** Results that say nothing without their whole: only their length is told. */
const COUNTED = new Set(["readFile", "webFetch"]);
/** The argument that says most, by its name, best first. */
const TELLING = ["command", "path", "pattern", "query", "url", "question", "code", "task"];
const CHILDREN_SHOWN = 10;
/** Lines that a person's own command leaves. */
const SHELL_LINES = 30;
/** The name under which it is shown. */
const SHELL_NAME = "!";
/** Longer titles are cut before they are brought to one line. */
const TITLE_LENGTH = 500;

const MARKS: Record<ToolStatus, { style: Style; word: string }> = {
	result: { style: GOOD, word: "" },
	error: { style: BAD, word: "failed" },
	denied: { style: WARN, word: "denied" },
	cancelled: { style: WARN, word: "cancelled" },
	outcome_unknown: { style: BAD, word: "outcome unknown" },
};

/** What a call is about, on one line. */
export function callTitle(args: Record<string, unknown>): string {
	for (const name of TELLING) {
		const value = args[name];
		if (typeof value === "string") {
			const agent = name === "task" && typeof args["subagent"] === "string" ? `${args["subagent"]}: ` : "";
			return oneLine(escapedText(`${agent}${value}`.slice(0, TITLE_LENGTH)));
		}
	}
	const text = JSON.stringify(args);
	return text === "{}" ? "" : oneLine(text.slice(0, TITLE_LENGTH));
}

/** A call as it begins. */
export function newCall(
	callId: string,
	name: string,
	args: Record<string, unknown>,
	since: number,
): CallView {
	return {
		callId,
		name: oneLine(name),
		title: callTitle(args),
		phase: "checked",
		since,
		tail: [],
		children: [],
		childrenBefore: 0,
		rawTail: "",
		rawArgs: args,
	};
}

/** The person's own command as it begins. */
export function newShell(id: string, command: string, since: number): CallView {
	return { ...newCall(id, SHELL_NAME, { command }, since), phase: "running" };
}

/** What of the running calls belongs to the person, and goes on when the turn ends. */
export function shellsOf(calls: readonly CallView[]): readonly CallView[] {
	return calls.length === 0 ? calls : calls.filter((call) => call.name === SHELL_NAME);
}

/** The line that names a call: mark, name, what it is about, and `note` behind it. */
export function callHead(call: Pick<CallView, "name" | "title">, mark: Style, note: string): StyledLine {
	return [
		{ text: "● ", style: mark },
		{ text: call.name, style: BOLD },
		...(call.title === "" ? [] : [{ text: ` ${call.title}` }]),
		...(note === "" ? [] : [{ text: `  ${note}`, style: DIM }]),
	];
}

/** The call's end as a block: its head, what a subagent did, and the result in part. */
export function pushResult(view: ViewState, call: CallView, event: EventOf<"tool/result">): ViewState {
	const width = textColumns(view);
	const { style, word } = MARKS[event.status];
	const time = event.durationMs >= 1000 ? formatDuration(event.durationMs) : "";
	const note = [word, time].filter((part) => part !== "").join(" ");
	const head = withNote(callHead(call, style, ""), note, width);
	const rows = [head, ...childRows(call, width)];
	const text = visibleText(resultWords(event.status, event.text));
	const diff = event.status === "result" ? (call.diff ?? editDiff(call, text)) : undefined;
	if (call.name === "updatePlan" && event.status === "result") return view;
	if (diff !== undefined) {
		const isCut = diff.split("\n").length > DIFF_LINES;
		const kept = isCut ? keepFolded(view, { title: titleOf(call), text: diff, kind: "diff" }) : view;
		return pushBlock(kept, "call", [
			...rows,
			...indented(renderDiff(diff, width - 2, DIFF_LINES, " (Ctrl+O)")),
		]);
	}
	return pushText(view, call, rows, text, event.status);
}

function pushText(
	view: ViewState,
	call: CallView,
	rows: readonly StyledLine[],
	text: string,
	status: ToolStatus,
): ViewState {
	const width = textColumns(view) - 2;
	const lines = text.trimEnd().split("\n");
	const most = COUNTED.has(call.name) && status === "result" ? 0 : RESULT_LINES;
	const shown = lines.slice(0, most).map((row) => cutLine([{ text: row, style: DIM }], width));
	const left = lines.length - shown.length;
	const isCut = left > 0 || lines.some((row) => row.length > width);
	const more = most === 0 ? countOf(left, "line") : `… ${countOf(left, "more line")}`;
	const told: StyledLine[] = left > 0 ? [[{ text: `${more} (Ctrl+O)`, style: DIM }]] : [];
	const kept = isCut ? keepFolded(view, { title: titleOf(call), text, kind: "plain" }) : view;
	return pushBlock(kept, "call", [...rows, ...indented([...shown, ...told])]);
}

/** The end of a person's own command: what is left of its output, and how it ended. */
export function endShell(view: ViewState, callId: string, failed: boolean, result: string): ViewState {
	const call = view.calls.find((one) => one.callId === callId);
	if (!call) return view;
	const width = textColumns(view);
	const head = withNote(callHead(call, failed ? BAD : GOOD, ""), oneLine(result), width);
	const rest = { ...view, calls: view.calls.filter((one) => one !== call) };
	const text = visibleText(call.rawTail).trimEnd() || "(no output)";
	const room = width - 2;
	const lines = text.split("\n");
	const shown = lines.slice(-SHELL_LINES).map((row) => cutLine([{ text: row }], room));
	const left = lines.length - shown.length;
	const told: StyledLine[] =
		left > 0 ? [[{ text: `… ${countOf(left, "line")} before (Ctrl+O)`, style: DIM }]] : [];
	const kept = left > 0 ? keepFolded(rest, { title: titleOf(call), text, kind: "plain" }) : rest;
	return pushBlock(kept, "call", [head, ...indented([...told, ...shown])]);
}

/** The lines of a running call below its head: what a subagent did, what it wrote. */
export function runningRows(call: CallView, width: number): StyledLine[] {
	const wrote = call.tail
		.filter((row) => row !== "")
		.map((row) => cutLine([{ text: row, style: DIM }], width - 2));
	return [...childRows({ ...call, children: call.children.slice(-3) }, width), ...indented(wrote)];
}

/** A diff's text where a preview is one. */
export function diffOf(preview: string | undefined): string | undefined {
	const text = preview === undefined ? undefined : escapedText(preview);
	return text !== undefined && isDiff(text) ? text : undefined;
}

/** The field of a call that holds its diff; nothing where the preview is none. */
export function diffField(preview: string | undefined): { diff?: string } {
	const diff = diffOf(preview);
	return diff === undefined ? {} : { diff };
}

function childRows(call: CallView, width: number): StyledLine[] {
	const shown = call.children.slice(-CHILDREN_SHOWN);
	const before = call.childrenBefore + call.children.length - shown.length;
	const rows = shown.map((child) => cutLine([{ text: `  ↳ ${child}`, style: DIM }], width));
	return before > 0 ? [[{ text: `  ↳ ${countOf(before, "call")} before`, style: DIM }], ...rows] : rows;
}

/** An edit that nobody was asked about has no preview: its own arguments say what changed. */
function editDiff(call: CallView, result: string): string | undefined {
	const { path, oldString, newString, content } = call.rawArgs;
	const signed = (sign: string, text: string) =>
		text === ""
			? []
			: text
					.replace(/\n$/, "")
					.split("\n")
					.map((row) => sign + row);
	if (typeof path !== "string") return undefined;
	if (call.name === "editFile" && typeof oldString === "string" && typeof newString === "string") {
		const at = /\(line (\d+)\)/.exec(result)?.[1] ?? "1";
		const rows = [...signed("-", oldString), ...signed("+", newString)];
		return escapedText([`@@ -${at} +${at} @@`, ...rows].join("\n"));
	}
	if (call.name === "writeFile" && typeof content === "string")
		return escapedText(["@@ -1 +1 @@", ...signed("+", content)].join("\n"));
	return undefined;
}

/** The head keeps its note: the title is what is cut. */
function withNote(head: StyledLine, note: string, width: number): StyledLine {
	if (note === "") return cutLine(head, width);
	return [...cutLine(head, Math.max(12, width - note.length - 2)), { text: `  ${note}`, style: DIM }];
}

function indented(rows: readonly StyledLine[]): StyledLine[] {
	return rows.map((row) => [{ text: "  " }, ...row]);
}

function titleOf(call: CallView): string {
	return `${call.name} ${call.title}`.trim();
}
