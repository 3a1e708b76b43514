// Random sessions: whatever is asked of the rules, in whatever order, the log stays whole, replays to the same state, and
// can be settled at any point into one whose next request every strict server takes.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { assemble } from "../../src/agent/context/assemble.ts";
import { type CompactionPlan, planCompaction } from "../../src/agent/context/planCompaction.ts";
import { checkLog } from "../../src/session/check.ts";
import type { CallRecord, Command } from "../../src/session/commands.ts";
import { copyState } from "../../src/session/copyState.ts";
import { decide, isRefusal } from "../../src/session/decide.ts";
import { cutAfterStep, forkPoints, settleCut } from "../../src/session/fork.ts";
import { itemIdOf, itemOf, viewEntries } from "../../src/session/modelView.ts";
import { next } from "../../src/session/next.ts";
import { reduce, reduceAll } from "../../src/session/reduce.ts";
import { settleInterrupted } from "../../src/session/settle.ts";
import {
	CREATE,
	createSteps,
	decided,
	endCall,
	readCall,
	record,
	requestApproval,
	resolveApproval,
	type SessionSteps,
	START_ATTEMPT,
	START_STEP,
	START_TURN,
	startCall,
	submit,
	writeCall,
} from "../support/sessionSteps.ts";
import { brokenRules } from "../support/strictRules.ts";
import { toWire } from "../support/wireMessages.ts";

/** Few ids, so that random commands often meet an open call. */
const callId = fc.constantFrom("a", "a~2", "b", "b~2", "call");
const finish = fc.constantFrom("stop", "tool_calls", "length", "refusal", "error") as fc.Arbitrary<
	"stop" | "tool_calls" | "length" | "refusal" | "error"
>;
const call: fc.Arbitrary<CallRecord> = fc
	.tuple(fc.constantFrom(readCall, writeCall), fc.constantFrom("a", "b", ""))
	.map(([make, id]) => make(id));
const text = fc.constantFrom("", " ", "hello", "more");
const failure = { kind: "network", message: "m", retryable: true } as const;

const itemId = fc.constantFrom("a", "a~2", "b", "message-1", "message-2", "message-3", "message-4");
const pinItem = (id: string, pinned: boolean): Command => ({
	do: "pinItem",
	itemId: id,
	pinned,
	by: "person",
});

const command: fc.Arbitrary<Command> = fc.oneof(
	fc
		.tuple(text, fc.constantFrom("next_step", "next_turn"), fc.boolean())
		.map(([words, target, wakeup]) => submit(words, target as "next_step", wakeup)),
	fc.constantFrom(START_TURN, START_STEP, START_ATTEMPT, CREATE),
	fc.tuple(text, finish, fc.array(call, { maxLength: 3 })).map(
		([words, end, calls]): Command => ({
			do: "acceptReply",
			attempt: record({ text: words, finish: end }),
			calls,
		}),
	),
	fc.tuple(fc.constantFrom("rejected", "failed", "cancelled"), text, finish).map(
		([outcome, words, end]): Command => ({
			do: "endAttempt",
			outcome: outcome as "rejected",
			attempt: record({ text: words, ...(outcome === "failed" ? { failure } : { finish: end }) }),
		}),
	),
	fc.tuple(callId, fc.constantFrom("allow", "ask", "deny")).map(([id, v]) => decided(id, v as "allow")),
	callId.map(requestApproval),
	fc
		.tuple(callId, fc.constantFrom("yes", "no", "cancelled"), fc.option(text, { nil: undefined }))
		.map(([id, answer, words]) => resolveApproval(id, answer as "yes", words)),
	callId.map(startCall),
	fc
		.tuple(callId, fc.constantFrom("result", "error", "denied", "cancelled", "outcome_unknown"))
		.map(([id, status]) => endCall(id, status as "result")),
	fc.tuple(callId, fc.constantFrom("started", "completed")).map(
		([id, status]): Command => ({
			do: "recordSubagent",
			change: { callId: id, agent: "reviewer", sessionId: "x", status: status as "started" },
		}),
	),
	callId.map((id): Command => ({ do: "askQuestion", callId: id, question: "q", options: [], secret: false })),
	fc
		.tuple(callId, fc.constantFrom("question-1", "question-2"), fc.constantFrom("person", "person", "agi"))
		.map(
			([id, questionId, by]): Command => ({
				do: "answerQuestion",
				questionId,
				callId: id,
				answer: "a",
				by: by as "person",
			}),
		),
	fc
		.constantFrom("default", "plan")
		.map((mode): Command => ({ do: "changeMode", mode: mode as "plan", by: "person" })),
	fc
		.array(fc.constantFrom("message-1", "message-2", "message-9"), { maxLength: 3 })
		.map((messageIds): Command => ({ do: "cancelInput", messageIds })),
	fc
		.tuple(fc.constantFrom("message-1", "message-2", "message-3"), fc.constantFrom(-1, 1))
		.map(([messageId, by]): Command => ({ do: "moveInput", messageId, by: by as 1 })),
	fc
		.tuple(itemId, fc.boolean())
		.map(([id, masked]): Command => ({ do: "maskItem", itemId: id, masked, tokens: 3, by: "person" })),
	fc.tuple(itemId, fc.boolean()).map(([id, pinned]) => pinItem(id, pinned)),
	fc
		.constantFrom("answer", "tools", "failed", "cancelled")
		.map((outcome): Command => ({ do: "endStep", outcome: outcome as "answer" })),
	fc
		.constantFrom("completed", "failed", "cancelled")
		.map((status): Command => ({ do: "endTurn", status: status as "failed" })),
);

/** What the loop would do now, with chance where the world has its say; undefined where it would rest. */
function owed(steps: SessionSteps, chance: number): Command | undefined {
	const action = next(steps.state);
	switch (action.do) {
		case "rest":
			return submit(`message ${chance}`, chance % 2 === 0 ? "next_turn" : "next_step");
		case "startTurn":
			return START_TURN;
		case "startStep":
			return START_STEP;
		case "ask":
			return steps.state.attempt ? replyOf(chance) : START_ATTEMPT;
		case "runCalls":
			return workOn(steps, action.callIds[0] ?? "", chance);
		case "endStep":
			return { do: "endStep", outcome: action.outcome };
		case "endTurn":
			return action.end === "completed"
				? { do: "endTurn", status: "completed" }
				: { do: "endTurn", status: "failed" };
	}
}

function replyOf(chance: number): Command {
	const calls = [[], [readCall("a")], [writeCall("a"), readCall("a")], [readCall("")]][chance % 4] ?? [];
	const isCut = chance % 7 === 0;
	const attempt = record({ text: "hello", reasoning: chance % 2 === 0 ? "hm" : "" });
	if (isCut) return { do: "endAttempt", outcome: "rejected", attempt: { ...attempt, finish: "length" } };
	return {
		do: "acceptReply",
		attempt: { ...attempt, finish: calls.length > 0 ? "tool_calls" : "stop" },
		calls,
	};
}

function workOn(steps: SessionSteps, id: string, chance: number): Command {
	const open = steps.state.step?.calls.find((candidate) => candidate.callId === id);
	if (open?.started) return open.question || chance % 3 > 0 ? endCall(id) : askOrAnswer(steps, id, chance);
	if (!open?.verdict) return decided(id, chance % 3 === 0 ? "ask" : "allow");
	if (open.verdict === "allow") return startCall(id);
	if (open.verdict === "deny") return endCall(id, "denied");
	if (!open.approval) return requestApproval(id);
	if (!open.approval.answer) return resolveApproval(id, chance % 2 === 0 ? "yes" : "no", "w");
	return open.approval.answer === "yes" ? startCall(id) : endCall(id, "denied");
}

/** A question of a started call; at times its answer comes right with it, as a client's would. */
function askOrAnswer(steps: SessionSteps, id: string, chance: number): Command {
	const ask: Command = {
		do: "askQuestion",
		callId: id,
		question: "q",
		options: [],
		secret: chance % 2 === 0,
	};
	if (chance % 4 === 0) return ask;
	steps.perform(ask);
	const questionId = `question-${steps.state.made.question}`;
	return { do: "answerQuestion", questionId, callId: id, answer: "a", by: "person" };
}

function checkpoint({ state }: SessionSteps, { upTo, kept }: CompactionPlan): Command {
	const tokens = { tokensBefore: 9, tokensAfter: 1 };
	return {
		do: "commitCheckpoint",
		version: state.viewVersion,
		cause: "person",
		upTo,
		kept,
		summary: "s",
		...tokens,
	};
}

/** A session after a random mix of what the loop would do and of commands out of the blue. */
const session: fc.Arbitrary<SessionSteps> = fc
	.array(
		fc.tuple(
			fc.nat(1000),
			fc.oneof({ weight: 7, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: command }),
		),
		{ maxLength: 80, size: "max" },
	)
	.map((moves) => {
		const steps = createSteps();
		steps.perform(CREATE);
		for (const [chance, wild] of moves) {
			const wanted = wild ?? owed(steps, chance);
			if (wanted) steps.perform(wanted);
		}
		return steps;
	});

describe("any session", () => {
	it("of this generator often gets as far as a result and an answer", () => {
		const types = fc
			.sample(session, { numRuns: 100, seed: 1 })
			.flatMap(({ commits }) => commits.flatMap((commit) => commit.events.map((event) => event.type)));
		for (const type of ["tool/result", "turn/end", "approval/resolved"] as const)
			expect(types.filter((found) => found === type).length).toBeGreaterThan(30);
	});

	it("gives each answer in the inbox to its call, and none to a request", () => {
		let answers = 0;
		fc.assert(
			fc.property(session, ({ commits, state }) => {
				const events = commits.flatMap((commit) => commit.events);
				const enqueued = events.flatMap((event) =>
					event.type === "inbox/enqueued" && event.target === "question" ? [event.questionId] : [],
				);
				const taken = events.flatMap((event) =>
					event.type === "question/answered" && event.by === "person" ? [event.questionId] : [],
				);
				const waiting = (state.step?.calls ?? []).flatMap(({ question }) =>
					question?.answer === undefined ? [] : [question.questionId],
				);
				expect([...taken, ...waiting].toSorted()).toEqual(enqueued.toSorted());
				answers += enqueued.length;
			}),
			{ numRuns: 200 },
		);
		expect(answers).toBeGreaterThan(20);
	});

	it("has a log without a violation", () => {
		fc.assert(
			fc.property(session, ({ commits }) => {
				expect(checkLog(commits)).toEqual([]);
			}),
			{ numRuns: 300 },
		);
	});

	it("replays to the state it has", () => {
		fc.assert(
			fc.property(session, ({ commits, state }) => {
				const stored = JSON.parse(JSON.stringify(commits)) as typeof commits;
				expect(reduceAll(stored.flatMap((commit) => commit.events))).toEqual(state);
			}),
			{ numRuns: 200 },
		);
	});

	it("lets any command be tried on a copy of its state, which leaves the state as it is", () => {
		fc.assert(
			fc.property(session, command, ({ state }, tried) => {
				const before = structuredClone(state);
				const events = decide(state, tried);
				const copy = copyState(state);
				const after = isRefusal(events) ? copy : events.reduce(reduce, copy);
				expect(state).toEqual(before);
				expect(after).toEqual(isRefusal(events) ? before : events.reduce(reduce, before));
			}),
			{ numRuns: 500 },
		);
	});

	it("can be settled after any commit, once, into a log without a violation", () => {
		fc.assert(
			fc.property(session, fc.nat(), ({ commits }, at) => {
				const kept = commits.slice(0, 1 + (at % commits.length));
				const steps = createSteps();
				for (const commit of kept) steps.append(commit.events);
				steps.append(settleInterrupted(steps.state));
				expect(checkLog(steps.commits)).toEqual([]);
				expect(settleInterrupted(steps.state)).toEqual([]);
				expect([steps.state.turn, steps.state.step, steps.state.attempt]).toEqual([
					undefined,
					undefined,
					undefined,
				]);
			}),
			{ numRuns: 200 },
		);
	});

	it("asks with a request that strict servers take, after any settlement and new input", () => {
		fc.assert(
			fc.property(session, fc.nat(), ({ commits }, at) => {
				const steps = createSteps();
				for (const commit of commits.slice(0, 1 + (at % commits.length))) steps.append(commit.events);
				steps.append(settleInterrupted(steps.state));
				for (const move of [submit("go on"), START_TURN, START_STEP]) steps.perform(move);
				const { messages } = assemble(steps.state, { system: "s", tools: [] });
				expect(brokenRules(toWire("s", messages))).toEqual([]);
			}),
			{ numRuns: 200 },
		);
	});

	it("can be copied up to each of its closed steps: the log is whole, ends with it and goes on", () => {
		fc.assert(
			fc.property(session, ({ commits, state }) => {
				const ended = commits.flatMap(({ events }) =>
					events.flatMap((event) => (event.type === "step/end" ? [event.stepId] : [])),
				);
				expect(forkPoints(commits, state.timeline).map(({ stepId }) => stepId)).toEqual(ended);
				for (const stepId of ended) {
					const steps = createSteps();
					for (const commit of cutAfterStep(commits, stepId) ?? []) steps.append(commit.events);
					const told = steps.state.history.length;
					steps.append(settleCut(steps.state));
					expect(checkLog(steps.commits)).toEqual([]);
					expect(steps.state.history).toHaveLength(told);
					expect(next(steps.state)).toEqual({ do: "rest" });
					for (const move of [submit("go on"), START_TURN, START_STEP]) steps.perform(move);
					const { messages } = assemble(steps.state, { system: "s", tools: [] });
					expect(brokenRules(toWire("s", messages))).toEqual([]);
				}
			}),
			{ numRuns: 200 },
		);
	});

	it("asks so after a checkpoint as well, with everything that is pinned word for word", () => {
		const room = fc.record({ tail: fc.nat(60), unread: fc.nat(60) });
		const pins = fc.array(itemId, { maxLength: 3 });
		fc.assert(
			fc.property(
				session,
				pins,
				fc.array(room, { minLength: 1, maxLength: 3 }),
				({ commits }, ids, rooms) => {
					const steps = createSteps();
					for (const commit of commits) steps.append(commit.events);
					steps.append(settleInterrupted(steps.state));
					for (const id of ids) steps.perform(pinItem(id, true));
					for (const one of rooms) {
						const plan = planCompaction(steps.state, one, () => 10);
						if (plan) expect(steps.perform(checkpoint(steps, plan))).toBeInstanceOf(Array);
					}
					for (const move of [submit("go on"), START_TURN, START_STEP]) steps.perform(move);
					const { messages } = assemble(steps.state, { system: "s", tools: [] });
					expect(brokenRules(toWire("s", messages))).toEqual([]);
					const seen = viewEntries(steps.state.history).map(({ item }) => itemIdOf(item));
					const pinned = [...steps.state.pinned].filter((id) => itemOf(steps.state.history, id));
					expect(pinned.filter((id) => !seen.includes(id))).toEqual([]);
					expect(checkLog(steps.commits)).toEqual([]);
				},
			),
			{ numRuns: 200 },
		);
	});

	it("is carried to rest by the loop's own actions", () => {
		fc.assert(
			fc.property(session, ({ commits }) => {
				const steps = createSteps();
				for (const commit of commits) steps.append(commit.events);
				for (let move = 0; move < 200 && next(steps.state).do !== "rest"; move++) {
					const wanted = owed(steps, 4);
					const done = wanted && steps.perform(wanted);
					if (typeof done === "string") throw new Error(`${wanted?.do}: ${done}`);
				}
				expect(next(steps.state)).toEqual({ do: "rest" });
			}),
			{ numRuns: 200 },
		);
	});
});
