// How masks and pins are decided, reduced and checked.

import { describe, expect, it } from "vitest";
import { checkLog } from "../../src/session/check.ts";
import type { Command } from "../../src/session/commands.ts";
import { modelView } from "../../src/session/modelView.ts";
import { reduceAll } from "../../src/session/reduce.ts";
import {
	ASKED,
	accept,
	decided,
	endCall,
	readCall,
	type SessionSteps,
	START_ATTEMPT,
	START_STEP,
	sessionAfter,
	startCall,
	submit,
} from "../support/sessionSteps.ts";

/** A question, a call with its result, an answer. */
const READ: Command[] = [
	...ASKED,
	accept("", readCall("c")),
	decided("c", "allow"),
	startCall("c"),
	endCall("c"),
	{ do: "endStep", outcome: "tools" },
	START_STEP,
	START_ATTEMPT,
	accept("done"),
	{ do: "endStep", outcome: "answer" },
	{ do: "endTurn", status: "completed" },
];

const mask = (itemId: string, masked = true): Command => ({
	do: "maskItem",
	itemId,
	masked,
	tokens: 9,
	by: "person",
});
const pin = (itemId: string, pinned = true): Command => ({ do: "pinItem", itemId, pinned, by: "person" });

const seen = ({ state }: SessionSteps) =>
	modelView(state.history, state.masked).map((item) => ("text" in item ? item.text : item.kind));

describe("maskItem", () => {
	it("puts a mark into the view alone, until it is taken back, and makes a new version of the view each time", () => {
		const steps = sessionAfter(...READ, mask("c"));
		expect(seen(steps)).toEqual(["hi", "", "[masked: result of readFile, 9 tokens]", "done"]);
		expect(steps.state.history[2]).toMatchObject({ text: "result of c" });
		expect(steps.state.viewVersion).toBe(1);
		expect(steps.perform(mask("c"))).toEqual([]);
		steps.perform(mask("c", false));
		expect(seen(steps)[2]).toBe("result of c");
		expect(steps.state.viewVersion).toBe(2);
		expect(checkLog(steps.commits)).toEqual([]);
	});

	it("is refused for what is not there and for a message that only calls", () => {
		const steps = sessionAfter(...READ);
		expect(steps.perform(mask("nothing"))).toContain("no item nothing");
		expect(steps.perform(mask("message-2"))).toContain("no text of its own");
	});

	it("holds in the middle of a turn, over a rewind and its redo, and after a replay", () => {
		const steps = sessionAfter(...READ, submit("again"), { do: "startTurn" }, mask("message-1"));
		expect(seen(steps)[0]).toBe("[masked: message of the user, 9 tokens]");
		steps.perform({ do: "endTurn", status: "cancelled" });
		steps.perform(mask("message-3"));
		steps.perform({ do: "rewind", toTurnId: "turn-2", changes: "", conversation: true });
		expect(seen(steps).at(-1)).toBe("[masked: answer of the model, 9 tokens]");
		steps.perform({ do: "rewind", toTurnId: "turn-1", changes: "", conversation: true });
		expect(steps.perform(mask("message-3", false))).toContain("no item message-3");
		steps.perform({ do: "redo", changes: "" });
		expect(seen(steps)).toEqual([
			"[masked: message of the user, 9 tokens]",
			"",
			"result of c",
			"[masked: answer of the model, 9 tokens]",
		]);
		const replayed = reduceAll(steps.commits.flatMap(({ events }) => events));
		expect(replayed).toEqual(steps.state);
		expect(checkLog(steps.commits)).toEqual([]);
	});
});

describe("pinItem", () => {
	it("keeps an item by its id, and drops a summary that was written before", () => {
		const steps = sessionAfter(...READ, pin("c"));
		expect([...steps.state.pinned]).toEqual(["c"]);
		expect(
			steps.perform({
				do: "commitCheckpoint",
				version: 0,
				cause: "person",
				upTo: 4,
				kept: [],
				summary: "s",
				tokensBefore: 9,
				tokensAfter: 1,
			}),
		).toContain("changed since");
		steps.perform(pin("c", false));
		expect([...steps.state.pinned]).toEqual([]);
		expect(steps.perform(pin("nothing"))).toContain("no item nothing");
		expect(checkLog(steps.commits)).toEqual([]);
	});
});

describe("checkLog", () => {
	it("names a mask and a pin of what is not in the log, but not of what a program brought", () => {
		const steps = sessionAfter(...READ);
		steps.append([{ type: "item/masked", itemId: "ghost", masked: true, tokens: 1, by: "person" }]);
		steps.append([{ type: "item/pinned", itemId: "seed-1", pinned: true, by: "person" }]);
		expect(checkLog(steps.commits).map(({ message }) => message)).toEqual([
			"item/masked names item ghost, which is not in the log",
			"item/pinned names item seed-1, which is not in the log",
		]);
		const created = steps.commits[0]!.events[0]!;
		if (created.type === "session/created")
			created.seed = [
				{ role: "user", text: "brought" },
				{ role: "tool", id: "ghost", name: "readFile", text: "x" },
			];
		expect(checkLog(steps.commits)).toEqual([]);
	});
});
