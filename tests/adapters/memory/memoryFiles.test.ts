import { execFile } from "node:child_process";
import {
	chmodSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	realpathSync,
	rmSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it, onTestFinished } from "vitest";
import { takeFileLock } from "../../../src/adapters/memory/fileLock.ts";
import { createMemoryFiles } from "../../../src/adapters/memory/memoryFiles.ts";
import type { MemoryResult } from "../../../src/ports/memory.ts";

function bench(options: { agentFolder?: false } = {}) {
	const outer = realpathSync(mkdtempSync(join(tmpdir(), "agi-memory-")));
	onTestFinished(() => rmSync(outer, { recursive: true, force: true }));
	const root = join(outer, "app");
	mkdirSync(root);
	const places = {
		cwd: root,
		configFolder: join(outer, "config"),
		lockFolder: join(outer, "data", "locks"),
		...(options.agentFolder === false ? {} : { agentFolder: join(root, ".agent") }),
	};
	const project = join(root, ".agent", "MEMORY.md");
	const write = (path: string, text: string | Uint8Array) => {
		mkdirSync(dirname(path), { recursive: true });
		writeFileSync(path, text);
	};
	return { outer, root, places, project, write, files: createMemoryFiles(places) };
}

const appending = (line: string) => (now: { text: string }) =>
	({ ok: true, value: `${now.text}${line}\n` }) as const;

function messageOf(result: MemoryResult<unknown>): string {
	if (result.ok) throw new Error("it was not refused");
	return `${result.kind}: ${result.message}`;
}

describe("createMemoryFiles", () => {
	it("tells an empty text where there is no file, and makes both files with their folders", async () => {
		const { files, project, places } = bench();
		expect(files.read("project")).toEqual({
			ok: true,
			value: { scope: "project", path: ".agent/MEMORY.md", real: project, text: "", digest: null },
		});
		expect((await files.change("project", appending("- a"))).ok).toBe(true);
		expect((await files.change("user", appending("- b"))).ok).toBe(true);
		const user = join(places.configFolder, "USER.md");
		expect(readFileSync(project, "utf8")).toBe("- a\n");
		expect(readFileSync(user, "utf8")).toBe("- b\n");
		expect(statSync(user).mode & 0o777).toBe(0o600);
		expect(statSync(places.configFolder).mode & 0o777).toBe(0o700);
	});

	it("keeps every byte that it did not change, a byte order mark and foreign line ends too", async () => {
		const { files, project, write } = bench();
		const bytes = Buffer.from("\uFEFFone\r\ntwo\r\n\tthree", "utf8");
		write(project, bytes);
		chmodSync(project, 0o640);
		await files.change("project", ({ text }) => ({ ok: true, value: `${text}!` }));
		expect(readFileSync(project)).toEqual(Buffer.concat([bytes, Buffer.from("!")]));
		expect(statSync(project).mode & 0o777).toBe(0o640);
	});

	it("writes nothing where the edit changes nothing or refuses", async () => {
		const { files, project, write } = bench();
		write(project, "- a\n");
		const before = statSync(project, { bigint: true }).mtimeNs;
		expect(await files.change("project", ({ text }) => ({ ok: true, value: text }))).toMatchObject({
			ok: true,
		});
		const refused = { ok: false, kind: "not_found", message: "No such entry." } as const;
		expect(await files.change("project", () => refused)).toEqual(refused);
		expect(statSync(project, { bigint: true }).mtimeNs).toBe(before);
	});

	it("edits the newer text where a person saved the file in between", async () => {
		const { files, project, write } = bench();
		write(project, "- a\n");
		const seen: string[] = [];
		const changed = await files.change("project", ({ text }) => {
			seen.push(text);
			if (seen.length === 1) write(project, "- a\n- of a person\n");
			return { ok: true, value: `${text}- b\n` };
		});
		expect(seen).toEqual(["- a\n", "- a\n- of a person\n"]);
		expect(readFileSync(project, "utf8")).toBe("- a\n- of a person\n- b\n");
		expect(changed.ok && changed.value.before.text).toBe("- a\n- of a person\n");
	});

	it("gives up with a conflict where somebody writes again and again, and overwrites nothing", async () => {
		const { files, project, write } = bench();
		let n = 0;
		const result = await files.change("project", ({ text }) => {
			write(project, `- person ${++n}\n`);
			return { ok: true, value: `${text}- b\n` };
		});
		expect(messageOf(result)).toContain("conflict: .agent/MEMORY.md changed since it was read");
		expect(readFileSync(project, "utf8")).toBe(`- person ${n}\n`);
	});

	it("loses nothing where many change the same file at once", async () => {
		const { places, project } = bench();
		const numbers = Array.from({ length: 8 }, (_, n) => n);
		const results = await Promise.all(
			numbers.map((n) => createMemoryFiles(places).change("project", appending(`- ${n}`))),
		);
		expect(results.every(({ ok }) => ok)).toBe(true);
		expect(readFileSync(project, "utf8").trim().split("\n").sort()).toEqual(
			numbers.map((n) => `- ${n}`).sort(),
		);
	});

	it("loses nothing where several processes change the same file at once", async () => {
		const { places, project } = bench();
		const module = new URL("../../../src/adapters/memory/memoryFiles.ts", import.meta.url).href;
		const script = `
			const { createMemoryFiles } = await import(${JSON.stringify(module)});
			const files = createMemoryFiles(${JSON.stringify(places)});
			for (let n = 0; n < 5; n++) {
				const done = await files.change("project", ({ text }) => ({ ok: true, value: text + "- " + process.argv[1] + n + "\\n" }));
				if (!done.ok) throw new Error(done.message);
			}`;
		const run = promisify(execFile);
		await Promise.all(
			["a", "b", "c"].map((name) => run(process.execPath, ["--input-type=module", "-e", script, name])),
		);
		expect(readFileSync(project, "utf8").trim().split("\n").sort()).toEqual(
			["a", "b", "c"].flatMap((name) => [0, 1, 2, 3, 4].map((n) => `- ${name}${n}`)),
		);
	});

	it("says so where another holds the lock for too long", async () => {
		const { outer } = bench();
		const path = join(outer, "one.db");
		const unlock = await takeFileLock(path);
		expect(unlock).toBeDefined();
		expect(await takeFileLock(path, 30)).toBeUndefined();
		unlock?.();
		(await takeFileLock(path))?.();
	});

	it.each([
		["MEMORY.md", (root: string, outside: string) => link(outside, join(root, ".agent", "MEMORY.md"))],
		["a dangling MEMORY.md", (root: string) => link("/nowhere/x.md", join(root, ".agent", "MEMORY.md"))],
		["the folder .agent", (root: string, outside: string) => link(dirname(outside), join(root, ".agent"))],
	])("refuses %s that is a link out of the project, for reading and writing", async (_, make) => {
		const { outer, root, files, write } = bench();
		const outside = join(outer, "elsewhere", "MEMORY.md");
		write(outside, "secret\n");
		make(root, outside);
		expect(messageOf(files.read("project"))).toContain("leads out of the project");
		expect(messageOf(await files.change("project", appending("- a")))).toContain("leads out of the project");
		expect(readFileSync(outside, "utf8")).toBe("secret\n");
		expect(existsSync("/nowhere")).toBe(false);
	});

	it("writes through a link that the user made in the own folder, and keeps the link", async () => {
		const { outer, places, files, write } = bench();
		const dotfile = join(outer, "dotfiles", "USER.md");
		write(dotfile, "- a\n");
		link(dotfile, join(places.configFolder, "USER.md"));
		await files.change("user", appending("- b"));
		expect(readFileSync(dotfile, "utf8")).toBe("- a\n- b\n");
	});

	it.each([
		["a folder", (path: string) => mkdirSync(path, { recursive: true }), "is a folder"],
		[
			"no UTF-8",
			(path: string) => writeFileSync(path, Buffer.from([0xff, 0xfe, 0x80])),
			"not a text in UTF-8",
		],
		["too large", (path: string) => writeFileSync(path, "x".repeat(300 * 1024)), "larger than 256 KiB"],
	])("leaves what is %s as it is, with a sentence", async (_, make, told) => {
		const { files, project } = bench();
		mkdirSync(dirname(project), { recursive: true });
		make(project);
		expect(messageOf(files.read("project"))).toContain(told);
		expect(messageOf(await files.change("project", appending("- a")))).toContain(told);
	});

	it("has no project's memory where the folder is no project", () => {
		expect(messageOf(bench({ agentFolder: false }).files.read("project"))).toContain("none: ");
	});

	it("has another mark after each change", async () => {
		const { files } = bench();
		const marks = [files.mark()];
		for (const scope of ["project", "user", "project"] as const) {
			await files.change(scope, appending("- a"));
			marks.push(files.mark());
		}
		expect(new Set(marks).size).toBe(4);
	});
});

function link(target: string, path: string): void {
	mkdirSync(dirname(path), { recursive: true });
	symlinkSync(target, path);
}
