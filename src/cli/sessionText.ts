// Sessions as a person reads them in a terminal: the list as a table, one session as a conversation. Text of models and
// files goes through the terminal's filter; nothing is read or written here.

import stringWidth from "string-width";
import type { SessionSummary } from "../ports/sessionLog.ts";
import { attachedLine } from "../session/attachments.ts";
import { inConversationOrder } from "../session/conversationOrder.ts";
import type { Commit, SeedMessage, SessionEvent } from "../session/events.ts";
import { GAP_SENTENCE, gapsIn } from "../session/fork.ts";
import { visibleText } from "../ui/visibleText.ts";

const GAP = "  ";
/** A title keeps at least this width, and ids are never cut: they are what the next command needs. */
const LEAST_TITLE = 10;
/** Lines of a tool's result that are shown. */
const RESULT_LINES = 12;
const GAP_TEXT = `[${GAP_SENTENCE}]`;

/**
 * One line a session under a head, cut to `columns` cells where they are known; at the end those that cannot be read, by
 * their ids. `now` in epoch milliseconds.
 */
export function sessionTable(
	summaries: readonly SessionSummary[],
	unreadable: readonly string[],
	now: number,
	columns: number | undefined,
): string {
	const rows = [
		["ID", "AGE", "TURNS", "MODEL", "TITLE"],
		...summaries.map(({ id, updated, turns, model, title, damage }) => [
			id,
			ageOf(now - Date.parse(updated)),
			String(turns),
			oneLine(model) || "-",
			`${damage === undefined ? "" : "(damaged) "}${oneLine(title) || "(nothing said)"}`,
		]),
		...unreadable.map((id) => [id, "-", "-", "-", "(this agi cannot read it)"]),
	];
	const widths = [0, 1, 2, 3].map((at) => Math.max(...rows.map((row) => stringWidth(row[at] ?? ""))));
	const before = widths.reduce((sum, width) => sum + width + GAP.length, 0);
	const room = columns === undefined ? Number.POSITIVE_INFINITY : Math.max(columns - before, LEAST_TITLE);
	const lines = rows.map((row) =>
		[...widths.map((width, at) => pad(row[at] ?? "", width)), cut(row[4] ?? "", room)].join(GAP),
	);
	return `${lines.join("\n")}\n`;
}

/** Time since, short: `12s`, `5m`, `3h`, `20d`. */
export function ageOf(milliseconds: number): string {
	const seconds = Math.max(0, Math.floor(milliseconds / 1000));
	if (seconds < 60) return `${seconds}s`;
	if (seconds < 3600) return `${Math.floor(seconds / 60)}m`;
	if (seconds < 86_400) return `${Math.floor(seconds / 3600)}h`;
	return `${Math.floor(seconds / 86_400)}d`;
}

/** A session's facts as a conversation; ends with a newline. */
export function conversationText(commits: readonly Commit[]): string {
	let reply = "";
	const gaps = gapsIn(commits);
	const parts = inConversationOrder(commits).flatMap((commit) => [
		...(gaps.has(commit.seq) ? [GAP_TEXT] : []),
		...commit.events.flatMap((event) => {
			if (event.type === "attempt/end") reply = event.text;
			const text = eventText(event, commit.at, reply);
			return text === "" ? [] : [visibleText(text)];
		}),
	]);
	return `${parts.join("\n\n")}\n`;
}

/** What a fact says in the conversation; empty where it says nothing. `reply` is the last Attempt's text. */
function eventText(event: SessionEvent, at: string, reply: string): string {
	switch (event.type) {
		case "session/created": {
			const head = `Session ${event.sessionId}, started ${at} in ${event.cwd}`;
			return [head, ...(event.seed ?? []).map(seedText)].join("\n\n");
		}
		case "session/forked":
			return `[copied from session ${event.from.sessionId}]`;
		case "user/message":
			return quoted("> ", [event.text, attachedLine(event.attachments) ?? ""].join("\n").trimEnd());
		case "assistant/accepted":
			return (event.text ?? reply).trim();
		case "tool/call":
			return callText(event.name, event.args, event.invalidArguments);
		case "tool/result":
			return resultText(event.status, event.text);
		case "mode/changed":
			return `[mode: ${event.mode}]`;
		case "plan/replaced":
			return event.items.map((item) => `${PLAN_MARKS[item.status]} ${item.content}`).join("\n");
		case "question/asked":
			return `? ${event.question}`;
		case "question/answered":
			return quoted("> ", event.answer);
		case "subagent/changed":
			return event.status === "started" ? `[${event.agent} works in session ${event.sessionId}]` : "";
		case "recovery/continuation":
			// Why the turn was interrupted stands above, at its end.
			return event.notes.join("\n");
		case "turn/end":
			return event.status === "completed"
				? ""
				: `[turn ${event.status}: ${event.reason ?? event.code ?? ""}]`;
		default:
			return "";
	}
}

const PLAN_MARKS = { pending: "[ ]", in_progress: "[~]", completed: "[x]" } as const;

function seedText(message: SeedMessage): string {
	if (message.role === "user") return quoted("> ", message.text);
	if (message.role === "tool") return resultText("result", message.text);
	return [message.text, ...message.calls.map((call) => callText(call.name, call.args, undefined))]
		.filter((part) => part !== "")
		.join("\n\n");
}

function callText(name: string, args: Record<string, unknown>, invalid: string | undefined): string {
	return `* ${name} ${cut(invalid ?? JSON.stringify(args), 500)}`;
}

function resultText(status: string, text: string): string {
	const lines = text.trimEnd().split("\n");
	const shown = lines.slice(0, RESULT_LINES);
	if (lines.length > RESULT_LINES) shown.push(`... ${lines.length - RESULT_LINES} more lines`);
	const mark = status === "result" ? "" : `[${status}] `;
	return quoted("  | ", mark + shown.join("\n"));
}

function quoted(mark: string, text: string): string {
	return text
		.trimEnd()
		.split("\n")
		.map((line) => mark + line)
		.join("\n");
}

function oneLine(text: string): string {
	return visibleText(text).replace(/\s+/g, " ").trim();
}

function pad(text: string, width: number): string {
	return text + " ".repeat(Math.max(0, width - stringWidth(text)));
}

/** `text` in at most `width` cells; a letter with its marks stays whole. */
function cut(text: string, width: number): string {
	if (stringWidth(text) <= width) return text;
	let kept = "";
	let used = 1;
	for (const { segment } of new Intl.Segmenter().segment(text)) {
		used += stringWidth(segment);
		if (used > width) break;
		kept += segment;
	}
	return `${kept}…`;
}
