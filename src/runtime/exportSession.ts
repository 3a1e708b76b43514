// A session as a text to keep or to pass on: as Markdown or a page for people, as JSON with every fact. Texts are redacted
// as the log is; nothing is read or written here.

import { attachedLine } from "../session/attachments.ts";
import { inConversationOrder } from "../session/conversationOrder.ts";
import type { Attachment, Commit, EventOf, SeedMessage, SessionEvent } from "../session/events.ts";
import { GAP_SENTENCE, gapsIn } from "../session/fork.ts";
import { reduceAll } from "../session/reduce.ts";
import { exportHtml } from "./exportHtml.ts";

/** The ways in which a session is exported, by the name of the format. */
export const EXPORTS = { markdown: exportMarkdown, json: exportJson, html: exportHtml } as const;

/**
 * The whole log as one JSON text, indented; `gaps`, where there are any: the commits right before which something is
 * missing.
 */
export function exportJson(commits: readonly Commit[]): string {
	const { sessionId, title, cwd } = reduceAll(commits.flatMap((commit) => commit.events));
	const missing = [...gapsIn(commits)];
	const gaps = missing.length > 0 ? { gaps: missing } : {};
	return `${JSON.stringify({ sessionId, title, cwd, ...gaps, commits }, undefined, "\t")}\n`;
}

/** The conversation as Markdown; ends with a newline. */
export function exportMarkdown(commits: readonly Commit[]): string {
	const events = commits.flatMap((commit) => commit.events);
	const { title, sessionId, cwd } = reduceAll(events);
	const model = events.findLast((event) => event.type === "step/start")?.model.model ?? "none";
	const head = [
		`# ${oneLine(title) || "Session"}`,
		`Session ${sessionId} in ${cwd}, ${commits[0]?.at ?? ""}, model ${model}`,
	];
	let reply = "";
	const gaps = gapsIn(commits);
	const parts = inConversationOrder(commits).flatMap((commit) => [
		...(gaps.has(commit.seq) ? [`*${GAP_SENTENCE}*`] : []),
		...commit.events.flatMap((event) => {
			if (event.type === "attempt/end") reply = event.text;
			return partsOf(event, reply);
		}),
	]);
	return `${[...head, ...parts].join("\n\n")}\n`;
}

/** What an event adds; `reply` is the text of the last ended Attempt. */
function partsOf(event: SessionEvent, reply: string): string[] {
	switch (event.type) {
		case "session/created":
			return (event.seed ?? []).flatMap(seedParts);
		case "user/message":
			return [
				event.origin === "program" ? "## Command" : "## User",
				event.text,
				...attached(event.attachments),
			];
		case "assistant/accepted":
			return acceptedParts(event, reply);
		case "tool/result":
			return [`Result (${event.status}):`, fenced(event.text)];
		case "mode/changed":
			return [`*Mode: ${event.mode}*`];
		case "turn/end":
			return event.status === "completed"
				? []
				: [`*The turn ended as ${event.status}: ${event.reason ?? "no reason"}*`];
		default:
			return [];
	}
}

function attached(attachments: Attachment[] | undefined): string[] {
	const line = attachedLine(attachments);
	return line === undefined ? [] : [`*${line}*`];
}

function acceptedParts(event: EventOf<"assistant/accepted">, reply: string): string[] {
	const text = event.text ?? reply;
	return [
		"## Assistant",
		...(text.trim() === "" ? [] : [text]),
		...event.calls.flatMap((call) => callParts(call.name, call.args)),
	];
}

function seedParts(message: SeedMessage): string[] {
	if (message.role === "user") return ["## User", message.text];
	if (message.role === "tool") return ["Result:", fenced(message.text)];
	return ["## Assistant", message.text, ...message.calls.flatMap((call) => callParts(call.name, call.args))];
}

function callParts(name: string, args: Record<string, unknown>): string[] {
	return [`**${name}**`, fenced(JSON.stringify(args, undefined, 2), "json")];
}

/** A block whose fence is longer than any that stands in the text. */
function fenced(text: string, language = ""): string {
	const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
	const fence = "`".repeat(longest + 1);
	return `${fence}${language}\n${text.trimEnd()}\n${fence}`;
}

function oneLine(text: string): string {
	return text.replace(/\s+/g, " ").trim();
}
