// Invariants 3 to 6 over a log, as far as they speak of calls: every call ends once, nothing runs without its start,
// nothing starts without permission, an answer in the inbox reaches the call that asked.
// Used by `check.ts` alone; it reports and never stops.

import type { FileStamp } from "../types.ts";
import type { Commit, EventOf, SessionEvent } from "./events.ts";
import { isYes } from "./live.ts";
import { sameDigests } from "./state.ts";

type Report = (message: string) => void;

/** Invariant 3. Reports a call with two results, and one without any when a Step starts or its Turn ends. */
export function everyCallEndsOnce(report: Report): (event: SessionEvent) => void {
	const open = new Set<string>();
	const ended = new Set<string>();

	function mustBeClosed(moment: string): void {
		for (const callId of open) report(`call ${callId} has no result, and ${moment}`);
		open.clear();
	}

	return (event) => {
		switch (event.type) {
			case "assistant/accepted":
				for (const call of event.calls) open.add(call.callId);
				break;
			case "tool/call":
				if (!open.has(event.callId))
					report(`call ${event.callId} is in no accepted message, or has its result`);
				break;
			case "tool/start":
				if (ended.has(event.callId)) report(`call ${event.callId} starts after its result`);
				break;
			case "tool/result":
				if (ended.has(event.callId)) report(`call ${event.callId} has a second result`);
				open.delete(event.callId);
				ended.add(event.callId);
				break;
			case "step/start":
				mustBeClosed(`step ${event.stepId} starts`);
				break;
			case "turn/end":
				mustBeClosed(`turn ${event.turnId} ends`);
				break;
		}
	};
}

/** Invariant 4. Reports an effect without an earlier durable start, and a second start that its tool does not allow. */
export function noEffectWithoutStart(report: Report): (event: SessionEvent, commit: Commit) => void {
	const calls = new Map<string, EventOf<"tool/call">>();
	const starts = new Map<string, { seq: number; key: string; before: FileStamp[] }>();

	function seeStart({ callId, idempotencyKey, before = [] }: EventOf<"tool/start">, seq: number): void {
		const earlier = starts.get(callId);
		const call = calls.get(callId);
		starts.set(callId, { seq, key: idempotencyKey, before });
		if (!earlier || call?.recovery === "none") return;
		if (call?.recovery === "idempotent" && earlier.key === idempotencyKey) return;
		// Its files were found as the first start found them: it had not happened.
		if (call?.recovery === "reconcile" && sameDigests(earlier.before, before)) return;
		report(`call ${callId} starts twice, which its tool (${call?.recovery ?? "unknown"}) does not allow`);
	}

	function seeResult({ callId, status }: EventOf<"tool/result">, seq: number): void {
		if (calls.get(callId)?.effects !== "possible" || (status !== "result" && status !== "outcome_unknown"))
			return;
		const start = starts.get(callId);
		if (!start) report(`call ${callId} ended as ${status} without a tool/start`);
		// In one commit the start was not on the disk before the effect.
		else if (start.seq === seq) report(`call ${callId} has its start and its result in one commit`);
	}

	return (event, commit) => {
		if (event.type === "tool/call") calls.set(event.callId, event);
		if (event.type === "tool/start") seeStart(event, commit.seq);
		if (event.type === "tool/result") seeResult(event, commit.seq);
	};
}

/** Invariant 5. Reports a start that the last policy decision, or the person it asked, did not allow. */
export function noStartWithoutPermission(report: Report): (event: SessionEvent, commit: Commit) => void {
	const verdicts = new Map<string, "allow" | "ask" | "deny">();
	const asked = new Map<string, string>();
	const answers = new Map<string, EventOf<"approval/resolved">>();

	function seeStart(callId: string, at: string): void {
		const verdict = verdicts.get(callId);
		if (verdict === undefined) report(`call ${callId} starts without a policy decision`);
		if (verdict === "deny") report(`call ${callId} starts although the policy denies it`);
		if (verdict !== "ask") return;
		const answer = answers.get(callId);
		if (!answer || !isYes(answer.answer)) {
			report(`call ${callId} starts without the approval it needs`);
		} else if (answer.expiresAt !== undefined && at > answer.expiresAt) {
			report(`call ${callId} starts after its approval ${answer.approvalId} expired`);
		}
	}

	return (event, commit) => {
		switch (event.type) {
			case "policy/decided":
				verdicts.set(event.callId, event.verdict);
				break;
			case "approval/requested":
				asked.set(event.approvalId, event.callId);
				break;
			case "approval/resolved":
				if (asked.get(event.approvalId) === event.callId) answers.set(event.callId, event);
				else report(`approval ${event.approvalId} was not asked for call ${event.callId}`);
				break;
			case "tool/start":
				seeStart(event.callId, commit.at);
				break;
		}
	};
}

/** Invariant 6, of answers. Reports one to no open question, a second one, and one that its call ended without. */
export function answersReachTheirCall(report: Report): (event: SessionEvent) => void {
	/** The open questions by id. */
	const open = new Map<string, { callId: string; answer?: string }>();

	function seeAnswer(questionId: string, answer: string): void {
		const question = open.get(questionId);
		if (!question) report(`an answer in the inbox is to question ${questionId}, which is not open`);
		else if (question.answer !== undefined) report(`question ${questionId} has a second answer in the inbox`);
		else question.answer = answer;
	}

	function seeTaken({ questionId, answer, by }: EventOf<"question/answered">): void {
		const waiting = open.get(questionId)?.answer;
		if (waiting !== undefined && (by !== "person" || answer !== waiting))
			report(`question ${questionId} ended otherwise than by its answer in the inbox`);
		open.delete(questionId);
	}

	function seeEnd(callId: string): void {
		for (const [questionId, question] of open) {
			if (question.callId !== callId) continue;
			if (question.answer !== undefined)
				report(`call ${callId} ended without the answer in the inbox to question ${questionId}`);
			open.delete(questionId);
		}
	}

	return (event) => {
		switch (event.type) {
			case "question/asked":
				// A call has one open question: what it asks anew stands for what it asked before.
				seeEnd(event.callId);
				open.set(event.questionId, { callId: event.callId });
				break;
			case "inbox/enqueued":
				if (event.target === "question") seeAnswer(event.questionId, event.answer);
				break;
			case "question/answered":
				seeTaken(event);
				break;
			case "tool/result":
				seeEnd(event.callId);
				break;
		}
	};
}
