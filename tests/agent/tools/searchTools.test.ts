// The tools that search: texts, bounds, and what the policy is told.

import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { MAX_TOOL_RESULT_LENGTH } from "../../../src/agent/toolResults.ts";
import { findFiles } from "../../../src/agent/tools/findFiles.ts";
import { searchFiles } from "../../../src/agent/tools/searchFiles.ts";
import { createToolBench, type ToolBench } from "../../support/toolContext.ts";

let bench: ToolBench;
const plant = async (path: string, content: string) => {
	await mkdir(join(bench.root, path, ".."), { recursive: true });
	await writeFile(join(bench.root, path), content);
};

beforeEach(async () => {
	bench = await createToolBench();
});
afterEach(() => bench.remove());

describe("searchFiles", () => {
	const search = async (args: object) => (await bench.call(searchFiles, args)).text;

	it("tells each hit by path and line, with paths that other tools take", async () => {
		await plant("src/a.ts", "one\nTARGET\n");
		await plant("b.ts", "TARGET\n");
		expect(await search({ pattern: "TARGET" })).toBe("b.ts:1: TARGET\nsrc/a.ts:2: TARGET");
		expect(await search({ pattern: "TARGET", path: "src" })).toBe("src/a.ts:2: TARGET");
		expect(await search({ pattern: "TARGET", path: "src/a.ts" })).toBe("src/a.ts:2: TARGET");
		expect(await search({ pattern: "target", ignoreCase: true, glob: "src/**" })).toBe("src/a.ts:2: TARGET");
		expect(await search({ pattern: "one", path: "", glob: "" })).toBe("src/a.ts:1: one");
	});

	it("shows lines around a hit and parts what does not touch", async () => {
		await plant("a.txt", "1\nX\n3\n4\n5\n6\nX\n8\n");
		expect(await search({ pattern: "X", context: 1 })).toBe(
			"a.txt-1- 1\na.txt:2: X\na.txt-3- 3\n--\na.txt-6- 6\na.txt:7: X\na.txt-8- 8",
		);
	});

	it("finds a file once although links lead round and away", async () => {
		await plant("x/y.txt", "TARGET\n");
		await symlink("..", join(bench.root, "x/loop"));
		await symlink("/", join(bench.root, "x/root"));
		expect(await search({ pattern: "TARGET" })).toBe("x/y.txt:1: TARGET");
	});

	it("bounds hits and letters, and says that there are more", async () => {
		await plant("a.txt", "hit\n".repeat(500));
		const many = await search({ pattern: "hit" });
		expect(many.split("\n")).toHaveLength(201);
		expect(many).toContain("[Showing the first 200 hits; there are more.");
		await plant("a.txt", `${"hit ".repeat(74)}\n`.repeat(150));
		const wide = await search({ pattern: "hit" });
		expect(wide.length).toBeLessThan(MAX_TOOL_RESULT_LENGTH);
		expect(wide).toMatch(/\[Showing the first 1[0-4]\d hits; there are more\./);
	});

	it("leaves out secrets, and looks into them only where the call names one for the policy", async () => {
		await plant(".env", "KEY=sesame\n");
		expect(await search({ pattern: "sesame" })).toBe(
			"No line matches sesame in . (what git ignores and binary files are left out).\n[1 file that usually holds secrets was left out.]",
		);
		const named = await bench.prepare(searchFiles, { pattern: "sesame", path: ".env" });
		expect(named.facts).toEqual({ secretPaths: [join(bench.root, ".env")] });
		expect((await bench.run(named)).text).toBe(".env:1: KEY=sesame");
	});

	it("refuses an invalid expression in ripgrep's own words", async () => {
		const outcome = await bench.call(searchFiles, { pattern: "a(" });
		expect(outcome).toMatchObject({ status: "error", error: { type: "INVALID_ARGUMENT" } });
		expect(outcome.text).toContain("unclosed group");
	});

	it.each([
		["[", "has a [ that nothing closes"],
		["{a", "has a { that nothing closes"],
		["app/[slug]/*.ts", "\\[slug\\] is the name"],
	])("says of the glob %j how it was read where it finds nothing", async (glob, words) => {
		await plant("app/[slug]/a.ts", "x");
		expect(await search({ pattern: "x", glob })).toContain(words);
		expect((await bench.call(findFiles, { pattern: glob })).text).toContain(words);
		expect(await search({ pattern: "x", glob: "app/\\[slug\\]/*.ts" })).toBe("app/[slug]/a.ts:1: x");
		expect(await search({ pattern: "y", glob: "*.{ts,[jm]s}" })).not.toContain("glob");
	});

	it("tells the policy of a folder that a link leads out to", async () => {
		await mkdir(join(bench.outer, "away"));
		await symlink(join(bench.outer, "away"), join(bench.root, "outbox"));
		const prepared = await bench.prepare(searchFiles, { pattern: "s", path: "outbox" });
		expect(prepared.facts).toEqual({ outside: [join(bench.outer, "away")] });
		expect(prepared.resources).toEqual([{ kind: "tree", key: join(bench.outer, "away"), access: "read" }]);
	});

	it("is cancelled by the signal of its context", async () => {
		await bench.remove();
		bench = await createToolBench({ signal: AbortSignal.abort() });
		await plant("a.txt", "x\n");
		expect((await bench.call(searchFiles, { pattern: "x" })).status).toBe("cancelled");
	});
});

describe("findFiles", () => {
	const find = async (args: object) => (await bench.call(findFiles, args)).text;

	it("lists matching files by path, relative to the workspace", async () => {
		await plant("src/b.ts", "");
		await plant("src/a.ts", "");
		await plant("c.js", "");
		expect(await find({ pattern: "*.ts" })).toBe("src/a.ts\nsrc/b.ts");
		expect(await find({ pattern: "b.*", path: "src" })).toBe("src/b.ts");
	});

	it("says that nothing matches", async () => {
		expect(await find({ pattern: "*.zig" })).toBe(
			"No file matches *.zig in . (what git ignores is left out).",
		);
	});

	it("bounds the list and tells how many there are", async () => {
		await Promise.all(Array.from({ length: 305 }, (_, at) => plant(`f${at}.txt`, "")));
		const lines = (await find({ pattern: "*.txt" })).split("\n");
		expect(lines).toHaveLength(301);
		expect(lines.at(-1)).toBe("[Showing 300 of 305 files. Use a narrower pattern or a path.]");
	});

	it("says of a file and of a missing folder what they are", async () => {
		await plant("a.txt", "");
		expect(await find({ pattern: "*", path: "a.txt" })).toContain("is not a folder");
		expect(await find({ pattern: "*", path: "no" })).toContain("Folder not found: no");
	});
});
