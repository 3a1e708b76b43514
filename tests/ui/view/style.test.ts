import { describe, expect, it } from "vitest";
import { paint } from "../../../src/ui/view/style.ts";

describe("paint", () => {
	it("closes each styled span and leaves plain ones alone", () => {
		const painted = paint([{ text: "a", style: { bold: true, colour: "red" } }, { text: "b" }], 1);
		expect(painted).toBe("\x1b[1;31ma\x1b[0mb");
	});

	it("writes no sequence at all without colours", () => {
		expect(paint([{ text: "a", style: { bold: true, colour: "red" } }], 0)).toBe("a");
	});
});
