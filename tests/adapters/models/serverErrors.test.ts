import { describe, expect, it } from "vitest";
import {
	errorOfEvent,
	findServerError,
	isContextOverflow,
	isOutOfCredit,
	waitTold,
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

describe("isOutOfCredit", () => {
	it.each([
		[{ message: "x", status: 402 }],
		[{ message: "x", status: 429, code: "insufficient_quota" }],
		[{ message: "x", status: 429, type: "exceeded_current_quota_error" }],
		[{ message: "x", status: 403, code: "insufficient_user_quota" }],
		[{ message: "x", status: 400, code: "Arrearage" }],
		[{ message: "x", status: 429, code: "billing_not_active" }],
		[{ message: "x", code: "insufficient_quota", retryAfterMs: 1000 }],
		[{ message: "余额不足或无可用资源包,请充值。", status: 429, code: "1113" }],
		[
			{
				message: "Your credit balance is too low to use the API.",
				status: 400,
				type: "invalid_request_error",
			},
		],
		[{ message: "Sorry, your account balance is insufficient", status: 403 }],
		[
			{
				message: "You exceeded your current quota, please check your plan and billing details.",
				status: 429,
			},
		],
		[{ message: "Your team has used all available credits", status: 403 }],
	])("is told by %j", (error) => {
		expect(isOutOfCredit(error)).toBe(true);
	});

	it.each([
		[
			{
				message: "Rate limit reached. Upgrade at https://h/settings/billing",
				status: 429,
				code: "rate_limit_exceeded",
			},
		],
		[{ message: "You have no credits for more", status: 429, type: "tokens" }],
		[
			{
				message: "You exceeded your current quota, please check your plan and billing",
				type: "RESOURCE_EXHAUSTED",
			},
		],
		[{ message: "Insufficient quota for this minute", status: 429, retryAfterMs: 2000 }],
		[{ message: "You can raise your limit by adding a payment method at https://h/billing", status: 429 }],
		[{ message: "Invalid value for property 'credit_limit'", status: 400 }],
		[{ message: "The credit card tool has no billing address", status: 400 }],
		[{ message: "parentheses out of balance", status: 400 }],
		[{ message: "internal error in accreditation service", status: 500 }],
		[{ message: "insufficient funds", status: 500 }],
		[{ message: "insufficient balance", status: 404 }],
	])("is not told by %j", (error) => {
		expect(isOutOfCredit(error)).toBe(false);
	});
});

describe("waitTold", () => {
	it.each([
		["Please try again in 20s. Visit", 20_000],
		["Please try again in 1m30.5s.", 90_500],
		["try again in 6ms", 6],
		["Please retry in 58.4s.", 58_400],
		["Please retry after 6 seconds.", 6000],
		["Try again in 2 minutes", 120_000],
		["try again in 1h2m", 3_720_000],
		["Please retry after 500 milliseconds.", 500],
		["Please try again in 1 minute and 30 seconds.", 90_000],
		["Try again in 1 hour, 2 mins, and 3 secs, please", 3_723_000],
		["try again in 20s and send less", 20_000],
		["retry after 3 months", undefined],
		["try again in 1 day", undefined],
		["try again in 5 minutes and 2 moons", undefined],
		["try again in 5 minutes 2 moons", undefined],
		["Please try again later", undefined],
		["retry in Spanish", undefined],
	])("reads %j as %s", (message, wait) => {
		expect(waitTold(message)).toBe(wait);
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
		[
			[{ error: { code: 429, status: "RESOURCE_EXHAUSTED", message: "m" } }],
			{ message: "m", code: "429", status: 429, type: "RESOURCE_EXHAUSTED" },
		],
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
