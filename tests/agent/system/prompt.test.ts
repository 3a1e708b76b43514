import { describe, expect, it } from "vitest";
import { buildSystemPrompt, SYSTEM_PROMPT } from "../../../src/agent/system/prompt.ts";

const STATE = { cwd: "/w", platform: "linux", date: "2026-11-29" };

describe("buildSystemPrompt", () => {
	it("is the instructions, the place and the day, the same for the same session", () => {
		const text = buildSystemPrompt(STATE);
		expect(text).toBe(`${SYSTEM_PROMPT}\n\nWorkspace: /w\nPlatform: linux. Session started: 2026-11-29.`);
		expect(buildSystemPrompt({ ...STATE })).toBe(text);
	});

	it("takes a program's instructions instead, and a person's at the end", () => {
		const text = buildSystemPrompt({ ...STATE, override: "You add.", append: "Be brief." });
		expect(text.startsWith("You add.\n\nWorkspace: /w")).toBe(true);
		expect(text.endsWith("\n\nBe brief.")).toBe(true);
	});
});
