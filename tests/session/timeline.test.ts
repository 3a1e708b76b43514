// The timeline as the log gives it: what a rewind may follow, and what the checker finds in a log that says otherwise.

import { describe, expect, it } from "vitest";
import { checkLog } from "../../src/session/check.ts";
import type { Command } from "../../src/session/commands.ts";
import { decide, isRefusal } from "../../src/session/decide.ts";
import type { Commit, SessionEvent } from "../../src/session/events.ts";
import { reduceAll } from "../../src/session/reduce.ts";
import { redoable } from "../../src/session/timeline.ts";

/** Carries out commands in order; gives all events, or the first refusal. */
function perform(commands: readonly Command[]): SessionEvent[] | string {
	const events: SessionEvent[] = [];
	for (const command of commands) {
		const decided = decide(reduceAll(events), command);
		if (isRefusal(decided)) return decided.refused;
		events.push(...decided);
	}
	return events;
}

const CREATE: Command = {
	do: "createSession",
	sessionId: "s",
	cwd: "/w",
	projectId: "p",
	agiVersion: "1",
	startedOn: "2026-11-29",
	mode: "default",
};
const SAY: Command = { do: "submitInput", text: "hi", target: "next_turn", wakeup: true, origin: "person" };
const CANCEL: Command = { do: "endTurn", status: "cancelled" };
const TURN: Command[] = [SAY, { do: "startTurn" }, CANCEL];
const REWIND: Command = { do: "rewind", toTurnId: "turn-1", changes: "", conversation: true };
const REDO: Command = { do: "redo", changes: "" };

function logOf(events: readonly SessionEvent[]): Commit[] {
	return [{ v: 1, seq: 1, at: "", events: [...events] }];
}

describe("decide", () => {
	it("refuses a rewind while a turn is open, to an unknown turn, and twice over the same conversation", () => {
		expect(perform([CREATE, SAY, { do: "startTurn" }, REWIND])).toBe("a turn is open");
		expect(perform([CREATE, REWIND])).toBe("there was no turn turn-1");
		expect(perform([CREATE, ...TURN, REWIND, REWIND])).toMatch(/no longer part of the conversation/);
	});

	it("refuses a redo without a rewind, after another turn, and of what was redone", () => {
		expect(perform([CREATE, ...TURN, REDO])).toBe("there is no rewind to take back");
		expect(perform([CREATE, ...TURN, REWIND, ...TURN, REDO])).toBe("there is no rewind to take back");
		expect(perform([CREATE, ...TURN, REWIND, REDO, REDO])).toBe("there is no rewind to take back");
	});

	it("cancels a message of the turn that still waits, so that it does not come up again", () => {
		const events = perform([CREATE, ...TURN, REWIND]) as SessionEvent[];
		expect(events.slice(-2).map(({ type }) => type)).toEqual(["inbox/cancelled", "session/rewound"]);
		expect(reduceAll(events).inbox).toEqual([]);
	});

	it("keeps images for the open turn only", () => {
		expect(perform([CREATE, { do: "keepImages", images: [] }])).toBe("no turn is open");
		expect(perform([CREATE, { do: "recordChanges", turnId: "turn-1", changes: "" }])).toMatch(
			/no turn turn-1/,
		);
	});
});

describe("redoable", () => {
	it("is the last rewind that stands", () => {
		const events = perform([CREATE, ...TURN, ...TURN, { ...REWIND, toTurnId: "turn-2" }, REWIND, REDO]);
		expect(redoable(reduceAll(events as SessionEvent[]))?.rewindId).toBe("rewind-1");
	});
});

describe("checkLog", () => {
	it("finds nothing wrong with rewinds and redos", () => {
		expect(checkLog(logOf(perform([CREATE, ...TURN, REWIND, REDO]) as SessionEvent[]))).toEqual([]);
	});

	it("finds a rewind inside a turn, of an unknown turn, and a redo of an unknown rewind", () => {
		const open = perform([CREATE, SAY, { do: "startTurn" }]) as SessionEvent[];
		const rewound = {
			type: "session/rewound",
			rewindId: "r",
			toTurnId: "x",
			changes: "",
			conversation: false,
		} as const;
		const found = checkLog(logOf([...open, { ...rewound, undoes: "y" }])).map(({ message }) => message);
		expect(found).toEqual([
			"session/rewound names turn x, which is not in the log",
			"session/rewound names rewind y, which is not in the log",
			"session/rewound comes while turn turn-1 is open",
		]);
	});

	it("finds images of a turn that is not the open one", () => {
		const events = perform([CREATE, ...TURN]) as SessionEvent[];
		const late: SessionEvent = { type: "file/snapshotted", turnId: "turn-1", images: [] };
		expect(checkLog(logOf([...events, late]))).toMatchObject([{ invariant: 2 }]);
	});
});
