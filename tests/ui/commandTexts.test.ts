import { describe, expect, it } from "vitest";
import { permissionsText } from "../../src/ui/commandTexts.ts";

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
			"Mode: default\nRules:\n  none of your own; agi permissions add RULE makes one",
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
			"Suggested by the project, not in force:",
			"  allow runCommand (project: settings.json)",
			"Text of unknown intent came from:",
			"  https://example.org",
			"Last question:",
			"  runCommand: It runs a command. (default-ask; no)",
		]);
	});
});
