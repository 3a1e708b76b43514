import { hash } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { createMemoryStore } from "../../src/adapters/sessionLog/memory.ts";
import type { SessionLog, SessionStore } from "../../src/ports/sessionLog.ts";
import type { World } from "../../src/ports/world.ts";
import { type LiveSession, openLiveSession } from "../../src/runtime/liveSession.ts";
import type { Publication } from "../../src/runtime/publish.ts";
import { checkLog } from "../../src/session/check.ts";
import type { Commit } from "../../src/session/events.ts";
import { AgiError } from "../../src/types.ts";
import { outline } from "../support/outline.ts";
import { ASKED, CREATE, submit } from "../support/sessionSteps.ts";

const digest = (content: string | Uint8Array) => hash("sha256", content, "hex");
const world: World = {
	clock: { now: () => 1_000, wait: async () => undefined },
	sessionId: () => "s",
	random: () => 0,
	digest,
};

let store: SessionStore;
let log: SessionLog;
let faults: unknown[];
beforeEach(async () => {
	store = createMemoryStore({ digest });
	log = await store.create("s");
	faults = [];
});

/** A session over the log with some of its methods replaced, and what its listener heard. */
function open(parts: Partial<SessionLog> = {}, commits: Commit[] = []) {
	const session = openLiveSession({
		log: { ...log, ...parts },
		world,
		commits,
		onFault: (error) => void faults.push(error),
	});
	const heard: Publication[] = [];
	session.subscribe((publication) => heard.push(publication));
	return { session, heard };
}

const stored = async () => (await store.read("s")).commits.map((commit) => outline(commit.events));

function recordAll(session: LiveSession, commands = [CREATE, submit()]): void {
	for (const command of commands) session.record(command);
}

describe("openLiveSession", () => {
	it("syncs facts that nobody waits for with those that come next, and after a moment by themselves", async () => {
		const moments = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
		const waits = moments.map(({ promise }) => promise);
		const clock = { now: () => 1_000, wait: () => waits.shift() ?? Promise.resolve() };
		let appended = 0;
		const appendedAtSync: number[] = [];
		const counted: SessionLog = {
			...log,
			append(commit) {
				log.append(commit);
				appended++;
			},
			async sync() {
				appendedAtSync.push(appended);
			},
		};
		const session = openLiveSession({
			log: counted,
			world: { ...world, clock },
			commits: [],
			onFault: (error) => void faults.push(error),
		});
		const heard: number[] = [];
		session.subscribe((told) => void (told.kind === "facts" && heard.push(told.seq)));
		recordAll(session);
		await session.flush({ wait: false });
		expect([appendedAtSync, heard]).toEqual([[], []]);
		session.record(submit("b"));
		await session.flush({ wait: true });
		expect([appendedAtSync, heard]).toEqual([
			[2, 2],
			[1, 2],
		]);
		session.record(submit("c"));
		await session.flush({ wait: false });
		moments[1]!.resolve();
		await expect.poll(() => heard).toEqual([1, 2, 3]);
		moments[0]!.resolve();
		await session.close();
	});

	it("goes on where the clock jumps back: numbers order the facts, times only tell", async () => {
		const times = [5_000_000, 1_000, 2_000];
		const clock = { now: () => times.shift() ?? 3_000, wait: async () => undefined };
		const session = openLiveSession({
			log,
			world: { ...world, clock },
			commits: [],
			onFault: (error) => void faults.push(error),
		});
		for (const command of [CREATE, submit("a"), submit("b")]) {
			session.record(command);
			await session.flush({ wait: true });
		}
		const { commits } = await store.read("s");
		expect(commits.map(({ seq, at }) => [seq, Date.parse(at)])).toEqual([
			[1, 5_000_000],
			[2, 1_000],
			[3, 2_000],
		]);
		expect(checkLog(commits)).toEqual([]);
		expect(open({}, commits).session.state.inbox.map(({ text }) => text)).toEqual(["a", "b"]);
	});

	it("writes what was recorded between two flushes as one commit, and nothing where nothing was", async () => {
		const { session } = open();
		recordAll(session);
		await session.flush({ wait: true });
		await session.flush({ wait: true });
		session.record({ do: "startTurn" });
		await session.flush({ wait: false });
		expect(await stored()).toEqual([
			["session/created", "user/message message-1", "inbox/enqueued next_turn"],
			["turn/start"],
		]);
		expect((await store.read("s")).commits).toMatchObject([
			{ v: 1, seq: 1, at: "1970-01-01T00:00:01.000Z" },
			{ seq: 2 },
		]);
	});

	it("changes its state at once and refuses what the rules refuse, recording nothing", async () => {
		const { session } = open();
		session.record(CREATE);
		expect(session.state.sessionId).toBe("s");
		expect(() => session.record({ do: "startTurn" })).toThrow(
			expect.objectContaining({ code: "REFUSED", message: "startTurn: nothing waits" }),
		);
		await session.flush({ wait: true });
		expect(await stored()).toEqual([["session/created"]]);
	});

	it("tells facts only once they are on the disk, in the order of their commits", async () => {
		const syncs: (() => void)[] = [];
		const { session, heard } = open({ sync: () => new Promise((synced) => syncs.push(synced)) });
		session.record(CREATE);
		await session.flush({ wait: false });
		session.record(submit());
		await session.flush({ wait: false });
		expect(heard).toEqual([]);
		const waited = session.flush({ wait: true });
		syncs[1]?.();
		expect(heard).toEqual([]);
		syncs[0]?.();
		await waited;
		expect(heard.map((told) => (told.kind === "facts" ? told.seq : 0))).toEqual([1, 2]);
	});

	it("keeps the events of a failed append for the next flush, under the same number", async () => {
		const failures = [new AgiError("LOG_WRITE_FAILED", "the disk is full")];
		const { session, heard } = open({
			append(commit) {
				const failure = failures.shift();
				if (failure) throw failure;
				log.append(commit);
			},
		});
		session.record(CREATE);
		await expect(session.flush({ wait: true })).rejects.toMatchObject({ code: "LOG_WRITE_FAILED" });
		expect(heard).toEqual([]);
		session.record(submit());
		await session.flush({ wait: true });
		expect(await stored()).toEqual([
			["session/created", "user/message message-1", "inbox/enqueued next_turn"],
		]);
		expect(heard).toHaveLength(1);
	});

	it("records what is saved together with what waited, and tells it once", async () => {
		const { session, heard } = open();
		session.record(CREATE);
		const saved = session.save(() => session.record(submit()));
		expect(session.state.inbox).toEqual([]);
		expect((await saved).map(({ type }) => type)).toEqual(["user/message", "inbox/enqueued"]);
		expect(session.state.inbox).toMatchObject([{ text: "hi", wakeup: true }]);
		await session.close();
		expect(await stored()).toEqual([
			["session/created", "user/message message-1", "inbox/enqueued next_turn"],
		]);
		expect(heard).toHaveLength(1);
	});

	it.each([
		["short", "a message"],
		["long", "a long message ".repeat(10_000)],
	])("knows nothing of a %s message that could not be saved, and keeps what waited", async (_, text) => {
		let isFull = true;
		const blobs: string[] = [];
		const { session } = open({
			append(commit) {
				if (isFull) throw new AgiError("LOG_WRITE_FAILED", "the disk is full");
				log.append(commit);
			},
			async putBlob(bytes) {
				blobs.push(await log.putBlob(bytes));
				return blobs.at(-1)!;
			},
		});
		recordAll(session, [CREATE, submit("before")]);
		const state = structuredClone(session.state);
		const send = () =>
			session.save(() => {
				session.record(submit(text));
				session.record({ do: "setTaint", source: "a page" });
				session.record({ do: "changeMode", mode: "plan", by: "person" });
			});
		await expect(send()).rejects.toMatchObject({ code: "LOG_WRITE_FAILED" });
		expect(session.state).toEqual(state);
		session.record(submit("meanwhile"));
		isFull = false;
		await send();
		await session.close();
		expect(await stored()).toEqual([
			[
				"session/created",
				...["user/message message-1", "inbox/enqueued next_turn"],
				...["user/message message-2", "inbox/enqueued next_turn"],
				...["user/message message-3", "inbox/enqueued next_turn"],
				...["taint/set", "mode/changed"],
			],
		]);
		expect(session.state.inbox.map((message) => message.text)).toEqual(["before", "meanwhile", text]);
		expect(blobs.length > 0).toBe(text.length > 100);
	});

	it("is as it was after a refusal in the middle of what was to be saved", async () => {
		const { session } = open();
		recordAll(session);
		await expect(
			session.save(() => recordAll(session, [submit("second"), { do: "endTurn", status: "completed" }])),
		).rejects.toMatchObject({ code: "REFUSED" });
		expect(session.state.inbox).toHaveLength(1);
		await session.close();
		expect((await stored()).flat()).toHaveLength(3);
	});

	it("tells nothing any more after a failed sync, and every wait says so", async () => {
		const failure = new AgiError("LOG_SYNC_FAILED", "the disk is broken");
		let fails = true;
		const { session, heard } = open({
			async sync() {
				if (fails) throw failure;
			},
		});
		session.record(CREATE);
		await expect(session.flush({ wait: true })).rejects.toBe(failure);
		fails = false;
		session.record(submit());
		await expect(session.flush({ wait: true })).rejects.toBe(failure);
		expect(heard).toEqual([]);
	});

	it("goes on from the commits it was opened with", async () => {
		const first = open();
		recordAll(first.session);
		await first.session.flush({ wait: true });
		const { commits } = await store.read("s");
		const { session } = open({}, commits);
		expect(session.state).toEqual(first.session.state);
		session.record({ do: "startTurn" });
		await session.flush({ wait: true });
		expect((await store.read("s")).commits.map(({ seq }) => seq)).toEqual([1, 2]);
	});

	it("puts long texts beside the log where the line would be too long", async () => {
		const { session } = open();
		recordAll(session, [CREATE, submit("x".repeat(70_000))]);
		await session.flush({ wait: true });
		const { commits, getBlob } = await store.read("s");
		expect(JSON.stringify(commits).length).toBeLessThan(2_000);
		const blob = await getBlob(digest("x".repeat(70_000)));
		expect(blob).toHaveLength(70_000);
	});

	it("tells live things at once and keeps the partial text of the open attempt", async () => {
		const partials: unknown[] = [];
		const { session, heard } = open({ writePartial: (partial) => void partials.push(partial) });
		session.tell({ type: "text", text: "before" });
		recordAll(session, [CREATE, ...ASKED]);
		session.tell({ type: "text", text: "a" });
		session.tell({ type: "reasoning", text: "r" });
		session.tell({ type: "text", text: "b" });
		expect(heard).toHaveLength(4);
		expect(partials.at(-1)).toEqual({ attemptId: "attempt-1", text: "ab", reasoning: "r" });
		expect(partials).toHaveLength(3);
		session.tell({ type: "withdrawn", text: "ab", why: "reasoning" });
		session.tell({ type: "reasoning", text: "ab" });
		expect(partials.at(-1)).toEqual({ attemptId: "attempt-1", text: "", reasoning: "rab" });
	});

	it("drops a listener that throws, and goes on", async () => {
		const { session, heard } = open();
		session.subscribe(() => {
			throw new Error("a broken screen");
		});
		recordAll(session);
		await session.flush({ wait: true });
		session.record({ do: "startTurn" });
		await session.flush({ wait: true });
		expect(faults).toHaveLength(1);
		expect(heard).toHaveLength(2);
	});

	it("writes what is pending when it is closed, and may be closed twice", async () => {
		const { session } = open();
		session.record(CREATE);
		await session.close();
		await session.close();
		expect(await stored()).toEqual([["session/created"]]);
	});

	it("gives its log back though the last facts cannot be written, and says so", async () => {
		const full = new AgiError("LOG_WRITE_FAILED", "The disk is full.");
		const { session } = open({
			append() {
				throw full;
			},
		});
		session.record(CREATE);
		await expect(session.close()).rejects.toBe(full);
		await expect(store.open("s")).resolves.toBeDefined();
	});
});
