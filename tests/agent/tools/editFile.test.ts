// Edits on real files: bytes outside of the edit stay, and what cannot be applied exactly is refused.

import {
	appendFile,
	chmod,
	lstat,
	mkdir,
	readFile as readDisk,
	stat,
	symlink,
	writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { editFile } from "../../../src/agent/tools/editFile.ts";
import { readFile } from "../../../src/agent/tools/readFile.ts";
import { createToolBench, type ToolBench } from "../../support/toolContext.ts";

describe("editFile", () => {
	let bench: ToolBench;
	const plant = (path: string, content: string | Uint8Array) => writeFile(join(bench.root, path), content);
	const onDisk = (path: string) => readDisk(join(bench.root, path), "latin1");
	const edit = (path: string, oldString: string, newString: string, more: object = {}) =>
		bench.call(editFile, { path, oldString, newString, ...more });
	const preview = async (path: string, oldString: string, newString: string) =>
		(await bench.prepare(editFile, { path, oldString, newString })).preview?.split("\n") ?? [];
	const changed = (lines: string[]) => lines.filter((line) => /^[+-](?![+-]{2} )/.test(line));

	beforeEach(async () => {
		bench = await createToolBench();
	});
	afterEach(() => bench.remove());

	it("replaces text without an earlier read, and says where", async () => {
		await plant("a.txt", "one\ntwo\n");
		expect(await edit("a.txt", "two", "2")).toMatchObject({
			status: "result",
			text: "Successfully replaced 1 occurrence in a.txt (line 2)",
		});
		expect(await onDisk("a.txt")).toBe("one\n2\n");
	});

	it("matches several lines of a CRLF file by LF and writes CRLF; the diff shows the one new line", async () => {
		await plant("w.cs", "a\r\nb\r\nc\r\n");
		expect(changed(await preview("w.cs", "a\nb", "a\nB2\nb"))).toEqual(["+B2"]);
		expect((await edit("w.cs", "a\nb", "a\nB2\nb")).status).toBe("result");
		expect(await onDisk("w.cs")).toBe("a\r\nB2\r\nb\r\nc\r\n");
	});

	it("keeps bytes that are no UTF-8 where it does not touch them", async () => {
		await plant("l.py", Buffer.from("LIMIT = 10\n# Gr\xf6\xdfe \x93q\x94\n", "latin1"));
		expect((await edit("l.py", "LIMIT = 10", "LIMIT = 20")).status).toBe("result");
		expect(await onDisk("l.py")).toBe("LIMIT = 20\n# Gr\xf6\xdfe \x93q\x94\n");
	});

	it("refuses letters that the file's encoding does not have, and changes nothing", async () => {
		await plant("l.py", Buffer.from("Gr\xf6\xdfe\n", "latin1"));
		const outcome = await edit("l.py", "Größe", "大きさ");
		expect(outcome).toMatchObject({ status: "error", error: { type: "INVALID_ARGUMENT" } });
		expect(outcome.text).toContain("Latin-1");
		expect(await onDisk("l.py")).toBe("Gr\xf6\xdfe\n");
	});

	it("matches the first line behind a byte order mark and keeps the mark once", async () => {
		await plant("b.vb", "\ufeffDim é = 1\r\n");
		expect((await edit("b.vb", "Dim é = 1", "Dim é = 2")).status).toBe("result");
		expect(await readDisk(join(bench.root, "b.vb"), "utf8")).toBe("\ufeffDim é = 2\r\n");
	});

	it("keeps UTF-16", async () => {
		await plant("u.txt", Buffer.from("\ufeffGröße\r\n", "utf16le"));
		expect((await edit("u.txt", "Größe", "日本")).status).toBe("result");
		expect((await readDisk(join(bench.root, "u.txt"))).toString("utf16le")).toBe("\ufeff日本\r\n");
	});

	it.each([{}, { replaceAll: true }])(
		"takes dollar signs in the new text as they are, with %j",
		async (more) => {
			const dollars = "pid $$ match $& pre $` post $' one $1";
			await plant("s.sh", "echo done\n");
			expect(changed(await preview("s.sh", "done", dollars))).toEqual(["-echo done", `+echo ${dollars}`]);
			await edit("s.sh", "done", dollars, more);
			expect(await onDisk("s.sh")).toBe(`echo ${dollars}\n`);
		},
	);

	it.each([{}, { replaceAll: true }])(
		"refuses an empty oldString with %j and tells how to append or create",
		async (more) => {
			await plant("log.md", "line\n".repeat(300));
			const outcome = await edit("log.md", "", "one more\n", more);
			expect(outcome.error?.type).toBe("INVALID_ARGUMENT");
			expect(outcome.text).toMatch(/writeFile.*append/s);
			expect(await onDisk("log.md")).toBe("line\n".repeat(300));
		},
	);

	it("refuses several matches with their count and lines, before anybody is asked", async () => {
		await plant("d.py", "x = 1\ny = 2\nx = 1\n");
		await expect(
			bench.prepare(editFile, { path: "d.py", oldString: "x = 1", newString: "x = 9" }),
		).rejects.toThrow(/occurs 2 times in d\.py \(lines 1, 3\)/);
		expect((await edit("d.py", "x = 1", "x = 9", { replaceAll: true })).text).toContain("2 occurrences");
		expect(await onDisk("d.py")).toBe("x = 9\ny = 2\nx = 9\n");
	});

	it("shows the nearest text with its lines when there is no match", async () => {
		await plant("f.ts", "a();\nfunction add(first, second) {\n\treturn first + second;\n}\n");
		const outcome = await edit("f.ts", "function add(first, second) {\n    return first + second;\n}", "x");
		expect(outcome.text).toContain("lines 2-4 (only white space differs)");
		expect(outcome.text).toContain("\treturn first + second;");
	});

	it("refuses an edit that changes nothing", async () => {
		await plant("a.txt", "one\n");
		expect((await edit("a.txt", "one", "one")).error?.type).toBe("INVALID_ARGUMENT");
	});

	it("keeps the mode of the file", async () => {
		await plant("run.sh", "echo a\n");
		await chmod(join(bench.root, "run.sh"), 0o755);
		await edit("run.sh", "echo a", "echo b");
		expect((await stat(join(bench.root, "run.sh"))).mode & 0o777).toBe(0o755);
	});

	it("writes through a link, keeps it, and names the real file to the person", async () => {
		await mkdir(join(bench.root, "conf"));
		await plant("conf/real.yml", "a: 1\n");
		await symlink("conf/real.yml", join(bench.root, "app.yml"));
		const prepared = await bench.prepare(editFile, { path: "app.yml", oldString: "a: 1", newString: "a: 2" });
		expect(prepared.summary).toBe("Edit conf/real.yml (through the link app.yml)");
		expect(prepared.preview).toContain("conf/real.yml");
		await bench.run(prepared);
		expect((await lstat(join(bench.root, "app.yml"))).isSymbolicLink()).toBe(true);
		expect(await onDisk("conf/real.yml")).toBe("a: 2\n");
	});

	it("refuses a file that changed since this session read it", async () => {
		await plant("a.txt", "one\n");
		await bench.call(readFile, { path: "a.txt" });
		await appendFile(join(bench.root, "a.txt"), "MINE\n");
		expect((await edit("a.txt", "one", "1")).error).toMatchObject({
			type: "CONFLICT",
			message: expect.stringContaining("changed since it was read; read it again"),
		});
	});

	it("refuses a file that changed between the question and the write", async () => {
		await plant("a.txt", "one\n");
		const prepared = await bench.prepare(editFile, { path: "a.txt", oldString: "one", newString: "1" });
		await appendFile(join(bench.root, "a.txt"), "MINE\n");
		expect((await bench.run(prepared)).error?.type).toBe("CONFLICT");
		expect(await onDisk("a.txt")).toBe("one\nMINE\n");
	});

	it("lets edits of one file follow each other, each seeing the one before", async () => {
		await plant("n.txt", Array.from({ length: 60 }, (_, at) => `row-${at + 1}\n`).join(""));
		await bench.call(readFile, { path: "n.txt" });
		expect((await edit("n.txt", "row-12\n", "row-twelve\n")).status).toBe("result");
		expect((await edit("./n.txt", "row-48\n", "row-fortyeight\n")).status).toBe("result");
		expect((await onDisk("n.txt")).match(/row-/g)).toHaveLength(60);
	});

	it("tells nothing of a file outside or of secrets that was not read before", async () => {
		await writeFile(join(bench.outer, "o.txt"), "token-outside\n");
		await plant(".env", "KEY=token-inside\n");
		for (const path of ["../o.txt", ".env"]) {
			const outcome = await edit(path, "token-guess", "x");
			expect(outcome.error?.type).toBe("CONFLICT");
			expect(outcome.text).toContain("read it with readFile");
			expect(outcome.text).not.toMatch(/token-(inside|outside)/);
		}
	});

	it("stamps what it will write, and observes exactly that", async () => {
		await plant("a.txt", "one\n");
		const prepared = await bench.prepare(editFile, { path: "a.txt", oldString: "one", newString: "two" });
		const outcome = await bench.run(prepared);
		expect(prepared.before?.[0]?.digest).not.toBe(prepared.after?.[0]?.digest);
		expect(outcome.observed?.[0]).toMatchObject(prepared.after![0]!);
		expect(prepared.resources).toEqual([{ kind: "file", key: join(bench.root, "a.txt"), access: "write" }]);
	});

	it("says of a missing and of a binary file what they are", async () => {
		await plant("a.bin", Buffer.from([0, 1]));
		expect((await edit("no.txt", "a", "b")).error?.message).toBe("File not found: no.txt");
		expect((await edit("a.bin", "a", "b")).error?.message).toContain("binary file of 2 bytes");
	});

	it("tells the policy of protected files, whatever their letter case", async () => {
		await mkdir(join(bench.root, ".GIT"));
		await plant(".GIT/config", "[core]\n");
		const prepared = await bench.prepare(editFile, {
			path: ".GIT/config",
			oldString: "core",
			newString: "x",
		});
		expect(prepared.facts).toEqual({ protectedPaths: [join(bench.root, ".GIT/config")] });
	});
});
