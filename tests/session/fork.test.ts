import { describe, expect, it } from "vitest";
import { checkLog } from "../../src/session/check.ts";
import type { Commit } from "../../src/session/events.ts";
import { cutAfterStep, settleCut } from "../../src/session/fork.ts";
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
