import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalCall, isGranted } from "../../src/policy/grants.ts";

describe("canonicalCall", () => {
	it("is the same text whatever the order of the keys", () => {
		const one = canonicalCall("t", 1, { b: [{ y: 1, x: null }], a: "ä" });
		expect(one).toBe(canonicalCall("t", 1, { a: "ä", b: [{ x: null, y: 1 }] }));
		expect(one).toBe('["t",1,{"a":"ä","b":[{"x":null,"y":1}]}]');
	});

	it("leaves out members that are undefined", () => {
		expect(canonicalCall("t", 1, { a: 1, b: undefined })).toBe(canonicalCall("t", 1, { a: 1 }));
	});

	it.each([
		[canonicalCall("u", 1, { a: 1 })],
		[canonicalCall("t", 2, { a: 1 })],
		[canonicalCall("t", 1, { a: "1" })],
		[canonicalCall("t", 1, { a: [1] })],
		[canonicalCall("t", 1, { b: 1 })],
		[canonicalCall("t", 1, {})],
	])("differs from %s, which is another call", (other) => {
		expect(canonicalCall("t", 1, { a: 1 })).not.toBe(other);
	});

	it("is JSON of what went in, for any JSON", () => {
		fc.assert(
			fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (args) => {
				expect(JSON.parse(canonicalCall("t", 1, args))).toEqual(JSON.parse(JSON.stringify(["t", 1, args])));
			}),
		);
	});
});

describe("isGranted", () => {
	const grants = [{ tool: "runCommand", digest: "d1", label: "npm test" }];

	it("finds the grant of the same tool and digest only", () => {
		expect(isGranted(grants, "runCommand", "d1")).toBe(true);
		expect(isGranted(grants, "runCommand", "d2")).toBe(false);
		expect(isGranted(grants, "executeCode", "d1")).toBe(false);
	});
});
