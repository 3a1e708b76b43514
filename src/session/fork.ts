// Where a copy of a session ends, and how what the cut left open is closed. Pure.

import type { Commit, SessionEvent } from "./events.ts";
import type { SessionState } from "./state.ts";

/**
 * The commits up to the end of a Step, and of its Turn where that ended with it; undefined where no such Step was
 * closed. What comes later in the same commit is left out.
 */
export function cutAfterStep(commits: readonly Commit[], stepId: string): Commit[] | undefined {
	for (const [place, commit] of commits.entries()) {
		const end = commit.events.findIndex((event) => event.type === "step/end" && event.stepId === stepId);
		if (end < 0) continue;
		const events = commit.events.slice(0, end + 1);
		const next = commit.events[end + 1] ?? commits[place + 1]?.events[0];
		if (next?.type === "turn/end") events.push(next);
		return [...commits.slice(0, place), { ...commit, events }];
	}
	return undefined;
}

/**
 * Where a copy that numbers `commits` from 1 lacks what its original lost: the numbers of the commits right before which
 * something is missing. `isDamaged`: the log says that it lost something, if only at its end.
 */
export function gapsOf(commits: readonly Commit[], isDamaged: boolean): number[] {
	const gaps = commits.flatMap(({ seq }, at) => (seq === (commits[at - 1]?.seq ?? 0) + 1 ? [] : [at + 1]));
	return gaps.length === 0 && isDamaged ? [commits.length + 1] : gaps;
}

/** The events that close what a cut after a Step left: the Turn, and messages that only the original answers. */
export function settleCut(state: SessionState): SessionEvent[] {
	const messageIds = state.inbox.map((message) => message.messageId);
	const events: SessionEvent[] = messageIds.length > 0 ? [{ type: "inbox/cancelled", messageIds }] : [];
	if (state.turn) {
		const reason = "this copy of the session begins in the middle of the turn";
		events.push({
			type: "turn/end",
			turnId: state.turn.turnId,
			status: "cancelled",
			code: "cancelled",
			reason,
		});
	}
	return events;
}
