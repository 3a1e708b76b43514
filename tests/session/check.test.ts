import { describe, expect, it } from "vitest";
import { checkLog, type Violation } from "../../src/session/check.ts";
import type { Commit, EventOf, SessionEvent, SessionEventType } from "../../src/session/events.ts";

const model = { model: "m", profile: "custom", baseUrl: "http://127.0.0.1", contextWindow: 1000 };
const usage = { inputTokens: 1, outputTokens: 1, cachedInputTokens: 0, reasoningTokens: 0 };

const created: SessionEvent = {
	type: "session/created",
	sessionId: "s",
	cwd: "/w",
	projectId: "p",
	agiVersion: "1",
	startedOn: "2026-11-29",
	mode: "default",
};

function input(messageId: string): SessionEvent[] {
	return [
		{ type: "user/message", messageId, text: "hi", origin: "person" },
		{ type: "inbox/enqueued", messageId, target: "next_turn", wakeup: true },
	];
}

function turnStart(turnId: string, messageIds: string[]): SessionEvent {
	return { type: "turn/start", turnId, source: { kind: "inbox", messageIds } };
}

/** The beginning of a step up to its open attempt, which has the step's number. */
function ask(n: number, turnId: string, claimed: string[] = []): SessionEvent[] {
	const stepId = `step-${n}`;
	const included: SessionEvent[] =
		claimed.length > 0 ? [{ type: "inbox/included", messageIds: claimed, stepId }] : [];
	return [
		{ type: "step/start", stepId, turnId, model, claimed },
		{
			type: "request/prepared",
			requestId: `request-${n}`,
			stepId,
			digest: "",
			bytes: 0,
			delta: { prefix: 0, suffix: 0, middle: "" },
			contributions: [],
		},
		...included,
		{ type: "attempt/start", attemptId: `attempt-${n}`, stepId, requestId: `request-${n}` },
	];
}

/** The accepted end of attempt `n` and its calls. */
function accept(n: number, callIds: string[] = []): SessionEvent[] {
	const attemptId = `attempt-${n}`;
	return [
		{
			type: "attempt/end",
			attemptId,
			outcome: "accepted",
			text: "",
			reasoning: "",
			calls: [],
			finish: callIds.length > 0 ? "tool_calls" : "stop",
			usage,
			durationMs: 1,
		},
		{
			type: "assistant/accepted",
			messageId: `answer-${n}`,
			attemptId,
			calls: callIds.map((callId) => ({ callId, providerId: callId, name: "writeFile", args: {} })),
		},
		...callIds.map(
			(callId): SessionEvent => ({
				type: "tool/call",
				callId,
				stepId: `step-${n}`,
				name: "writeFile",
				args: {},
				toolVersion: 1,
				effects: "possible",
				recovery: "manual",
			}),
		),
	];
}

function decided(callId: string, verdict: "allow" | "ask" | "deny"): SessionEvent {
	return { type: "policy/decided", callId, verdict, reason: "", rule: "" };
}

function asked(callId: string): SessionEvent {
	return {
		type: "approval/requested",
		approvalId: `approval-${callId}`,
		callId,
		digest: "",
		reason: "",
		resources: [],
	};
}

function answered(
	callId: string,
	answer: EventOf<"approval/resolved">["answer"],
	expiresAt = "2026-11-29T18:00:00.000Z",
): SessionEvent {
	return {
		type: "approval/resolved",
		approvalId: `approval-${callId}`,
		callId,
		answer,
		by: "person",
		expiresAt,
	};
}

function start(callId: string): SessionEvent {
	return { type: "tool/start", callId, idempotencyKey: `s/${callId}` };
}

function result(callId: string, status: EventOf<"tool/result">["status"] = "result"): SessionEvent {
	return { type: "tool/result", callId, status, text: "ok", durationMs: 1 };
}

function stepEnd(n: number, outcome: EventOf<"step/end">["outcome"]): SessionEvent {
	return { type: "step/end", stepId: `step-${n}`, outcome };
}

function turnEnd(turnId: string, status: EventOf<"turn/end">["status"] = "completed"): SessionEvent {
	return { type: "turn/end", turnId, status };
}

/** Commits of these events, numbered from 1. */
function logOf(...groups: SessionEvent[][]): Commit[] {
	return groups.map((events, i) => ({ v: 1, seq: i + 1, at: "2026-11-29T17:20:31.120Z", events }));
}

/** A turn with one allowed and one approved call, then an answer; nothing is wrong with it. */
function soundGroups(): SessionEvent[][] {
	return [
		[created],
		input("message-1"),
		[turnStart("turn-1", ["message-1"]), ...ask(1, "turn-1", ["message-1"])],
		[
			...accept(1, ["call-1", "call-2"]),
			decided("call-1", "allow"),
			decided("call-2", "ask"),
			asked("call-2"),
		],
		[answered("call-2", "yes"), start("call-1"), start("call-2")],
		[result("call-1"), result("call-2"), stepEnd(1, "tools"), ...ask(2, "turn-1")],
		[...accept(2), stepEnd(2, "answer"), turnEnd("turn-1")],
	];
}

/** The sound log with some of its events exchanged for others. */
function soundBut(change: (event: SessionEvent) => SessionEvent[]): Commit[] {
	return logOf(...soundGroups().map((events) => events.flatMap(change)));
}

/** The sound log without the events of one type that fit. */
function without<T extends SessionEventType>(
	type: T,
	fits: (event: EventOf<T>) => boolean = () => true,
): Commit[] {
	return soundBut((event) => (event.type === type && fits(event as EventOf<T>) ? [] : [event]));
}

/** The sound log with events put before the first one of a type. */
function withBefore(type: SessionEventType, ...added: SessionEvent[]): Commit[] {
	let isFirst = true;
	return soundBut((event) => {
		if (event.type !== type || !isFirst) return [event];
		isFirst = false;
		return [...added, event];
	});
}

function found(commits: Commit[], invariant: number): Violation[] {
	return checkLog(commits).filter((violation) => violation.invariant === invariant);
}

function messages(commits: Commit[], invariant: number): string[] {
	return found(commits, invariant).map((violation) => violation.message);
}

describe("checkLog", () => {
	it("finds nothing in a sound log, nor in any beginning of it", () => {
		const sound = logOf(...soundGroups());
		for (let length = 0; length <= sound.length; length++)
			expect(checkLog(sound.slice(0, length))).toEqual([]);
	});

	it("finds nothing in a turn that died and was settled", () => {
		const died = [
			...soundGroups().slice(0, 5),
			[
				result("call-1", "outcome_unknown"),
				result("call-2", "outcome_unknown"),
				stepEnd(1, "interrupted"),
				turnEnd("turn-1", "failed"),
				{ type: "recovery/continuation", interruptedTurnId: "turn-1", notes: [] } satisfies SessionEvent,
			],
		];
		expect(checkLog(logOf(...died))).toEqual([]);
	});

	it("finds nothing in an answer whose text was cut and joined, nor in a failed attempt that was repeated", () => {
		const groups = [
			[created],
			input("message-1"),
			[turnStart("turn-1", ["message-1"]), ...ask(1, "turn-1", ["message-1"])],
			[
				{
					...(accept(1)[0] as EventOf<"attempt/end">),
					outcome: "rejected" as const,
					finish: "length" as const,
				},
				{ ...(ask(1, "turn-1")[1] as EventOf<"request/prepared">), requestId: "request-2" },
				{ type: "attempt/start", attemptId: "attempt-2", stepId: "step-1", requestId: "request-2" } as const,
			],
			[...accept(2), stepEnd(1, "answer"), turnEnd("turn-1")],
		];
		expect(checkLog(logOf(...groups))).toEqual([]);
	});

	it("names the commit of a violation", () => {
		expect(
			found(
				without("step/end", (event) => event.stepId === "step-2"),
				2,
			),
		).toEqual([{ invariant: 2, seq: 7, message: "turn/end comes while step step-2 is open" }]);
	});
});

describe("checkLog, invariant 1", () => {
	it("reports a gap and a repetition in the sequence numbers", () => {
		const sound = logOf(...soundGroups());
		expect(messages(sound.toSpliced(1, 0, { ...sound[0]!, events: [] }), 1)[0]).toMatch(
			/commit 1 stands where 2/,
		);
		expect(messages([...sound, { v: 1, seq: 9, at: "", events: [] }], 1)).toEqual([
			"commit 9 stands where 8 belongs",
		]);
	});

	it("reports an id that comes twice", () => {
		expect(messages(logOf([created], input("m"), input("m")), 1)).toEqual([
			"user/message brings message m a second time",
		]);
	});

	it("reports an id that nothing brought", () => {
		expect(messages(without("user/message"), 1)).toContain(
			"inbox/enqueued names message message-1, which is not in the log",
		);
		expect(messages(without("tool/call"), 1)).toContain(
			"tool/start names call call-1, which is not in the log",
		);
	});

	it("reports a log that does not begin with its creation", () => {
		expect(messages(logOf(input("m")), 1)).toEqual(["the log begins with user/message"]);
	});
});

describe("checkLog, invariant 2", () => {
	it("reports a turn, step or attempt that starts while another is open", () => {
		expect(messages(withBefore("turn/end", turnStart("turn-2", [])), 2)[0]).toMatch(
			/while turn turn-1 is open/,
		);
		expect(messages(without("step/end"), 2)[0]).toMatch(/step\/start comes while step step-1 is open/);
		expect(messages(without("attempt/end"), 2)[0]).toMatch(/step\/end comes while attempt attempt-1 is open/);
	});

	it("reports what belongs to a turn or step that is not open", () => {
		expect(messages(without("turn/start"), 2)[0]).toBe(
			"step/start is of turn turn-1, but the open one is none",
		);
		expect(messages(withBefore("attempt/end", { ...stepEnd(7, "tools") }), 2)[0]).toMatch(
			/step\/end is of step step-7/,
		);
	});

	it("reports a second accepted message of one step", () => {
		const second: SessionEvent = {
			type: "assistant/accepted",
			messageId: "more",
			attemptId: "attempt-1",
			calls: [],
		};
		expect(messages(withBefore("tool/call", second), 2)).toEqual(["step step-1 accepts more after answer-1"]);
	});
});

describe("checkLog, invariant 3", () => {
	it("reports a call without a result when the next step starts", () => {
		const open = without("tool/result", (event) => event.callId === "call-2");
		expect(messages(open, 3)).toEqual(["call call-2 has no result, and step step-2 starts"]);
	});

	it("reports a call without a result when its turn ends, but none while the turn is open", () => {
		const groups = [...soundGroups().slice(0, 5), [stepEnd(1, "interrupted")]];
		expect(messages(logOf(...groups), 3)).toEqual([]);
		expect(messages(logOf(...groups, [turnEnd("turn-1", "failed")]), 3)).toHaveLength(2);
	});

	it("reports a second result, and a start after the result", () => {
		expect(messages(withBefore("step/end", result("call-1")), 3)).toEqual([
			"call call-1 has a second result",
		]);
		expect(messages(withBefore("step/end", start("call-1")), 3)).toEqual([
			"call call-1 starts after its result",
		]);
	});

	it("reports a call that no message made", () => {
		const call = { ...(accept(1, ["call-9"])[2] as EventOf<"tool/call">) };
		expect(messages(withBefore("policy/decided", call), 3)).toEqual([
			"call call-9 is in no accepted message, or has its result",
		]);
	});
});

describe("checkLog, invariant 4", () => {
	it("reports an effect without a start, or with a start that was not durable before it", () => {
		expect(messages(without("tool/start"), 4)[0]).toBe("call call-1 ended as result without a tool/start");
		const groups = soundGroups();
		const together = [...groups.slice(0, 4), [...groups[4]!, ...groups[5]!], ...groups.slice(6)];
		expect(messages(logOf(...together), 4)[0]).toBe("call call-1 has its start and its result in one commit");
	});

	it("lets a call that never started end as denied, cancelled or error", () => {
		for (const status of ["denied", "cancelled", "error"] as const) {
			const ended = soundBut((event) => {
				if (event.type === "tool/start") return [];
				return event.type === "tool/result" ? [result(event.callId, status)] : [event];
			});
			expect(messages(ended, 4)).toEqual([]);
		}
	});

	it("reports a second start unless the tool may be run again", () => {
		const twice = (recovery: EventOf<"tool/call">["recovery"]) =>
			withBefore("tool/result", start("call-1")).map((commit) => ({
				...commit,
				events: commit.events.map((event) => (event.type === "tool/call" ? { ...event, recovery } : event)),
			}));
		const report = (commits: Commit[]) =>
			messages(commits, 4).filter((message) => /starts twice/.test(message));
		expect(report(twice("manual"))).toHaveLength(1);
		expect(report(twice("reconcile"))).toHaveLength(1);
		expect(report(twice("idempotent"))).toEqual([]);
		expect(report(twice("none"))).toEqual([]);
	});
});

describe("checkLog, invariant 5", () => {
	it("reports a start without a decision", () => {
		expect(messages(without("policy/decided"), 5)).toEqual([
			"call call-1 starts without a policy decision",
			"call call-2 starts without a policy decision",
		]);
	});

	it("reports a start that was denied after it had been approved", () => {
		expect(messages(withBefore("tool/start", decided("call-2", "deny")), 5)).toEqual([
			"call call-2 starts although the policy denies it",
		]);
	});

	it("reports a start whose question was not answered with yes", () => {
		const needs = "call call-2 starts without the approval it needs";
		expect(messages(without("approval/resolved"), 5)).toEqual([needs]);
		for (const answer of ["no", "cancelled", "expired"] as const) {
			const refused = soundBut((event) =>
				event.type === "approval/resolved" ? [answered("call-2", answer)] : [event],
			);
			expect(messages(refused, 5)).toEqual([needs]);
		}
	});

	it("reports a start after its approval expired, and an approval of another call", () => {
		const late = soundBut((event) =>
			event.type === "approval/resolved" ? [answered("call-2", "yes", "2026-11-29T17:00:00.000Z")] : [event],
		);
		expect(messages(late, 5)).toEqual(["call call-2 starts after its approval approval-call-2 expired"]);
		const other = soundBut((event) =>
			event.type === "approval/resolved" ? [{ ...event, callId: "call-1" }] : [event],
		);
		expect(messages(other, 5)[0]).toBe("approval approval-call-2 was not asked for call call-1");
	});
});

describe("checkLog, invariant 6", () => {
	it("reports a message that reaches two requests", () => {
		const again: SessionEvent = { type: "inbox/included", messageIds: ["message-1"], stepId: "step-1" };
		expect(messages(withBefore("attempt/start", again), 6)).toEqual([
			"inbox/included names message message-1, which is included",
		]);
	});

	it("reports a message that a step claimed and lost, but none that it released", () => {
		const lost = without("inbox/included");
		expect(messages(lost, 6)[0]).toBe(
			"step step-1 ends with message message-1 in no request and not released",
		);
		const released: SessionEvent = { type: "inbox/released", messageIds: ["message-1"], stepId: "step-1" };
		const groups = [
			[created],
			input("message-1"),
			[turnStart("turn-1", ["message-1"]), ask(1, "turn-1", ["message-1"])[0]!],
		];
		expect(messages(logOf(...groups, [released, stepEnd(1, "cancelled")]), 6)).toEqual([]);
	});

	it("reports a message that moves although it no longer waits", () => {
		const moved: SessionEvent = { type: "inbox/moved", messageId: "message-1", before: "message-1" };
		expect(messages(withBefore("turn/start", moved), 6)).toEqual([]);
		expect(messages(withBefore("turn/end", moved), 6)[0]).toContain("which is included");
	});

	it("reports a cancelled message that a step claims", () => {
		const cancelled: SessionEvent = { type: "inbox/cancelled", messageIds: ["message-1"] };
		expect(messages(withBefore("turn/start", cancelled), 6)[0]).toBe(
			"step/start names message message-1, which is cancelled",
		);
	});
});

describe("checkLog, invariant 6, of answers", () => {
	const questionId = "question-1";
	const question: SessionEvent = {
		type: "question/asked",
		questionId,
		callId: "call-1",
		question: "q",
		options: [],
		secret: false,
	};
	const enqueued: SessionEvent = { type: "inbox/enqueued", target: "question", questionId, answer: "blue" };
	const taken: SessionEvent = {
		type: "question/answered",
		questionId,
		callId: "call-1",
		answer: "blue",
		by: "person",
	};
	const reported = (...events: SessionEvent[]) => messages(withBefore("tool/result", ...events), 6);

	it("takes an answer that went through the inbox, one of a log from before that, and none", () => {
		expect(reported(question, enqueued, taken)).toEqual([]);
		expect(reported(question, taken)).toEqual([]);
		expect(reported(question, { ...taken, by: "agi" })).toEqual([]);
		expect(reported(question)).toEqual([]);
	});

	it("reports an answer to a question that is not open, and a second one", () => {
		expect(reported(enqueued)).toEqual([
			"an answer in the inbox is to question question-1, which is not open",
		]);
		expect(reported(question, taken, enqueued)).toHaveLength(1);
		expect(reported(question, enqueued, enqueued, taken)).toEqual([
			"question question-1 has a second answer in the inbox",
		]);
	});

	it("reports an answer that its call ended without, and a question that ended by another", () => {
		expect(reported(question, enqueued)).toEqual([
			"call call-1 ended without the answer in the inbox to question question-1",
		]);
		expect(reported(question, enqueued, { ...taken, answer: "red" })).toEqual([
			"question question-1 ended otherwise than by its answer in the inbox",
		]);
	});
});

describe("checkLog, invariant 7", () => {
	const ended = "turn turn-1 ended as completed, but";

	it("reports a completed turn whose last message has calls or that has none", () => {
		const groups = soundGroups().slice(0, 5);
		const early = [result("call-1"), result("call-2"), stepEnd(1, "tools"), turnEnd("turn-1")];
		expect(messages(logOf(...groups, early), 7)).toEqual([`${ended} its last message has calls`]);
		const silent = [[created], input("message-1"), [turnStart("turn-1", []), turnEnd("turn-1")]];
		expect(messages(logOf(...silent), 7)).toEqual([`${ended} it has no answer`]);
	});

	it("reports a completed turn whose answer was cut or rejected", () => {
		const cut = soundBut((event) =>
			event.type === "attempt/end" && event.finish === "stop" ? [{ ...event, finish: "length" }] : [event],
		);
		expect(messages(cut, 7)).toEqual([`${ended} its last message ended by length`]);
		const rejected: SessionEvent = { type: "completion/rejected", stepId: "step-2", reason: "tests fail" };
		expect(messages(withBefore("turn/end", rejected), 7)).toEqual([
			`${ended} its answer was rejected (tests fail)`,
		]);
	});

	it("reports a message that is not in one commit with its accepted attempt", () => {
		const failed = soundBut((event) =>
			event.type === "attempt/end" && event.finish === "stop" ? [{ ...event, outcome: "failed" }] : [event],
		);
		expect(messages(failed, 7)).toEqual([
			"message answer-2 is not in one commit with the accepted end of attempt attempt-2",
		]);
		const groups = soundGroups();
		const last = groups.at(-1)!;
		expect(messages(logOf(...groups.slice(0, -1), last.slice(0, 1), last.slice(1)), 7)).toHaveLength(1);
	});
});

describe("checkLog, invariant 8", () => {
	it("reports the usage of an attempt that is told twice, and an accepted one without any", () => {
		expect(messages(withBefore("step/end", accept(1)[0]!), 8)).toEqual([
			"the usage of attempt attempt-1 is told twice",
		]);
		const untold = soundBut((event) => {
			if (event.type !== "attempt/end") return [event];
			const { usage: _, ...rest } = event;
			return [rest];
		});
		expect(messages(untold, 8)).toEqual(["attempt attempt-1 has no usage", "attempt attempt-2 has no usage"]);
	});
});

describe("checkLog, invariant 9", () => {
	it("reports a recovery of a completed turn, and a second one of the same turn", () => {
		const recovery: SessionEvent = { type: "recovery/continuation", interruptedTurnId: "turn-1", notes: [] };
		expect(messages(logOf(...soundGroups(), [recovery], [recovery]), 9)).toEqual([
			"turn turn-1 was completed and is continued all the same",
			"turn turn-1 was completed and is continued all the same",
			"turn turn-1 is continued a second time",
		]);
	});
});
