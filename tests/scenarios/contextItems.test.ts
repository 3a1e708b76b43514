// Whole turns in which a person masks or pins single items: what the model sees from then on, and what a summary keeps.

import { afterEach, describe, expect, it } from "vitest";
import type { ModelRequest } from "../../src/ports/model.ts";
import { createTurnBench, type TurnBench, type TurnBenchOptions } from "../support/turnBench.ts";

let bench: TurnBench | undefined;

afterEach(async () => {
	await bench?.remove();
	bench = undefined;
});

async function open(options: TurnBenchOptions): Promise<TurnBench> {
	bench = await createTurnBench(options);
	return bench;
}

const isSummary = (request: ModelRequest) => request.system.startsWith("You sum up");
const countOf = (request: ModelRequest) =>
	Math.ceil(JSON.stringify([request.system, request.tools, request.messages]).length / 4);
const usage = (request: ModelRequest) => ({
	inputTokens: countOf(request),
	outputTokens: 20,
	cachedInputTokens: 0,
	reasoningTokens: 0,
});
const window = (contextWindow: number) => ({
	limits: { contextWindow, outputReserve: Math.floor(contextWindow / 8) },
});
const long = "many words about the old work ".repeat(60);
const mask = (itemId: string) => ({ do: "maskItem", itemId, masked: true, tokens: 7, by: "person" }) as const;
const pin = (itemId: string) => ({ do: "pinItem", itemId, pinned: true, by: "person" }) as const;

describe("a masked item", () => {
	it("is a mark from the next step on, though it was masked in the middle of a turn", async () => {
		const b = await open({
			files: { "a.txt": "the old secret plan" },
			script: (request, index) => {
				if (index === 1) b.session.record(mask("call_0"));
				const call = { id: `call_${index}`, name: "readFile", args: { path: "a.txt" } };
				return index < 2 ? { calls: [call], usage: usage(request) } : { text: "ok", usage: usage(request) };
			},
		});
		await b.say("read");
		const [, before, after] = b.model.requests.map(({ request }) => request.messages);
		expect(before![2]!.text).toContain("the old secret plan");
		expect(after!.slice(0, 2)).toEqual(before!.slice(0, 2));
		expect(after![2]!.text).toContain("[masked: result of readFile, 7 tokens]");
		expect(after![4]!.text).toContain("the old secret plan");
	});

	it("reaches no summary", async () => {
		const b = await open({
			script: (request, index) => ({
				text: isSummary(request) ? "## Confirmed facts\n- a summary" : index === 0 ? `4711 ${long}` : long,
				usage: usage(request),
			}),
			context: window(8_000),
		});
		await b.say("my number is 0815");
		b.session.record(mask("message-1"));
		b.session.record(mask("message-2"));
		for (let i = 0; i < 16; i++) await b.say(`question ${i}`);
		const later = b.model.requests.slice(1).map(({ request }) => JSON.stringify(request));
		expect(b.model.requests.some(({ request }) => isSummary(request))).toBe(true);
		expect(later.filter((text) => text.includes("4711") || text.includes("0815"))).toEqual([]);
	});
});

describe("a pinned item", () => {
	const notes = Array.from({ length: 30 }, (_, i) => `rule ${i}: keep exactly ${i * 37}`).join("\n");

	it("stays word for word over several summaries, a result with its call", async () => {
		const b = await open({
			files: { "rules.txt": notes },
			script: (request, index) => {
				if (isSummary(request)) return { text: "## Confirmed facts\n- rules exist", usage: usage(request) };
				const call = { id: "rules", name: "readFile", args: { path: "rules.txt" } };
				return index === 0 ? { calls: [call], usage: usage(request) } : { text: long, usage: usage(request) };
			},
			context: window(8_000),
		});
		await b.say("read the rules");
		b.session.record(pin("rules"));
		for (let i = 0; i < 40; i++) await b.say(`question ${i}`);
		const checkpoints = (await b.events()).filter(({ type }) => type === "checkpoint/committed");
		expect(checkpoints.length).toBeGreaterThan(2);
		const { messages } = b.model.requests.at(-1)!.request;
		const at = messages.findIndex(({ role }) => role === "tool");
		expect(messages[at - 1]).toMatchObject({ calls: [{ id: "rules", args: { path: "rules.txt" } }] });
		expect(notes.split("\n").filter((line) => !messages[at]!.text.includes(line))).toEqual([]);
	});

	it("is kept by the next summary where it was pinned while one was being written", async () => {
		let summaries = 0;
		const b = await open({
			script: (request, index) => {
				if (isSummary(request) && summaries++ === 0) b.session.record(pin("message-2"));
				const text = isSummary(request) ? "short" : index === 0 ? `exactly ${notes}` : long;
				return { text, usage: usage(request) };
			},
			context: window(8_000),
		});
		for (let i = 0; i < 30 && summaries === 0; i++) await b.say(`question ${i}`);
		expect(summaries).toBe(2);
		expect((await b.events()).filter(({ type }) => type === "checkpoint/committed")).toHaveLength(1);
		const { messages } = b.model.requests.at(-1)!.request;
		expect(messages.some(({ text }) => text === `exactly ${notes}`)).toBe(true);
	});

	it("is named with the way out where it fills the window", async () => {
		const b = await open({
			script: (request) => ({ text: isSummary(request) ? "short" : "ok", usage: usage(request) }),
			context: window(8_000),
		});
		await b.say(`old ${"words ".repeat(3_000)}`);
		b.session.record(pin("message-1"));
		const end = await b.say("new ".repeat(5_000));
		expect(end).toMatchObject({ status: "failed", code: "context" });
		expect(end!.answer).toMatch(/what you pinned about [34],\d{3}.*unpin what you no longer need/);
	});
});

describe("a prompt larger than the window", () => {
	const huge = "words ".repeat(9_000);

	it("is sent all the same where nobody told the window, also once the server has counted", async () => {
		const limits = { contextWindow: 8_000, outputReserve: 1_000, assumed: true as const };
		const b = await open({
			script: (request) => ({ text: isSummary(request) ? "short" : "ok", usage: usage(request) }),
			context: { limits },
		});
		expect(await b.say("hello")).toMatchObject({ status: "completed" });
		expect(await b.say(huge)).toMatchObject({ status: "completed", answer: "ok" });
	});

	it("is not sent where the window is known, and stays in the conversation", async () => {
		const b = await open({
			script: (request) => ({ text: isSummary(request) ? "short" : "ok", usage: usage(request) }),
			context: window(8_000),
		});
		await b.say("hello");
		const end = await b.say(huge);
		expect(end).toMatchObject({ status: "failed", code: "context" });
		expect(end!.answer).toContain("your message about");
		expect(b.session.state.inbox).toMatchObject([{ text: huge }]);
	});
});
