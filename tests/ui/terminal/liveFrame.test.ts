import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ERASE_BELOW, type Frame, frameBytes, NO_FRAME } from "../../../src/ui/terminal/liveFrame.ts";
import { shownAfter } from "../../support/emulator.ts";

const SIZE = { columns: 30, rows: 8 };

const row = fc.constantFrom(
	"",
	"a",
	"some words",
	"wide 語語 letters",
	"\x1b[1mbold\x1b[0m",
	"x".repeat(SIZE.columns - 1),
);
const frame: fc.Arbitrary<Frame> = fc.record({
	rows: fc.array(row, { minLength: 1, maxLength: SIZE.rows - 1 }),
	cursor: fc.option(fc.record({ x: fc.nat(5), y: fc.nat(2) }), { nil: undefined }),
});
const step = fc.record({
	frame: fc
		.oneof({ arbitrary: frame, weight: 5 }, { arbitrary: fc.constant(NO_FRAME), weight: 1 })
		.map(({ rows, cursor }) => ({ rows, cursor: cursor && cursor.y < rows.length ? cursor : undefined })),
	printed: fc.array(
		row.filter((text) => text !== ""),
		{ maxLength: 4 },
	),
});

const plain = (text: string) => text.replaceAll(/\x1b\[\d*m/g, "");

describe("frameBytes", () => {
	it("leaves what was printed and the newest frame on the screen, whatever stood there before", async () => {
		await fc.assert(
			fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
				let before = NO_FRAME;
				let bytes = "";
				const printed: string[] = [];
				for (const next of steps) {
					bytes += frameBytes(before, next.frame, next.printed);
					printed.push(...next.printed.map(plain));
					before = next.frame;
				}
				const { lines, cursor } = await shownAfter(bytes, SIZE);
				const expected = [...printed, ...before.rows.map(plain)];
				while (expected.at(-1) === "") expected.pop();
				expect(lines).toEqual(expected);
				const rest = before.cursor ?? { x: 0, y: before.rows.length };
				expect(cursor).toEqual({ x: rest.x, y: printed.length + rest.y });
			}),
		);
	});

	it("writes only the rows that differ", () => {
		const before = { rows: ["one", "two", "three"], cursor: { x: 1, y: 2 } };
		const after = { ...before, rows: ["one", "TWO", "three"] };
		expect(frameBytes(before, after)).toBe("\x1b[1A\r\x1b[KTWO\r\x1b[1B\x1b[2G");
		expect(frameBytes(before, before)).toBe("");
	});

	it("moves the cursor alone where nothing else differs", () => {
		const before = { rows: ["draft"], cursor: { x: 1, y: 0 } };
		expect(frameBytes(before, { ...before, cursor: { x: 4, y: 0 } })).toBe("\x1b[5G");
	});

	it("hides the cursor where a frame has none, and shows it again", () => {
		const shown = { rows: ["a"], cursor: { x: 0, y: 0 } };
		const hidden = { rows: ["a"], cursor: undefined };
		expect(frameBytes(shown, hidden)).toMatch(/\x1b\[\?25l$/);
		expect(frameBytes(hidden, shown)).toMatch(/\x1b\[\?25h$/);
	});

	it("takes a frame away from the cursor on, without going to its end first", () => {
		const before = { rows: ["one", "two", "three"], cursor: { x: 1, y: 1 } };
		expect(frameBytes(before, NO_FRAME)).toBe(`\x1b[1A${ERASE_BELOW}\x1b[?25l`);
	});
});
