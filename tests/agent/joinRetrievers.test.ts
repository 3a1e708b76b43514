import { describe, expect, it } from "vitest";
import { joinRetrievers } from "../../src/agent/joinRetrievers.ts";
import type { Passage, Retriever } from "../../src/ports/retriever.ts";

const scope = { allProjects: false, signal: new AbortController().signal };

function passage(source: string, score: number, text = source): Passage {
	return { source, version: "1", line: 1, text, score };
}

function store(passages: Passage[], notes: string[] = []): Retriever {
	return { search: async () => ({ passages, notes }) };
}

describe("joinRetrievers", () => {
	it("puts the best passages of all stores first, each text once, and tells every note", async () => {
		const joined = joinRetrievers(
			[
				store([passage("a", 0.2), passage("b", 0.9)], ["one"]),
				store([passage("c", 0.5), passage("copy", 0.4, "c")], ["two"]),
			],
			() => true,
		);
		const { passages, notes } = await joined.search("q", scope, 1000);
		expect(passages.map(({ source }) => source)).toEqual(["b", "c", "a"]);
		expect(notes).toEqual(["one", "two"]);
	});

	it("keeps to the budget, and lets a short passage pass where a long one does not fit", async () => {
		const long = passage("long", 0.8, "word ".repeat(400));
		const joined = joinRetrievers([store([passage("a", 0.9), long, passage("b", 0.1)])], () => true);
		const { passages } = await joined.search("q", scope, 100);
		expect(passages.map(({ source }) => source)).toEqual(["a", "b"]);
	});

	it("tells each store what may be read", async () => {
		const asked: boolean[] = [];
		const asking: Retriever = {
			async search(_, { mayRead }) {
				asked.push(mayRead?.("/open") ?? true, mayRead?.("/closed") ?? true);
				return { passages: [], notes: [] };
			},
		};
		await joinRetrievers([asking], (path) => path === "/open").search("q", scope, 9);
		expect(asked).toEqual([true, false]);
	});
});
