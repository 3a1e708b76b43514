import { describe, expect, it } from "vitest";
import type { Command } from "../../src/session/commands.ts";
import type { SessionEvent } from "../../src/session/events.ts";
import { outline } from "../support/outline.ts";
import {
	ASKED,
	accept,
	CREATE,
	createSteps,
	decided,
	endCall,
	MODEL,
	readCall,
	record,
	requestApproval,
	resolveApproval,
	type SessionSteps,
	START_ATTEMPT,
	START_STEP,
	START_TURN,
	sessionAfter,
	startCall,
	submit,
	writeCall,
} from "../support/sessionSteps.ts";

/** The events of `command`; fails the test where it is refused. */
function eventsOf(steps: SessionSteps, command: Command): SessionEvent[] {
	const done = steps.perform(command);
	if (typeof done === "string") throw new Error(done);
	return done;
}

const endTurn = (status: "completed" | "failed"): Command => ({ do: "endTurn", status });
const calling = (...calls: Parameters<typeof accept>[1][]) => [...ASKED, accept("", ...calls)];

describe("decide", () => {
	it("lets nothing happen before the session exists, and lets it begin once", () => {
		const steps = createSteps();
		expect(steps.perform(submit())).toBe("the session does not exist yet");
		expect(outline(eventsOf(steps, CREATE))).toEqual(["session/created"]);
		expect(steps.perform(CREATE)).toBe("the session exists already");
	});

	it("gives the same events for the same state and command", () => {
		const [a, b] = [sessionAfter(...ASKED), sessionAfter(...ASKED)];
		expect(eventsOf(a, accept("hi"))).toEqual(eventsOf(b, accept("hi")));
	});

	describe("input", () => {
		it("is a message and its place in the queue", () => {
			expect(outline(eventsOf(sessionAfter(), submit("hi", "next_step")))).toEqual([
				"user/message message-1",
				"inbox/enqueued next_step",
			]);
		});

		it("that was meant for a turn that ended early begins the next one, before what was to come after it", () => {
			const steps = sessionAfter(submit("after it", "next_turn"), submit("for it", "next_step"));
			expect(eventsOf(steps, START_TURN)).toMatchObject([{ source: { messageIds: ["message-2"] } }]);
			expect(eventsOf(steps, START_STEP)).toMatchObject([{ claimed: ["message-2"] }]);
		});

		it("is refused where it is blank", () => {
			expect(sessionAfter().perform(submit(" \n"))).toBe("the message is empty");
		});

		it("can be taken back once, while it waits", () => {
			const steps = sessionAfter(submit("a"), submit("b"));
			const cancel: Command = { do: "cancelInput", messageIds: ["message-2", "message-2", "message-9"] };
			expect(eventsOf(steps, cancel)).toEqual([{ type: "inbox/cancelled", messageIds: ["message-2"] }]);
			expect(steps.perform(cancel)).toBe("no such message is waiting");
		});

		it("moves among those that wait for the same, and stays where it is at an end", () => {
			const steps = sessionAfter(submit("a"), submit("steer", "next_step"), submit("b"), submit("c"));
			const move = (messageId: string, by: -1 | 1): Command => ({ do: "moveInput", messageId, by });
			const order = () => steps.state.inbox.map((message) => message.text);
			expect(eventsOf(steps, move("message-3", -1))).toEqual([
				{ type: "inbox/moved", messageId: "message-3", before: "message-1" },
			]);
			expect(order()).toEqual(["b", "a", "steer", "c"]);
			expect(eventsOf(steps, move("message-1", 1))).toEqual([
				{ type: "inbox/moved", messageId: "message-4", before: "message-1" },
			]);
			expect(order()).toEqual(["b", "c", "a", "steer"]);
			expect(eventsOf(steps, move("message-3", -1))).toEqual([]);
			expect(eventsOf(steps, move("message-2", 1))).toEqual([]);
			expect(steps.perform(move("message-9", 1))).toBe("no such message is waiting");
		});

		it("cannot be taken back once a step has claimed it", () => {
			const steps = sessionAfter(submit(), START_TURN, START_STEP);
			expect(steps.perform({ do: "cancelInput", messageIds: ["message-1"] })).toBe(
				"no such message is waiting",
			);
		});
	});

	describe("names, modes, plans and grants", () => {
		it("trims a title and refuses a blank one", () => {
			expect(eventsOf(sessionAfter(), { do: "renameSession", title: " T " })).toEqual([
				{ type: "session/renamed", title: "T" },
			]);
			expect(sessionAfter().perform({ do: "renameSession", title: " " })).toContain("title");
		});

		it("says nothing where the mode stays", () => {
			expect(eventsOf(sessionAfter(), { do: "changeMode", mode: "default", by: "person" })).toEqual([]);
			expect(eventsOf(sessionAfter(), { do: "changeMode", mode: "plan", by: "person" })).toHaveLength(1);
		});

		it("records plans and grants as they are", () => {
			const items = [{ content: "x", status: "pending" as const }];
			expect(eventsOf(sessionAfter(), { do: "replacePlan", items })).toEqual([
				{ type: "plan/replaced", items },
			]);
			expect(eventsOf(sessionAfter(), { do: "grantCall", tool: "t", digest: "d", label: "l" })).toEqual([
				{ type: "grant/added", tool: "t", digest: "d", label: "l" },
			]);
		});
	});

	describe("turns and steps", () => {
		it("claims the first message that wakes, and that one only", () => {
			const steps = sessionAfter(submit("later", "next_turn", false), submit("a"), submit("b"));
			expect(eventsOf(steps, START_TURN)).toEqual([
				{ type: "turn/start", turnId: "turn-1", source: { kind: "inbox", messageIds: ["message-2"] } },
			]);
			expect(steps.perform(START_TURN)).toBe("a turn is open");
		});

		it("starts no turn where nothing wakes one", () => {
			const output = { ...submit("a", "next_turn", false), origin: "program" } as Command;
			expect(sessionAfter(output).perform(START_TURN)).toBe("nothing waits");
		});

		it("gives the step its turn's message and every message for the next step", () => {
			const steps = sessionAfter(submit("a"), submit("b"), START_TURN, submit("c", "next_step"));
			expect(eventsOf(steps, START_STEP)).toMatchObject([{ claimed: ["message-1", "message-3"] }]);
			expect(steps.perform(START_STEP)).toBe("a step is open");
		});

		it("starts no step outside a turn", () => {
			expect(sessionAfter().perform(START_STEP)).toBe("no turn is open");
		});

		it("ends no step with an open attempt or call, nor as something it is not", () => {
			expect(sessionAfter(...ASKED).perform({ do: "endStep", outcome: "failed" })).toBe("an attempt is open");
			const withCall = sessionAfter(...calling(readCall("c")));
			expect(withCall.perform({ do: "endStep", outcome: "tools" })).toContain("no end yet");
			expect(
				sessionAfter(submit(), START_TURN, START_STEP).perform({ do: "endStep", outcome: "answer" }),
			).toContain("no accepted answer");
			expect(sessionAfter(...ASKED, accept("x")).perform({ do: "endStep", outcome: "tools" })).toContain(
				"no accepted calls",
			);
			expect(sessionAfter().perform({ do: "endStep", outcome: "failed" })).toBe("no step is open");
		});

		it("gives messages back that reached no request when the step ends", () => {
			const steps = sessionAfter(submit(), START_TURN, START_STEP);
			expect(outline(eventsOf(steps, { do: "endStep", outcome: "cancelled" }))).toEqual([
				"inbox/released message-1",
				"step/end cancelled",
			]);
		});

		it("completes a turn only after an answer", () => {
			const answered = sessionAfter(...ASKED, accept("x"));
			expect(answered.perform(endTurn("completed"))).toBe("a step is open");
			eventsOf(answered, { do: "endStep", outcome: "answer" });
			expect(eventsOf(answered, endTurn("completed"))).toEqual([
				{ type: "turn/end", turnId: "turn-1", status: "completed" },
			]);
			expect(answered.perform(endTurn("failed"))).toBe("no turn is open");
			expect(sessionAfter(submit(), START_TURN).perform(endTurn("completed"))).toContain("only by an answer");
		});
	});

	describe("attempts", () => {
		it("carry the claimed messages into the first request only", () => {
			const steps = sessionAfter(submit(), START_TURN, START_STEP);
			expect(outline(eventsOf(steps, START_ATTEMPT))).toEqual([
				"request/prepared",
				"inbox/included message-1",
				"attempt/start",
			]);
			expect(steps.perform(START_ATTEMPT)).toBe("an attempt is open");
			eventsOf(steps, { do: "endAttempt", outcome: "failed", attempt: record() });
			expect(outline(eventsOf(steps, { ...START_ATTEMPT, backoffMs: 5 } as Command))).toEqual([
				"request/prepared",
				"attempt/start after 5 ms",
			]);
		});

		it("start only in a step that has no message yet", () => {
			expect(sessionAfter().perform(START_ATTEMPT)).toBe("no step is open");
			expect(sessionAfter(...ASKED, accept("x")).perform(START_ATTEMPT)).toBe("the step has its message");
			expect(sessionAfter().perform({ do: "endAttempt", outcome: "failed", attempt: record() })).toBe(
				"no attempt is open",
			);
		});

		it("are accepted only by a stop, or by calls, and never empty", () => {
			const asked = () => sessionAfter(...ASKED);
			const reply = (more: Parameters<typeof record>[0], calls = [] as ReturnType<typeof readCall>[]) =>
				asked().perform({ do: "acceptReply", attempt: record(more), calls });
			expect(reply({ text: "x", finish: "length" })).toContain("length");
			expect(reply({ text: "x" })).toContain("nothing");
			expect(reply({ text: "x", finish: "stop" }, [readCall("c")])).toContain("stop");
			expect(reply({ text: " ", finish: "stop" })).toBe("the reply is empty");
			expect(sessionAfter().perform(accept("x"))).toBe("no attempt is open");
		});

		it("join the text of a cut answer with what came after", () => {
			const steps = sessionAfter(
				...ASKED,
				{ do: "endAttempt", outcome: "rejected", attempt: record({ text: "one ", finish: "length" }) },
				START_ATTEMPT,
			);
			expect(eventsOf(steps, accept("two"))).toContainEqual(
				expect.objectContaining({ type: "assistant/accepted", text: "one two" }),
			);
		});
	});

	describe("calls", () => {
		it("get ids of their own where the server's are empty or came before", () => {
			const steps = sessionAfter(...ASKED);
			const ids = (command: Command) =>
				eventsOf(steps, command).flatMap((event) => (event.type === "tool/call" ? [event.callId] : []));
			expect(ids(accept("", readCall("a"), readCall("a"), readCall("a~2"), readCall("")))).toEqual([
				"a",
				"a~2",
				"a~2~2",
				"call",
			]);
		});

		it("of an unknown tool are taken to have no effects", () => {
			const steps = sessionAfter(...ASKED);
			const call = eventsOf(steps, accept("", { providerId: "c", name: "nope", args: {} })).at(-1);
			expect(call).toMatchObject({ type: "tool/call", effects: "none", recovery: "none", toolVersion: 0 });
		});

		it("start once, and only where the policy or a person's yes allows it", () => {
			const steps = sessionAfter(...calling(writeCall("c")));
			expect(steps.perform(startCall("c"))).toContain("not allowed");
			eventsOf(steps, decided("c", "deny"));
			expect(steps.perform(startCall("c"))).toContain("not allowed");
			expect(steps.perform(requestApproval("c"))).toBe("the policy did not ask");
			eventsOf(steps, decided("c", "ask"));
			expect(steps.perform(startCall("c"))).toContain("not allowed");
			expect(steps.perform(resolveApproval("c", "yes"))).toContain("no approval is pending");
			eventsOf(steps, requestApproval("c"));
			expect(steps.perform(startCall("c"))).toContain("not allowed");
			eventsOf(steps, resolveApproval("c", "yes"));
			expect(steps.perform(resolveApproval("c", "no"))).toContain("no approval is pending");
			expect(eventsOf(steps, startCall("c"))).toEqual([
				{ type: "tool/start", callId: "c", idempotencyKey: "s/c" },
			]);
			expect(steps.perform(startCall("c"))).toContain("started before");
		});

		it.each(["no", "cancelled"] as const)("do not start after the answer %s", (answer) => {
			const steps = sessionAfter(
				...calling(writeCall("c")),
				decided("c", "ask"),
				requestApproval("c"),
				resolveApproval("c", answer),
			);
			expect(steps.perform(startCall("c"))).toContain("not allowed");
		});

		it("end once; a result and an unknown outcome need a start", () => {
			const steps = sessionAfter(...calling(writeCall("c")));
			expect(steps.perform(endCall("c", "result"))).toContain("never started");
			expect(steps.perform(endCall("c", "outcome_unknown"))).toContain("never started");
			eventsOf(steps, endCall("c", "error"));
			expect(steps.perform(endCall("c", "error"))).toBe("call c has ended");
			expect(steps.perform(endCall("x"))).toBe("no call x is open");
		});

		it("name the artifact that keeps their whole text", () => {
			const steps = sessionAfter(...calling(readCall("c")), decided("c", "allow"), startCall("c"));
			const artifact = { digest: "d", bytes: 9, summary: "s" };
			expect(eventsOf(steps, { ...endCall("c"), artifact } as Command)).toMatchObject([
				{ type: "artifact/created", artifactId: "artifact-1", callId: "c", digest: "d" },
				{ type: "tool/result", callId: "c", artifactId: "artifact-1" },
			]);
		});

		it("carry questions and subagents only while they are open", () => {
			const steps = sessionAfter(...calling(readCall("c")));
			const ask: Command = { do: "askQuestion", callId: "c", question: "q", options: [], secret: false };
			const answer = (questionId: string): Command => ({
				do: "answerQuestion",
				questionId,
				callId: "c",
				answer: "a",
				by: "person",
			});
			expect(steps.perform(answer("question-1"))).toContain("no such question");
			eventsOf(steps, ask);
			expect(steps.perform(answer("question-2"))).toContain("no such question");
			eventsOf(steps, answer("question-1"));
			expect(steps.perform(answer("question-1"))).toContain("has its answer");
			const subagent: Command = {
				do: "recordSubagent",
				change: { callId: "c", agent: "reviewer", sessionId: "x", status: "started" },
			};
			expect(outline(eventsOf(steps, subagent))).toEqual(["subagent/changed reviewer started"]);
			eventsOf(steps, endCall("c", "cancelled"));
			expect(steps.perform(subagent)).toBe("call c has ended");
			expect(steps.perform(ask)).toBe("call c has ended");
		});
	});

	describe("an answer to a question", () => {
		const ask: Command = { do: "askQuestion", callId: "c", question: "q", options: [], secret: false };
		const blue: Command = {
			do: "answerQuestion",
			questionId: "question-1",
			callId: "c",
			answer: "blue",
			by: "person",
		};
		const asking = () => sessionAfter(...calling(readCall("c")), decided("c", "allow"), startCall("c"), ask);

		it("waits in the inbox for its call, whose end takes it in the same commit", () => {
			const steps = asking();
			expect(eventsOf(steps, blue)).toEqual([
				{ type: "inbox/enqueued", target: "question", questionId: "question-1", answer: "blue" },
			]);
			expect(outline(eventsOf(steps, endCall("c")))).toEqual(["question/answered", "tool/result c result"]);
			expect(outline(eventsOf(steps, { do: "endStep", outcome: "tools" }))).toEqual(["step/end tools"]);
		});

		it("is no message of the queue and of no step", () => {
			const steps = asking();
			eventsOf(steps, blue);
			expect(steps.state.inbox).toEqual([]);
			expect(steps.perform({ do: "cancelInput", messageIds: ["question-1"] })).toContain("no such message");
			expect(steps.perform({ do: "moveInput", messageId: "question-1", by: 1 })).toContain("no such message");
			eventsOf(steps, endCall("c"));
			eventsOf(steps, { do: "endStep", outcome: "tools" });
			expect(outline(eventsOf(steps, START_STEP))).toEqual(["step/start"]);
		});

		it("is taken before its call asks something else", () => {
			const steps = asking();
			eventsOf(steps, blue);
			expect(outline(eventsOf(steps, ask))).toEqual(["question/answered", "question/asked"]);
		});

		it("is none where agi gives up, and that is refused once there is one", () => {
			const nobody: Command = { ...blue, answer: "(no answer)", by: "agi" };
			expect(outline(eventsOf(asking(), nobody))).toEqual(["question/answered"]);
			const steps = asking();
			eventsOf(steps, blue);
			expect(steps.perform(nobody)).toContain("has its answer");
		});
	});

	it("freezes the model of a step", () => {
		const steps = sessionAfter(submit(), START_TURN, START_STEP);
		expect(steps.state.step?.model).toEqual(MODEL);
	});
});
