import { describe, expect, it } from "vitest";
import { toPrompt, toTools, wireId } from "../../../src/adapters/models/prompt.ts";

describe("wireId", () => {
	it("keeps ids that every server takes", () => {
		expect(wireId("call_ab-1")).toBe("call_ab-1");
		expect(wireId("x".repeat(40))).toBe("x".repeat(40));
	});

	it.each([["x".repeat(41)], ["functions.read:0"], ["名"], [""]])(
		"shortens %j to the same form each time",
		(id) => {
			expect(wireId(id)).toMatch(/^call_[0-9a-f]{24}$/);
			expect(wireId(id)).toBe(wireId(id));
		},
	);
});

describe("toPrompt", () => {
	it("leaves out an empty system text, empty texts and absent reasoning", () => {
		const call = { id: "c", name: "listFiles", args: {} };
		const prompt = toPrompt({
			system: "",
			tools: [],
			messages: [
				{ role: "user", text: "hi" },
				{ role: "assistant", text: "", calls: [call] },
			],
		});
		expect(prompt).toEqual([
			{ role: "user", content: [{ type: "text", text: "hi" }] },
			{
				role: "assistant",
				content: [{ type: "tool-call", toolCallId: "c", toolName: "listFiles", input: {} }],
			},
		]);
	});

	it("keeps call and result a pair under a long id", () => {
		const id = "x".repeat(64);
		const prompt = toPrompt({
			system: "s",
			tools: [],
			messages: [
				{ role: "assistant", text: "", calls: [{ id, name: "readFile", args: {} }] },
				{ role: "tool", id, name: "readFile", text: "alpha" },
			],
		});
		expect(prompt[1]).toMatchObject({ content: [{ toolCallId: wireId(id) }] });
		expect(prompt[2]).toMatchObject({
			content: [{ toolCallId: wireId(id), output: { type: "text", value: "alpha" } }],
		});
	});
});

describe("toTools", () => {
	it("offers nothing where there are none", () => {
		expect(toTools([])).toBeUndefined();
	});
});
