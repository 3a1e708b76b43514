import { describe, expect, it } from "vitest";
import { artifactsText, costText, permissionsText } from "../../src/ui/commandTexts.ts";

describe("artifactsText", () => {
	it("tells id, size, age and what it is the result of", () => {
		expect(artifactsText([], 0)).toBe("No result was cut so far.");
		const artifact = {
			...{ id: "artifact-1", tool: "runCommand", bytes: 60_100, at: "2026-11-29T10:00:00.000Z" },
			summary: "runCommand: npm test",
		};
		expect(artifactsText([artifact], Date.parse("2026-11-29T10:05:00.000Z"))).toBe(
			"artifact-1  61 kB  5 min ago  runCommand: npm test",
		);
	});
});

describe("permissionsText", () => {
	const nothing = {
		mode: "default" as const,
		rules: [],
		granted: [],
		suggested: [],
		taint: [],
		lastQuestion: null,
	};

	it("says how to make a rule where there is none", () => {
		expect(permissionsText(nothing)).toBe(
			"Mode: default\nRules:\n  none of your own; /permissions add allow RULE makes one",
		);
	});

	it("tells each rule with its layer, what the project only suggests, and why the last question was asked", () => {
		const rule = {
			effect: "deny" as const,
			rule: "editFile(src/**)",
			layer: "user" as const,
			origin: "settings.json",
		};
		const text = permissionsText({
			...nothing,
			rules: [rule],
			suggested: [{ ...rule, effect: "allow", rule: "runCommand", layer: "project" }],
			granted: ["npm test"],
			taint: ["https://example.org"],
			lastQuestion: { tool: "runCommand", reason: "It runs a command.", rule: "default-ask", answer: "no" },
		});
		expect(text.split("\n")).toEqual([
			"Mode: default",
			"Rules:",
			"  deny editFile(src/**) (user: settings.json)",
			"Allowed in this session:",
			"  npm test",
			"Suggested by the project, not in force (/permissions import):",
			"  allow runCommand (project: settings.json)",
			"Text of unknown intent came from:",
			"  https://example.org",
			"Last question:",
			"  runCommand: It runs a command. (default-ask; no)",
		]);
	});
});

describe("costText", () => {
	const usage = { inputTokens: 1200, outputTokens: 30, cachedInputTokens: 0, reasoningTokens: 0 };
	const of = (estimated: boolean) =>
		costText({ models: [{ model: "m", profile: "p", usage, costUsd: 0.5, estimated }], costUsd: 0.5 });

	it("says ≈, and why, only where a server told no usage", () => {
		expect(of(false)).toBe("m (p): 1.2k in, 30 out, $0.50\nIn all: $0.50");
		expect(of(true)).toMatch(
			/^m \(p\): ≈1\.2k in, ≈30 out, ≈\$0\.50\nIn all: ≈\$0\.50 \(≈: the server told no usage/,
		);
	});
});
