import { describe, expect, it } from "vitest";
import { sessionMode } from "../../src/agent/mode.ts";

describe("sessionMode", () => {
	it("is plan only where a program says so", () => {
		expect(sessionMode({ mode: "plan" })).toBe("plan");
		expect(sessionMode({ mode: "build", plan: "x" })).toBe("default");
		expect(sessionMode(undefined)).toBe("default");
	});
});
