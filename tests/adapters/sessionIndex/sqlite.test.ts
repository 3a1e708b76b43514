import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openSqliteIndex } from "../../../src/adapters/sessionIndex/sqlite.ts";
import type { IndexedSession, SessionIndex } from "../../../src/ports/sessionIndex.ts";

let folder: string;
let path: string;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), "agi-index-"));
	path = join(folder, "data", "index.db");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function entry(id: string, texts: readonly string[], changes: Partial<IndexedSession> = {}): IndexedSession {
	const summary = {
		id,
		title: `title of ${id}`,
		cwd: "/w",
		created: "1",
		updated: `2 ${id}`,
		turns: 1,
		model: "m",
	};
	const indexed = texts.map((text) => ({ turn: 1, kind: "user" as const, text }));
	return { id, projectId: "p", mark: "1", summary, texts: indexed, ...changes };
}

async function find(index: SessionIndex, ...words: string[]): Promise<string[]> {
	const { hits } = await index.search({ words, projectId: "p", limit: 1000, perSession: 1000 });
	return hits.map(({ sessionId, text }) => `${sessionId}: ${text}`);
}

describe("openSqliteIndex", () => {
	it("keeps what was put in a file that only the user can read", async () => {
		const first = await openSqliteIndex(path);
		await first.put(entry("a", ["hello world"]));
		await first.close();
		expect(statSync(path).mode & 0o777).toBe(0o600);
		const again = await openSqliteIndex(path);
		expect(await again.marks()).toEqual(new Map([["a", "1"]]));
		expect(await find(again, "hello")).toEqual(["a: hello world"]);
		await again.close();
	});

	it("replaces all that was known of a session, and drops it whole", async () => {
		const index = await openSqliteIndex(undefined);
		await index.put(entry("a", ["old words", "older words"]));
		await index.put(entry("b", ["other words"]));
		await index.put(entry("a", ["new words"], { mark: "2" }));
		expect(await find(index, "words")).toEqual(["b: other words", "a: new words"]);
		await index.drop(["a", "unknown"]);
		expect(await find(index, "words")).toEqual(["b: other words"]);
		expect(await index.marks()).toEqual(new Map([["b", "1"]]));
		await index.close();
	});

	it("lists the newest first, without subagents, and tells what could not be read", async () => {
		const index = await openSqliteIndex(undefined);
		await index.put(entry("a", []));
		await index.put(entry("b", [], { projectId: "q" }));
		await index.put(entry("child", ["found"], { parent: "a" }));
		const { summary: _, ...broken } = entry("newer", []);
		await index.put({ ...broken, fault: "It is of a newer agi." });
		await index.put({ ...broken, id: "empty" });
		const all = await index.list();
		expect(all.sessions.map(({ id }) => id)).toEqual(["b", "a"]);
		expect(all.sessions[1]).toEqual(entry("a", []).summary);
		expect(all.faults).toEqual([{ id: "newer", message: "It is of a newer agi." }]);
		expect((await index.list("q")).sessions.map(({ id }) => id)).toEqual(["b"]);
		expect(await find(index, "found")).toEqual(["child: found"]);
		await index.close();
	});

	it("gives the own project's hits first, then the newest, within the bounds, and says that there are more", async () => {
		const index = await openSqliteIndex(undefined);
		await index.put(entry("a", ["word 1", "word 2", "word 3"]));
		await index.put(entry("c", ["word 4"], { projectId: "q" }));
		await index.put(entry("b", ["word 5"]));
		const search = async (limit: number, perSession: number) => {
			const { hits, more } = await index.search({ words: ["word"], projectId: "p", limit, perSession });
			return [hits.map(({ text }) => text.at(-1)).join(""), more];
		};
		expect(await search(10, 10)).toEqual(["51234", false]);
		expect(await search(10, 2)).toEqual(["5124", true]);
		expect(await search(3, 2)).toEqual(["512", true]);
		expect(await search(5, 3)).toEqual(["51234", false]);
		await index.close();
	});

	it.each([
		["部分", "一部分文字"],
		["的", "你的"],
		["fooBar", "const myFOOBARbaz = 1"],
		['say "x', 'I say "x" now'],
		["100%", "it is 100% done"],
		["%_", "a %_ b"],
		["\\", "C:\\x"],
		["naïve*", "naïve* AND OR NOT (NEAR"],
		["ÄRGER", "großer Ärger"],
	])("finds %s in %s", async (word, text) => {
		const index = await openSqliteIndex(undefined);
		await index.put(entry("a", [text, "nothing of it"]));
		expect(await find(index, word)).toEqual([`a: ${text}`]);
		await index.close();
	});

	it("finds exactly the texts that hold all words, whatever letters these have", async () => {
		const index = await openSqliteIndex(undefined);
		const letters = fc.string({
			unit: fc.constantFrom("a", "b", " ", '"', "%", "_", "'", "*", "你", "-"),
			maxLength: 12,
		});
		await fc.assert(
			fc.asyncProperty(
				fc.array(letters, { maxLength: 6 }),
				fc.array(
					letters.filter((word) => word !== ""),
					{ minLength: 1, maxLength: 3 },
				),
				async (texts, words) => {
					await index.put(entry("a", texts));
					const expected = texts.filter((text) => words.every((word) => text.includes(word)));
					expect(await find(index, ...words)).toEqual(expected.map((text) => `a: ${text}`));
				},
			),
			{ numRuns: 100 },
		);
		await index.close();
	});

	it("finds nothing for no word", async () => {
		const index = await openSqliteIndex(undefined);
		await index.put(entry("a", ["text"]));
		expect(await find(index)).toEqual([]);
		expect(await find(index, "")).toEqual([]);
		await index.close();
	});

	it("rejects with INDEX_DAMAGED for what is no database, leaves it as it is, and makes it anew when told", async () => {
		await (await openSqliteIndex(path)).close();
		writeFileSync(path, "this is not a database, however long one looks at it".repeat(100));
		const before = readFileSync(path, "utf8");
		await expect(openSqliteIndex(path)).rejects.toMatchObject({ code: "INDEX_DAMAGED" });
		expect(readFileSync(path, "utf8")).toBe(before);
		const index = await openSqliteIndex(path, { anew: true });
		expect(await index.marks()).toEqual(new Map());
		await index.close();
	});

	it("rejects with INDEX_DAMAGED where pages were overwritten", async () => {
		const index = await openSqliteIndex(path);
		for (let i = 0; i < 50; i++) await index.put(entry(`s${i}`, [`text ${i} `.repeat(200)]));
		await index.close();
		const bytes = readFileSync(path);
		writeFileSync(path, bytes.fill(0xa5, 4096));
		const use = async () => {
			const damaged = await openSqliteIndex(path);
			try {
				await damaged.marks();
			} finally {
				await damaged.close();
			}
		};
		await expect(use()).rejects.toMatchObject({ code: "INDEX_DAMAGED" });
	});

	it("throws tables of another version away", async () => {
		const index = await openSqliteIndex(path);
		await index.put(entry("a", ["text"]));
		await index.close();
		const database = new DatabaseSync(path);
		database.exec("PRAGMA user_version = 7");
		database.close();
		const again = await openSqliteIndex(path);
		expect(await again.marks()).toEqual(new Map());
		await again.put(entry("a", ["text"]));
		expect(await find(again, "text")).toEqual(["a: text"]);
		await again.close();
	});

	it("rejects with INDEX_UNUSABLE where its folder cannot be made", async () => {
		writeFileSync(join(folder, "data"), "");
		await expect(openSqliteIndex(path)).rejects.toMatchObject({
			code: "INDEX_UNUSABLE",
			message: expect.stringMatching(/cannot be used: [^/]*$/),
		});
	});

	it("is read while another writes, and rejects with INDEX_UNUSABLE when it is to be written meanwhile", async () => {
		const index = await openSqliteIndex(path);
		await index.put(entry("a", ["text"]));
		const other = new DatabaseSync(path);
		other.exec("BEGIN IMMEDIATE");
		expect(await find(index, "text")).toEqual(["a: text"]);
		await expect(index.put(entry("b", ["more"]))).rejects.toMatchObject({ code: "INDEX_UNUSABLE" });
		other.exec("ROLLBACK");
		other.close();
		await index.put(entry("b", ["more"]));
		expect(await find(index, "more")).toEqual(["b: more"]);
		await index.close();
	});
});
