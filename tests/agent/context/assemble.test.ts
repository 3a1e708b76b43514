import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { assemble, markNotice, renderHistory, wrapToolResult } from "../../../src/agent/context/assemble.ts";
import { emptyState, type HistoryItem } from "../../../src/session/state.ts";
import { ASKED, record, START_STEP, START_TURN, sessionAfter, submit } from "../../support/sessionSteps.ts";
import { brokenRules } from "../../support/strictRules.ts";
import { toWire } from "../../support/wireMessages.ts";

const ORIGIN = "http://127.0.0.1 m";
const SYSTEM = { system: "s", tools: [] };

type Assistant = HistoryItem & { kind: "assistant" };

function assistant(calls: [callId: string, providerId: string][], more: Partial<Assistant> = {}): Assistant {
	return {
		kind: "assistant",
		messageId: "m",
		text: "",
		reasoning: "",
		origin: ORIGIN,
		calls: calls.map(([callId, providerId]) => ({ callId, providerId, name: "readFile", args: {} })),
		...more,
	};
}

const user = (text: string): HistoryItem => ({ kind: "user", messageId: "m", text });
const result = (callId: string, text: string): HistoryItem => ({
	kind: "tool",
	callId,
	providerId: callId,
	name: "readFile",
	status: "result",
	text,
});

/** Anything that a history could ever hold, closed or not. */
const id = fc.constantFrom("", "a", "a~2", "b", "call");
const words = fc.constantFrom("", " \n", "hello", "</tool_result>", "</agi_notice>");
const item: fc.Arbitrary<HistoryItem> = fc.oneof(
	words.map(user),
	fc.constant<HistoryItem>({ kind: "modeChange", mode: "plan" }),
	fc.constant<HistoryItem>({ kind: "recovery", notes: ["</agi_notice>"] }),
	fc.tuple(id, words).map(([callId, text]) => result(callId, text)),
	fc
		.tuple(fc.array(fc.tuple(id, id), { maxLength: 4 }), words, words, fc.constantFrom(ORIGIN, ""))
		.map(([calls, text, reasoning, origin]) => assistant(calls, { text, reasoning, origin })),
);

describe("assemble", () => {
	it("keeps the rules of strict servers for whatever history there is", () => {
		fc.assert(
			fc.property(fc.array(item, { maxLength: 12 }), (history) => {
				const { messages } = assemble({ ...emptyState(), history }, SYSTEM);
				expect(brokenRules(toWire("s", messages))).toEqual([]);
			}),
			{ numRuns: 500 },
		);
	});

	it("says nothing empty, closes every frame once, and reasons only with calls of the same origin", () => {
		fc.assert(
			fc.property(fc.array(item, { maxLength: 12 }), (history) => {
				for (const message of renderHistory(history, ORIGIN)) {
					if (message.role !== "assistant") expect(message.text.trim()).not.toBe("");
					expect(message.text.match(/<\/tool_result>/g)?.length ?? 0).toBeLessThanOrEqual(1);
					expect(message.text.match(/<\/agi_notice>/g)?.length ?? 0).toBeLessThanOrEqual(1);
					if (message.role === "assistant" && message.reasoning !== undefined)
						expect(message.calls.length).toBeGreaterThan(0);
				}
			}),
			{ numRuns: 200 },
		);
	});

	it("adds what the open step has claimed, and after a cut the wish to go on", () => {
		const claimed = sessionAfter(submit("hi"), START_TURN, START_STEP).state;
		expect(assemble(claimed, SYSTEM)).toEqual({ ...SYSTEM, messages: [{ role: "user", text: "hi" }] });
		const cut = sessionAfter(...ASKED, {
			do: "endAttempt",
			outcome: "rejected",
			attempt: record({ text: "Once", finish: "length" }),
		}).state;
		expect(assemble(cut, SYSTEM).messages).toEqual([
			{ role: "user", text: "hi" },
			{ role: "assistant", text: "Once", calls: [] },
			{ role: "user", text: expect.stringContaining("Go on exactly where it ends") },
		]);
	});

	it("caps the reply only where a cap is given", () => {
		expect(assemble(emptyState(), SYSTEM)).not.toHaveProperty("maxOutputTokens");
		expect(assemble(emptyState(), { ...SYSTEM, maxOutputTokens: 9 }).maxOutputTokens).toBe(9);
	});
});

describe("renderHistory", () => {
	it.each([
		["reasoning_content", { reasoning: "so" }],
		["reasoning", { reasoning: "so", reasoningField: "reasoning" }],
		["content", {}],
		// A log from before places were kept goes on as it began.
		[undefined, { reasoning: "so" }],
	] as const)("sends reasoning back where it stood: %s", (place, sent) => {
		const more = { reasoning: "so", ...(place && { reasoningPlace: place }) };
		const [message] = renderHistory([assistant([["a", "a"]], more)], ORIGIN);
		const {
			role: _,
			text: __,
			calls: ___,
			...rest
		} = message as { role: "assistant"; text: string; calls: [] };
		expect(rest).toEqual(sent);
	});

	it("gives an item its message again, and another where its results or the model are others", () => {
		const [asked, said] = [user("read"), assistant([["a", "a"]], { text: "I read", reasoning: "so" })];
		const open = renderHistory([asked, said], ORIGIN);
		const long = "some words ".repeat(60);
		const ended = renderHistory([asked, said, result("a", long)], ORIGIN);
		expect(ended[0]).toBe(open[0]);
		expect(ended[2]).toMatchObject({ role: "tool", text: wrapToolResult("readFile", long) });
		expect(renderHistory([asked, said, result("a", long)], ORIGIN)[2]).not.toBe(ended[2]);
		const same = [asked, said, result("a", long)];
		expect(renderHistory(same, ORIGIN)[1]).toBe(renderHistory(same, ORIGIN)[1]);
		expect(renderHistory(same, ORIGIN)[1]).toMatchObject({ reasoning: "so" });
		expect(renderHistory(same, "another model")[1]).not.toHaveProperty("reasoning");
		expect(renderHistory(same, ORIGIN, 40)[2]?.text).toContain("[Cut to fit");
	});

	it("puts results directly behind their message, in call order, and notices behind them", () => {
		const history = [
			user("q"),
			assistant([
				["a", "a"],
				["b", "b"],
			]),
			{ kind: "modeChange", mode: "default" } as const,
			result("b", "B"),
			user("steer"),
			result("a", "A"),
		];
		expect(
			renderHistory(history, ORIGIN).map(({ role, text }) => `${role} ${text.split("\n")[1] ?? text}`),
		).toEqual([
			"user q",
			"assistant ",
			"tool A",
			"tool B",
			"user Plan mode is off; the permission mode is now default.",
			"user steer",
		]);
	});

	it("says so where a call has no result", () => {
		expect(renderHistory([assistant([["a", "a"]])], ORIGIN)[1]?.text).toContain("no recorded result");
	});

	it("sends the server's own ids back, also where it uses one id in every reply", () => {
		const history = [
			assistant([["x", "x"]]),
			result("x", "1"),
			assistant([["x~2", "x"]]),
			result("x~2", "2"),
		];
		const ids = renderHistory(history, ORIGIN).map((message) =>
			message.role === "tool" ? message.id : message.role === "assistant" ? message.calls[0]?.id : "",
		);
		expect(ids).toEqual(["x", "x", "x", "x"]);
	});

	it.each<[string, Partial<Assistant>, [string, string][], string | undefined]>([
		["goes back to the server it came from, with its calls", {}, [["a", "a"]], "hm"],
		["stays away without calls", { text: "x" }, [], undefined],
		["stays away from another model", { origin: "http://127.0.0.1 other" }, [["a", "a"]], undefined],
	])("reasoning %s", (_, more, calls, expected) => {
		const [message] = renderHistory([assistant(calls, { reasoning: "hm", ...more })], ORIGIN);
		expect(message?.role === "assistant" ? message.reasoning : "").toBe(expected);
	});

	it("leaves out a message that neither says nor calls anything", () => {
		expect(renderHistory([assistant([], { text: " ", reasoning: "hm" })], ORIGIN)).toEqual([]);
	});
});

describe("markNotice and wrapToolResult", () => {
	it("cannot be closed by what they hold", () => {
		expect(markNotice("</agi_notice>x")).toBe("<agi_notice>\n<\\/agi_notice>x\n</agi_notice>");
		expect(wrapToolResult("t", "</tool_result>x")).toBe(
			'<tool_result name="t">\n<\\/tool_result>x\n</tool_result>',
		);
	});
});
