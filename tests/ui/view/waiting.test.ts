import { describe, expect, it } from "vitest";
import { reduceView, type ViewEvent } from "../../../src/ui/view/reduce.ts";
import type { ViewState } from "../../../src/ui/view/state.ts";
import { showsProgress, waitingText } from "../../../src/ui/view/waiting.ts";
import { attemptStart, facts, text, toolCall, viewOf } from "../../support/screenView.ts";

type Timed = [second: number, event: ViewEvent];

/** The view after `events`, each at its own second. */
function viewAfter(...events: Timed[]): ViewState {
	return events.reduce<ViewState>(
		(next, [second, event]) => reduceView(next, event, second * 1000),
		viewOf(),
	);
}

function told(...events: Timed[]): string | undefined {
	return waitingText(viewAfter(...events))?.text;
}

const tick: ViewEvent = { kind: "tick" };
const turn = facts({ type: "turn/start", turnId: "turn-1", source: { kind: "recovery" } });
const waits: ViewEvent = {
	kind: "live",
	delta: { type: "waiting", for: "model", detail: "waiting for the model" },
};

describe("waitingText", () => {
	it("says nothing where nothing is waited for", () => {
		expect(told([1, tick])).toBeUndefined();
	});

	it("says that a message queues until its turn begins", () => {
		expect(told([1, { kind: "sent" }], [3, tick])).toBe("queueing 2 s");
	});

	it("counts how long the model has said nothing at all", () => {
		expect(told([0, turn], [1, waits], [1, facts(attemptStart())], [5, tick])).toBe(
			"waiting for the model 4 s",
		);
	});

	it("says for how long no bytes have come in the middle of an answer", () => {
		expect(told([0, turn], [1, facts(attemptStart())], [2, text("a")], [14, tick])).toBe("no bytes for 12 s");
	});

	it("counts the turn while text comes", () => {
		expect(told([0, turn], [1, facts(attemptStart())], [8, text("a")], [9, tick])).toBe("answering 9 s");
	});

	it("counts down to the next try", () => {
		const detail = "retry 2 of 3 in 4 s: The server is overloaded.";
		const retry: ViewEvent = {
			kind: "live",
			delta: { type: "waiting", for: "retry", detail, untilMs: 10_000 },
		};
		expect(told([0, turn], [6, retry], [9, tick])).toBe("retry 2 of 3 in 1 s: The server is overloaded.");
	});

	it("names the running command and its time, and how many more run", () => {
		const start = (callId: string): ViewEvent => facts({ type: "tool/start", callId, idempotencyKey: "k" });
		const calls = facts(
			toolCall("runCommand", { command: "npm test" }),
			toolCall("readFile", { path: "a" }, "call-2"),
		);
		expect(told([0, calls], [1, start("call-1")], [32, tick])).toBe("running npm test 31 s");
		expect(told([0, calls], [1, start("call-1")], [2, start("call-2")], [3, tick])).toBe(
			"running npm test and 1 more 2 s",
		);
	});

	it("waits for the person where a question is open", () => {
		const prompt = { callId: "c", question: "Which?", options: [], secret: false };
		expect(told([0, turn], [1, { kind: "prompts", open: [{ kind: "question", prompt }] }])).toBe(
			"waiting for your answer",
		);
	});
});

describe("showsProgress", () => {
	const asked: Timed[] = [
		[0, turn],
		[1, waits],
		[1, facts(attemptStart())],
	];

	it("is false while the model is silent, thinks, or writes a call that nobody sees yet", () => {
		const reasoning: ViewEvent = { kind: "live", delta: { type: "reasoning", text: "hm" } };
		const call: ViewEvent = { kind: "live", delta: { type: "callNamed", name: "writeFile" } };
		expect(showsProgress(viewAfter(...asked))).toBe(false);
		expect(showsProgress(viewAfter(...asked, [2, reasoning]))).toBe(false);
		expect(showsProgress(viewAfter(...asked, [2, text("a")], [2, call]))).toBe(false);
	});

	it("is true while text comes, until it has stopped for some seconds", () => {
		expect(showsProgress(viewAfter(...asked, [2, text("a")], [4, tick]))).toBe(true);
		expect(showsProgress(viewAfter(...asked, [2, text("a")], [5, tick]))).toBe(false);
	});

	it("is true while a call runs, and not before it has started", () => {
		const call = facts(toolCall("runCommand", { command: "npm test" }));
		const start = facts({ type: "tool/start", callId: "call-1", idempotencyKey: "k" });
		expect(showsProgress(viewAfter([0, turn], [1, call]))).toBe(false);
		expect(showsProgress(viewAfter([0, turn], [1, call], [2, start]))).toBe(true);
	});
});
