import { describe, expect, it } from "vitest";
import {
	errorOfEvent,
	findServerError,
	isContextOverflow,
	windowTold,
} from "../../../src/adapters/models/serverErrors.ts";

describe("isContextOverflow and windowTold", () => {
	it.each([
		[
			"This model's maximum context length is 8192 tokens, your prompt contains at least 9000 input tokens",
			8192,
		],
		["request (9000 tokens) exceeds the available context size (8192 tokens), try increasing it", 8192],
		["prompt is too long: 9000 tokens > 8192 maximum", 8192],
		["<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 98304]", 98304],
		["Prompt contains 40000 tokens, too large for model with 32,768 maximum context length", 32768],
		["This model's maximum prompt length is 131072 but the request contains 140000 tokens.", 131072],
		["the model is loaded with context length of only 4096 tokens", 4096],
		["Your input exceeds the context window of this model", undefined],
		["Please reduce the length of the messages or completion.", undefined],
		["Prompt 超长", undefined],
	])("knows the wording %j", (message, window) => {
		expect(isContextOverflow({ message })).toBe(true);
		expect(windowTold({ message })).toBe(window);
	});

	it("knows the code alone, and a window told in a field", () => {
		expect(isContextOverflow({ message: "no", code: "context_length_exceeded" })).toBe(true);
		const told = findServerError({
			error: { code: 400, message: "exceeds the available context size", n_ctx: 8192 },
		});
		expect(told && windowTold(told)).toBe(8192);
	});

	it.each([
		["Rate limit reached: too many tokens per minute, limit 30000"],
		["Invalid value for 'temperature': must be at most 2"],
		["max_tokens is too large: 100000. This model supports at most 16384 completion tokens"],
		["The model `gpt-9` does not exist"],
	])("does not take %j for one", (message) => {
		expect(isContextOverflow({ message })).toBe(false);
	});
});

describe("findServerError", () => {
	it.each([
		[
			{ error: { message: "m", type: "t", code: 429 } },
			{ message: "m", type: "t", code: "429", status: 429 },
		],
		[{ error: "m" }, { message: "m" }],
		[[{ error: { message: "m" } }], { message: "m" }],
		[{ detail: "Not Found" }, { message: "Not Found" }],
		[
			{ detail: [{ loc: ["body"], msg: "field required" }] },
			{ message: '[{"loc":["body"],"msg":"field required"}]' },
		],
		[
			{ error: { message: "Provider returned error", metadata: { raw: "slow down" } } },
			{ message: "Provider returned error (slow down)" },
		],
		[{ success: false, message: "m" }, { message: "m" }],
	])("finds the error in %j", (body, expected) => {
		expect(findServerError(body)).toEqual(expected);
	});

	it.each([
		[null],
		["text"],
		[{}],
		[{ error: null }],
		[{ error: {} }],
		[{ choices: [{ delta: {} }], message: "x", code: 1 }],
	])("finds none in %j", (body) => {
		expect(findServerError(body)).toBeUndefined();
	});

	it("takes any payload of an error event for one", () => {
		expect(errorOfEvent("plain words")).toEqual({ message: "plain words" });
		expect(errorOfEvent({ msg: "m" })).toEqual({ message: "m" });
	});
});
