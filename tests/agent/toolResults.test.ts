import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
	describeError,
	failed,
	MAX_TOOL_RESULT_LENGTH,
	truncateResult,
} from "../../src/agent/toolResults.ts";

const MARK = /\n\.\.\. \[(\d+) lines truncated\] \.\.\.\n/;

describe("truncateResult", () => {
	it("leaves a text of exactly 50,000 characters and cuts one of 50,001", () => {
		expect(MAX_TOOL_RESULT_LENGTH).toBe(50_000);
		const whole = "x".repeat(50_000);
		expect(truncateResult(whole)).toBe(whole);
		expect(truncateResult(`${whole}x`)).toMatch(MARK);
	});

	it("keeps head and tail and tells exactly how many lines are missing", () => {
		const line = fc.string({ maxLength: 30 }).map((text) => text.replaceAll("\n", " "));
		fc.assert(
			fc.property(fc.array(line, { minLength: 60, maxLength: 200 }), (lines) => {
				const text = lines.join("\n");
				const cut = truncateResult(text, 400);
				if (text.length <= 400) return;
				const told = Number(MARK.exec(cut)?.[1]);
				const [head = "", tail = ""] = cut.split(MARK.exec(cut)?.[0] ?? "");
				expect(cut.length).toBeLessThanOrEqual(400);
				expect(text.startsWith(head) && text.endsWith(tail)).toBe(true);
				const kept = head.split("\n").length + tail.split("\n").length;
				expect(kept + told).toBe(lines.length);
			}),
		);
	});

	it("cuts inside a line where one alone is too long, without half a letter", () => {
		const cut = truncateResult("😀".repeat(40_000));
		expect(cut.isWellFormed()).toBe(true);
		expect(cut).toContain("... [1 lines truncated] ...");
		expect(cut.length).toBeLessThanOrEqual(50_000);
	});

	it("keeps the blank lines of the part it shows", () => {
		const text = `${"a\n\n".repeat(10_000)}\n\n${"b\n".repeat(30_000)}`;
		const cut = truncateResult(text);
		const missing = Number(MARK.exec(cut)?.[1]);
		const shown = cut.replace(MARK, "\n").split("\n").length;
		expect(shown + missing).toBe(text.split("\n").length);
	});
});

describe("failed", () => {
	it("is an outcome whose text the model can read as JSON", () => {
		const error = { type: "NOT_FOUND", message: "File not found: a", retryable: true } as const;
		expect(failed(error)).toEqual({ status: "error", text: describeError(error), error });
		expect(JSON.parse(describeError(error))).toEqual({ ok: false, error });
	});
});
