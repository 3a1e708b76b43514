import { describe, expect, it } from "vitest";
import { queryWords, wordsOf } from "../../../src/adapters/retriever/words.ts";

describe("wordsOf", () => {
	it("gives every word once, in lower case, with identifiers whole", () => {
		expect([...wordsOf("retryDelay(retry_delay, RETRYDELAY) // Ärger 42!")]).toEqual([
			"retrydelay",
			"retry_delay",
			"ärger",
			"42",
		]);
	});

	it("keeps runs of wide letters between their own punctuation, and cuts what is no word", () => {
		expect([...wordsOf("会话的索引。删除它！")]).toEqual(["会话的索引", "删除它"]);
		expect([...wordsOf("f".repeat(200))]).toEqual(["f".repeat(64)]);
		expect([...wordsOf("的".repeat(200))]).toEqual(["的".repeat(200)]);
	});
});

describe("queryWords", () => {
	it("leaves out what only makes a question of it", () => {
		expect(queryWords("How is the retry delay computed in a.ts?")).toEqual([
			"retry",
			"delay",
			"computed",
			"ts",
		]);
		expect(queryWords("what is it")).toEqual(["what", "is", "it"]);
		expect(queryWords(" ,.- ")).toEqual([]);
	});

	it("takes runs of wide letters apart in pairs, also beside Latin ones", () => {
		expect(queryWords("会话的索引 SQLite索引")).toEqual(["会话", "话的", "的索", "索引", "sqlite"]);
	});

	it("looks for a dozen words at most", () => {
		expect(queryWords(Array.from({ length: 40 }, (_, i) => `word${i}`).join(" "))).toHaveLength(12);
	});
});
