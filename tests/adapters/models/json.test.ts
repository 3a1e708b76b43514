import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { wellFormedJson } from "../../../src/adapters/models/json.ts";

/** Any text, halves of surrogate pairs, backslashes and what looks like an escape among it. */
const text = fc
	.array(
		fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom("\ud83d", "\ude00", "\\", "\\ud83d", "u", '"')),
	)
	.map((parts) => parts.join(""));

describe("wellFormedJson", () => {
	it("changes what a value says only where half a character stands", () => {
		fc.assert(
			fc.property(fc.array(text), (texts) => {
				const mended = wellFormedJson(JSON.stringify(texts));
				expect(JSON.parse(mended)).toEqual(texts.map((one) => one.toWellFormed()));
			}),
		);
	});

	it("leaves well-formed text as it is, byte for byte", () => {
		const whole = '{"a":"\\ud83d\\ude00 \\\\ud83d \\n 😀"}';
		expect(wellFormedJson(whole)).toBe(whole);
	});
});
