// The entries of one folder as lines that no name can forge.

import { mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { listFiles } from "../../../src/agent/tools/listFiles.ts";
import { createToolBench, type ToolBench } from "../../support/toolContext.ts";

describe("listFiles", () => {
	let bench: ToolBench;
	beforeEach(async () => {
		bench = await createToolBench();
	});
	afterEach(() => bench.remove());

	it("lists files, folders and links by name, each on its own line", async () => {
		await mkdir(join(bench.root, "src"));
		await writeFile(join(bench.root, "b.txt"), "");
		await writeFile(join(bench.root, "a\n[dir] forged"), "");
		await symlink("/", join(bench.root, "root"));
		expect((await bench.call(listFiles, {})).text).toBe(
			"[file] a\\x0a[dir] forged\n[file] b.txt\n[link] root\n[dir] src",
		);
	});

	it("says that a folder is empty", async () => {
		await mkdir(join(bench.root, "void"));
		expect((await bench.call(listFiles, { directory: "void" })).text).toBe("The folder void is empty.");
	});

	it("bounds the list and says how much is left out", async () => {
		await Promise.all(Array.from({ length: 1_003 }, (_, at) => writeFile(join(bench.root, `f${at}`), "")));
		const lines = (await bench.call(listFiles, {})).text.split("\n");
		expect(lines).toHaveLength(1_001);
		expect(lines.at(-1)).toContain("3 more of 1003 entries");
	});

	it("says of a file and of a missing folder what they are", async () => {
		await writeFile(join(bench.root, "a.txt"), "");
		expect((await bench.call(listFiles, { directory: "a.txt" })).text).toContain("is not a folder");
		expect((await bench.call(listFiles, { directory: "no" })).text).toContain("Folder not found: no");
	});

	it("says that the workspace folder is gone, before and after the call was prepared", async () => {
		const prepared = await bench.prepare(listFiles, {});
		await rm(bench.root, { recursive: true });
		expect((await bench.run(prepared)).text).toContain(`The folder ${bench.root} no longer exists`);
		expect((await bench.call(listFiles, {})).text).toContain("no longer exists");
	});
});
