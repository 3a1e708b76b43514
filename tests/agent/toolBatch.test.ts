import { describe, expect, it } from "vitest";
import { clash } from "../../src/agent/toolBatch.ts";
import type { Resource } from "../../src/session/events.ts";

/** `r file /a` and the like. */
function resource(text: string): Resource {
	const [access, kind, key = ""] = text.split(" ");
	return { access: access === "w" ? "write" : "read", kind: kind as Resource["kind"], key };
}

describe("clash", () => {
	it.each([
		["r file /a", "r file /a", false],
		["w file /a", "r file /a", true],
		["w file /a", "w file /b", false],
		["w file /a/b", "r tree /a", true],
		["w tree /a", "r file /a/b/c", true],
		["w tree /a", "r file /ab", false],
		["w tree /", "r file /a", true],
		["w file /a", "r tree /a", true],
		["w process shell", "r file /a", false],
		["w process shell", "w process shell", true],
		["w session plan", "r network plan", false],
	])("of %s with %s is %s, from either side", (a, b, expected) => {
		expect(clash(resource(a), resource(b))).toBe(expected);
		expect(clash(resource(b), resource(a))).toBe(expected);
	});
});
