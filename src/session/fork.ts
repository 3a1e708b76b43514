// Where a copy of a session can end, where it ends, and how what the cut left open is closed. Pure.

import type { Commit, EventOf, SessionEvent } from "./events.ts";
import { titleOf } from "./reduce.ts";
import type { SessionState, TurnEntry } from "./state.ts";

/** A closed Step: a copy can end with it. */
export interface ForkPoint {
	stepId: string;
	/** What the person asked for in its Turn; of a Turn that went on after a crash, what its work was begun for. */
	text: string;
	outcome: EventOf<"step/end">["outcome"];
	/** What the model said in it, "" where nothing was accepted, and what it called. */
	said: string;
	calls: Pick<EventOf<"tool/call">, "name" | "args">[];
	/** Its Turn ended with it. */
	endsTurn: boolean;
	/** False where a rewind took its Turn out of the conversation; a copy brings it back. */
	inConversation: boolean;
}

/** The closed Steps of a log, the oldest first. `timeline` is that of the same log's state. */
export function forkPoints(commits: readonly Commit[], timeline: SessionState["timeline"]): ForkPoint[] {
	const turns = turnsOf(timeline);
	const points: ForkPoint[] = [];
	let text = "";
	let inConversation = true;
	let reply = "";
	let step: Pick<ForkPoint, "said" | "calls"> = { said: "", calls: [] };
	let before: SessionEvent | undefined;
	for (const event of commits.flatMap(({ events }) => events)) {
		switch (event.type) {
			case "turn/start": {
				const turn = turns.get(event.turnId);
				text = turn?.text || text;
				inConversation = turn?.inConversation ?? true;
				break;
			}
			case "step/start":
				step = { said: "", calls: [] };
				break;
			case "attempt/end":
				if (!event.owner) reply = event.text;
				break;
			case "assistant/accepted":
				step.said = event.text ?? reply;
				break;
			case "tool/call":
				step.calls.push({ name: event.name, args: event.args });
				break;
			case "step/end": {
				const { stepId, outcome } = event;
				points.push({ stepId, text, outcome, ...step, endsTurn: false, inConversation });
				break;
			}
			case "turn/end": {
				const last = points.at(-1);
				if (last && before?.type === "step/end") last.endsTurn = true;
			}
		}
		before = event;
	}
	return points;
}

/** The id of the Step that a person wrote: itself, or its number alone. */
export function stepIdOf(written: string): string {
	return /^\d+$/.test(written) ? `step-${written}` : written;
}

/**
 * The commits up to the end of a Step, and of its Turn where that ended with it, with what that Turn made of files;
 * undefined where no such Step was closed. What else comes later is left out, also in the same commit.
 */
export function cutAfterStep(commits: readonly Commit[], stepId: string): Commit[] | undefined {
	for (const [place, commit] of commits.entries()) {
		const end = commit.events.findIndex((event) => event.type === "step/end" && event.stepId === stepId);
		if (end < 0) continue;
		const events = commit.events.slice(0, end + 1);
		const later = [
			...commit.events.slice(end + 1),
			...commits.slice(place + 1).flatMap((next) => next.events),
		];
		if (later[0]?.type === "turn/end") events.push(later[0], ...changesOf(later[0].turnId, later));
		return [...commits.slice(0, place), { ...commit, events }];
	}
	return undefined;
}

/** What was found of a Turn's files once it had ended: without it the copy would compare with files of a later day. */
function changesOf(turnId: string, later: readonly SessionEvent[]): SessionEvent[] {
	const found = later.find((event) => event.type === "file/changed" && event.turnId === turnId);
	return found ? [found] : [];
}

function turnsOf(timeline: SessionState["timeline"]): Map<string, TurnEntry> {
	return new Map(timeline.flatMap((entry) => (entry.kind === "turn" ? [[entry.turnId, entry]] : [])));
}

/**
 * Where a copy that numbers `commits` from 1 lacks what its original lost: the numbers of the commits right before which
 * something is missing. `isDamaged`: the log says that it lost something, if only at its end.
 */
export function gapsOf(commits: readonly Commit[], isDamaged: boolean): number[] {
	const gaps = commits.flatMap(({ seq }, at) => (seq === (commits[at - 1]?.seq ?? 0) + 1 ? [] : [at + 1]));
	return gaps.length === 0 && isDamaged ? [commits.length + 1] : gaps;
}

/** Before which commits something is missing: told by the copy of a damaged log, and by a damaged log's own numbers. */
export function gapsIn(commits: readonly Commit[]): Set<number> {
	const told = commits.flatMap(({ events }) =>
		events.flatMap((event) => (event.type === "session/forked" ? (event.gaps ?? []) : [])),
	);
	const seen = commits.filter(({ seq }, at) => seq !== (commits[at - 1]?.seq ?? 0) + 1);
	return new Set([...told, ...seen.map(({ seq }) => seq)]);
}

/** What a person reads where `gapsIn` tells of something missing. */
export const GAP_SENTENCE = "Here something is missing: the log was damaged and could not be read.";

/** What a copy lacks of its original: unreadable parts of its log, and stored texts that are lost. */
export interface CopyLoss {
	parts: number;
	texts: number;
}

/** Says what a copy lacks; [] where it lacks nothing. */
export function lossSentences({ parts, texts }: CopyLoss): string[] {
	return [
		...(parts === 0
			? []
			: [`The original is damaged: ${parts === 1 ? "1 part" : `${parts} parts`} of it could not be read.`]),
		...(texts === 0
			? []
			: [
					`${texts === 1 ? "1 stored text of the original is" : `${texts} stored texts of the original are`} lost, and a mark stands in the place.`,
				]),
	];
}

/** Says what a copy was made of and how far it goes: `state` is the copy's, `stepId` absent where all was copied. */
export function copySentence(state: SessionState, from: string, stepId?: string): string {
	const { title, timeline } = state;
	const name = title === "" ? `session ${from}` : `"${title}"`;
	if (stepId === undefined) return `Copied from ${name} up to its end.`;
	const last = timeline.findLast((entry): entry is TurnEntry => entry.kind === "turn" && entry.text !== "");
	const turn = last && titleOf(last.text);
	const where = turn === undefined || turn === title ? "" : `, in the turn "${turn}"`;
	return `Copied from ${name} up to the end of ${stepId}${where}. No file was changed.`;
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
