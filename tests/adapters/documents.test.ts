import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { createDocuments, MAX_DOCUMENT_BYTES } from "../../src/adapters/documents.ts";

let root: string;
let config: string;

beforeEach(() => {
	const outer = realpathSync(mkdtempSync(join(tmpdir(), "agi-documents-")));
	onTestFinished(() => rmSync(outer, { recursive: true, force: true }));
	[root, config] = [join(outer, "repo"), join(outer, "config")];
	mkdirSync(join(root, ".git"), { recursive: true });
	mkdirSync(config);
});

function put(path: string, content: string | Uint8Array, folder = root): string {
	const full = join(folder, path);
	mkdirSync(dirname(full), { recursive: true });
	writeFileSync(full, content);
	return full;
}

const read = (cwd = root) => createDocuments(cwd, config).read();

describe("createDocuments", () => {
	it("reads the user's first, then from the repository's root down to the workspace", () => {
		put("AGENTS.md", "mine", config);
		put("AGENTS.md", "outer");
		put("a/b/AGENTS.md", "inner");
		put("a/c/AGENTS.md", "beside");
		const { documents, warnings } = read(join(root, "a/b"));
		expect(documents.map(({ path, scope, text }) => [path, scope, text])).toEqual([
			[join(config, "AGENTS.md"), "user", "mine"],
			["../../AGENTS.md", "project", "outer"],
			["AGENTS.md", "project", "inner"],
		]);
		expect(warnings).toEqual([]);
	});

	it("takes CLAUDE.md only in a folder without AGENTS.md", () => {
		put("CLAUDE.md", "outer");
		put("a/AGENTS.md", "inner");
		put("a/CLAUDE.md", "not this");
		expect(read(join(root, "a")).documents.map(({ text }) => text)).toEqual(["outer", "inner"]);
	});

	it("looks at no folder above outside of a repository", () => {
		rmSync(join(root, ".git"), { recursive: true });
		put("AGENTS.md", "above");
		put("a/AGENTS.md", "here");
		expect(read(join(root, "a")).documents.map(({ text }) => text)).toEqual(["here"]);
	});

	it.each([
		["a link to itself", () => symlinkSync("AGENTS.md", join(root, "AGENTS.md")), "leads in a circle"],
		["a folder", () => mkdirSync(join(root, "AGENTS.md")), "it is a folder"],
		[
			"bytes that are no text",
			() =>
				put(
					"AGENTS.md",
					Uint8Array.from({ length: 2048 }, (_, i) => (i * 151) % 256),
				),
			"not a text",
		],
		["a link out of the repository", () => symlinkSync("/etc/passwd", join(root, "AGENTS.md")), "leads out"],
		["a pipe", () => execFileSync("mkfifo", [join(root, "AGENTS.md")]), "not a file"],
	])("leaves out %s with one warning", (_, make, why) => {
		make();
		const { documents, warnings } = read();
		expect(documents).toEqual([]);
		expect(warnings).toHaveLength(1);
		expect(warnings[0]).toMatch(/^AGENTS\.md was not read/);
		expect(warnings[0]).toContain(why);
	});

	it("leaves out a file that may not be read, with one warning", () => {
		chmodSync(put("AGENTS.md", "x"), 0);
		expect(asOrdinaryUser(read)).toEqual({
			documents: [],
			warnings: ["AGENTS.md was not read: its permissions forbid it."],
		});
	});

	it("follows a link that stays inside the repository", () => {
		put("docs/rules.md", "linked");
		symlinkSync("docs/rules.md", join(root, "AGENTS.md"));
		expect(read().documents.map(({ text }) => text)).toEqual(["linked"]);
	});

	it("cuts a file of 5 MB at the bound, between letters, and says so", () => {
		put("AGENTS.md", `x${"é".repeat(2_500_000)}`);
		const { documents, warnings } = read();
		expect(documents[0]).toMatchObject({ bytes: 5_000_001, cut: true });
		expect(documents[0]!.text).toBe(`x${"é".repeat(MAX_DOCUMENT_BYTES / 2 - 1)}`);
		expect(warnings).toEqual([expect.stringContaining("has 5000001 bytes")]);
	});

	it("gives the room of all to the user's and the nearest files first", () => {
		put("AGENTS.md", "u".repeat(1000), config);
		put("AGENTS.md", "o".repeat(20_000));
		put("a/AGENTS.md", "i".repeat(20_000));
		const texts = read(join(root, "a")).documents.map(({ text, cut }) => [text.length, cut]);
		expect(texts).toEqual([
			[1000, false],
			[MAX_DOCUMENT_BYTES - 21_000, true],
			[20_000, false],
		]);
	});

	it("takes hidden characters out and counts them in a warning", () => {
		put("AGENTS.md", "\ufeffUse tabs.\u{E0072}\u{E006D} 👍🏽");
		const { documents, warnings } = read();
		expect(documents[0]!.text).toBe("Use tabs. 👍🏽");
		expect(warnings).toEqual([expect.stringContaining("2 hidden characters")]);
	});

	it("reads what stands in folders that were entered, the outer first, for their own files alone", () => {
		put("AGENTS.md", "outer");
		put("app/AGENTS.md", "workspace");
		put("app/a/b/c/file.ts", "");
		put("app/a/AGENTS.md", "a");
		put("app/a/b/CLAUDE.md", "b");
		put("other/AGENTS.md", "other");
		put("beside/AGENTS.md", "never entered");
		const documents = createDocuments(join(root, "app"), config);
		const before = documents.mark();
		documents.enter(join(root, "app/a/b/c/file.ts"));
		documents.enter(join(root, "other/file.ts"));
		expect(documents.mark()).not.toBe(before);
		expect(documents.read().documents.map(({ path, below, text }) => [path, below, text])).toEqual([
			["../AGENTS.md", undefined, "outer"],
			["AGENTS.md", undefined, "workspace"],
			["a/AGENTS.md", "a", "a"],
			["a/b/CLAUDE.md", "a/b", "b"],
			["../other/AGENTS.md", "../other", "other"],
		]);
	});

	it.each([
		["a dependency", "node_modules/lib"],
		["a repository inside of this one", "clone"],
		["a folder outside of the repository", "../outside"],
	])("never enters %s", (_, folder) => {
		put(`${folder}/AGENTS.md`, "orders");
		put(`${folder}/.git/HEAD`, "");
		if (folder.startsWith("node_modules")) rmSync(join(root, folder, ".git"), { recursive: true });
		const documents = createDocuments(root, config);
		documents.enter(join(root, folder, "deep/file.ts"));
		expect(documents.read()).toEqual({ documents: [], warnings: [] });
	});

	it("has another mark once a document in a folder that was entered came, changed or went", () => {
		const documents = createDocuments(root, config);
		documents.enter(put("a/file.ts", ""));
		documents.read();
		const marks = [documents.mark()];
		const path = put("a/AGENTS.md", "one");
		documents.enter("a/AGENTS.md");
		marks.push(documents.mark());
		expect(documents.read().documents).toMatchObject([{ below: "a", text: "one" }]);
		marks.push(documents.mark());
		put("a/AGENTS.md", "longer");
		marks.push(documents.mark());
		rmSync(path);
		marks.push(documents.mark());
		expect(new Set(marks).size).toBe(5);
		expect(documents.read().documents).toEqual([]);
	});

	it("gives a folder that was entered only the room that is left", () => {
		put("AGENTS.md", "o".repeat(MAX_DOCUMENT_BYTES - 10));
		put("a/AGENTS.md", "i".repeat(20));
		const documents = createDocuments(root, config);
		documents.enter(join(root, "a/file.ts"));
		const found = documents.read();
		expect(found.documents.map(({ text, cut }) => [text.length, cut])).toEqual([
			[MAX_DOCUMENT_BYTES - 10, false],
			[10, true],
		]);
		expect(found.warnings).toEqual([expect.stringContaining("a/AGENTS.md has 20 bytes")]);
	});

	it("has another mark once a file changed, came or went", () => {
		const documents = createDocuments(root, config);
		const marks = [documents.mark()];
		const path = put("AGENTS.md", "one");
		marks.push(documents.mark());
		put("AGENTS.md", "other");
		marks.push(documents.mark());
		expect(documents.mark()).toBe(marks[2]);
		rmSync(path);
		expect(documents.mark()).toBe(marks[0]);
		expect(new Set(marks).size).toBe(3);
	});
});

/** Root may read every file: for the length of `look` this process is the user nobody. */
function asOrdinaryUser<T>(look: () => T): T {
	if (process.getuid?.() !== 0) return look();
	for (const folder of [root, dirname(root)]) chmodSync(folder, 0o755);
	process.seteuid?.(65_534);
	try {
		return look();
	} finally {
		process.seteuid?.(0);
	}
}
