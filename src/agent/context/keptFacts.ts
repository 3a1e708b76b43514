// What agi takes out of older items by itself, word for word, so that no summariser can lose it: the user's words, files
// that were written, commands and how they ended, decisions, errors and identifiers. Pure.

import { attachedLine } from "../../session/attachments.ts";
import type { HistoryItem, SessionState } from "../../session/state.ts";
import { truncateResult } from "../toolResults.ts";
import type { Sections } from "./checkpointText.ts";

/** Letters that are kept of one message of the user, of one line, and lines of one text. */
const USER_LETTERS = 700;
const LINE_LETTERS = 220;
const LINES_OF_TEXT = 4;

const WRITERS = new Set(["writeFile", "editFile", "deleteFile"]);
const RUNNERS = new Set(["runCommand", "executeCode"]);

const DECISION =
	/\b(decid\w*|decision|chose|choose|instead of|because|must|never|always|agreed|convention)\b|决定|因为|必须|不要/i;
const ERROR =
	/\b(\w*error|\w*exception|fail(ed|ure)?|fatal|panic|traceback|cannot|refused|denied|E[A-Z]{3,})\b|错误|失败/i;
/** Words with a number, paths, addresses, versions, hashes: what a summary likes to round off. */
const IDENTIFIER =
	/\b[a-z]+[-_#][\w-]*\d|\b[A-Z]{2,}-\d+|\b(?=[0-9a-f]*\d)[0-9a-f]{7,40}\b|https?:\/\/|\b\d+\.\d+(\.\d+)?\b|[\w-]+\/[\w./-]+\.\w+|\b(port|pid|id|job|version|key|line|total|limit)\b\W{0,3}\d|\b\d{3,}\b|`[^`]+`/i;
/** The same for tool results, most of whose lines hold some number. */
const HANDLE = /\b(job|task|pid|port|build|run|ticket|id)\b[\s:=#-]{0,3}["']?[\w-]*\d|https?:\/\/localhost/i;

/** What is kept of `items`, which leave the model's view, and what the state says now. */
export function keptFacts(state: SessionState, items: readonly HistoryItem[]): Sections {
	const calls = callsOf(items);
	const goal: string[] = [];
	const decisions: string[] = [];
	const exact: string[] = [];
	for (const item of items) {
		if (item.kind === "user") goal.push(userLine(item));
		else if (item.kind === "assistant") {
			decisions.push(...linesWith(item.text, DECISION));
			exact.push(...linesWith(item.text, IDENTIFIER));
		} else if (item.kind === "tool") {
			const pattern = item.status === "result" ? HANDLE : ERROR;
			exact.push(...linesWith(item.text, ERROR, 2), ...linesWith(item.text, pattern, 2));
		}
	}
	return {
		goal,
		decisions,
		files: filesChanged(calls),
		verification: calls
			.filter(({ name }) => RUNNERS.has(name))
			.map(({ args, text }) => `${oneLine(commandOf(args), 120)}: ${oneLine(text, 120)}`),
		plan: planLines(state),
		permissions: permissionsOf(state, calls),
		jobs: calls
			.filter(({ name }) => name === "delegateToSubagent")
			.map(
				({ args, text }) =>
					`${String(args["subagent"])}: ${oneLine(String(args["task"]), 100)} – ${oneLine(text, 100)}`,
			),
		exact: [...exact, ...artifactLines(state, items)],
	};
}

/** What came with a message can be read again; that it did is kept. */
function userLine({ text, attachments }: HistoryItem & { kind: "user" }): string {
	const attached = attachedLine(attachments);
	return `user: ${shorten(text, USER_LETTERS)}${attached === undefined ? "" : ` [${attached}]`}`;
}

/** Results that can still be read whole, though their excerpts leave. */
function artifactLines({ artifacts }: SessionState, items: readonly HistoryItem[]): string[] {
	const leaving = new Set(items.map((item) => (item.kind === "tool" ? item.callId : "")));
	return artifacts
		.filter(({ callId }) => leaving.has(callId))
		.map(({ artifactId, summary }) => `${artifactId} (readArtifact): ${oneLine(summary, 120)}`);
}

/** The plan as it is now. */
export function planLines(state: SessionState): string[] {
	return state.plan.map(({ content, status }) => `[${status}] ${content}`);
}

interface EndedCall {
	name: string;
	args: Record<string, unknown>;
	status: string;
	text: string;
}

function callsOf(items: readonly HistoryItem[]): EndedCall[] {
	const results = new Map(items.flatMap((item) => (item.kind === "tool" ? [[item.callId, item]] : [])));
	return items.flatMap((item) =>
		item.kind === "assistant"
			? item.calls.flatMap(({ callId, name, args }) => {
					const result = results.get(callId);
					return result ? [{ name, args, status: result.status, text: result.text }] : [];
				})
			: [],
	);
}

function filesChanged(calls: readonly EndedCall[]): string[] {
	const times = new Map<string, number>();
	for (const { name, args, status } of calls) {
		if (!WRITERS.has(name) || status !== "result") continue;
		const line = `${String(args["path"])} (${name})`;
		times.set(line, (times.get(line) ?? 0) + 1);
	}
	return [...times].map(([line, n]) => (n > 1 ? `${line} ${n} times` : line));
}

function permissionsOf(state: SessionState, calls: readonly EndedCall[]): string[] {
	const denied = calls.filter(({ status }) => status === "denied");
	return [
		`mode: ${state.mode}`,
		...state.grants.map(({ label }) => `allowed for the session: ${label}`),
		...denied.map(({ name, args }) => `denied: ${name} ${oneLine(JSON.stringify(args), 120)}`),
	];
}

function commandOf(args: Record<string, unknown>): string {
	return String(args["command"] ?? args["code"] ?? "");
}

/** The first lines of a text that match, as they are. */
function linesWith(text: string, pattern: RegExp, most = LINES_OF_TEXT): string[] {
	const found: string[] = [];
	for (const line of text.split("\n")) {
		if (found.length >= most) break;
		const trimmed = line.trim();
		if (trimmed !== "" && pattern.test(trimmed)) found.push(shorten(trimmed, LINE_LETTERS));
	}
	return found;
}

function oneLine(text: string, letters: number): string {
	return shorten(text.trim().split("\n", 1)[0] ?? "", letters);
}

/** On one line, its middle left out where it is too long. */
function shorten(text: string, letters: number): string {
	return truncateResult(text.trim(), letters).replace(/\s*\n\s*/g, " / ");
}
