import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type FileIndex, openFileIndex } from "../../../src/adapters/retriever/fileIndex.ts";
import { createFileRetriever } from "../../../src/adapters/retriever/files.ts";
import { indexFolder } from "../../../src/adapters/retriever/indexFolder.ts";
import { createRipgrepSearch } from "../../../src/adapters/search/ripgrep.ts";
import { createWorkspace } from "../../../src/adapters/workspace/nodeWorkspace.ts";
import type { RetrievalScope } from "../../../src/ports/retriever.ts";
import { AgiError } from "../../../src/types.ts";

let outer: string;
let root: string;
let memory: string;
let index: FileIndex | undefined;
const search = createRipgrepSearch();
const { signal } = new AbortController();
beforeEach(() => {
	outer = realpathSync(mkdtempSync(join(tmpdir(), "agi-recall-")));
	root = join(outer, "app");
	memory = join(outer, "USER.md");
	mkdirSync(root);
	index = undefined;
});
afterEach(() => {
	index?.close();
	rmSync(outer, { recursive: true, force: true });
});

function write(name: string, text: string): void {
	const path = join(root, name);
	mkdirSync(dirname(path), { recursive: true });
	writeFileSync(path, text);
}

async function makeIndex(): Promise<void> {
	index = await openFileIndex(undefined);
	await indexFolder(index, { root, extra: [memory], search, rest: async () => {}, signal });
}

async function retrieve(query: string, scope: Partial<RetrievalScope> = {}, open = async () => index) {
	const workspace = await createWorkspace({ root });
	const retriever = createFileRetriever({ workspace, search, extra: [memory], index: open });
	return retriever.search(query, { allProjects: false, signal, ...scope }, 1500);
}

const sourcesOf = async (...asked: Parameters<typeof retrieve>) =>
	(await retrieve(...asked)).passages.map(({ source, line }) => `${source}:${line}`);

describe("createFileRetriever", () => {
	it.each([
		["the index", makeIndex, []],
		[
			"a text search, which it tells, where there is no index",
			async () => {},
			["The index of this project's files is not ready yet; a plain text search was used instead."],
		],
	])("finds the lines that bear on a question by %s", async (_, prepare, notes) => {
		write("src/retry.ts", `${"// filler\n".repeat(20)}const delay = backoff(attempt);\n`);
		write("src/other.ts", "backoff();\n");
		await prepare();
		const found = await retrieve("Where is the backoff delay made?");
		expect(found.notes).toEqual(notes);
		expect(found.passages[0]).toMatchObject({
			source: "src/retry.ts",
			line: 19,
			version: expect.stringMatching(/^[0-9a-f]{8}$/),
		});
		expect(found.passages[0]?.text).toContain("const delay = backoff(attempt);");
		expect(found.passages[1]?.source).toBe("src/other.ts");
		expect(found.passages[0]!.score).toBeGreaterThan(found.passages[1]!.score);
	});

	it("finds a file by its name behind hundreds of others where there is no index", async () => {
		for (let i = 0; i < 450; i++) write(`a/${i}.ts`, "");
		write("z/Needle.ts", "something else\n");
		expect(await sourcesOf("where is the needle?")).toEqual(["z/Needle.ts:1"]);
	});

	it("falls back to a text search where the index fails, and says why", async () => {
		write("a.ts", "needle");
		const broken = async () => {
			throw new AgiError("INDEX_DAMAGED", "The index of files is damaged: bytes");
		};
		const found = await retrieve("needle", {}, broken);
		expect(found.passages.map(({ source }) => source)).toEqual(["a.ts"]);
		expect(found.notes).toEqual([
			"The index of files is damaged: bytes; a plain text search was used instead.",
		]);
	});

	it("tells a file that the question names first, and its beginning where nothing else of the question is in it", async () => {
		write("docs/plan.md", "# Plan\nto be written");
		write("src/a.ts", "// the schedule of src/b.ts\nschedule();");
		await makeIndex();
		expect(await sourcesOf("what is in docs/plan.md")).toEqual(["docs/plan.md:1"]);
		expect((await sourcesOf("the schedule in docs/plan.md:2")).toSorted()).toEqual([
			"docs/plan.md:1",
			"src/a.ts:1",
		]);
	});

	it("reads each file as it is now, whatever the index remembers", async () => {
		write("a.ts", "needle one");
		write("b.ts", "needle two");
		await makeIndex();
		write("a.ts", "\n\n\n\nneedle three");
		rmSync(join(root, "b.ts"));
		const { passages } = await retrieve("needle");
		expect(passages).toHaveLength(1);
		expect(passages[0]).toMatchObject({ source: "a.ts", line: 3 });
		expect(passages[0]?.text).toContain("needle three");
	});

	it.each([
		["with the index", makeIndex],
		["without it", async () => {}],
	])("tells nothing of secrets nor of what may not be read, %s", async (_, prepare) => {
		write(".env", "NEEDLE=1");
		write("private/notes.md", "needle");
		write("open.md", "needle");
		await prepare();
		const mayRead = (path: string) => !path.startsWith(join(root, "private"));
		for (const query of ["needle", "needle in .env and private/notes.md"])
			expect(await sourcesOf(query, { mayRead })).toEqual(["open.md:1"]);
	});

	it("tells memory that lies outside of the workspace, and no other file there", async () => {
		writeFileSync(memory, "- [preference, 2026-11-29] tabs for indentation");
		writeFileSync(join(outer, "other.md"), "tabs for indentation");
		await makeIndex();
		expect(await sourcesOf("indentation tabs")).toEqual([`${memory}:1`]);
		expect(await sourcesOf(`indentation in ../other.md`)).toEqual([`${memory}:1`]);
	});

	it("finds nothing for a question without words", async () => {
		expect(await retrieve(" ?! ")).toEqual({ passages: [], notes: [] });
	});
});
