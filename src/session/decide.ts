// Turns a command into the events that carry it out, or refuses it. Pure: the same state and command give the same
// events, ids included. This is where the invariants are kept; `check.ts` proves them over a finished log.

import { type Command, type Refusal, refuse } from "./commands.ts";
import { acceptReply, answerQuestion, attemptEnd, endCall, startCall, withOpenCall } from "./decideCalls.ts";
import type { EventOf, SessionEvent } from "./events.ts";
import { moveInput, takeAnswer } from "./inbox.ts";
import { checkpointOf, isSafeCut, itemOf } from "./modelView.ts";
import { sendableMessages, wakingMessages } from "./next.ts";
import type { SessionState } from "./state.ts";
import { contextOf, redoable, turnEntry, unfinishedRewind } from "./timeline.ts";

/** The events of `command` in `state`, or why it is refused. */
export function decide(state: SessionState, command: Command): SessionEvent[] | Refusal {
	if ((state.sessionId === "") !== (command.do === "createSession"))
		return refuse(`the session ${state.sessionId === "" ? "does not exist yet" : "exists already"}`);
	switch (command.do) {
		case "createSession":
			return [created(command)];
		case "renameSession":
			return command.title.trim() === ""
				? refuse("a title needs at least one letter")
				: [{ type: "session/renamed", title: command.title.trim() }];
		case "submitInput":
			return submitInput(state, command);
		case "cancelInput":
			return cancelInput(state, command.messageIds);
		case "moveInput":
			return moveInput(state, command.messageId, command.by);
		case "startTurn":
			return startTurn(state);
		case "startStep":
			return startStep(state, command);
		case "startAttempt":
			return startAttempt(state, command);
		case "startAside":
			return startAside(state, command);
		case "endAside": {
			// Another request beside the steps may have ended it meanwhile.
			if (state.aside?.attemptId !== command.attemptId) return [];
			const { attemptId, owner } = state.aside;
			return [{ ...attemptEnd(attemptId, command.outcome, command.attempt), owner }];
		}
		case "commitCheckpoint":
			return commitCheckpoint(state, command);
		case "undoCheckpoint": {
			const last = checkpointOf(state.history);
			if (!last) return refuse("there is no checkpoint to take back");
			if (state.turn) return refuse("a turn is open");
			const { do: _, ...facts } = command;
			return [{ type: "checkpoint/undone", checkpointId: last.checkpointId, ...facts }];
		}
		case "maskItem":
			return maskItem(state, command);
		case "pinItem": {
			const { do: _, ...facts } = command;
			if (state.pinned.has(facts.itemId) === facts.pinned) return [];
			return itemOf(state.history, facts.itemId)
				? [{ type: "item/pinned", ...facts }]
				: refuse(`there is no item ${facts.itemId} in the conversation`);
		}
		case "acceptReply":
			return acceptReply(state, command.attempt, command.calls);
		case "endAttempt":
			return state.attempt
				? [attemptEnd(state.attempt.attemptId, command.outcome, command.attempt)]
				: refuse("no attempt is open");
		case "decidePolicy":
			return withOpenCall(state, command.callId, () => {
				const { do: _, ...facts } = command;
				return [{ type: "policy/decided", ...facts }];
			});
		case "requestApproval":
			return withOpenCall(state, command.callId, (call) => {
				if (call.verdict !== "ask") return refuse("the policy did not ask");
				const { do: _, ...facts } = command;
				return [{ type: "approval/requested", approvalId: `approval-${state.made.approval + 1}`, ...facts }];
			});
		case "resolveApproval":
			return withOpenCall(state, command.callId, (call) => {
				if (!call.approval || call.approval.answer) return refuse("no approval is pending for this call");
				const { do: _, ...facts } = command;
				return [{ type: "approval/resolved", approvalId: call.approval.approvalId, ...facts }];
			});
		case "grantCall": {
			const { do: _, ...facts } = command;
			return [{ type: "grant/added", ...facts }];
		}
		case "setTaint":
			return state.taint.includes(command.source) ? [] : [{ type: "taint/set", source: command.source }];
		case "startCall":
			return withOpenCall(state, command.callId, (call) => startCall(state, call, command));
		case "endCall":
			return withOpenCall(state, command.callId, (call) => endCall(state, call, command));
		case "replacePlan":
			return [{ type: "plan/replaced", items: command.items }];
		case "changeMode":
			return command.mode === state.mode
				? []
				: [{ type: "mode/changed", mode: command.mode, by: command.by }];
		case "recordSkill":
			return [{ type: "skill/loaded", ...command.skill }];
		case "observeDocument":
			return [{ type: "document/observed", ...command.document }];
		case "recordMemory":
			return [{ type: "memory/changed", ...command.change }];
		case "endStep":
			return endStep(state, command.outcome);
		case "endTurn":
			return endTurn(state, command);
		case "recordSubagent":
			return withOpenCall(state, command.change.callId, () => [
				{ type: "subagent/changed", ...command.change },
			]);
		case "keepImages": {
			const { do: _, ...facts } = command;
			return state.turn
				? [{ type: "file/snapshotted", turnId: state.turn.turnId, ...facts }]
				: refuse("no turn is open");
		}
		case "recordChanges": {
			const { do: _, ...facts } = command;
			return turnEntry(state, command.turnId)
				? [{ type: "file/changed", ...facts }]
				: refuse(`there was no turn ${command.turnId}`);
		}
		case "rewind":
			return rewind(state, command);
		case "redo":
			return redo(state, command.changes);
		case "finishRewind": {
			const { do: _, ...facts } = command;
			return unfinishedRewind(state)?.rewindId === command.rewindId
				? [{ type: "rewind/finished", ...facts }]
				: refuse("no such rewind is under way");
		}
		case "askQuestion":
			return withOpenCall(state, command.callId, (call) => {
				const { do: _, ...facts } = command;
				const questionId = `question-${state.made.question + 1}`;
				return [...takeAnswer(call), { type: "question/asked", questionId, ...facts }];
			});
		case "answerQuestion":
			return withOpenCall(state, command.callId, (call) => answerQuestion(call, command));
		default: {
			const unknown: never = command;
			return refuse(`unknown command ${JSON.stringify(unknown)}`);
		}
	}
}

/** Whether `decide` refused. */
export function isRefusal(decision: SessionEvent[] | Refusal): decision is Refusal {
	return !Array.isArray(decision);
}

type Of<D extends Command["do"]> = Extract<Command, { do: D }>;

function created(command: Of<"createSession">): SessionEvent {
	const { do: _, ...facts } = command;
	return { type: "session/created", ...facts };
}

function submitInput(state: SessionState, command: Of<"submitInput">): SessionEvent[] | Refusal {
	if (command.text.trim() === "") return refuse("the message is empty");
	const messageId = `message-${state.made.message + 1}`;
	const { attachments = [] } = command;
	return [
		{
			type: "user/message",
			messageId,
			text: command.text,
			origin: command.origin,
			...(attachments.length > 0 ? { attachments } : {}),
		},
		{ type: "inbox/enqueued", messageId, target: command.target, wakeup: command.wakeup },
	];
}

function cancelInput(state: SessionState, messageIds: string[]): SessionEvent[] | Refusal {
	const waiting = state.inbox
		.filter((m) => messageIds.includes(m.messageId) && !m.stepId)
		.map((m) => m.messageId);
	return waiting.length === 0
		? refuse("no such message is waiting")
		: [{ type: "inbox/cancelled", messageIds: waiting }];
}

function startTurn(state: SessionState): SessionEvent[] | Refusal {
	if (state.turn) return refuse("a turn is open");
	// The work that an interrupted turn left takes along what that turn gave back.
	const waiting = state.continuation ? wakingMessages(state) : sendableMessages(state);
	// What was said to a turn that ended early goes before what was to come after that turn.
	const message = waiting.find((m) => m.target === "next_step") ?? waiting[0];
	if (!message && !state.continuation) return refuse("nothing waits");
	return [
		{
			type: "turn/start",
			turnId: `turn-${state.made.turn + 1}`,
			source: message ? { kind: "inbox", messageIds: [message.messageId] } : { kind: "recovery" },
		},
	];
}

function startStep(state: SessionState, command: Of<"startStep">): SessionEvent[] | Refusal {
	if (!state.turn) return refuse("no turn is open");
	if (state.step) return refuse("a step is open");
	const turnMessages = state.turn.messageIds;
	const claimed = state.inbox
		.filter((m) => !m.stepId && (m.target === "next_step" || turnMessages.includes(m.messageId)))
		.map((m) => m.messageId);
	return [
		{
			type: "step/start",
			stepId: `step-${state.made.step + 1}`,
			turnId: state.turn.turnId,
			model: command.model,
			claimed,
		},
	];
}

function startAttempt(state: SessionState, command: Of<"startAttempt">): SessionEvent[] | Refusal {
	const step = state.step;
	if (!step) return refuse("no step is open");
	if (state.attempt) return refuse("an attempt is open");
	if (step.messageId) return refuse("the step has its message");
	const requestId = `request-${state.made.request + 1}`;
	const { do: _, backoffMs, ...prepared } = command;
	const waiting = step.claimed.filter((id) => state.inbox.some((m) => m.messageId === id));
	const included: SessionEvent[] =
		waiting.length === 0 ? [] : [{ type: "inbox/included", messageIds: waiting, stepId: step.stepId }];
	return [
		{ type: "request/prepared", requestId, stepId: step.stepId, ...prepared },
		...included,
		{
			type: "attempt/start",
			attemptId: `attempt-${state.made.attempt + 1}`,
			stepId: step.stepId,
			requestId,
			...(backoffMs === undefined ? {} : { backoffMs }),
		},
	];
}

function startAside(state: SessionState, command: Of<"startAside">): SessionEvent[] {
	const requestId = `request-${state.made.request + 1}`;
	const { do: _, kind, ...prepared } = command;
	const id = kind === "memory" ? `memory-${state.made.turn}` : `checkpoint-${state.made.checkpoint + 1}`;
	const owner = { kind, id };
	const nothing = { text: "", reasoning: "", calls: [], durationMs: 0 };
	const left: SessionEvent[] = state.aside
		? [{ ...attemptEnd(state.aside.attemptId, "interrupted", nothing), owner: state.aside.owner }]
		: [];
	return [
		...left,
		{ type: "request/prepared", requestId, stepId: "", owner, ...prepared },
		{ type: "attempt/start", attemptId: `attempt-${state.made.attempt + 1}`, stepId: "", owner, requestId },
	];
}

function commitCheckpoint(state: SessionState, command: Of<"commitCheckpoint">): SessionEvent[] | Refusal {
	const { do: _, version, ...facts } = command;
	if (version !== state.viewVersion)
		return refuse("the conversation was changed since that summary was made");
	if (facts.summary.trim() === "") return refuse("the summary is empty");
	if (facts.tokensAfter >= facts.tokensBefore) return refuse("that checkpoint would save nothing");
	if (!isSafeCut(state.history, facts.upTo))
		return refuse("that checkpoint would part a call from its result");
	return [
		{ type: "checkpoint/committed", checkpointId: `checkpoint-${state.made.checkpoint + 1}`, ...facts },
	];
}

function maskItem(state: SessionState, command: Of<"maskItem">): SessionEvent[] | Refusal {
	const { do: _, ...facts } = command;
	const item = itemOf(state.history, facts.itemId);
	if (state.masked.has(facts.itemId) === facts.masked) return [];
	if (!item) return refuse(`there is no item ${facts.itemId} in the conversation`);
	if (item.text.trim() === "") return refuse("it has no text of its own, only calls; mask their results");
	return [{ type: "item/masked", ...facts }];
}

function endStep(state: SessionState, outcome: EventOf<"step/end">["outcome"]): SessionEvent[] | Refusal {
	if (!state.step) return refuse("no step is open");
	if (state.attempt) return refuse("an attempt is open");
	const { stepId, messageId, calls } = state.step;
	if (calls.some((c) => !c.status)) return refuse("a call of this step has no end yet");
	const accepted = messageId === undefined ? undefined : calls.length > 0 ? "tools" : "answer";
	if ((outcome === "answer" || outcome === "tools") && outcome !== accepted)
		return refuse(`this step has no accepted ${outcome === "answer" ? "answer" : "calls"}`);
	const waiting = state.inbox.filter((m) => m.stepId === stepId).map((m) => m.messageId);
	const released: SessionEvent[] =
		waiting.length === 0 ? [] : [{ type: "inbox/released", messageIds: waiting, stepId }];
	return [...released, { type: "step/end", stepId, outcome }];
}

function endTurn(state: SessionState, command: Of<"endTurn">): SessionEvent[] | Refusal {
	if (!state.turn) return refuse("no turn is open");
	if (state.step) return refuse("a step is open");
	if (command.status === "completed" && state.turn.lastStep !== "answer")
		return refuse("a turn is completed only by an answer");
	const { do: _, ...facts } = command;
	return [{ type: "turn/end", turnId: state.turn.turnId, ...facts }];
}

function rewind(state: SessionState, command: Of<"rewind">): SessionEvent[] | Refusal {
	const { do: _, ...facts } = command;
	const turn = turnEntry(state, command.toTurnId);
	if (state.turn) return refuse("a turn is open");
	if (!turn) return refuse(`there was no turn ${command.toTurnId}`);
	if (command.conversation && !turn.inConversation)
		return refuse(`turn ${command.toTurnId} is no longer part of the conversation`);
	const from = state.timeline.indexOf(turn);
	const said = state.timeline.slice(from).flatMap((entry) => (entry.kind === "turn" ? entry.messageIds : []));
	// What was taken back must not come up again with the next request.
	const waiting = state.inbox.map((m) => m.messageId).filter((id) => said.includes(id));
	const cancelled: SessionEvent[] =
		command.conversation && waiting.length > 0 ? [{ type: "inbox/cancelled", messageIds: waiting }] : [];
	const rewindId = `rewind-${state.made.rewind + 1}`;
	const context = command.conversation ? contextOf(turn) : {};
	return [
		...cancelled,
		{ type: "session/rewound", rewindId, ...facts, ...context, ...filesOf(command.changes) },
	];
}

function redo(state: SessionState, changes: string): SessionEvent[] | Refusal {
	const last = redoable(state);
	if (state.turn) return refuse("a turn is open");
	if (!last) return refuse("there is no rewind to take back");
	return [
		{
			type: "session/rewound",
			rewindId: `rewind-${state.made.rewind + 1}`,
			toTurnId: last.toTurnId,
			changes,
			conversation: last.cut !== undefined,
			...(last.cut ? contextOf(last.cut) : {}),
			undoes: last.rewindId,
			...filesOf(changes),
		},
	];
}

/** A rewind that changes no file is done with its own fact. */
function filesOf(changes: string): { filesFollow?: true } {
	return changes === "" ? {} : { filesFollow: true };
}
