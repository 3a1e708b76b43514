// A state on which facts can be tried before they are written. Pure.

import type { SessionState, TimelineEntry } from "./state.ts";

/**
 * A copy that `reduce` may use up with one or a few facts, without a trace in `state`. What no fact changes
 * in place, above all the items of the history, is shared, so that the copy costs little in a long session.
 */
export function copyState(state: SessionState): SessionState {
	return {
		...state,
		made: { ...state.made },
		callIds: new Set(state.callIds),
		inbox: state.inbox.map((message) => ({ ...message })),
		...(state.turn ? { turn: structuredClone(state.turn) } : {}),
		...(state.step ? { step: structuredClone(state.step) } : {}),
		history: [...state.history],
		masked: new Map(state.masked),
		pinned: new Set(state.pinned),
		documents: [...state.documents],
		artifacts: [...state.artifacts],
		skills: [...state.skills],
		grants: [...state.grants],
		accounts: new Map(state.accounts),
		windows: new Map(state.windows),
		seen: new Map(state.seen),
		usage: { ...state.usage },
		taint: [...state.taint],
		timeline: state.timeline.map(copyEntry),
	};
}

function copyEntry(entry: TimelineEntry): TimelineEntry {
	return entry.kind === "turn"
		? { ...entry, seenBefore: new Map(entry.seenBefore), images: [...entry.images] }
		: { ...entry };
}
