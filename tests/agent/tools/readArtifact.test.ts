import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readArtifact } from "../../../src/agent/tools/readArtifact.ts";
import { AgiError } from "../../../src/types.ts";
import { createToolBench, type ToolBench } from "../../support/toolContext.ts";

const texts: Record<string, string> = {
	"artifact-1": "one\nTwo\nthree",
	"artifact-2": `${"a".repeat(1999)}😀${"b".repeat(2500)}\nshort`,
};

let bench: ToolBench;
beforeEach(async () => {
	bench = await createToolBench({
		artifacts: {
			list: () => [...Object.keys(texts), "artifact-3"].map((id) => ({ id, bytes: 1, summary: `of ${id}` })),
			async read(id) {
				const text = texts[id];
				if (text === undefined) throw new AgiError("BLOB_MISSING", "The file of it is gone.");
				return text;
			},
		},
	});
});
afterEach(() => bench.remove());

const call = async (args: object) => bench.call(readArtifact, args);

describe("readArtifact", () => {
	it("shows a page of lines with its range", async () => {
		expect(await call({ id: "artifact-1", offset: 1, limit: 1 })).toEqual({
			status: "result",
			text: "Two\n[Showing lines 2-2 of 3. Use offset to read more.]",
		});
	});

	it("shows the lines that hold a text in any letter case, with their numbers", async () => {
		expect((await call({ id: "artifact-1", search: "T" })).text).toBe(
			"2: Two\n3: three\n[Showing matching lines 1-2 of 2. There are no more.]",
		);
		expect((await call({ id: "artifact-1", search: "t", offset: 1 })).text).toMatch(/^3: three\n/);
		expect((await call({ id: "artifact-1", search: "o|T" })).text).toBe(
			"No line of artifact-1 holds o|T (plain text, in any letter case).",
		);
	});

	it("breaks a line that is too long, so that each part of it has a number, without half a letter", async () => {
		const { text } = await call({ id: "artifact-2", offset: 1, limit: 1 });
		expect(text).toBe(`😀${"b".repeat(1998)}\n[Showing lines 2-2 of 4. Use offset to read more.]`);
	});

	it("names the artifacts there are where the id is unknown", async () => {
		const outcome = await call({ id: "artifact-9" });
		expect(outcome.error).toMatchObject({ type: "NOT_FOUND" });
		expect(outcome.text).toBe(
			"There is no artifact artifact-9. There are: artifact-1 (of artifact-1); artifact-2 (of artifact-2); artifact-3 (of artifact-3).",
		);
		const outside = await createToolBench();
		expect((await outside.call(readArtifact, { id: "x" })).text).toContain("This session has none yet.");
		await outside.remove();
	});

	it("tells an offset past the end, and a text that is lost", async () => {
		expect((await call({ id: "artifact-1", offset: 3 })).error).toMatchObject({
			type: "INVALID_ARGUMENT",
			message: "offset 3 is past the end: artifact-1 has 3 lines.",
		});
		expect((await call({ id: "artifact-3" })).error).toMatchObject({
			type: "FAILED",
			message: "artifact-3 cannot be read any more: The file of it is gone. Make the result anew.",
		});
	});
});
