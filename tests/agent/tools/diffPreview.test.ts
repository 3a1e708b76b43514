// The preview of a change against the diff of the whole texts.

import { createTwoFilesPatch } from "diff";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { previewDiff } from "../../../src/agent/tools/diffPreview.ts";

describe("previewDiff", () => {
	it("is the unified diff of the whole texts", async () => {
		const text = fc
			.array(fc.constantFrom("a", "b", "c", ""), { maxLength: 25 })
			.chain((lines) => fc.constantFrom("", "\n").map((end) => lines.join("\n") + end));
		await fc.assert(
			fc.asyncProperty(text, text, async (before, after) => {
				fc.pre(before !== after);
				const whole = createTwoFilesPatch("f", "f", before, after, "", "", { context: 3 });
				// The texts may be aligned in several equally short ways; what counts is that it says the same change.
				const shown = await previewDiff("f", before, after);
				expect(apply(shown, before)).toBe(apply(whole.split("\n").slice(1).join("\n"), before));
				expect(apply(shown, before)).toBe(after);
			}),
			{ numRuns: 300 },
		);
	});

	it("tells the line numbers of the whole file for a change deep in a large one", async () => {
		const line = (at: number) => `line ${at}\n`;
		const lines = Array.from({ length: 200_000 }, (_, at) => line(at + 1));
		const before = lines.join("");
		const after = lines.with(150_000, "changed\n").join("");
		expect(await previewDiff("f", before, after)).toBe(
			[
				"--- f",
				"+++ f",
				"@@ -149998,7 +149998,7 @@",
				" line 149998",
				" line 149999",
				" line 150000",
				"-line 150001",
				"+changed",
				" line 150002",
				" line 150003",
				" line 150004",
			].join("\n"),
		);
	});

	it("shows the new text, bounded, where two large texts have nothing in common", async () => {
		const preview = await previewDiff("f", "a\n".repeat(1_000_000), "b\n".repeat(1_000_000));
		expect(preview).toContain("(too different to compare: 1000000 lines become 1000000)");
		expect(preview.split("\n").length).toBeLessThan(410);
	});

	it("cuts long lines and tells their length", async () => {
		const preview = await previewDiff("f", undefined, "x".repeat(100_000));
		expect(preview.length).toBeLessThan(600);
		expect(preview).toContain("[100000 characters]");
	});

	it("says that nothing changes, and that a file is empty", async () => {
		expect(await previewDiff("f", "a", "a")).toContain("(no change)");
		expect(await previewDiff("f", undefined, "")).toContain("(empty file)");
	});
});

/** Applies a unified diff by its hunks alone. */
function apply(patch: string, text: string): string {
	const lines = text.split(/(?<=\n)/);
	const result: string[] = [];
	let at = 0;
	let hunk = false;
	let wasRemoved = false;
	for (const line of patch.split("\n")) {
		const start = /^@@ -(\d+),(\d+)/.exec(line);
		if (start !== null) {
			hunk = true;
			const from = Number(start[1]) - (start[2] === "0" ? 0 : 1);
			while (at < from) result.push(lines[at++] as string);
		} else if (!hunk || line === "") continue;
		else if (line.startsWith("\\") && wasRemoved) continue;
		else if (line.startsWith("\\")) result.push((result.pop() ?? "").replace(/\n$/, ""));
		else if (line.startsWith("-")) at += 1;
		else {
			if (line.startsWith(" ")) at += 1;
			result.push(`${line.slice(1)}\n`);
		}
		wasRemoved = line.startsWith("-");
	}
	return result.concat(lines.slice(at)).join("");
}
