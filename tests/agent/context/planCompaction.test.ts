import { describe, expect, it } from "vitest";
import { planCompaction } from "../../../src/agent/context/planCompaction.ts";
import { emptyState, type HistoryItem, type SessionState } from "../../../src/session/state.ts";

const user = (text: string): HistoryItem => ({ kind: "user", messageId: text, text });
const said = (...callIds: string[]): HistoryItem => ({
	kind: "assistant",
	messageId: "m",
	text: "t",
	reasoning: "",
	origin: "",
	calls: callIds.map((callId) => ({ callId, providerId: callId, name: "readFile", args: {} })),
});
const result = (callId: string): HistoryItem => ({
	kind: "tool",
	callId,
	providerId: callId,
	name: "readFile",
	status: "result",
	text: callId,
});

const failure = (callId: string): HistoryItem => ({ ...result(callId), status: "error" }) as HistoryItem;

const planned = (history: HistoryItem[], tail: number, more: Partial<SessionState> = {}, unread = 0) =>
	planCompaction({ ...emptyState(), ...more, history }, { tail, unread }, () => 10);

describe("planCompaction", () => {
	it("keeps the newest items within the budget, and the last request of the user", () => {
		const history = [user("a"), said(), user("b"), said(), said(), said()];
		expect(planned(history, 25)).toEqual({ upTo: 4, kept: [2], leaving: [user("a"), said(), said()] });
	});

	it("moves the cut behind a batch of calls that it would part", () => {
		const history = [user("a"), said("p", "q", "r"), result("p"), result("q"), result("r"), said()];
		expect(planned(history, 30)).toMatchObject({ upTo: 5, kept: [0] });
		expect(planned(history.slice(0, 5), 30)).toMatchObject({ upTo: 5, kept: [0] });
	});

	it("keeps the word that plan mode is on, but not that it was", () => {
		const history: HistoryItem[] = [{ kind: "modeChange", mode: "plan" }, user("a"), said(), said()];
		expect(planned(history, 0, { mode: "plan" })).toMatchObject({ kept: [0, 1] });
		expect(planned(history, 0)).toMatchObject({ kept: [1] });
	});

	it("goes on from the checkpoint before, whose items left already", () => {
		const before: HistoryItem = { kind: "checkpoint", checkpointId: "c", summary: "s", upTo: 2, kept: [0] };
		const history = [user("a"), said(), before, said(), user("b"), said()];
		expect(planned(history, 10)).toMatchObject({ upTo: 5, kept: [4], leaving: [user("a"), said()] });
	});

	it("keeps results that the model has not read within a room of their own", () => {
		const history = [user("a"), said("p"), result("p"), said("q", "r"), result("q"), result("r")];
		expect(planned(history, 10, {}, 30)).toMatchObject({ upTo: 3, kept: [0] });
		expect(planned(history, 10, {}, 20)).toMatchObject({ upTo: 6, kept: [0] });
		expect(planned([...history, said()], 10, {}, 100)).toMatchObject({ upTo: 6, kept: [0] });
	});

	it("keeps what is pinned, a result with its message and the other results of that", () => {
		const history = [user("a"), said("p", "q"), result("p"), result("q"), user("b"), said(), user("c")];
		const pinned = new Set(["q", "b"]);
		expect(planned(history, 0, { pinned })).toEqual({
			upTo: 7,
			kept: [1, 2, 3, 4, 6],
			leaving: [user("a"), said()],
		});
	});

	it("keeps a fresh error with its call where it fits the room, an old one not", () => {
		const history = [user("a"), said("p"), failure("p"), said("q"), result("q"), said("r"), result("r")];
		expect(planned(history, 20)).toMatchObject({ upTo: 5, kept: [0, 1, 2] });
		expect(planned(history, 10)).toMatchObject({ kept: [0] });
		const later = Array.from({ length: 12 }, () => said());
		expect(planned([...history, ...later], 20)).toMatchObject({ kept: [0] });
	});

	it("keeps every message that the open step claimed", () => {
		const step = { claimed: ["a", "b"] } as SessionState["step"] & object;
		const history = [user("a"), user("b"), said(), said()];
		expect(planned(history, 0, { step })).toMatchObject({ kept: [0, 1] });
	});

	it("lets the text of what is masked leave as its mark", () => {
		const history = [user("a"), said(), user("b")];
		const masked = new Map([["a", 7]]);
		expect(planned(history, 0, { masked })?.leaving[0]).toMatchObject({
			text: "[masked: message of the user, 7 tokens]",
		});
	});

	it("is none where nothing would leave", () => {
		expect(planned([user("a")], 0)).toBeUndefined();
		expect(planned([user("a"), said()], 100)).toBeUndefined();
		expect(planned([], 0)).toBeUndefined();
	});
});
