import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkpointOf, isSafeCut, modelView, viewEntries } from "../../src/session/modelView.ts";
import type { HistoryItem } from "../../src/session/state.ts";

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
const notice: HistoryItem = { kind: "recovery", notes: ["n"] };
const checkpoint = (upTo: number, kept: number[] = [], undone = false): HistoryItem => ({
	kind: "checkpoint",
	checkpointId: `c${upTo}`,
	summary: `summary of ${upTo}`,
	upTo,
	kept,
	...(undone ? { undone: true } : {}),
});

describe("modelView", () => {
	it("is the history where there is no checkpoint, and leaves out one that was undone", () => {
		expect(modelView([user("a"), user("b")])).toEqual([user("a"), user("b")]);
		expect(modelView([user("a"), checkpoint(1, [], true), user("b")])).toEqual([user("a"), user("b")]);
	});

	it("puts the last checkpoint first, then what it kept, the tail, and all that came after", () => {
		const last = checkpoint(4, [2]);
		const history = [user("a"), checkpoint(1), user("b"), user("c"), user("d"), last, user("e")];
		expect(modelView(history)).toEqual([last, user("b"), user("d"), user("e")]);
		expect(viewEntries(history).map(({ index }) => index)).toEqual([2, 4, 6]);
	});

	it("puts a mark in place of a masked text, and leaves calls with their arguments", () => {
		const history = [user("a"), said("p"), result("p")];
		const masks = new Map([
			["a", 12],
			["m", 3],
			["p", 400],
		]);
		expect(modelView(history, masks)).toEqual([
			{ ...user("a"), text: "[masked: message of the user, 12 tokens]" },
			{ ...said("p"), text: "[masked: answer of the model, 3 tokens]" },
			{ ...result("p"), text: "[masked: result of readFile, 400 tokens]" },
		]);
		expect(modelView(history)[0]).toBe(history[0]);
	});

	it("hides what the model thought together with its masked answer", () => {
		const thought = { ...said("p"), reasoning: "the same again, at length" };
		expect(modelView([thought], new Map([["m", 3]]))).toMatchObject([{ reasoning: "" }]);
	});

	it("falls back to the checkpoint before the one that was undone", () => {
		const first = checkpoint(1);
		expect(checkpointOf([user("a"), first, user("b"), checkpoint(3, [], true)])).toBe(first);
	});
});

describe("isSafeCut", () => {
	it.each([
		[0, true],
		[1, true],
		[2, false],
		[3, false],
		[4, false],
		[5, true],
		[6, true],
		[7, false],
	])("before item %i of calls with a notice between their results: %s", (index, safe) => {
		const history = [user("a"), said("p", "q"), result("p"), notice, result("q"), said()];
		expect(isSafeCut(history, index)).toBe(safe);
	});

	it("never parts a call from its result, wherever notices stand", () => {
		const block = fc.tuple(fc.nat(3), fc.boolean()).map(([n, noticed]) => {
			const ids = Array.from({ length: n }, (_, i) => `c${i}`);
			const results = ids.map(result);
			return [said(...ids), ...(noticed ? [results[0] ?? notice, notice, ...results.slice(1)] : results)];
		});
		fc.assert(
			fc.property(fc.array(block, { maxLength: 5 }), fc.nat(30), (blocks, at) => {
				const history = blocks.flat();
				if (!isSafeCut(history, at)) return;
				const callsBefore = history
					.slice(0, at)
					.flatMap((i) => (i.kind === "assistant" ? i.calls : [])).length;
				const resultsBefore = history.slice(0, at).filter((i) => i.kind === "tool").length;
				expect(resultsBefore).toBe(callsBefore);
			}),
		);
	});
});
