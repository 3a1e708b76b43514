// The invariants of ARCHITECTURE.md over a session's log, as far as one log shows them: one rule for each, all fed in a
// single pass. A rule remembers what it needs and nothing of another rule's; it reports and never stops the others.

import {
	answersReachTheirCall,
	everyCallEndsOnce,
	noEffectWithoutStart,
	noStartWithoutPermission,
} from "./checkCalls.ts";
import { idsAreKnownAndUnique, oneOpenTurnStepAttempt } from "./checkOrder.ts";
import type { Commit, EventOf, SessionEvent } from "./events.ts";

/** One broken invariant and where. */
export interface Violation {
	/** Its number in ARCHITECTURE.md, from 1. */
	invariant: number;
	/** The commit that shows it. */
	seq: number;
	message: string;
}

type Report = (message: string) => void;
/** Takes each event in order, with the commit that it is part of. */
type Rule = (report: Report) => (event: SessionEvent, commit: Commit) => void;

/** Every violation in a log's commits, in the order of the log; none for a sound log, finished or not. */
export function checkLog(commits: Commit[]): Violation[] {
	const violations: Violation[] = [];
	let seq = 0;
	const reporter = (invariant: number) => (message: string) => violations.push({ invariant, seq, message });
	const reportGap = reporter(1);
	const rules = RULES.map(([invariant, rule]) => rule(reporter(invariant)));
	let isLost: (seq: number) => boolean = () => false;
	for (const commit of commits) {
		const expected = seq + 1;
		seq = commit.seq;
		if (seq !== expected) reportGap(`commit ${seq} stands where ${expected} belongs`);
		for (const event of commit.events) for (const see of rules) see(event, commit);
		isLost = orLostBefore(isLost, commit);
	}
	return violations.filter((violation) => !isLost(violation.seq));
}

/** What a copy lacks since its original was damaged is the original's fault: nothing from the first gap to the copy's own. */
function orLostBefore(isLost: (seq: number) => boolean, copy: Commit): (seq: number) => boolean {
	const forked = copy.events.find((event) => event.type === "session/forked");
	const first = forked?.gaps?.[0];
	return first === undefined ? isLost : (seq) => isLost(seq) || (seq >= first && seq <= copy.seq);
}

const RULES: [invariant: number, rule: Rule][] = [
	[1, idsAreKnownAndUnique],
	[2, oneOpenTurnStepAttempt],
	[3, everyCallEndsOnce],
	[4, noEffectWithoutStart],
	[5, noStartWithoutPermission],
	[6, messagesReachOneRequest],
	[6, answersReachTheirCall],
	[7, onlyAnAnswerCompletes],
	[8, usageCountsOnce],
	[9, recoveryContinuesOnce],
];

function messagesReachOneRequest(report: Report): ReturnType<Rule> {
	type Place = "waiting" | "claimed" | "included" | "cancelled";
	const places = new Map<string, Place>();

	function move(event: SessionEvent, ids: string[], from: Place, to: Place): void {
		for (const id of ids) {
			const place = places.get(id);
			if (place !== undefined && place !== from)
				report(`${event.type} names message ${id}, which is ${place}`);
			places.set(id, to);
		}
	}

	return (event) => {
		switch (event.type) {
			case "user/message":
				places.set(event.messageId, "waiting");
				break;
			case "step/start":
				move(event, event.claimed, "waiting", "claimed");
				break;
			case "inbox/included":
				move(event, event.messageIds, "claimed", "included");
				break;
			case "inbox/released":
				move(event, event.messageIds, "claimed", "waiting");
				break;
			case "inbox/cancelled":
				move(event, event.messageIds, "waiting", "cancelled");
				break;
			case "inbox/moved":
				move(event, [event.messageId, event.before], "waiting", "waiting");
				break;
			case "step/end":
				for (const [id, place] of places) {
					if (place === "claimed")
						report(`step ${event.stepId} ends with message ${id} in no request and not released`);
				}
				break;
		}
	};
}

function onlyAnAnswerCompletes(report: Report): ReturnType<Rule> {
	let attempt: EventOf<"attempt/end"> | undefined;
	let attemptSeq = 0;
	/** Why the turn cannot be completed as it stands. */
	let obstacle = "it has no answer";

	function seeAccepted(event: EventOf<"assistant/accepted">, seq: number): void {
		const isOwn = attempt?.attemptId === event.attemptId;
		if (!isOwn || attempt?.outcome !== "accepted" || attemptSeq !== seq) {
			report(
				`message ${event.messageId} is not in one commit with the accepted end of attempt ${event.attemptId}`,
			);
		}
		if (event.calls.length > 0) obstacle = "its last message has calls";
		else if (attempt?.finish !== "stop")
			obstacle = `its last message ended by ${attempt?.finish ?? "nothing"}`;
		else obstacle = "";
	}

	return (event, commit) => {
		switch (event.type) {
			case "turn/start":
			case "step/start":
				obstacle = "it has no answer";
				break;
			case "attempt/end":
				attempt = event;
				attemptSeq = commit.seq;
				break;
			case "assistant/accepted":
				seeAccepted(event, commit.seq);
				break;
			case "completion/rejected":
				obstacle = `its answer was rejected (${event.reason})`;
				break;
			case "turn/end":
				if (event.status === "completed" && obstacle !== "") {
					report(`turn ${event.turnId} ended as completed, but ${obstacle}`);
				}
				break;
		}
	};
}

function usageCountsOnce(report: Report): ReturnType<Rule> {
	const ended = new Set<string>();
	return (event) => {
		if (event.type !== "attempt/end") return;
		if (ended.has(event.attemptId)) report(`the usage of attempt ${event.attemptId} is told twice`);
		if (event.outcome === "accepted" && !event.usage) report(`attempt ${event.attemptId} has no usage`);
		ended.add(event.attemptId);
	};
}

function recoveryContinuesOnce(report: Report): ReturnType<Rule> {
	const ends = new Map<string, string>();
	const continued = new Set<string>();
	let isOwed = false;
	return (event) => {
		if (event.type === "turn/end") ends.set(event.turnId, event.status);
		if (event.type === "turn/start") {
			if (event.source.kind === "recovery" && !isOwed)
				report(`turn ${event.turnId} continues an interrupted turn, but none waits`);
			isOwed = false;
		}
		if (event.type !== "recovery/continuation") return;
		const turnId = event.interruptedTurnId;
		if (ends.get(turnId) === "completed")
			report(`turn ${turnId} was completed and is continued all the same`);
		if (continued.has(turnId)) report(`turn ${turnId} is continued a second time`);
		continued.add(turnId);
		isOwed = true;
	};
}
