import { describe, expect, it } from "vitest";
import { paint } from "../../../src/ui/view/style.ts";

describe("paint", () => {
	it("closes each styled span and leaves plain ones alone", () => {
		const painted = paint([{ text: "a", style: { bold: true, colour: "red" } }, { text: "b" }], 1);
		expect(painted).toBe("\x1b[1;31ma\x1b[0mb");
	});

	it("changes from style to style in one sequence, and writes none between spans of the same", () => {
		const [dim, green] = [{ dim: true }, { colour: "green" }] as const;
		const line = [
			{ text: "a", style: dim },
			{ text: "b", style: { ...dim } },
			{ text: "c", style: green },
		];
		expect(paint(line, 1)).toBe("\x1b[2mab\x1b[0;32mc\x1b[0m");
	});

	it("writes no sequence at all without colours", () => {
		expect(paint([{ text: "a", style: { bold: true, colour: "red" } }], 0)).toBe("a");
	});
});
