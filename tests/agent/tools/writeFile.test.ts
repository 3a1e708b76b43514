// Whole files: new, overwritten, and refused where somebody else was there first.

import {
	appendFile,
	mkdir,
	readFile as readDisk,
	readdir,
	symlink,
	writeFile as writeDisk,
} from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readFile } from "../../../src/agent/tools/readFile.ts";
import { writeFile } from "../../../src/agent/tools/writeFile.ts";
import { createToolBench, type ToolBench } from "../../support/toolContext.ts";

describe("writeFile", () => {
	let bench: ToolBench;
	const plant = (path: string, content: string | Uint8Array) => writeDisk(join(bench.root, path), content);
	const onDisk = (path: string) => readDisk(join(bench.root, path), "latin1");
	const write = (path: string, content: string) => bench.call(writeFile, { path, content });

	beforeEach(async () => {
		bench = await createToolBench();
	});
	afterEach(() => bench.remove());

	it("writes a new file with its folders and tells the number of characters", async () => {
		const prepared = await bench.prepare(writeFile, { path: "deep/nested/file.txt", content: "one\ntwo\n" });
		expect(prepared).toMatchObject({ summary: "Create deep/nested/file.txt", facts: {} });
		expect(prepared.preview).toBe("--- (no file)\n+++ deep/nested/file.txt\n+one\n+two");
		expect(await bench.run(prepared)).toMatchObject({
			status: "result",
			text: "Successfully wrote 8 characters to deep/nested/file.txt",
		});
		expect(await onDisk("deep/nested/file.txt")).toBe("one\ntwo\n");
	});

	it("writes an empty file and says so", async () => {
		expect((await write("empty.txt", "")).text).toBe("Successfully wrote 0 characters to empty.txt");
		expect(await onDisk("empty.txt")).toBe("");
	});

	it("tells the policy when it would overwrite what was never read, and not when it was", async () => {
		await plant("a.txt", "one\n");
		const args = { path: "a.txt", content: "two\n" };
		expect((await bench.prepare(writeFile, args)).facts).toEqual({ overwritesUnread: true });
		await bench.call(readFile, { path: "a.txt" });
		expect((await bench.prepare(writeFile, args)).facts).toEqual({});
	});

	it("refuses a file that changed since it was read, and one that appeared after it was seen missing", async () => {
		await plant("todo.txt", "one\n");
		await bench.call(readFile, { path: "todo.txt" });
		await appendFile(join(bench.root, "todo.txt"), "MINE\n");
		expect((await write("todo.txt", "one\ntwo\n")).error?.type).toBe("CONFLICT");
		expect(await onDisk("todo.txt")).toBe("one\nMINE\n");
	});

	it("refuses when the file changed or appeared between the question and the write", async () => {
		await plant("a.txt", "one\n");
		const over = await bench.prepare(writeFile, { path: "a.txt", content: "x" });
		const fresh = await bench.prepare(writeFile, { path: "new.txt", content: "x" });
		await plant("a.txt", "MINE\n");
		await plant("new.txt", "MINE\n");
		expect((await bench.run(over)).error?.type).toBe("CONFLICT");
		expect((await bench.run(fresh)).error?.type).toBe("CONFLICT");
		expect([await onDisk("a.txt"), await onDisk("new.txt")]).toEqual(["MINE\n", "MINE\n"]);
	});

	it("keeps the byte order mark and the line ends of the file that it overwrites", async () => {
		await plant("a.txt", "\ufeffone\r\ntwo\r\n");
		await write("a.txt", "eins\nzwei\n");
		expect(await readDisk(join(bench.root, "a.txt"), "utf8")).toBe("\ufeffeins\r\nzwei\r\n");
		await write("a.txt", "\ufeffuno\n");
		expect(await readDisk(join(bench.root, "a.txt"), "utf8")).toBe("\ufeffuno\r\n");
	});

	it("writes markup and control characters unchanged into a new file", async () => {
		const content = "<think>x</think>\r\n$& \u0007 é";
		await write("x.txt", content);
		expect(await readDisk(join(bench.root, "x.txt"), "utf8")).toBe(content);
	});

	it("previews an overwritten binary file by its size", async () => {
		await plant("a.bin", Buffer.from([0, 1, 2]));
		const prepared = await bench.prepare(writeFile, { path: "a.bin", content: "text\n" });
		expect(prepared.preview).toContain("-(binary file of 3 bytes)");
		expect(prepared.preview).toContain("+text");
	});

	it("bounds the preview and says how much is left out", async () => {
		const prepared = await bench.prepare(writeFile, { path: "big.txt", content: "line\n".repeat(2_000) });
		expect(prepared.preview?.split("\n")).toHaveLength(403);
		expect(prepared.preview).toContain("[1600 more lines of this diff are not shown]");
	});

	it("tells the real place of a file below a linked folder that leaves the workspace", async () => {
		await mkdir(join(bench.outer, "away"));
		await symlink(join(bench.outer, "away"), join(bench.root, "outbox"));
		const prepared = await bench.prepare(writeFile, { path: "outbox/new/deep.txt", content: "x" });
		const real = join(bench.outer, "away/new/deep.txt");
		expect(prepared.facts).toEqual({ outside: [real] });
		expect(prepared.summary).toBe(`Create ${real}`);
		expect(await readdir(join(bench.outer, "away"))).toEqual([]);
	});

	it.each(["q/", "q/.", "new/q/"])("refuses %j, which names a folder, and writes nothing", async (path) => {
		const before = await readdir(bench.root);
		expect((await write(path, "x")).error).toMatchObject({
			type: "INVALID_ARGUMENT",
			fields: { path: "names a folder" },
		});
		expect(await readdir(bench.root)).toEqual(before);
	});

	it.each(["", "a\0b"])("refuses the path %j as an argument that is wrong", async (path) => {
		const { error } = await write(path, "x");
		expect(error).toMatchObject({ type: "INVALID_ARGUMENT", fields: { path: error?.message } });
	});

	it("refuses a folder, a path below a file, and an unknown argument", async () => {
		await plant("a.txt", "x");
		expect((await write(".", "x")).text).toContain("is a folder");
		expect((await write("a.txt/b", "x")).status).toBe("error");
		expect((await bench.call(writeFile, { path: "b", content: "", mode: 1 })).error?.type).toBe(
			"INVALID_ARGUMENT",
		);
	});
});
