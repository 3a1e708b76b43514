// What a model has read in a session, and what the person said in it: two things that must never be taken for one
// another. Judges nothing.

import type { ReadText } from "../policy/quotedCommands.ts";
import type { SessionState } from "../session/state.ts";

/**
 * The results of tools and the attachments of messages so far, the newest first, each with where it came from. Skills
 * are left out: only trusted ones are loaded, and to be followed is what they are for.
 */
export function* readTexts({
	history,
	skills,
}: Pick<SessionState, "history" | "skills">): Generator<ReadText> {
	const followed = new Set(skills.filter(({ trusted }) => trusted).map(({ itemId }) => itemId));
	const calls = new Map(
		history.flatMap((item) =>
			item.kind === "assistant" ? item.calls.map((call) => [call.callId, call] as const) : [],
		),
	);
	for (let at = history.length - 1; at >= 0; at--) {
		const item = history[at]!;
		if (item.kind === "user")
			for (const { kind, source, text } of item.attachments ?? [])
				if (kind !== "skill") yield { source: `the attached ${kind} ${shorten(source)}`, text };
		if (item.kind !== "tool" || followed.has(item.callId)) continue;
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
