import { describe, expect, it } from "vitest";
import {
	estimateMessagesTokens,
	estimateTokens,
	extractMessageText,
	sizeOfImage,
	sizeOfMessage,
} from "../../../src/agent/context/tokenEstimator.ts";

describe("estimateTokens", () => {
	it.each([
		["", 0],
		["a", 1],
		["four", 1],
		["fives", 2],
		["你好世界", 4],
		["你好 world", 4],
		["😀😀", 2],
	])("takes %j for %i", (text, tokens) => {
		expect(estimateTokens(text)).toBe(tokens);
	});
});

describe("extractMessageText", () => {
	it("holds words, reasoning and calls with their arguments", () => {
		const calls = [{ id: "c", name: "readFile", args: { path: "a" } }];
		expect(extractMessageText({ role: "assistant", text: "t", reasoning: "r", calls })).toBe(
			't\nr\nreadFile {"path":"a"}',
		);
		expect(extractMessageText({ role: "tool", id: "c", name: "n", text: "x" })).toBe("x");
	});
});

describe("estimateTokens of a message", () => {
	it("reads the AI SDK's form: text, calls and results, and nothing else", () => {
		const content = [
			{ type: "text", text: "look" },
			{ type: "tool-call", toolName: "readFile", input: { path: "a" } },
			{ type: "tool-result", output: { type: "text", value: "found" } },
			{ type: "image", image: "x".repeat(10_000) },
		];
		const text = 'look\nreadFile {"path":"a"}\nfound';
		expect(extractMessageText({ role: "assistant", content })).toBe(text);
		expect(estimateTokens({ role: "assistant", content })).toBe(estimateTokens(text));
	});
});

describe("estimateMessagesTokens", () => {
	it("counts four for each message's frame", () => {
		expect(estimateMessagesTokens([])).toBe(0);
		expect(
			estimateMessagesTokens([
				{ role: "user", text: "four" },
				{ role: "user", text: "" },
			]),
		).toBe(9);
	});
});

describe("sizeOfImage", () => {
	it("grows with the pixels between a least and a most, and is part of its message's size", () => {
		const tokens = (width: number, height: number) => sizeOfImage({ width, height }).wide;
		expect([tokens(1, 1), tokens(800, 600), tokens(10_000, 10_000)]).toEqual([64, 613, 1_600]);
		const image = { source: "a.png", mediaType: "image/png", digest: "", width: 800, height: 600 };
		const message = { role: "user" as const, text: "see" };
		const plain = sizeOfMessage(message);
		expect(sizeOfMessage({ ...message, images: [image, image] })).toEqual({ ...plain, wide: 1_226 });
	});
});
