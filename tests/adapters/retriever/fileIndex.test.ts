import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
	type FileIndex,
	type IndexedFile,
	openFileIndex,
} from "../../../src/adapters/retriever/fileIndex.ts";
import { queryWords, wordsOf } from "../../../src/adapters/retriever/words.ts";

let folder: string;
let path: string;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), "agi-files-"));
	path = join(folder, "cache", "files.db");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function file(name: string, text: string, changes: Partial<IndexedFile> = {}): IndexedFile {
	return { path: name, size: text.length, mtimeNs: "1", digest: text, words: wordsOf(text), ...changes };
}

const find = (index: FileIndex, query: string, mayRead: (path: string) => boolean = () => true) =>
	index.find(queryWords(query), mayRead, 10).paths;

describe("openFileIndex", () => {
	it("keeps states and words in a file that only the user can read, and knows whether it is complete", async () => {
		const first = await openFileIndex(path);
		first.put([file("a.ts", "estimateTokens")]);
		expect(first.isComplete).toBe(false);
		first.complete();
		first.close();
		expect(statSync(path).mode & 0o777).toBe(0o600);
		const again = await openFileIndex(path);
		expect(again.isComplete).toBe(true);
		expect([...again.states()]).toEqual([["a.ts", { size: 14, mtimeNs: "1", digest: "estimateTokens" }]]);
		expect(find(again, "tokens")).toEqual(["a.ts"]);
		again.close();
	});

	it("replaces what was known of a file, takes a new state of the same content, and drops it whole", async () => {
		const index = await openFileIndex(undefined);
		index.put([file("a", "old words"), file("b", "other words")]);
		index.put([file("a", "new words"), file("b", "other words", { mtimeNs: "2", words: new Set() })]);
		expect(find(index, "old")).toEqual([]);
		expect(find(index, "new")).toEqual(["a"]);
		expect(find(index, "other")).toEqual(["b"]);
		expect(index.states().get("b")?.mtimeNs).toBe("2");
		index.drop(["a", "unknown"]);
		expect(find(index, "words")).toEqual(["b"]);
		index.close();
	});

	it("gives the files with the rarer words first, and one whose name holds a word", async () => {
		const index = await openFileIndex(undefined);
		index.put([
			...Array.from({ length: 9 }, (_, i) => file(`common${i}`, "lock of a door")),
			file("z", "frobnicate the lock"),
			file("src/frobnicate.ts", "nothing"),
		]);
		expect(find(index, "frobnicate lock").slice(0, 2)).toEqual(["z", "src/frobnicate.ts"]);
		index.close();
	});

	it.each([
		["索引", "会话的索引"],
		["会话", "会话"],
		["的索", "会话的索引在这里"],
		["id", "the id of it"],
		["Tokens", "estimateTokens(x)"],
		["straße", "Die STRASSE, die Straße"],
	])("finds %s in %s", async (word, text) => {
		const index = await openFileIndex(undefined);
		index.put([file("a", text), file("b", "nothing of it, hidden")]);
		expect(find(index, word)).toEqual(["a"]);
		index.close();
	});

	it("finds every file that holds a word of at least three letters, and no other", async () => {
		const text = fc.array(fc.string({ unit: fc.constantFrom("a", "b", "c"), minLength: 1, maxLength: 7 }), {
			maxLength: 5,
		});
		const word = fc.string({ unit: fc.constantFrom("a", "b", "c"), minLength: 3, maxLength: 5 });
		const index = await openFileIndex(undefined);
		fc.assert(
			fc.property(fc.array(text, { maxLength: 5 }), word, (texts, wanted) => {
				index.drop([...index.states().keys()]);
				index.put(texts.map((words, i) => file(`f${i}`, words.join(" "))));
				const expected = texts.flatMap((words, i) =>
					words.some((w) => w.includes(wanted)) ? [`f${i}`] : [],
				);
				expect(index.find([wanted], () => true, 99).paths.toSorted()).toEqual(expected);
			}),
		);
		index.close();
	});

	it("leaves out what may not be read before anything is counted or cut", async () => {
		const index = await openFileIndex(undefined);
		index.put(Array.from({ length: 500 }, (_, i) => file(`secret/${i}`, "needle")));
		index.put([file("open", "needle")]);
		expect(find(index, "needle", (name) => !name.startsWith("secret/"))).toEqual(["open"]);
		expect(find(index, "secret", (name) => !name.startsWith("secret/"))).toEqual([]);
		index.close();
	});

	it("rejects with INDEX_DAMAGED for what is no database, and makes it anew when told", async () => {
		(await openFileIndex(path)).close();
		writeFileSync(path, "no database at all, however long it is ".repeat(200));
		await expect(openFileIndex(path)).rejects.toMatchObject({ code: "INDEX_DAMAGED" });
		const index = await openFileIndex(path, { anew: true });
		expect(index.states().size).toBe(0);
		index.close();
	});

	it("does not wait for another process that writes: it throws INDEX_UNUSABLE and can be asked all the same", async () => {
		const index = await openFileIndex(path);
		index.put([file("a", "needle")]);
		const other = new DatabaseSync(path);
		other.exec("BEGIN IMMEDIATE");
		expect(() => index.put([file("b", "needle")])).toThrow(
			expect.objectContaining({ code: "INDEX_UNUSABLE" }),
		);
		expect(find(index, "needle")).toEqual(["a"]);
		other.exec("ROLLBACK");
		other.close();
		index.close();
	});
});
