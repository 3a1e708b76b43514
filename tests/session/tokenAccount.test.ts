import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sizeOfRequest, sizeOfText } from "../../src/agent/context/tokenEstimator.ts";
import type { PromptMessage } from "../../src/ports/model.ts";
import {
	estimateSize,
	observeTokens,
	type TokenAccount,
	UNKNOWN_TOKENIZER,
} from "../../src/session/tokenAccount.ts";
import { TEXTS, TOKENIZERS, type Tokenizer } from "../support/tokenizers.ts";

const SYSTEM = "You are agi, a coding agent in the user's terminal. ".repeat(40);
const TOOLS = [{ name: "readFile", description: "Reads a file.", inputSchema: { type: "object" } }];

/** What a server counts of a request, its own template included. */
function counted(messages: readonly PromptMessage[], tokenizer: Tokenizer): number {
	return (
		tokenizer(SYSTEM) +
		tokenizer(JSON.stringify(TOOLS)) +
		30 +
		messages.reduce((sum, message) => sum + tokenizer(message.text) + 6, 0)
	);
}

/** Relative errors of the estimates made before each request of a growing conversation. */
function errorsOf(texts: readonly string[], tokenizer: Tokenizer): number[] {
	let account: TokenAccount = UNKNOWN_TOKENIZER;
	const messages: PromptMessage[] = [];
	return texts.map((text) => {
		messages.push({ role: "user", text });
		const size = sizeOfRequest({ system: SYSTEM, tools: TOOLS, messages });
		const told = counted(messages, tokenizer);
		const error = Math.abs(estimateSize(account, size) - told) / told;
		account = observeTokens(account, size, told);
		return error;
	});
}

describe("estimateSize", () => {
	const kinds = Object.entries(TEXTS);
	const cases = Object.entries(TOKENIZERS).flatMap(([name, tokenizer]) =>
		kinds.map(([kind, text]) => ({ name, kind, tokenizer, text })),
	);

	it.each(cases)("is within 10 % from the second request on: $kind, $name", ({ tokenizer, text }) => {
		const errors = errorsOf([...Array(12).keys()].map(text), tokenizer);
		expect(Math.max(...errors.slice(1))).toBeLessThan(0.1);
	});

	it.each(Object.entries(TOKENIZERS))(
		"is within 10 % after the kinds took turns once: %s",
		(_, tokenizer) => {
			const texts = [...Array(24).keys()].map((n) => kinds[n % kinds.length]![1](n));
			expect(Math.max(...errorsOf(texts, tokenizer).slice(kinds.length))).toBeLessThan(0.1);
		},
	);

	it("takes a shorter request for its part of the last count", () => {
		const account = observeTokens(UNKNOWN_TOKENIZER, { letters: 1000, signs: 0, wide: 0 }, 1500);
		expect(estimateSize(account, { letters: 200, signs: 0, wide: 0 })).toBe(300);
	});

	it("is never negative or no number, whatever a server says", () => {
		const size = fc.record({ letters: fc.nat(100_000), signs: fc.nat(100_000), wide: fc.nat(100_000) });
		const told = fc.array(fc.tuple(size, fc.integer({ min: 1, max: 1_000_000 })), { maxLength: 8 });
		fc.assert(
			fc.property(told, size, (observed, wanted) => {
				const account = observed.reduce((known, [s, t]) => observeTokens(known, s, t), UNKNOWN_TOKENIZER);
				expect(estimateSize(account, wanted)).toBeGreaterThanOrEqual(0);
			}),
		);
	});
});

describe("observeTokens", () => {
	it("learns a script from the growth alone and leaves the other as it was", () => {
		const first = observeTokens(UNKNOWN_TOKENIZER, { letters: 1000, signs: 0, wide: 0 }, 1000);
		const second = observeTokens(first, { letters: 1000, signs: 0, wide: 500 }, 2000);
		expect(second.weights).toEqual({ ...first.weights, wide: 2 });
	});

	it("learns nothing from a growth that is too small to measure", () => {
		const first = observeTokens(UNKNOWN_TOKENIZER, sizeOfText("x".repeat(4000)), 1000);
		expect(observeTokens(first, sizeOfText("x".repeat(4040)), 1100).weights).toEqual(first.weights);
	});
});
