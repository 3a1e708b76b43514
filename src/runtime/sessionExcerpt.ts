// Another session in short, for a message that names it: what it was about, its last summary, its last messages. Pure.

import type { Commit } from "../session/events.ts";
import { checkpointOf, viewEntries } from "../session/modelView.ts";
import { reduceAll } from "../session/reduce.ts";
import type { HistoryItem } from "../session/state.ts";

/** Letters of one result; it is the conversation that is wanted. */
const RESULT_LETTERS = 400;

/** At most `letters` letters of a session, the newest messages first of all; `tainted`: it had read texts of strangers. */
export function sessionExcerpt(
	commits: readonly Commit[],
	letters: number,
): { text: string; cut: boolean; tainted: boolean } {
	const state = reduceAll(commits.flatMap(({ events }) => events));
	const title = state.title === "" ? "without a title" : `"${state.title}"`;
	const head = `Session ${state.sessionId} ${title}, begun in ${state.cwd} on ${state.startedOn}.`;
	const summary = checkpointOf(state.history)?.summary;
	const before = summary === undefined ? [head] : [head, summary.slice(0, letters / 2)];
	const said = viewEntries(state.history, state.masked).flatMap(({ item }) => lineOf(item));
	const kept: string[] = [];
	let left = letters - before.join("\n\n").length;
	for (const line of said.toReversed()) {
		left -= line.length + 2;
		if (left < 0 && kept.length > 0) break;
		kept.unshift(left < 0 ? line.slice(0, line.length + left).toWellFormed() : line);
	}
	const gap = kept.length < said.length ? [`[${said.length - kept.length} older messages are left out]`] : [];
	const text = [...before, ...gap, ...kept].join("\n\n");
	return { text, cut: gap.length > 0 || left < 0, tainted: state.taint.length > 0 };
}

function lineOf(item: HistoryItem): string[] {
	switch (item.kind) {
		case "user":
			return [`User: ${item.text}`];
		case "assistant": {
			const calls = item.calls.map(({ name, args }) => `Called ${name} ${shorten(JSON.stringify(args))}`);
			return [[...(item.text.trim() === "" ? [] : [`Agent: ${item.text}`]), ...calls].join("\n")];
		}
		case "tool":
			return [`${item.name} gave (${item.status}): ${shorten(item.text)}`];
		default:
			return [];
	}
}

function shorten(text: string): string {
	return text.length > RESULT_LETTERS ? `${text.slice(0, RESULT_LETTERS).toWellFormed()}…` : text;
}
