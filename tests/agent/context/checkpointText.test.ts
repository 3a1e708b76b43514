import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
	joinSections,
	readSections,
	SECTIONS,
	type Sections,
	writeSections,
} from "../../../src/agent/context/checkpointText.ts";

describe("readSections", () => {
	it.each(["## Confirmed facts", "**Confirmed facts**", "# Confirmed Facts:", "### confirmed facts"])(
		"knows the heading %j",
		(heading) => {
			expect(readSections(`## Plan\n- p\n${heading}\n- a\n2. b\n\n* c`)).toEqual({
				plan: ["p"],
				facts: ["a", "b", "c"],
			});
		},
	);

	it("takes a text without headings for facts, and marks of nothing for nothing", () => {
		expect(readSections("It went well.\n## Plan\nnone\n## Open questions\n- None.")).toEqual({
			facts: ["It went well."],
		});
	});

	it("gives back what was written, whatever the lines are", () => {
		const line = fc.string({ minLength: 1, maxLength: 30 }).map((text) => `x${text.replace(/\s+/g, " ")}x`);
		const sections = fc.record(
			Object.fromEntries(Object.keys(SECTIONS).map((name) => [name, fc.array(line, { minLength: 1 })])),
		) as fc.Arbitrary<Sections>;
		fc.assert(
			fc.property(sections, (written) => {
				expect(readSections(writeSections(written))).toEqual(written);
			}),
		);
	});
});

describe("joinSections", () => {
	it("puts what matters most before the rest where both do not fit, in the order of time", () => {
		const own = ["user: one", "user: two"];
		const model = Array.from({ length: 50 }, (_, i) => `${"word ".repeat(i)}of the model`);
		const { goal = [] } = joinSections({}, [{ goal: own }, { goal: model }], 1000);
		expect(goal.slice(0, 2)).toEqual(own);
		expect(goal.join("").length).toBeLessThan(240);
	});

	it("keeps what began it all and what came last of the older lines", () => {
		const older = Array.from(
			{ length: 40 },
			(_, i) => `old line ${String.fromCharCode(97 + (i % 26))}${"x".repeat(i)}`,
		);
		const { facts = [] } = joinSections({ facts: older }, [{ facts: ["new"] }], 1500);
		expect(facts[0]).toBe(older[0]);
		expect(facts).toContain(older.at(-1));
		expect(facts.at(-1)).toBe("new");
		expect(facts.length).toBeLessThan(older.length);
	});

	it("keeps the first and the last of lines that differ in numbers only", () => {
		const lines = ["the port is 8080", ...Array.from({ length: 99 }, (_, i) => `step ${i} took ${i * 7} ms`)];
		expect(joinSections({}, [{ exact: lines }], 10_000)).toEqual({
			exact: ["the port is 8080", "step 0 took 0 ms", "step 98 took 686 ms"],
		});
	});

	it("stays the same where it is joined again, and within its room", () => {
		const lines = fc.array(fc.string({ minLength: 1, maxLength: 60 }), { maxLength: 60 });
		fc.assert(
			fc.property(lines, lines, fc.integer({ min: 500, max: 5000 }), (facts, exact, room) => {
				const once = joinSections({}, [{ facts, exact }], room);
				expect((once.facts ?? []).join("").length).toBeLessThanOrEqual(room * 0.16);
				expect(joinSections(once, [once], room)).toEqual(once);
			}),
		);
	});
});
