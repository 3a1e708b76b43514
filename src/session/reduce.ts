// The sole author of session state, with `reduceAttempts.ts` and `reduceCalls.ts` as its parts. Deterministic and total: an
// event it cannot place changes nothing, so that replaying a log always gives the same state. The state given in is used up;
// the one returned stands for it.

import { observeDocument, toldDocuments } from "./documents.ts";
import type { EventOf, SessionEvent } from "./events.ts";
import { placeBefore } from "./inbox.ts";
import { highestNumber, newestNumber } from "./made.ts";
import { withoutCheckpoint } from "./modelView.ts";
import { acceptMessage, endAttempt, prepareRequest } from "./reduceAttempts.ts";
import {
	changeCall,
	closeQuestion,
	endCall,
	forgetFailures,
	openCall,
	receiveAnswer,
	resolveApproval,
} from "./reduceCalls.ts";
import { emptyState, type SessionState } from "./state.ts";
import { addChanges, addImages, addRewind, finishRewind, openTurnEntry, setSeen } from "./timeline.ts";

/** Applies one event. Consumes `state`. */
export function reduce(state: SessionState, event: SessionEvent): SessionState {
	switch (event.type) {
		case "session/created":
			return createSession(state, event);
		case "session/forked":
			return state;
		case "session/renamed":
			state.title = event.title;
			return state;
		case "user/message":
			state.made.message = newestNumber(state.made.message, event.messageId);
			// A title is what a person asked for, never the output of a command.
			if (state.title === "" && event.origin !== "program") state.title = titleOf(event.text);
			state.inbox.push({
				messageId: event.messageId,
				text: event.text,
				...(event.attachments ? { attachments: event.attachments } : {}),
				origin: event.origin,
				target: "next_turn",
				wakeup: false,
			});
			return state;
		case "inbox/enqueued": {
			if (event.target === "question") return receiveAnswer(state, event);
			state.made.message = highestNumber(state.made.message, event.messageId);
			const message = state.inbox.find((m) => m.messageId === event.messageId);
			if (message) Object.assign(message, { target: event.target, wakeup: event.wakeup });
			return state;
		}
		case "inbox/included":
			return includeMessages(state, event.messageIds);
		case "inbox/released":
			return releaseMessages(state, event.messageIds);
		case "inbox/cancelled":
			state.inbox = state.inbox.filter((m) => !event.messageIds.includes(m.messageId));
			return state;
		case "inbox/moved":
			state.inbox = placeBefore(state.inbox, event.messageId, event.before);
			return state;
		case "turn/start":
			state.made.turn = newestNumber(state.made.turn, event.turnId);
			delete state.continuation;
			state.turn = {
				turnId: event.turnId,
				messageIds: event.source.kind === "inbox" ? event.source.messageIds : [],
				steps: 0,
				failures: [],
			};
			openTurnEntry(state, event.turnId, state.turn.messageIds);
			return state;
		case "turn/end":
			state.made.turn = highestNumber(state.made.turn, event.turnId);
			return endTurn(state, event);
		case "step/start":
			return startStep(state, event);
		case "step/end":
			state.made.step = highestNumber(state.made.step, event.stepId);
			if (state.turn) state.turn.lastStep = event.outcome;
			delete state.step;
			return state;
		case "request/prepared":
			return prepareRequest(state, event);
		case "attempt/start":
			state.made.attempt = newestNumber(state.made.attempt, event.attemptId);
			state.made.request = highestNumber(state.made.request, event.requestId);
			if (event.owner) {
				state.aside = { attemptId: event.attemptId, owner: event.owner };
				return state;
			}
			state.attempt = { attemptId: event.attemptId, stepId: event.stepId };
			if (state.step) state.step.attempts++;
			return state;
		case "attempt/end":
			return endAttempt(state, event);
		case "assistant/accepted":
			return acceptMessage(state, event);
		case "tool/call":
			return openCall(state, event);
		case "policy/decided":
			return changeCall(state, event.callId, (call) => {
				call.verdict = event.verdict;
			});
		case "approval/requested":
			state.made.approval = newestNumber(state.made.approval, event.approvalId);
			return changeCall(state, event.callId, (call) => {
				const { type: _, callId: __, ...approval } = event;
				call.approval = approval;
			});
		case "approval/resolved":
			state.made.approval = highestNumber(state.made.approval, event.approvalId);
			return resolveApproval(state, event);
		case "tool/start":
			return changeCall(state, event.callId, (call) => {
				call.started = {
					idempotencyKey: event.idempotencyKey,
					before: event.before ?? [],
					after: event.after ?? [],
					...(event.onlyReads ? { onlyReads: true } : {}),
				};
			});
		case "tool/result":
			return endCall(state, event);
		case "plan/replaced":
			state.plan = event.items;
			return state;
		case "mode/changed":
			if ((state.mode === "plan") !== (event.mode === "plan"))
				state.history.push({ kind: "modeChange", mode: event.mode });
			if (event.mode === "plan" && state.mode !== "plan") state.modeBeforePlan = state.mode;
			state.mode = event.mode;
			forgetFailures(state);
			return state;
		case "grant/added": {
			const { type: _, ...grant } = event;
			state.grants.push(grant);
			return state;
		}
		case "question/asked":
			state.made.question = newestNumber(state.made.question, event.questionId);
			return changeCall(state, event.callId, (call) => {
				call.question = { questionId: event.questionId, secret: event.secret };
			});
		case "question/answered":
			state.made.question = highestNumber(state.made.question, event.questionId);
			return closeQuestion(state, event);
		case "taint/set":
			if (!state.taint.includes(event.source)) state.taint.push(event.source);
			return state;
		case "document/observed": {
			const { type: _, ...document } = event;
			return observeDocument(state, document);
		}
		case "skill/loaded": {
			const { type: _, ...skill } = event;
			state.skills.push(skill);
			return state;
		}
		case "checkpoint/committed":
			return commitCheckpoint(state, event);
		case "checkpoint/undone":
			return undoCheckpoint(state, event);
		// Kept by id beside the history, so that a rewind, its redo and a checkpoint's undo leave them as they are.
		case "item/masked":
			state.viewVersion++;
			if (event.masked) state.masked.set(event.itemId, event.tokens);
			else state.masked.delete(event.itemId);
			return event.contextTokens === undefined
				? state
				: Object.assign(state, { contextTokens: event.contextTokens, contextEstimated: true });
		case "item/pinned":
			// A summary that was written before does not know of it.
			state.viewVersion++;
			if (event.pinned) state.pinned.add(event.itemId);
			else state.pinned.delete(event.itemId);
			return state;
		case "recovery/continuation":
			state.history.push({ kind: "recovery", notes: event.notes });
			state.continuation = { turnId: event.interruptedTurnId };
			return state;
		case "file/snapshotted":
			addImages(state, event);
			return state;
		case "file/changed":
			addChanges(state, event);
			return state;
		case "session/rewound":
			addRewind(state, event);
			state.viewVersion++;
			if (event.conversation) delete state.continuation;
			return state;
		case "rewind/finished":
			finishRewind(state, event);
			return state;
		case "artifact/created": {
			const { type: _, ...artifact } = event;
			state.artifacts.push(artifact);
			return state;
		}
		case "subagent/changed":
			return changeCall(state, event.callId, (call) => {
				call.childId = event.sessionId;
			});
		case "completion/rejected":
		case "memory/changed":
			return state;
		default: {
			const unknown: never = event;
			void unknown;
			return state;
		}
	}
}

/** The state after all of `events`, from the beginning. */
export function reduceAll(events: Iterable<SessionEvent>): SessionState {
	let state = emptyState();
	for (const event of events) state = reduce(state, event);
	return state;
}

function createSession(state: SessionState, event: EventOf<"session/created">): SessionState {
	state.sessionId = event.sessionId;
	state.cwd = event.cwd;
	state.projectId = event.projectId;
	state.startedOn = event.startedOn;
	state.mode = event.mode;
	if (event.parent) state.parent = event.parent;
	// A subagent has a task and prompt of its own: it is to report, not to plan.
	if (event.mode === "plan" && !event.parent) state.history.push({ kind: "modeChange", mode: "plan" });
	for (const message of event.seed ?? []) {
		state.made.message++;
		const messageId = `seed-${state.made.message}`;
		if (message.role === "user") state.history.push({ kind: "user", messageId, text: message.text });
		else if (message.role === "tool")
			state.history.push({
				kind: "tool",
				callId: message.id,
				providerId: message.id,
				name: message.name,
				status: "result",
				text: message.text,
			});
		else {
			const calls = message.calls.map((c) => ({
				callId: c.id,
				providerId: c.id,
				name: c.name,
				args: c.args,
			}));
			for (const call of calls) state.callIds.add(call.callId);
			state.history.push({
				kind: "assistant",
				messageId,
				text: message.text,
				reasoning: "",
				origin: "",
				calls,
			});
		}
	}
	return state;
}

function includeMessages(state: SessionState, messageIds: string[]): SessionState {
	forgetFailures(state);
	for (const id of messageIds) state.made.message = highestNumber(state.made.message, id);
	for (const message of state.inbox) {
		if (!messageIds.includes(message.messageId)) continue;
		const { messageId, text, attachments } = message;
		state.history.push({ kind: "user", messageId, text, ...(attachments ? { attachments } : {}) });
		for (const { stamp } of attachments ?? []) if (stamp) setSeen(state, stamp);
	}
	state.inbox = state.inbox.filter((m) => !messageIds.includes(m.messageId));
	return state;
}

/**
 * Messages that had a Turn but reached no request join whatever Step comes next: new input and they are answered
 * together. They wake no Turn by themselves, else one that a limit stops at once would start again for ever; a person
 * can send theirs.
 */
function releaseMessages(state: SessionState, messageIds: string[]): SessionState {
	for (const message of state.inbox) {
		if (!messageIds.includes(message.messageId)) continue;
		delete message.stepId;
		Object.assign(message, { target: "next_step", wakeup: false });
	}
	return state;
}

function startStep(state: SessionState, event: EventOf<"step/start">): SessionState {
	state.made.step = newestNumber(state.made.step, event.stepId);
	if (state.turn) state.turn.steps++;
	for (const message of state.inbox)
		if (event.claimed.includes(message.messageId)) message.stepId = event.stepId;
	state.step = {
		stepId: event.stepId,
		model: event.model,
		claimed: event.claimed,
		attempts: 0,
		checkpoints: 0,
		failures: 0,
		calls: [],
	};
	return state;
}

function commitCheckpoint(state: SessionState, event: EventOf<"checkpoint/committed">): SessionState {
	const { checkpointId, summary, upTo, kept } = event;
	state.made.checkpoint = newestNumber(state.made.checkpoint, checkpointId);
	state.viewVersion++;
	// A new prefix begins, so that changes of documents need no message of their own any more.
	state.documents = toldDocuments(state);
	state.history = [...state.history, { kind: "checkpoint", checkpointId, summary, upTo, kept }];
	state.contextTokens = event.tokensAfter;
	state.contextEstimated = true;
	const { step } = state;
	if (!step) return state;
	step.checkpoints++;
	if (step.lastFailure?.kind === "context_overflow") {
		delete step.lastFailure;
		step.failures = 0;
	}
	return state;
}

function undoCheckpoint(state: SessionState, event: EventOf<"checkpoint/undone">): SessionState {
	state.viewVersion++;
	state.history = withoutCheckpoint(state.history, event.checkpointId);
	if (event.tokens === undefined) return state;
	state.contextTokens = event.tokens;
	state.contextEstimated = true;
	return state;
}

function endTurn(state: SessionState, event: EventOf<"turn/end">): SessionState {
	const last = state.history.findLast((item) => item.kind === "assistant");
	state.lastTurn = {
		turnId: event.turnId,
		status: event.status,
		...(event.code ? { code: event.code } : {}),
		...(event.reason === undefined ? {} : { reason: event.reason }),
		answer: event.status === "completed" ? (last?.text ?? "") : "",
	};
	const unanswered = state.turn?.messageIds ?? [];
	delete state.turn;
	delete state.step;
	return releaseMessages(state, unanswered);
}

/** The first line of a message, shortened: a title without asking any model. */
export function titleOf(text: string): string {
	const line = text.trim().split("\n", 1)[0] ?? "";
	const letters = [...line];
	return letters.length > 60 ? `${letters.slice(0, 59).join("")}…` : line;
}
