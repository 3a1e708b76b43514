// Deleting files and links, and nothing else.

import {
	appendFile,
	lstat,
	mkdir,
	readFile as readDisk,
	readdir,
	symlink,
	writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { deleteFile } from "../../../src/agent/tools/deleteFile.ts";
import { readFile } from "../../../src/agent/tools/readFile.ts";
import { createToolBench, type ToolBench } from "../../support/toolContext.ts";

describe("deleteFile", () => {
	let bench: ToolBench;
	const plant = (path: string, content: string) => writeFile(join(bench.root, path), content);
	const gone = (path: string) =>
		lstat(join(bench.root, path)).then(
			() => false,
			() => true,
		);

	beforeEach(async () => {
		bench = await createToolBench();
	});
	afterEach(() => bench.remove());

	it("deletes a file, shows what is lost, and stamps it before and after", async () => {
		await plant("a.txt", "one\n");
		const prepared = await bench.prepare(deleteFile, { path: "a.txt" });
		expect(prepared.preview).toBe("--- a.txt\n+++ (no file)\n-one");
		expect(prepared.after).toEqual([{ path: join(bench.root, "a.txt"), digest: null }]);
		expect(prepared.facts).toEqual({ overwritesUnread: true });
		expect(await bench.run(prepared)).toMatchObject({ status: "result", text: "Successfully deleted a.txt" });
		expect(await gone("a.txt")).toBe(true);
	});

	it("refuses a file that changed since it was read, before or after the question", async () => {
		await plant("a.txt", "one\n");
		await bench.call(readFile, { path: "a.txt" });
		const prepared = await bench.prepare(deleteFile, { path: "a.txt" });
		await appendFile(join(bench.root, "a.txt"), "MINE\n");
		expect((await bench.run(prepared)).error?.type).toBe("CONFLICT");
		expect((await bench.call(deleteFile, { path: "a.txt" })).error?.type).toBe("CONFLICT");
		expect(await gone("a.txt")).toBe(false);
	});

	it("deletes a link itself and says that its target stays", async () => {
		await writeFile(join(bench.outer, "kept.txt"), "kept");
		await symlink(join(bench.outer, "kept.txt"), join(bench.root, "link"));
		const prepared = await bench.prepare(deleteFile, { path: "link" });
		expect(prepared.summary).toContain("its target");
		expect(prepared.facts).toEqual({});
		expect((await bench.run(prepared)).status).toBe("result");
		expect(await gone("link")).toBe(true);
		expect(await readDisk(join(bench.outer, "kept.txt"), "utf8")).toBe("kept");
	});

	it("tells the policy of a link that stands outside although it leads inside", async () => {
		await plant("a.txt", "x");
		await symlink(join(bench.root, "a.txt"), join(bench.outer, "link"));
		const prepared = await bench.prepare(deleteFile, { path: "../link" });
		expect(prepared.facts).toEqual({ outside: [join(bench.outer, "link")] });
	});

	it("refuses folders and what is not there, and leaves a file whose path says that it is a folder", async () => {
		await writeFile(join(bench.root, "q"), "x");
		expect((await bench.call(deleteFile, { path: "q/" })).error?.type).toBe("INVALID_ARGUMENT");
		expect(await readdir(bench.root)).toContain("q");
		await mkdir(join(bench.root, "folder"));
		expect((await bench.call(deleteFile, { path: "folder" })).text).toContain("is a folder");
		expect((await bench.call(deleteFile, { path: "none" })).error?.message).toBe("File not found: none");
	});
});
