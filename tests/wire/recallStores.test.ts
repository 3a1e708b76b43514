import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createRipgrepSearch } from "../../src/adapters/search/ripgrep.ts";
import { createWorkspace } from "../../src/adapters/workspace/nodeWorkspace.ts";
import { createWorld } from "../../src/adapters/world.ts";
import type { Rule } from "../../src/policy/rules.ts";
import type { Sessions } from "../../src/runtime/sessions.ts";
import { openLibrary } from "../../src/wire/library.ts";
import { locate, openSessions } from "../../src/wire/place.ts";
import { openRecallStores, type RecallStores, type RetrievalParts } from "../../src/wire/recallStores.ts";
import { openRetrieval } from "../../src/wire/retrieval.ts";
import { type Desk, openDesk, recordSession } from "../support/recordedSession.ts";
import { ruleOf } from "../support/turnBench.ts";

let desk: Desk;
let stores: RecallStores;
let parts: RetrievalParts;
let rules: Rule[];
/** Ids of the sessions whose logs were read. */
let read: string[];
const { signal } = new AbortController();
const scope = { allProjects: false, signal };

beforeEach(async () => {
	desk = openDesk();
	rules = [];
	read = [];
	await recordSession(desk, ["where is the zebrafish kept?"], [{ text: "In the aquarium." }]);
	parts = await openParts();
	stores = openRecallStores(parts);
});
afterEach(async () => {
	await stores.close();
	await parts.session.close();
	desk.remove();
});

async function openParts(): Promise<RetrievalParts> {
	const place = await locate(desk.project, desk.around.env, true);
	const sessions: Sessions = openSessions(place);
	const facts = { cwd: desk.project, projectId: place.projectId, agiVersion: "1", startedOn: "2026-11-29" };
	return {
		place,
		session: await sessions.create({ ...facts, mode: "default" }),
		sessions: {
			marks: sessions.marks,
			read: (id, options) => {
				read.push(id);
				return sessions.read(id, options);
			},
		},
		workspace: await createWorkspace({ root: desk.project }),
		search: createRipgrepSearch(),
		world: createWorld(),
		policy: () => ({
			...{ mode: "default", grants: [], interactive: true, trusted: true, rules },
			places: { workspaceRoots: [desk.project], home: "/home/nobody" },
		}),
		keepsIndex: true,
	};
}

function write(name: string, text: string): void {
	mkdirSync(dirname(join(desk.project, name)), { recursive: true });
	writeFileSync(join(desk.project, name), text);
}

const indexes = () => join(desk.home, "cache", "files");
const sources = async (query: string) =>
	(await stores.retriever.search(query, scope, 1500)).passages.map(({ source }) => source.split(" ")[0]);

describe("openRecallStores", () => {
	it("searches text and says what is missing until the indexes are made, then finds files, memory and sessions", async () => {
		write("docs/fish.md", "A zebrafish needs warm water.");
		write(".agent/MEMORY.md", "- [fact, 2026-11-29] the zebrafish is called Zed");
		const before = await stores.retriever.search("zebrafish", scope, 1500);
		expect(before.notes).toHaveLength(2);
		expect(before.passages.map(({ source }) => source).toSorted()).toEqual([
			".agent/MEMORY.md",
			"docs/fish.md",
		]);
		await stores.refresh(signal);
		const after = await stores.retriever.search("zebrafish", scope, 1500);
		expect(after.notes).toEqual([]);
		expect(after.passages.map(({ source }) => source.split(" ")[0]).toSorted()).toEqual([
			".agent/MEMORY.md",
			"docs/fish.md",
			"session",
		]);
		const [name = ""] = readdirSync(indexes());
		expect(statSync(join(indexes(), name)).mode & 0o777).toBe(0o600);
	});

	it("leaves out what rules deny, as they are at that moment", async () => {
		write("private/fish.md", "A zebrafish.");
		await stores.refresh(signal);
		expect(await sources("zebrafish")).toContain("private/fish.md");
		rules = [ruleOf("deny", "readFile(private/**)")];
		expect(await sources("zebrafish")).not.toContain("private/fish.md");
	});

	it("makes a damaged index anew", async () => {
		write("fish.md", "A zebrafish.");
		await stores.refresh(signal);
		await stores.close();
		for (const name of readdirSync(indexes()))
			writeFileSync(join(indexes(), name), "no database, however long ".repeat(500));
		await stores.refresh(signal);
		expect((await stores.retriever.search("zebrafish", scope, 1500)).notes).toEqual([]);
		expect(await sources("zebrafish")).toContain("fish.md");
	});

	it("makes no index where it is not to be kept, and uses one that is there", async () => {
		write("fish.md", "A zebrafish.");
		const reading = openRecallStores({ ...parts, keepsIndex: false });
		await reading.retriever.search("zebrafish", scope, 1500);
		expect(() => readdirSync(indexes())).toThrow("ENOENT");
		await stores.refresh(signal);
		expect((await reading.retriever.search("zebrafish", scope, 1500)).notes).toEqual([]);
		await reading.close();
	});
});

describe("openRetrieval", () => {
	it("brings the indexes up to date once a turn has ended, and loads nothing before", async () => {
		write("fish.md", "A zebrafish.");
		const clock = { now: Date.now, wait: async () => undefined };
		const retrieval = openRetrieval({ ...parts, world: { ...parts.world, clock } });
		const { session } = parts;
		session.record({ do: "submitInput", text: "hi", target: "next_turn", wakeup: true, origin: "person" });
		session.record({ do: "startTurn" });
		await session.flush({ wait: true });
		expect(existsSync(indexes())).toBe(false);
		session.record({ do: "endTurn", status: "failed" });
		await session.flush({ wait: true });
		await vi.waitFor(
			async () => {
				const found = await retrieval.retriever.search("zebrafish", scope, 1500);
				expect(found.notes).toEqual([]);
			},
			{ timeout: 10_000, interval: 20 },
		);
		await session.close();
		await retrieval.close();
	});

	it("puts a session that had turns into the index at its end, so that a search need not read it", async () => {
		const retrieval = openRetrieval(parts);
		const { session } = parts;
		session.record({
			do: "submitInput",
			text: "feed it",
			target: "next_turn",
			wakeup: true,
			origin: "person",
		});
		session.record({ do: "startTurn" });
		session.record({ do: "endTurn", status: "failed" });
		await session.close();
		await retrieval.close();
		expect(read).toEqual([session.state.sessionId]);
		read = [];
		const found = await openLibrary(parts.place, parts.sessions).search("feed");
		expect(found.found.map(({ sessionId }) => sessionId)).toEqual([session.state.sessionId]);
		expect(read).not.toContain(session.state.sessionId);
	});
});
