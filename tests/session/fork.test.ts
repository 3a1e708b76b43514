import { describe, expect, it } from "vitest";
import { checkLog } from "../../src/session/check.ts";
import type { Commit, SessionEvent } from "../../src/session/events.ts";
import {
	copySentence,
	cutAfterStep,
	forkPoints,
	lossSentences,
	settleCut,
	stepIdOf,
} from "../../src/session/fork.ts";
import { reduceAll } from "../../src/session/reduce.ts";
import { sessionCommits } from "../support/recordedLog.ts";

const log = sessionCommits("s", 2);

/** The copy as it is written: the cut and what closes it. */
function copyAfter(stepId: string, commits: readonly Commit[] = log): Commit[] {
	const cut = cutAfterStep(commits, stepId) ?? [];
	const settled = settleCut(reduceAll(cut.flatMap(({ events }) => events)));
	const end = { v: 1, seq: (cut.at(-1)?.seq ?? 0) + 1, at: "2026-11-29T00:00:00.000Z", events: settled };
	return settled.length > 0 ? [...cut, end] : cut;
}

describe("cutAfterStep", () => {
	it("ends with the step, and with its turn where that ended with it", () => {
		expect(cutAfterStep(log, "step-3")?.at(-1)?.events.at(-1)).toMatchObject({
			type: "step/end",
			stepId: "step-3",
		});
		const whole = cutAfterStep(log, "step-9")?.at(-1)?.events.at(-1);
		expect(whole).toEqual({ type: "turn/end", turnId: "turn-1", status: "completed" });
	});

	it("takes the turn's end from the next commit too, and leaves everything else of that out", () => {
		const apart = log.flatMap((commit): Commit[] => {
			const end = commit.events.findIndex((event) => event.type === "turn/end");
			if (end < 0) return [commit];
			return [
				{ ...commit, events: commit.events.slice(0, end) },
				{ ...commit, events: [...commit.events.slice(end), { type: "session/renamed", title: "later" }] },
			];
		});
		expect(
			cutAfterStep(apart, "step-9")
				?.at(-1)
				?.events.slice(-2)
				.map(({ type }) => type),
		).toEqual(["step/end", "turn/end"]);
	});

	it("takes along what its turn made of files, which is found after the turn's end", () => {
		const changed = { type: "file/changed", turnId: "turn-1", changes: "[]" } as const;
		const found = log.flatMap((commit): Commit[] => {
			const isEnd = commit.events.some((event) => event.type === "turn/end" && event.turnId === "turn-1");
			return isEnd ? [commit, { ...commit, events: [changed] }] : [commit];
		});
		expect(cutAfterStep(found, "step-9")?.at(-1)?.events.slice(-2)).toEqual([
			{ type: "turn/end", turnId: "turn-1", status: "completed" },
			changed,
		]);
		expect(cutAfterStep(found, "step-8")?.at(-1)?.events.at(-1)?.type).toBe("step/end");
	});

	it("gives nothing for a step that is unknown or still open", () => {
		expect(cutAfterStep(log, "step-99")).toBeUndefined();
		const open = log.map((commit) => ({
			...commit,
			events: commit.events.filter((event) => event.type !== "step/end" || event.stepId !== "step-18"),
		}));
		expect(cutAfterStep(open, "step-18")).toBeUndefined();
	});
});

describe("settleCut", () => {
	it("leaves a log without fault, with no turn open and nothing waiting, after every step", () => {
		for (let step = 1; step <= 18; step++) {
			const copy = copyAfter(`step-${step}`);
			expect(checkLog(copy)).toEqual([]);
			const state = reduceAll(copy.flatMap(({ events }) => events));
			expect([state.turn, state.step, state.inbox]).toEqual([undefined, undefined, []]);
		}
	});

	it("cancels a message that was sent during the turn and that only the original answered", () => {
		const steered = log.flatMap((commit): Commit[] => {
			const isCall = commit.events.some((event) => event.type === "tool/result" && event.callId === "call-2");
			if (!isCall) return [commit];
			const events: Commit["events"] = [
				{ type: "user/message", messageId: "steer", text: "and faster", origin: "person" },
				{ type: "inbox/enqueued", messageId: "steer", target: "next_step", wakeup: true },
			];
			return [{ ...commit, events }, commit];
		});
		const numbered = steered.map((commit, at) => ({ ...commit, seq: at + 1 }));
		const copy = copyAfter("step-2", numbered);
		expect(checkLog(copy)).toEqual([]);
		expect(copy.at(-1)?.events).toEqual([
			{ type: "inbox/cancelled", messageIds: ["steer"] },
			expect.objectContaining({ type: "turn/end", status: "cancelled", code: "cancelled" }),
		]);
	});

	it("adds nothing where the turn was whole", () => {
		expect(copyAfter("step-9")).toEqual(cutAfterStep(log, "step-9"));
	});
});

describe("forkPoints", () => {
	const pointsOf = (commits: readonly Commit[]) =>
		forkPoints(commits, reduceAll(commits.flatMap(({ events }) => events)).timeline);

	it("tells of each closed step whose turn it was, what it did, and whether the turn ended with it", () => {
		const points = pointsOf(log);
		expect(points).toHaveLength(18);
		expect(points[7]).toEqual({
			stepId: "step-8",
			text: "question 1",
			outcome: "tools",
			said: expect.any(String),
			calls: [{ name: "readFile", args: expect.any(Object) }],
			endsTurn: false,
			inConversation: true,
		});
		expect(points[8]).toMatchObject({ outcome: "answer", said: "answer 1", calls: [], endsTurn: true });
		expect(points[9]).toMatchObject({ stepId: "step-10", text: "question 2", endsTurn: false });
	});

	it("leaves out a step that is open, and names the turn of one that goes on after a crash", () => {
		const open = log.slice(
			0,
			log.findIndex(({ events }) => events.some(isEndOf("step-3"))),
		);
		expect(pointsOf(open).map(({ stepId }) => stepId)).toEqual(["step-1", "step-2"]);
		const again = log.map((commit) => ({
			...commit,
			events: commit.events.map((event): Commit["events"][number] =>
				event.type === "turn/start" && event.turnId === "turn-2"
					? { ...event, source: { kind: "recovery" } }
					: event,
			),
		}));
		expect(pointsOf(again).at(-1)?.text).toBe("question 1");
	});

	it("marks the steps of a turn that a rewind took out of the conversation", () => {
		const rewound: SessionEvent = {
			type: "session/rewound",
			rewindId: "rewind-1",
			toTurnId: "turn-2",
			changes: "",
			conversation: true,
		};
		const points = pointsOf([...log, { v: 1, seq: log.length + 1, at: "", events: [rewound] }]);
		expect(points.map(({ inConversation }) => inConversation)).toEqual([
			...Array(9).fill(true),
			...Array(9).fill(false),
		]);
	});
});

describe("stepIdOf", () => {
	it("takes an id as it is, and a number alone for the step of that number", () => {
		expect([stepIdOf("step-3"), stepIdOf("3"), stepIdOf("three")]).toEqual(["step-3", "step-3", "three"]);
	});
});

describe("copySentence", () => {
	const stateAfter = (stepId: string) => reduceAll(copyAfter(stepId).flatMap(({ events }) => events));

	it("names the title, and where only a part was copied, the step and its turn", () => {
		expect(copySentence(reduceAll(log.flatMap(({ events }) => events)), "s")).toBe(
			'Copied from "question 1" up to its end.',
		);
		expect(copySentence(stateAfter("step-3"), "s", "step-3")).toBe(
			'Copied from "question 1" up to the end of step-3. No file was changed.',
		);
		expect(copySentence(stateAfter("step-12"), "s", "step-12")).toBe(
			'Copied from "question 1" up to the end of step-12, in the turn "question 2". No file was changed.',
		);
	});

	it("names a session without a title by its id", () => {
		const empty = reduceAll(log.slice(0, 1).flatMap(({ events }) => events));
		expect(copySentence(empty, "20261129-1")).toBe("Copied from session 20261129-1 up to its end.");
	});
});

function isEndOf(stepId: string) {
	return (event: SessionEvent) => event.type === "step/end" && event.stepId === stepId;
}

describe("lossSentences", () => {
	it("says what of the original is missing, and nothing of a whole copy", () => {
		expect(lossSentences({ parts: 0, texts: 0 })).toEqual([]);
		expect(lossSentences({ parts: 2, texts: 1 })).toEqual([
			"The original is damaged: 2 parts of it could not be read.",
			"1 stored text of the original is lost, and a mark stands in the place.",
		]);
	});
});
