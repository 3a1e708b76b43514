import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fitHeight, keepTail } from "../../../src/ui/view/fitHeight.ts";

describe("fitHeight", () => {
	it("gives everybody the wish where there is room", () => {
		const given = fitHeight(
			[
				{ name: "a", least: 1, wanted: 4 },
				{ name: "b", least: 1, wanted: 2 },
			],
			10,
		);
		expect([...given]).toEqual([
			["a", 4],
			["b", 2],
		]);
	});

	it("gives the least to all before more to the first", () => {
		const given = fitHeight(
			[
				{ name: "a", least: 1, wanted: 9 },
				{ name: "b", least: 2, wanted: 5 },
			],
			5,
		);
		expect([...given]).toEqual([
			["a", 3],
			["b", 2],
		]);
	});

	it("gives nothing to the last where there is no room, and to those who want nothing", () => {
		const given = fitHeight(
			[
				{ name: "a", least: 3, wanted: 0 },
				{ name: "b", least: 2, wanted: 2 },
				{ name: "c", least: 1, wanted: 1 },
			],
			2,
		);
		expect([...given]).toEqual([
			["a", 0],
			["b", 2],
			["c", 0],
		]);
	});

	it("never gives more than the room or the wish", () => {
		const wish = fc.record({ least: fc.nat(9), wanted: fc.nat(40) });
		fc.assert(
			fc.property(fc.array(wish, { maxLength: 12 }), fc.integer({ min: -2, max: 60 }), (wishes, room) => {
				const named = wishes.map((w, i) => ({ ...w, name: String(i) }));
				const given = fitHeight(named, room);
				const sum = [...given.values()].reduce((a, b) => a + b, 0);
				expect(sum).toBe(
					Math.min(
						Math.max(0, room),
						named.reduce((a, w) => a + w.wanted, 0),
					),
				);
				for (const { name, wanted } of named) expect(given.get(name)).toBeLessThanOrEqual(wanted);
			}),
		);
	});
});

describe("keepTail", () => {
	it("keeps the last lines", () => {
		expect([keepTail([1, 2, 3], 2), keepTail([1], 2), keepTail([1], 0)]).toEqual([[2, 3], [1], []]);
	});
});
