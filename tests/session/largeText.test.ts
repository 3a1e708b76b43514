import { hash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { SessionEvent } from "../../src/session/events.ts";
import {
	isPlainLine,
	largeTextDigests,
	putBackLargeTexts,
	takeOutLargeTexts,
} from "../../src/session/largeText.ts";

const digest = (text: string) => hash("sha256", text, "hex");
const call = (args: Record<string, unknown>): SessionEvent => ({
	type: "tool/call",
	callId: "c",
	stepId: "s",
	name: "writeFile",
	args,
	toolVersion: 1,
	effects: "possible",
	recovery: "manual",
});

describe("takeOutLargeTexts", () => {
	it("replaces texts over 4,096 units at any depth, and leaves the others", () => {
		const long = "x".repeat(4097);
		const { event, texts } = takeOutLargeTexts(
			call({ content: long, deep: [{ text: long }], path: "a" }),
			digest,
		);
		expect([...texts]).toEqual([[digest(long), long]]);
		expect(event).toEqual(
			call({ content: { $blob: digest(long) }, deep: [{ text: { $blob: digest(long) } }], path: "a" }),
		);
		expect(largeTextDigests(event)).toEqual([digest(long), digest(long)]);
	});

	it("leaves a text of exactly 4,096 units", () => {
		const event = call({ content: "x".repeat(4096) });
		expect(takeOutLargeTexts(event, digest)).toEqual({ event, texts: new Map() });
	});
});

describe("isPlainLine", () => {
	it("is false for a long line and for one that holds what looks like a mark", () => {
		expect(isPlainLine("x".repeat(65_536))).toBe(true);
		expect(isPlainLine("x".repeat(65_537))).toBe(false);
		expect(isPlainLine(JSON.stringify(call({ $blob: "x" })))).toBe(false);
		expect(isPlainLine(JSON.stringify(call({ content: '{"$blob":"x"}' })))).toBe(true);
	});
});

describe("putBackLargeTexts", () => {
	it("gives back what takeOutLargeTexts took, whatever the arguments hold", () => {
		const text = fc.oneof(fc.string(), fc.string({ unit: "grapheme", minLength: 4090, maxLength: 4200 }));
		const args = fc.dictionary(
			fc.string().filter((key) => key !== "__proto__"),
			fc.oneof(text, fc.array(text, { maxLength: 3 }), fc.integer(), fc.constant(null)),
			{ maxKeys: 4 },
		);
		fc.assert(
			fc.property(args, (given) => {
				const { event, texts } = takeOutLargeTexts(call(given), digest);
				expect(putBackLargeTexts(event, (name) => texts.get(name) ?? "lost")).toEqual(call(given));
			}),
			{ numRuns: 50 },
		);
	});

	it.each([
		{ $blob: "not ours" },
		{ deep: [{ $blob: { $blob: "x".repeat(5000) } }] },
		{ $literal: { $blob: "x" } },
		{ $literal: "x" },
	])("takes a mark that a model wrote itself for what it is: %#", (args) => {
		const event = call(args);
		const { event: small, texts } = takeOutLargeTexts(event, digest);
		expect(largeTextDigests(small)).toEqual([...texts.keys()]);
		expect(putBackLargeTexts(small, (name) => texts.get(name) ?? "lost")).toEqual(event);
	});
});
