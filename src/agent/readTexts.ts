// What a model has read in a session, and what the person said in it: two things that must never be taken for one
// another. Judges nothing.

import type { ReadText } from "../policy/quotedCommands.ts";
import type { HistoryItem, SessionState } from "../session/state.ts";

/** The results of tools so far, the newest first, each with the call it came from. */
export function* readTexts(history: readonly HistoryItem[]): Generator<ReadText> {
	const calls = new Map(
		history.flatMap((item) =>
			item.kind === "assistant" ? item.calls.map((call) => [call.callId, call] as const) : [],
		),
	);
	for (let at = history.length - 1; at >= 0; at--) {
		const item = history[at]!;
		if (item.kind !== "tool") continue;
		const { path, url, query, command } = calls.get(item.callId)?.args ?? {};
		const named = [path, url, query, command].find((value) => typeof value === "string");
		yield {
			source: `what ${item.name} gave back${named === undefined ? "" : ` for ${shorten(named)}`}`,
			text: item.text,
		};
	}
}

/** The person's own words; [] in a subagent's session, whose task a model wrote. */
export function ownWords({ history, parent }: Pick<SessionState, "history" | "parent">): string[] {
	if (parent) return [];
	return history.flatMap((item) => (item.kind === "user" ? [item.text] : []));
}

function shorten(text: string): string {
	return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
