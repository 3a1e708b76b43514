// Pages of a file: exact ranges, bounded length, and a plain word for everything that has no text.

import { execFileSync } from "node:child_process";
import { mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { MAX_TOOL_RESULT_LENGTH } from "../../../src/agent/toolResults.ts";
import { readFile } from "../../../src/agent/tools/readFile.ts";
import { createToolBench, type ToolBench } from "../../support/toolContext.ts";

describe("readFile", () => {
	let bench: ToolBench;
	const plant = (path: string, content: string | Uint8Array) => writeFile(join(bench.root, path), content);
	const read = async (args: object) => (await bench.call(readFile, args)).text;

	beforeEach(async () => {
		bench = await createToolBench();
	});
	afterEach(() => bench.remove());

	it("shows 200 lines from the offset and tells the range, the whole and how to go on", async () => {
		await plant("n.txt", Array.from({ length: 753 }, (_, at) => `line ${at + 1}`).join("\n"));
		const last = (text: string) => text.split("\n").at(-1);
		expect(last(await read({ path: "n.txt" }))).toBe(
			"[Showing lines 1-200 of 753. Use offset to read more.]",
		);
		expect(last(await read({ path: "n.txt", limit: 200, offset: 200 }))).toBe(
			"[Showing lines 201-400 of 753. Use offset to read more.]",
		);
		expect(last(await read({ path: "n.txt", offset: 700 }))).toBe(
			"[Showing lines 701-753 of 753. End of file.]",
		);
	});

	it("gives every line once, in order, in pages of any size", async () => {
		const anyLines = fc.array(fc.stringMatching(/^[a-z]{0,4}$/), { minLength: 1, maxLength: 60 });
		await fc.assert(
			fc.asyncProperty(anyLines, fc.integer({ min: 1, max: 70 }), async (lines, limit) => {
				const text = lines.join("\n");
				fc.pre(text !== "");
				await plant("p.txt", text);
				const pages: string[] = [];
				for (let offset = 0; offset < lines.length; offset += limit) {
					pages.push(...(await read({ path: "p.txt", offset, limit })).split("\n").slice(0, -1));
				}
				expect(pages.join("\n")).toBe(text);
			}),
			{ numRuns: 60 },
		);
	});

	it("breaks a page at its bound in letters and tells where the next begins", async () => {
		await plant("wide.txt", Array.from({ length: 300 }, (_, at) => `${at}:${"w".repeat(1_000)}`).join("\n"));
		const seen: string[] = [];
		for (let offset = 0; offset < 300; ) {
			const page = await read({ path: "wide.txt", offset, limit: 300 });
			expect(page.length).toBeLessThan(MAX_TOOL_RESULT_LENGTH);
			const [, end] = /\[Showing lines \d+-(\d+) of 300\./.exec(page) ?? [];
			seen.push(...page.split("\n").slice(0, -1));
			offset = Number(end);
		}
		expect(seen.map((line) => Number.parseInt(line, 10))).toEqual([...Array(300).keys()]);
	});

	it("cuts a line of megabytes and tells its length", async () => {
		await plant("bundle.min.js", "x".repeat(1_500_000));
		const text = await read({ path: "bundle.min.js" });
		expect(text.length).toBeLessThan(3_000);
		expect(text).toContain("line cut: it has 1500000 characters");
	});

	it("refuses an offset past the end with the number of lines", async () => {
		await plant("n.txt", "one\ntwo");
		const outcome = await bench.call(readFile, { path: "n.txt", offset: 2 });
		expect(outcome).toMatchObject({ status: "error", error: { type: "INVALID_ARGUMENT" } });
		expect(outcome.text).toContain("has 2 lines");
	});

	it.each([{ offset: -5 }, { limit: 0 }, { limit: 1.5 }, { file: "x" }])(
		"refuses the arguments %j",
		async (args) => {
			await plant("n.txt", "one");
			const outcome = await bench.call(readFile, { path: "n.txt", ...args });
			expect(outcome.error?.type).toBe("INVALID_ARGUMENT");
		},
	);

	it("shows CRLF lines and the first line of a file with a byte order mark without what is invisible", async () => {
		await plant("b.vb", "\ufeffDim é = 1\r\nEnd\r\n");
		expect(await read({ path: "b.vb" })).toBe("Dim é = 1\nEnd\n\n[Showing lines 1-3 of 3. End of file.]");
	});

	it("tells the way to a file whose name is no UTF-8", async () => {
		expect((await bench.call(readFile, { path: "l\ufffd1.txt" })).error).toMatchObject({
			type: "NOT_FOUND",
			message: expect.stringMatching(/^File not found: l\ufffd1\.txt\. Its name is no UTF-8/),
		});
	});

	it("says that a file is empty", async () => {
		await plant("e.txt", "");
		expect(await read({ path: "e.txt" })).toBe("The file e.txt is empty (0 bytes).");
	});

	it("says the size of a binary file instead of its bytes", async () => {
		await plant("a.bin", Buffer.from([1, 0, 2]));
		expect(await bench.call(readFile, { path: "a.bin" })).toMatchObject({
			status: "error",
			error: { message: "a.bin is a binary file of 3 bytes; it has no text to read." },
		});
	});

	it("says that Latin-1 was read as such", async () => {
		await plant("l.py", Buffer.from("# Gr\xf6\xdfe\n", "latin1"));
		expect(await read({ path: "l.py" })).toMatch(/^# Größe\n\n\[Not UTF-8: read as Latin-1/);
	});

	it("says of a missing file and of a folder what they are", async () => {
		await mkdir(join(bench.root, "folder"));
		expect(await bench.call(readFile, { path: "no.txt" })).toMatchObject({
			error: { type: "NOT_FOUND", message: "File not found: no.txt" },
		});
		expect(await read({ path: "folder" })).toContain("is a folder");
	});

	it("refuses a pipe, a device and a circle of links at once", async () => {
		execFileSync("mkfifo", [join(bench.root, "pipe")]);
		await symlink("round", join(bench.root, "round"));
		for (const path of ["pipe", "/dev/zero", "round"]) {
			expect(await read({ path })).toContain(`${path} is no regular file`);
		}
	});

	it("says that the workspace folder is gone", async () => {
		await rm(bench.root, { recursive: true });
		expect(await read({ path: "a.txt" })).toContain(`The folder ${bench.root} no longer exists`);
	});

	it("tells the policy of files outside and of files that usually hold secrets", async () => {
		await writeFile(join(bench.outer, "o.txt"), "o");
		await plant(".ENV", "K=v");
		expect(await bench.prepare(readFile, { path: "../o.txt" })).toMatchObject({
			facts: { outside: [join(bench.outer, "o.txt")] },
			resources: [{ kind: "file", key: join(bench.outer, "o.txt"), access: "read" }],
		});
		expect((await bench.prepare(readFile, { path: ".ENV" })).facts).toEqual({
			secretPaths: [join(bench.root, ".ENV")],
		});
	});

	it("observes the file as it read it", async () => {
		await plant("a.txt", "alpha");
		const outcome = await bench.call(readFile, { path: "a.txt" });
		expect(outcome.observed).toMatchObject([{ path: join(bench.root, "a.txt"), size: 5 }]);
	});
});
