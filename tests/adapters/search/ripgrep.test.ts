// The search through the real ripgrep on real files: bounds, ignored files, secrets, cancelling.

import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import {
	mkdir,
	mkdtemp,
	readdir,
	readFile,
	readlink,
	realpath,
	rm,
	symlink,
	writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createRipgrepSearch } from "../../../src/adapters/search/ripgrep.ts";
import type { FileSearchEnd, LineSearch, LineSearchEnd, SearchResult } from "../../../src/ports/search.ts";

describe("createRipgrepSearch", () => {
	const search = createRipgrepSearch();
	let root: string;

	const plant = async (files: Record<string, string | Uint8Array>) => {
		for (const [path, content] of Object.entries(files)) {
			await mkdir(dirname(join(root, path)), { recursive: true });
			await writeFile(join(root, path), content);
		}
	};
	const lines = async (request: Partial<LineSearch>): Promise<LineSearchEnd> =>
		unwrap(await search.lines(lineSearch(request)));
	const lineSearch = (request: Partial<LineSearch>): LineSearch => ({
		path: root,
		pattern: "x",
		ignoreCase: false,
		context: 0,
		limit: 50,
		includeSecrets: false,
		signal: new AbortController().signal,
		...request,
	});
	const files = async (glob: string, limit = 50): Promise<FileSearchEnd> =>
		unwrap(await search.files({ path: root, glob, limit, signal: new AbortController().signal }));

	beforeEach(async () => {
		root = await realpath(await mkdtemp(join(tmpdir(), "agi-search-")));
	});
	afterEach(() => rm(root, { recursive: true, force: true }));

	describe("lines", () => {
		it("finds lines in order of path and line, with context told apart", async () => {
			await plant({ "b.txt": "one\nTARGET\nthree\n", "a.txt": "TARGET\r\n" });
			expect(await lines({ pattern: "TARGET$", context: 1 })).toEqual({
				lines: [
					{ path: "a.txt", line: 1, text: "TARGET", isHit: true },
					{ path: "b.txt", line: 1, text: "one", isHit: false },
					{ path: "b.txt", line: 2, text: "TARGET", isHit: true },
					{ path: "b.txt", line: 3, text: "three", isHit: false },
				],
				hits: 2,
				cut: false,
				timedOut: false,
				secretFiles: 0,
			});
		});

		it("shows a short piece of a line of megabytes around its hit", async () => {
			await plant({ "bundle.js": `${"é".repeat(700_000)}NEEDLE${"y".repeat(700_000)}` });
			const [line] = (await lines({ pattern: "NEEDLE" })).lines;
			expect(line?.text).toMatch(/^…é+NEEDLEy+… \[piece of a line of 1400006 characters\]$/);
			expect(line?.text.length).toBeLessThan(400);
		});

		it("tells of a hit in a line too long to be read", async () => {
			await plant({ "huge.js": `${"y".repeat(6_000_000)}NEEDLE\n`, "z.txt": "NEEDLE\n" });
			expect((await lines({ pattern: "NEEDLE" })).lines).toMatchObject([
				{ path: "huge.js", line: 0, isHit: true },
				{ path: "z.txt", line: 1, isHit: true },
			]);
		});

		it("leaves out what git ignores, also when a glob matches it", async () => {
			await plant({
				".gitignore": "out/\n*.log\n",
				"out/a.js": "x",
				"b.log": "x",
				".git/c": "x",
				".d/e.js": "x",
			});
			for (const glob of [undefined, "**", "**/*", "*"]) {
				const found = await lines({ pattern: "^x", ...(glob === undefined ? {} : { glob }) });
				expect(found.lines.map((line) => line.path)).toEqual([".d/e.js"]);
			}
		});

		it("narrows by a glob, an inverted one too", async () => {
			await plant({ "src/a.ts": "x", "src/b.js": "x", "lib/a.ts": "x" });
			const paths = async (glob: string) => (await lines({ glob })).lines.map((line) => line.path);
			expect(await paths("src/**/*.{ts,tsx}")).toEqual(["src/a.ts"]);
			expect(await paths("*.ts")).toEqual(["lib/a.ts", "src/a.ts"]);
			expect(await paths("!*.ts")).toEqual(["src/b.js"]);
		});

		it("shows nothing of files that usually hold secrets, and counts them", async () => {
			await plant({ ".env": "KEY=x1", "a/server.PEM": "x2", ".env.example": "KEY=x3" });
			const found = await lines({ pattern: "x\\d" });
			expect(found.lines.map((line) => line.text)).toEqual(["KEY=x3"]);
			expect(found.secretFiles).toBe(2);
			expect((await lines({ pattern: "x\\d", includeSecrets: true })).hits).toBe(3);
		});

		it.runIf(existsSync("/proc/self/environ"))(
			"shows nothing of a process's environment, not even where secrets are asked for",
			async () => {
				const path = `/proc/${process.pid}/environ`;
				for (const includeSecrets of [false, true])
					expect(await lines({ path, pattern: "PATH", includeSecrets })).toMatchObject({
						lines: [],
						secretFiles: 1,
					});
			},
		);

		it.runIf(process.platform === "linux")("spells a name that is no UTF-8 as a listing does", async () => {
			await writeFile(
				Buffer.concat([Buffer.from(`${root}/l`), Buffer.from([0xff]), Buffer.from("1.txt")]),
				"x",
			);
			const listed = await readdir(root);
			expect(listed).toEqual(["l\ufffd1.txt"]);
			expect((await files("*.txt")).paths).toEqual(listed);
			expect((await lines({})).lines.map(({ path }) => path)).toEqual(listed);
		});

		it("stops at the limit and says that there are more, but not when they are just enough", async () => {
			await plant({ "a.txt": "x\n".repeat(1_000_000) });
			const found = await lines({ limit: 7 });
			expect(found).toMatchObject({ hits: 7, cut: true });
			expect(found.lines).toHaveLength(7);
			await plant({ "a.txt": "x\n".repeat(7) });
			expect(await lines({ limit: 7 })).toMatchObject({ hits: 7, cut: false });
		});

		it("searches one file, Latin-1 and UTF-16 among them", async () => {
			await plant({
				"l.txt": Buffer.from("Gr\xf6\xdfe x\n", "latin1"),
				"u.txt": Buffer.from("\ufeffGröße x\n", "utf16le"),
			});
			for (const name of ["l.txt", "u.txt"]) {
				expect((await lines({ path: join(root, name) })).lines).toEqual([
					{ path: name, line: 1, text: "Größe x", isHit: true },
				]);
			}
		});

		it("takes look-around and a pattern that begins with a dash", async () => {
			await plant({ "a.txt": "foo(1)\nfoo[2]\n--flag\n" });
			expect((await lines({ pattern: "foo(?=\\[)" })).lines).toMatchObject([{ line: 2 }]);
			expect((await lines({ pattern: "--flag" })).lines).toMatchObject([{ line: 3 }]);
			expect((await lines({ pattern: "FOO", ignoreCase: true })).hits).toBe(2);
		});

		it("says what is wrong with an invalid expression in ripgrep's own words", async () => {
			const found = await search.lines(lineSearch({ pattern: "a(" }));
			expect(found).toMatchObject({
				ok: false,
				error: { kind: "invalid_pattern", message: expect.stringContaining("unclosed group") },
			});
		});

		it("fails with a sentence for a pattern that no process can be given", async () => {
			for (const pattern of ["a\0b", "a".repeat(3_000_000)]) {
				expect(await search.lines(lineSearch({ pattern }))).toMatchObject({
					ok: false,
					error: { kind: "failed" },
				});
			}
		});

		it("says that the folder is gone instead of starting anything", async () => {
			const path = join(root, "none");
			const error = { kind: "failed", message: `${path} no longer exists.` };
			expect(await search.lines(lineSearch({ path }))).toEqual({ ok: false, error });
			expect(await search.files({ ...lineSearch({ path }), glob: "*" })).toEqual({ ok: false, error });
		});

		it("reads no configuration of the user", async () => {
			await plant({ "a.txt": "x\n", rc: "--invert-match\n" });
			process.env["RIPGREP_CONFIG_PATH"] = join(root, "rc");
			try {
				expect((await lines({ pattern: "^x$" })).lines).toMatchObject([{ path: "a.txt", text: "x" }]);
			} finally {
				delete process.env["RIPGREP_CONFIG_PATH"];
			}
		});

		it.runIf(process.platform === "linux")(
			"is cancelled by its signal and leaves no process behind",
			async () => {
				// A pipe that nobody writes to: the search cannot end by itself.
				execFileSync("mkfifo", [join(root, "pipe")]);
				const abort = new AbortController();
				const found = search.lines(lineSearch({ path: join(root, "pipe"), signal: abort.signal }));
				await until(async () => (await processesIn(root)) === 1);
				abort.abort();
				expect(await found).toMatchObject({ ok: false, error: { kind: "cancelled" } });
				expect(await processesIn(root)).toBe(0);
			},
		);
	});

	describe("files", () => {
		it("lists what matches by path, hidden ones too, ignored and linked ones not", async () => {
			await plant({
				".gitignore": "dist\n",
				"b.ts": "",
				"a/c.ts": "",
				".x/d.ts": "",
				"dist/e.ts": "",
				".git/f.ts": "",
			});
			await symlink("..", join(root, "a", "loop"));
			await symlink("/", join(root, "a", "root"));
			expect(await files("**/*.ts")).toEqual({
				paths: [".x/d.ts", "a/c.ts", "b.ts"],
				total: 3,
				timedOut: false,
			});
		});

		it("counts what is beyond the limit", async () => {
			await plant({ "a.ts": "", "b.ts": "", "c.ts": "" });
			expect(await files("*.ts", 2)).toEqual({ paths: ["a.ts", "b.ts"], total: 3, timedOut: false });
		});
	});
});

function unwrap<T>(result: SearchResult<T>): T {
	if (result.ok) return result.value;
	throw new Error(result.error.message);
}

/** How many processes have this folder as theirs. */
async function processesIn(folder: string): Promise<number> {
	let count = 0;
	for (const pid of (await readdir("/proc")).filter((name) => /^\d+$/.test(name))) {
		const cwd = await readlink(`/proc/${pid}/cwd`).catch(() => "");
		const command = await readFile(`/proc/${pid}/comm`, "utf8").catch(() => "");
		if (cwd === folder && command.trim() === "rg") count += 1;
	}
	return count;
}

async function until(holds: () => Promise<boolean>): Promise<void> {
	while (!(await holds())) await new Promise((resolve) => setImmediate(resolve));
}
