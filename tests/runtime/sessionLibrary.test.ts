import {
	appendFileSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { crc32 } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openSqliteIndex } from "../../src/adapters/sessionIndex/sqlite.ts";
import { createJsonlStore } from "../../src/adapters/sessionLog/jsonl.ts";
import { createWorld } from "../../src/adapters/world.ts";
import { createSessionLibrary, type SessionLibrary } from "../../src/runtime/sessionLibrary.ts";
import { createSessions, type Sessions } from "../../src/runtime/sessions.ts";
import { encodeLine } from "../../src/session/line.ts";
import { sessionCommits, writeLog } from "../support/recordedLog.ts";

let data: string;
let waits: string[];
/** Ids whose logs were read, in order. */
let read: string[];
let library: SessionLibrary;
beforeEach(() => {
	data = mkdtempSync(join(tmpdir(), "agi-library-"));
	waits = [];
	read = [];
	library = createSessionLibrary({
		sessions: readingSessions(),
		projectId: "p",
		openIndex: (place) =>
			place === "memory"
				? openSqliteIndex(undefined)
				: openSqliteIndex(indexPath(), { anew: place === "anew" }),
		onWait: (sentence) => waits.push(sentence),
	});
});
afterEach(() => rmSync(data, { recursive: true, force: true }));

const indexPath = () => join(data, "index.db");
const logPath = (id: string, project = "p") => join(data, "projects", project, "sessions", id, "log.jsonl");

function readingSessions(): Pick<Sessions, "read" | "marks"> {
	const projectsFolder = join(data, "projects");
	const world = createWorld();
	const folder = join(projectsFolder, "p", "sessions");
	const sessions = createSessions(
		createJsonlStore({ folder, projectsFolder, digest: world.digest }),
		world,
		() => undefined,
	);
	return {
		marks: sessions.marks,
		read: (id, options) => {
			read.push(id);
			return sessions.read(id, options);
		},
	};
}

function record(id: string, prompt: string, project = "p"): void {
	writeLog(logPath(id, project), sessionCommits(id, 1, { prompt }));
}

async function found(query: string): Promise<string[]> {
	return (await library.search(query)).found.map(({ sessionId }) => sessionId);
}

describe("createSessionLibrary", () => {
	it("finds words of every project, its own first, with the place marked", async () => {
		record("other", "where is the zebrafish kept?", "q");
		record("own", "feed the ZebraFish");
		const { found: hits, more, notices } = await library.search("zebrafish");
		expect({ more, notices }).toEqual({ more: false, notices: [] });
		expect(hits).toEqual([
			{
				sessionId: "own",
				projectId: "p",
				title: "feed the ZebraFish",
				cwd: "/w",
				updated: expect.stringMatching(/^2026-11-01T.*Z$/),
				turn: 1,
				kind: "user",
				snippet: { before: "feed the ", hit: "ZebraFish", after: "" },
			},
			expect.objectContaining({
				sessionId: "other",
				snippet: { before: "where is the ", hit: "zebrafish", after: " kept?" },
			}),
		]);
	});

	it("finds answers, tool calls and their results, and says in which turn", async () => {
		writeLog(logPath("a"), sessionCommits("a", 3, { result: "export const needle = 1;" }));
		const kinds = async (query: string) =>
			(await library.search(query)).found.map(({ turn, kind }) => `${turn} ${kind}`);
		expect(await kinds("answer 2")).toEqual(["2 answer"]);
		expect(await kinds("call-20.ts")).toEqual(["3 call"]);
		expect(await kinds("needle")).toEqual(["1 result", "1 result", "1 result"]);
		expect((await library.search("needle")).more).toBe(true);
		expect((await library.search("needle", { all: true })).found).toHaveLength(24);
	});

	it("takes words apart, and keeps together what stands in double quotes", async () => {
		record("a", "one two three");
		record("b", "three two one");
		expect((await found("two one")).sort()).toEqual(["a", "b"]);
		expect(await found('"two one"')).toEqual(["b"]);
		expect(await found("one four")).toEqual([]);
	});

	it("cuts a long text around the hit, on one line", async () => {
		record("a", `${"before\n".repeat(50)}needle${"\tafter".repeat(50)}`);
		const [hit] = (await library.search("needle")).found;
		expect(hit?.snippet.before).toMatch(/^….{40,60} $/);
		expect(hit?.snippet.after).toMatch(/^ .{40,60}…$/);
	});

	it("reads only the logs that changed since the last time", async () => {
		for (const id of ["a", "b", "c"]) record(id, `word of ${id}`);
		await found("word");
		expect(read.splice(0).sort()).toEqual(["a", "b", "c"]);
		const seq = readFileSync(logPath("b"), "utf8").split("\n").length;
		appendFileSync(
			logPath("b"),
			encodeLine(
				{ v: 1, seq, at: "2026-11-02T00:00:00.000Z", events: [{ type: "session/renamed", title: "B" }] },
				crc32,
			),
		);
		rmSync(join(logPath("c"), ".."), { recursive: true });
		record("d", "word of d");
		expect((await found("word")).sort()).toEqual(["a", "b", "d"]);
		expect(read.splice(0).sort()).toEqual(["b", "d"]);
		await library.list();
		expect(read).toEqual([]);
	});

	it("leaves no file where no session is recorded", async () => {
		expect(await library.list()).toEqual({ sessions: [], unreadable: [], notices: [] });
		expect(await found("word")).toEqual([]);
		expect(existsSync(indexPath())).toBe(false);
	});

	it("makes an index that was deleted again, and says so where that takes long", async () => {
		for (let i = 0; i < 100; i++) record(`s${i}`, "word");
		await library.list();
		expect(waits).toEqual(["Reading 100 sessions for the index; the next time is quick."]);
		rmSync(indexPath());
		expect((await library.list()).sessions).toHaveLength(100);
		expect(waits).toHaveLength(2);
	});

	it("makes an index that is damaged anew, and says so once", async () => {
		record("a", "word");
		await library.list();
		writeFileSync(indexPath(), "no database ".repeat(1000));
		const { found: hits, notices } = await library.search("word");
		expect(hits).toHaveLength(1);
		expect(notices).toEqual([
			expect.stringMatching(
				/^The index of sessions is damaged: .*\. It was made anew from the logs; nothing is lost\.$/,
			),
		]);
		expect((await library.search("word")).notices).toEqual([]);
	});

	it("answers from the logs while another process keeps the index locked", async () => {
		record("a", "word");
		await library.list();
		record("b", "word");
		const other = new DatabaseSync(indexPath());
		other.exec("BEGIN IMMEDIATE");
		const { found: hits, notices } = await library.search("word");
		expect(hits.map(({ sessionId }) => sessionId).sort()).toEqual(["a", "b"]);
		expect(notices).toEqual([expect.stringMatching(/cannot be used: .*locked\. The logs were read instead/)]);
		other.exec("ROLLBACK");
		other.close();
	});

	it("answers from the logs where the index cannot be written", async () => {
		record("a", "word");
		mkdirSync(indexPath());
		const { found: hits, notices } = await library.search("word");
		expect(hits).toHaveLength(1);
		expect(notices).toEqual([
			"The index of sessions cannot be used: its file cannot be opened for writing. " +
				"The logs were read instead, which takes longer each time; nothing is lost.",
		]);
	});

	it("marks a log of a newer agi as one that cannot be read, each time", async () => {
		record("a", "word");
		writeLog(
			logPath("newer"),
			sessionCommits("newer", 1).map((commit) => ({ ...commit, v: 99 })),
		);
		for (let time = 0; time < 2; time++) {
			const { sessions, unreadable, notices } = await library.list();
			expect(sessions.map(({ id }) => id)).toEqual(["a"]);
			expect(unreadable).toEqual([
				{ id: "newer", message: expect.stringMatching(/newer agi.*Update agi to open it/) },
			]);
			expect(notices).toEqual([]);
		}
	});

	it("lists and searches what is readable of a log that is damaged or has lost a text", async () => {
		record("a", "word");
		const whole = readFileSync(logPath("a"), "utf8").split("\n");
		writeFileSync(logPath("a"), whole.with(4, "damaged").join("\n"));
		writeLog(logPath("b"), [
			...sessionCommits("b", 1, { prompt: "word" }),
			{
				v: 1,
				seq: 30,
				at: "2026-11-02T00:00:00.000Z",
				events: [{ type: "session/renamed", title: { $blob: "0".repeat(64) } as unknown as string }],
			},
		]);
		expect((await library.list()).sessions.map(({ id }) => id).sort()).toEqual(["a", "b"]);
		expect((await found("word")).sort()).toEqual(["a", "b"]);
	});

	it("marks a log that is damaged until it is mended, and one without its beginning as unreadable", async () => {
		record("a", "word");
		record("b", "word");
		record("headless", "word");
		const whole = readFileSync(logPath("a"), "utf8");
		writeFileSync(logPath("a"), whole.split("\n").with(4, "damaged").join("\n"));
		const headless = readFileSync(logPath("headless"), "utf8").split("\n");
		writeFileSync(logPath("headless"), headless.with(0, "damaged").join("\n"));
		for (let time = 0; time < 2; time++) {
			const { sessions, unreadable } = await library.list();
			const damages = new Map(sessions.map(({ id, damage }) => [id, damage]));
			expect([...damages.keys()].sort()).toEqual(["a", "b"]);
			expect(damages.get("a")).toMatch(/^line 5: /);
			expect(damages.get("b")).toBeUndefined();
			expect(unreadable).toEqual([
				{ id: "headless", message: expect.stringMatching(/^its log is damaged at its beginning \(line 1: /) },
			]);
		}
		writeFileSync(logPath("a"), whole);
		read = [];
		expect((await library.list()).sessions.filter(({ damage }) => damage !== undefined)).toEqual([]);
		expect(read.sort()).toEqual(["a", "headless"]);
	});

	it("takes in a log of 96 MB, and keeps the index small", async () => {
		const result = `needle ${"x".repeat(4_000_000)}`;
		writeLog(logPath("big"), sessionCommits("big", 3, { result }));
		expect((await found("needle")).length).toBeGreaterThan(0);
		expect(readFileSync(indexPath()).length).toBeLessThan(1_000_000);
	}, 60_000);
});

describe("update", () => {
	it("reads what changed, one session or all, so that a search finds it without reading", async () => {
		record("one", "zebrafish");
		record("two", "goldfish", "q");
		await library.update({ sessionId: "two", largestLog: 1e6 });
		expect(read).toEqual(["two"]);
		const rests: number[] = [];
		await library.update({ largestLog: 1e6, rest: async () => void rests.push(read.length) });
		expect(read).toEqual(["two", "one"]);
		expect(rests).toEqual([2]);
		expect(await found("fish")).toEqual(["one", "two"]);
		expect(read).toEqual(["two", "one"]);
	});

	it("leaves large logs to a search, and stops at an abort", async () => {
		record("one", "zebrafish");
		await library.update({ largestLog: 100 });
		await library.update({ largestLog: 1e6, signal: AbortSignal.abort() });
		expect(read).toEqual([]);
		expect(await found("zebrafish")).toEqual(["one"]);
	});

	it("makes no index where there is no session", async () => {
		await library.update({ largestLog: 1e6 });
		expect(existsSync(indexPath())).toBe(false);
	});
});
