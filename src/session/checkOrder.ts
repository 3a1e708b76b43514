// Invariants 1 and 2 over a log: every id is known, unique and of one parent; one Turn, Step and Attempt are open at most.
// Used by `check.ts` alone; it reports and never stops.

import type { EventOf, SessionEvent } from "./events.ts";

type Report = (message: string) => void;

/** The id that an event brings into the world, as `kind id`. */
function newId(event: SessionEvent): string | undefined {
	switch (event.type) {
		case "session/created":
			return "session";
		case "user/message":
		case "assistant/accepted":
			return `message ${event.messageId}`;
		case "turn/start":
			return `turn ${event.turnId}`;
		case "step/start":
			return `step ${event.stepId}`;
		case "request/prepared":
			return `request ${event.requestId}`;
		case "attempt/start":
			return `attempt ${event.attemptId}`;
		case "tool/call":
			return `call ${event.callId}`;
		case "approval/requested":
			return `approval ${event.approvalId}`;
		case "question/asked":
			return `question ${event.questionId}`;
		case "artifact/created":
			return `artifact ${event.artifactId}`;
		case "session/rewound":
			return `rewind ${event.rewindId}`;
		case "checkpoint/committed":
			return `checkpoint ${event.checkpointId}`;
		default:
			return undefined;
	}
}

/** The ids that an event speaks of and that another must have brought, as `kind id`. */
function namedIds(event: SessionEvent): string[] {
	const messages = (ids: string[]) => ids.map((id) => `message ${id}`);
	switch (event.type) {
		case "inbox/enqueued":
			return [event.target === "question" ? `question ${event.questionId}` : `message ${event.messageId}`];
		case "inbox/included":
		case "inbox/released":
			return [...messages(event.messageIds), `step ${event.stepId}`];
		case "inbox/cancelled":
			return messages(event.messageIds);
		case "inbox/moved":
			return messages([event.messageId, event.before]);
		case "turn/start":
			return event.source.kind === "inbox" ? messages(event.source.messageIds) : [];
		case "turn/end":
		case "file/snapshotted":
		case "file/changed":
			return [`turn ${event.turnId}`];
		case "session/rewound":
			return [`turn ${event.toTurnId}`, ...(event.undoes === undefined ? [] : [`rewind ${event.undoes}`])];
		case "rewind/finished":
			return [`rewind ${event.rewindId}`];
		case "step/start":
			return [`turn ${event.turnId}`, ...messages(event.claimed)];
		case "request/prepared":
			return event.owner ? [] : [`step ${event.stepId}`];
		case "step/end":
		case "completion/rejected":
		case "tool/call":
			return [`step ${event.stepId}`];
		case "attempt/start":
			return [...(event.owner ? [] : [`step ${event.stepId}`]), `request ${event.requestId}`];
		case "checkpoint/undone":
			return [`checkpoint ${event.checkpointId}`];
		case "attempt/end":
		case "assistant/accepted":
			return [`attempt ${event.attemptId}`];
		case "approval/resolved":
			return [`approval ${event.approvalId}`, `call ${event.callId}`];
		case "question/answered":
			return [`question ${event.questionId}`, `call ${event.callId}`];
		case "policy/decided":
		case "approval/requested":
		case "tool/start":
		case "tool/result":
		case "question/asked":
		case "subagent/changed":
		case "artifact/created":
			return [`call ${event.callId}`];
		case "recovery/continuation":
			return [`turn ${event.interruptedTurnId}`];
		default:
			return [];
	}
}

/** The ids of the items that a program brought. */
function seedIds({ seed = [] }: EventOf<"session/created">): string[] {
	return seed.map((message, i) => (message.role === "tool" ? message.id : `seed-${i + 1}`));
}

/** Invariant 1. Reports an id that is brought twice, or named before it was brought. */
export function idsAreKnownAndUnique(report: Report): (event: SessionEvent) => void {
	const known = new Set<string>();
	const isItem = (id: string) => known.has(`message ${id}`) || known.has(`call ${id}`) || seeded.has(id);
	let seeded = new Set<string>();
	return (event) => {
		if (known.size === 0 && event.type !== "session/created") report(`the log begins with ${event.type}`);
		if (event.type === "session/created") seeded = new Set(seedIds(event));
		if ((event.type === "item/masked" || event.type === "item/pinned") && !isItem(event.itemId))
			report(`${event.type} names item ${event.itemId}, which is not in the log`);
		for (const id of namedIds(event))
			if (!known.has(id)) report(`${event.type} names ${id}, which is not in the log`);
		const id = newId(event);
		if (id === undefined) return;
		if (known.has(id)) report(`${event.type} brings ${id} a second time`);
		known.add(id);
	};
}

/** Invariant 2. Reports what opens, closes or belongs to a Turn, Step or Attempt that is not the open one. */
export function oneOpenTurnStepAttempt(report: Report): (event: SessionEvent) => void {
	let turn: string | undefined;
	let step: string | undefined;
	let attempt: string | undefined;
	let aside: string | undefined;
	let accepted: string | undefined;

	function mustBe(event: SessionEvent, kind: string, open: string | undefined, id: string): void {
		if (open !== id) report(`${event.type} is of ${kind} ${id}, but the open one is ${open ?? "none"}`);
	}
	function mustBeNone(event: SessionEvent, kind: string, open: string | undefined): void {
		if (open !== undefined) report(`${event.type} comes while ${kind} ${open} is open`);
	}

	return (event) => {
		switch (event.type) {
			case "turn/start":
				mustBeNone(event, "turn", turn);
				turn = event.turnId;
				break;
			case "turn/end":
				mustBe(event, "turn", turn, event.turnId);
				mustBeNone(event, "step", step);
				turn = undefined;
				break;
			case "step/start":
				mustBe(event, "turn", turn, event.turnId);
				mustBeNone(event, "step", step);
				step = event.stepId;
				accepted = undefined;
				break;
			case "step/end":
				mustBe(event, "step", step, event.stepId);
				mustBeNone(event, "attempt", attempt);
				step = undefined;
				break;
			case "attempt/start":
				if (event.owner) {
					mustBeNone(event, "attempt", aside);
					aside = event.attemptId;
					break;
				}
				mustBe(event, "step", step, event.stepId);
				mustBeNone(event, "attempt", attempt);
				attempt = event.attemptId;
				break;
			case "attempt/end":
				if (event.owner) {
					mustBe(event, "attempt", aside, event.attemptId);
					aside = undefined;
					break;
				}
				mustBe(event, "attempt", attempt, event.attemptId);
				attempt = undefined;
				break;
			case "request/prepared":
				if (!event.owner) mustBe(event, "step", step, event.stepId);
				break;
			case "inbox/included":
			case "tool/call":
				mustBe(event, "step", step, event.stepId);
				break;
			case "file/snapshotted":
				mustBe(event, "turn", turn, event.turnId);
				break;
			case "session/rewound":
			case "rewind/finished":
				mustBeNone(event, "turn", turn);
				break;
			case "assistant/accepted":
				if (step === undefined) report(`assistant/accepted ${event.messageId} stands outside a step`);
				if (accepted !== undefined) report(`step ${step} accepts ${event.messageId} after ${accepted}`);
				accepted = event.messageId;
				break;
		}
	};
}
