// Bytes to text: decoding over piece borders, and the live view of it.

import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { captureOutput } from "../../../src/adapters/processes/captureOutput.ts";

describe("captureOutput", () => {
	it("decodes characters that are split over pieces", () => {
		fc.assert(
			fc.property(fc.string({ unit: "grapheme", maxLength: 20 }), fc.nat(), (raw, at) => {
				const text = raw.replace(/[\x00-\x1f\x7f-\x9f]/g, "");
				const bytes = Buffer.from(text);
				const cut = bytes.length === 0 ? 0 : at % bytes.length;
				const capture = captureOutput();
				capture.write(bytes.subarray(0, cut));
				capture.write(bytes.subarray(cut));
				expect(capture.finish()).toEqual({ output: text, outputBytes: bytes.length });
			}),
		);
	});

	it("replaces bytes that are no UTF-8 and keeps the rest", () => {
		const capture = captureOutput();
		capture.write(Buffer.from([0xff, 0xfe, 0x20, 0x78, 0x0a, 0xe2, 0x82]));
		expect(capture.finish().output).toMatch(/^\ufffd+ x\n\ufffd+$/);
	});

	it("shows an unfinished line, then only what was added to it", async () => {
		const shown: string[] = [];
		const capture = captureOutput((text) => shown.push(text));
		capture.write(Buffer.from("first\nname: "));
		await vi.waitUntil(() => shown.length === 1);
		capture.write(Buffer.from("Ada\nlast"));
		capture.finish();
		expect(shown).toEqual(["first\nname: ", "Ada\nlast"]);
	});

	it("shows a progress bar once, when its line is complete", async () => {
		const shown: string[] = [];
		const capture = captureOutput((text) => shown.push(text));
		capture.write(Buffer.from("start\n10%"));
		await vi.waitUntil(() => shown.length === 1);
		capture.write(Buffer.from("\r50%"));
		capture.write(Buffer.from("\r99%\nend\n"));
		await vi.waitUntil(() => shown.length === 2);
		capture.finish();
		expect(shown.join("")).toBe("start\n10%\n99%\nend\n");
	});

	it("shows a bounded part of output that floods, in few pieces", () => {
		const shown: string[] = [];
		const capture = captureOutput((text) => shown.push(text));
		for (let i = 0; i < 1000; i++) capture.write(Buffer.from("0123456789\n".repeat(1000)));
		expect(capture.finish().outputBytes).toBe(11_000_000);
		expect(shown.length).toBe(1);
		expect(shown[0]!.length).toBeLessThanOrEqual(8192);
	});
});
