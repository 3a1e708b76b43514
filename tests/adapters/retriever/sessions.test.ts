import { describe, expect, it } from "vitest";
import { createSessionRetriever } from "../../../src/adapters/retriever/sessions.ts";
import { openSqliteIndex } from "../../../src/adapters/sessionIndex/sqlite.ts";
import type { IndexedSession, SessionIndex } from "../../../src/ports/sessionIndex.ts";
import { AgiError } from "../../../src/types.ts";

function session(
	id: string,
	texts: readonly string[],
	changes: Partial<IndexedSession> = {},
): IndexedSession {
	const summary = {
		...{ id, title: id, cwd: "/w", created: "2026-11-01T00:00:00.000Z" },
		...{ updated: "2026-11-02T00:00:00.000Z", turns: 1, model: "m" },
	};
	const indexed = texts.map((text) => ({ turn: 2, kind: "answer" as const, text }));
	return { id, projectId: "p", mark: "1", summary, texts: indexed, ...changes };
}

async function retrieve(sessions: readonly IndexedSession[], query: string, allProjects = false) {
	const open = async (): Promise<SessionIndex> => {
		const index = await openSqliteIndex(undefined);
		for (const each of sessions) await index.put(each);
		return index;
	};
	const retriever = createSessionRetriever({ projectId: "p", sessionId: "own", open });
	return retriever.search(query, { allProjects, signal: new AbortController().signal }, 1500);
}

describe("createSessionRetriever", () => {
	it("finds what was said in this project's earlier sessions, with session, turn and day", async () => {
		const sessions = [
			session("one", ["We decided on SQLite for the index."]),
			session("own", ["SQLite index, as I say now"]),
			session("elsewhere", ["Another SQLite index"], { projectId: "q" }),
		];
		const { passages, notes } = await retrieve(sessions, "Why did we decide on SQLite for the index?");
		expect(notes).toEqual([]);
		expect(passages).toEqual([
			{
				...{ source: "session one turn 2 (answer)", version: "2026-11-02", line: 1 },
				...{ text: "We decided on SQLite for the index.", score: expect.closeTo(0.9) },
			},
		]);
		expect((await retrieve(sessions, "SQLite index", true)).passages).toHaveLength(2);
	});

	it("asks for fewer words where no text holds all of them", async () => {
		const { passages } = await retrieve(
			[session("one", ["the frobnicator is slow"]), session("two", ["all is well"])],
			"frobnicator lock timeout",
		);
		expect(passages.map(({ text }) => text)).toEqual(["the frobnicator is slow"]);
		expect(passages[0]!.score).toBeLessThan(0.5);
	});

	it("tells where text of unknown intent came from", async () => {
		const { passages } = await retrieve(
			[session("one", ["needle"], { taint: "https://example.org" })],
			"needle",
		);
		expect(passages[0]?.taint).toBe("what session one read: https://example.org");
	});

	it("says so where there is no index yet, or where it fails", async () => {
		const scope = { allProjects: false, signal: new AbortController().signal };
		const place = { projectId: "p", sessionId: "own" };
		const none = createSessionRetriever({ ...place, open: async () => undefined });
		expect(await none.search("needle", scope, 9)).toEqual({
			passages: [],
			notes: ["Earlier sessions are not indexed yet."],
		});
		const broken = createSessionRetriever({
			...place,
			open: async () => {
				throw new AgiError("INDEX_DAMAGED", "The index of sessions is damaged: bytes");
			},
		});
		expect((await broken.search("needle", scope, 9)).notes).toEqual([
			"The index of sessions is damaged: bytes; earlier sessions were not searched.",
		]);
	});
});
