import { describe, expect, it } from "vitest";
import { editorWords, missingEditor } from "../../src/adapters/editorProgram.ts";

describe("editorWords", () => {
	it("takes VISUAL before EDITOR before vi, and an empty one for none", () => {
		expect(editorWords({ VISUAL: "a -w", EDITOR: "b" })).toBe("a -w");
		expect(editorWords({ VISUAL: "", EDITOR: "b" })).toBe("b");
		expect(editorWords({})).toBe("vi");
	});
});

describe("missingEditor", () => {
	it("names the program that is not there", async () => {
		expect(await missingEditor("no-such-editor --wait")).toBe("no-such-editor");
		expect(await missingEditor("/no/such/editor")).toBe("/no/such/editor");
	});

	it("says nothing of one that is there, or that only the shell can tell", async () => {
		expect(await missingEditor("sh -c true")).toBeUndefined();
		expect(await missingEditor('"$MY_EDITOR" -w')).toBeUndefined();
		expect(await missingEditor("A=1 no-such-editor")).toBeUndefined();
	});
});
