import { describe, expect, it } from "vitest";
import type { ContextItem, ContextItems } from "../../src/session/contextItems.ts";
import { contextText } from "../../src/ui/contextText.ts";

const item = (ref: string, kind: string, tokens: number, more: Partial<ContextItem> = {}): ContextItem => ({
	ref,
	kind,
	source: `${kind} ${ref}`,
	tokens,
	...more,
});

const context = (items: ContextItem[], more: Partial<ContextItems> = {}): ContextItems => ({
	items,
	tokens: 500,
	usedTokens: 480,
	usedEstimated: false,
	contextWindow: 1000,
	...more,
});

describe("contextText", () => {
	it("tells how full the window is, each kind with its share, and each item with number and marks", () => {
		const text = contextText(
			context([
				item("p1", "instructions", 100, { source: "instructions" }),
				item("1", "user", 50, { pinned: true }),
				item("3", "result", 10, { masked: 1200, source: "readFile a.ts" }),
				item("4", "result", 340),
			]),
		);
		expect(text.split("\n").slice(0, 12)).toEqual([
			"The next request: ≈500 of 1k tokens (50%)",
			"█".repeat(20) + "░".repeat(20),
			"The last request and its reply took 480 tokens by the server's count.",
			"",
			"instructions      ≈100  ████",
			"your messages      ≈50  ██",
			"tool results      ≈350  ██████████████",
			"",
			" 4     ≈340  result: result 4",
			"p1     ≈100  instructions",
			" 1      ≈50  user: user 1 [pinned]",
			" 3      ≈10  result: readFile a.ts [masked, hides ≈1.2k]",
		]);
		expect(text).toContain("/context mask N");
	});

	it("prints the 20 biggest and what the others take, or all of them in their order", () => {
		const items = Array.from({ length: 25 }, (_, i) => item(String(i + 1), "answer", i + 1));
		const text = contextText(context(items));
		expect(text.match(/answer: /g)).toHaveLength(20);
		expect(text).toContain("and 5 smaller items of ≈15 tokens: /context all");
		const all = contextText(context(items), true);
		expect(all.match(/answer: answer \d+/g)?.[0]).toBe("answer: answer 1");
		expect(all.match(/answer: /g)).toHaveLength(25);
		expect(all).not.toContain("smaller item");
	});

	it("says ≈ where the last count is agi's own, and nothing of it before the first request", () => {
		const estimated = contextText(context([], { usedEstimated: true }));
		expect(estimated).toContain("took ≈480 tokens.");
		expect(contextText(context([], { usedTokens: 0 }))).not.toContain("The last request");
	});
});
