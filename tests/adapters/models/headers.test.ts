import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Headers as OwnHeaders } from "../../../src/adapters/models/headers.ts";

const name = fc.stringMatching(/^[A-Za-z][A-Za-z-]{0,10}$/);
const value = fc.stringMatching(/^[ \t]?[!-~\u00a1-\u00ff]([ -~]{0,12}[!-~])?[ \t]?$/);

describe("Headers", () => {
	it("lists what the runtime's own Headers list, whatever is appended, set and deleted", () => {
		const step = fc.record({ how: fc.constantFrom("append", "set", "delete"), name, value });
		fc.assert(
			fc.property(fc.array(fc.tuple(name, value)), fc.array(step), (pairs, steps) => {
				const own = new OwnHeaders(pairs);
				const theirs = new Headers(pairs);
				for (const { how, name, value } of steps) {
					if (how === "delete") {
						own.delete(name);
						theirs.delete(name);
					} else {
						own[how as "set"](name, value);
						theirs[how as "set"](name, value);
					}
				}
				expect([...own]).toEqual([...theirs]);
			}),
		);
	});

	it("takes a record, pairs, other headers and nothing", () => {
		const record = new OwnHeaders({ "X-One": "1" });
		expect([...record]).toEqual([["x-one", "1"]]);
		expect([...new OwnHeaders(record)]).toEqual([...record]);
		expect([...new OwnHeaders(new Headers({ a: "b" }))]).toEqual([["a", "b"]]);
		expect([...new OwnHeaders(), ...new OwnHeaders(null)]).toEqual([]);
	});

	it("finds a field in any case and says null where there is none", () => {
		const headers = new OwnHeaders({ "Content-Type": "text/plain" });
		expect([headers.get("content-TYPE"), headers.has("CONTENT-type")]).toEqual(["text/plain", true]);
		expect([headers.get("accept"), headers.has("accept")]).toEqual([null, false]);
	});

	it("tells names, values and entries in order of the names", () => {
		const headers = new OwnHeaders({ b: "2", a: "1" });
		const visited: string[] = [];
		headers.forEach((value, name) => {
			visited.push(`${name}=${value}`);
		});
		expect(visited).toEqual(["a=1", "b=2"]);
		expect([[...headers.keys()], [...headers.values()], [...headers.entries()]]).toEqual([
			["a", "b"],
			["1", "2"],
			[
				["a", "1"],
				["b", "2"],
			],
		]);
	});

	it.each([
		["a b", "x"],
		["", "x"],
		["name", "a\nb"],
		["name", "€"],
		["name", "a\u0000b"],
	])("refuses the field %j: %j and does not repeat the value", (name, value) => {
		expect(() => new Headers([[name, value]])).toThrow(TypeError);
		expect(() => new OwnHeaders([[name, value]])).toThrow(TypeError);
		expect(() => new OwnHeaders([["authorization", "Bearer top-secret\nx"]])).not.toThrow(/top-secret/);
	});
});
