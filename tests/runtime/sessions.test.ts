import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createJsonlStore } from "../../src/adapters/sessionLog/jsonl.ts";
import { type Disk, realDisk } from "../../src/adapters/sessionLog/logFile.ts";
import { createMemoryStore } from "../../src/adapters/sessionLog/memory.ts";
import { createWorld } from "../../src/adapters/world.ts";
import type { World } from "../../src/ports/world.ts";
import type { LiveSession } from "../../src/runtime/liveSession.ts";
import { createSessions, type Sessions, stateOf } from "../../src/runtime/sessions.ts";
import { checkLog } from "../../src/session/check.ts";
import type { Command } from "../../src/session/commands.ts";
import {
	ASKED,
	accept,
	decided,
	endCall,
	requestApproval,
	resolveApproval,
	START_ATTEMPT,
	START_STEP,
	startCall,
	submit,
	writeCall,
} from "../support/sessionSteps.ts";

const CREATED = {
	cwd: "/w",
	projectId: "p",
	agiVersion: "1",
	startedOn: "2026-11-29",
	mode: "default" as const,
};
const ANSWERED: Command[] = [
	...ASKED,
	accept("done"),
	{ do: "endStep", outcome: "answer" },
	{ do: "endTurn", status: "completed" },
];

let folder: string;
let sessions: Sessions;
let now: number;
beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), "agi-sessions-"));
	now = Date.parse("2026-11-29T12:00:00Z");
	sessions = onDisk();
});
afterEach(() => rm(folder, { recursive: true, force: true }));

function world(): World {
	const real = createWorld();
	return { ...real, clock: { ...real.clock, now: () => now } };
}

function onDisk(disk?: Disk): Sessions {
	const place = { folder: join(folder, "p", "sessions"), projectsFolder: folder };
	const store = createJsonlStore({ ...place, digest: world().digest, ...(disk ? { disk } : {}) });
	return createSessions(store, world(), throwFault);
}

/** A disk that is full from its write number `first` on. */
function fullFrom(first: number): Disk {
	let writes = 0;
	return {
		...realDisk,
		write(fd, bytes) {
			writes += 1;
			if (writes >= first) throw Object.assign(new Error("no space"), { code: "ENOSPC" });
			return realDisk.write(fd, bytes);
		},
	};
}

function throwFault(error: unknown): void {
	throw error;
}

/** Records each command in a commit of its own, a little later than the one before. */
async function perform(session: LiveSession, commands: Command[]): Promise<void> {
	for (const command of commands) {
		session.record(command);
		now += 1000;
		await session.flush({ wait: true });
	}
}

async function createAfter(commands: Command[], more: Partial<Parameters<Sessions["create"]>[0]> = {}) {
	const session = await sessions.create({ ...CREATED, ...more });
	await perform(session, commands);
	return session;
}

/** Every file below the folder with its bytes. */
async function everyFile(): Promise<Record<string, string>> {
	const entries = await readdir(folder, { recursive: true, withFileTypes: true });
	const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
	return Object.fromEntries(
		await Promise.all(files.sort().map(async (file) => [file, await readFile(file, "latin1")])),
	);
}

describe("open", () => {
	it("changes no byte of a finished session until new input comes", async () => {
		const session = await createAfter(ANSWERED);
		await session.close();
		const before = await everyFile();
		const { session: again, notices } = await sessions.open(session.state.sessionId);
		expect([notices, again.state]).toEqual([[], session.state]);
		await again.close();
		expect(await everyFile()).toEqual(before);
	});

	it("leaves an interrupted turn as it is", async () => {
		const session = await createAfter([
			...ASKED,
			accept("", writeCall("w")),
			decided("w", "allow"),
			startCall("w"),
		]);
		await session.close();
		const before = await everyFile();
		const { session: again, notices } = await sessions.open(session.state.sessionId);
		expect([notices, again.state]).toEqual([[], session.state]);
		await again.close();
		expect(await everyFile()).toEqual(before);
	});

	it("gives long texts and what looks like a mark back as they were", async () => {
		const content = { $blob: "mine", long: "x".repeat(80_000) };
		const call = { ...writeCall("w"), args: { path: "a", content, mark: { $blob: "mine" } } };
		const session = await createAfter([...ASKED, accept("", call)]);
		await session.close();
		const { session: again } = await sessions.open(session.state.sessionId);
		const item = again.state.history.find((found) => found.kind === "assistant");
		expect(item?.calls[0]?.args).toEqual(call.args);
		await again.close();
	});

	it("gives the lock back where a text of the log is lost", async () => {
		const session = await createAfter([submit("x".repeat(80_000))]);
		const { sessionId } = session.state;
		await session.close();
		for (const file of Object.keys(await everyFile()))
			if (file.includes("blobs")) await rm(file, { recursive: true });
		await expect(sessions.open(sessionId)).rejects.toMatchObject({ code: "BLOB_MISSING" });
		await expect(sessions.open(sessionId)).rejects.toMatchObject({
			code: "BLOB_MISSING",
			exitCode: 42,
			sessionId,
			copyOffer: expect.stringContaining(`A text of session ${sessionId} is lost.`),
			message: expect.stringMatching(/Restore its blobs folder .* agi -r .* --fork-session$/),
		});
		const losses: unknown[] = [];
		const copy = await sessions.fork(sessionId, { onLoss: (loss) => losses.push(loss) });
		expect(losses).toEqual([{ parts: 0, texts: 1 }]);
		await copy.close();
	});

	it("tells of a lost text once, however many facts hold it", async () => {
		const long = "x".repeat(80_000);
		const session = await createAfter([submit(long), { ...submit(long), messageId: "message-2" } as Command]);
		const { sessionId } = session.state;
		await session.flush({ wait: true });
		await session.close();
		for (const file of Object.keys(await everyFile()))
			if (file.includes("blobs")) await rm(file, { recursive: true });
		const told: string[] = [];
		await sessions.read(sessionId, { onLostText: (_, message) => told.push(message) });
		expect(told).toHaveLength(1);
	});

	it("refuses a session without facts and one that does not exist", async () => {
		await expect(sessions.open("20260101-000000-aaaaaa")).rejects.toMatchObject({ exitCode: 42 });
		const empty = createMemoryStore({ digest: world().digest });
		await (await empty.create("20260101-000000-bbbbbb")).close();
		const ofEmpty = createSessions(empty, world(), throwFault);
		await expect(ofEmpty.open("20260101-000000-bbbbbb")).rejects.toMatchObject({
			code: "SESSION_EMPTY",
			exitCode: 42,
		});
	});
});

describe("fork", () => {
	it("copies every commit as it was, under a new id, and touches nothing of the old session", async () => {
		const session = await createAfter([
			...ASKED,
			accept("", writeCall("w")),
			decided("w", "ask"),
			requestApproval("w"),
			{ ...resolveApproval("w", "yes"), expiresAt: "2026-11-29T12:05:00.000Z" } as Command,
			startCall("w"),
			endCall("w"),
			{ do: "endStep", outcome: "tools" },
			START_STEP,
			START_ATTEMPT,
			accept("done"),
			{ do: "endStep", outcome: "answer" },
			{ do: "endTurn", status: "completed" },
			submit("x".repeat(80_000)),
		]);
		await session.close();
		const before = await everyFile();
		now += 3_600_000;
		const fork = await sessions.fork(session.state.sessionId);
		const forkId = fork.state.sessionId;
		expect(fork.state.history).toEqual(session.state.history);
		await fork.close();
		expect(await everyFile()).toMatchObject(before);
		const [old, copy] = await Promise.all([sessions.read(session.state.sessionId), sessions.read(forkId)]);
		expect(checkLog(copy.commits)).toEqual([]);
		expect(copy.commits.slice(1, -1)).toEqual(old.commits.slice(1));
		expect(copy.commits.at(-1)?.events).toEqual([
			{ type: "session/forked", from: { sessionId: session.state.sessionId, seq: old.commits.length } },
		]);
		const reopened = await sessions.open(forkId);
		expect(reopened.session.state.inbox[0]?.text).toHaveLength(80_000);
		await reopened.session.close();
	});

	it.each([1, 2, 4])("leaves nothing of a copy that did not fit from write %i on", async (first) => {
		const session = await createAfter(ASKED);
		await session.close();
		const before = await everyFile();
		await expect(onDisk(fullFrom(first)).fork(session.state.sessionId)).rejects.toMatchObject({
			code: "LOG_WRITE_FAILED",
		});
		expect(await everyFile()).toEqual(before);
	});

	it("settles what was open in the copy only", async () => {
		const session = await createAfter(ASKED);
		const fork = await sessions.fork(session.state.sessionId);
		expect(fork.state.turn).toBeUndefined();
		expect(session.state.attempt).toBeDefined();
		await Promise.all([fork.close(), session.close()]);
	});
});

describe("find", () => {
	it("takes a whole id or a beginning that only one has", async () => {
		const session = await createAfter([submit()]);
		const { sessionId } = session.state;
		await session.close();
		expect(await sessions.find(sessionId)).toBe(sessionId);
		expect(await sessions.find(sessionId.slice(0, -1))).toBe(sessionId);
		await expect(sessions.find("zzz")).rejects.toMatchObject({ code: "SESSION_NOT_FOUND", exitCode: 42 });
		const other = await createAfter([submit()]);
		await other.close();
		await expect(sessions.find("2")).rejects.toThrow("2 sessions begin with 2");
	});
});

describe("stateOf", () => {
	it("is the state that the log's facts make", async () => {
		const session = await createAfter(ANSWERED);
		await session.close();
		expect(stateOf((await sessions.read(session.state.sessionId)).commits)).toEqual(session.state);
	});
});

describe("settleChild", () => {
	const parent = { sessionId: "parent", callId: "d", agent: "explorer" };

	async function openChild(made = parent): Promise<LiveSession> {
		const child = await sessions.create({ ...CREATED, parent: made });
		for (const command of ASKED) child.record(command);
		await child.flush({ wait: true });
		return child;
	}
	const typesOf = async (id: string) => {
		const { commits } = await sessions.read(id);
		expect(checkLog(commits)).toEqual([]);
		return commits.flatMap(({ events }) => events).map(({ type }) => type);
	};

	it("closes what that subagent left open, once, and no other session", async () => {
		const child = await openChild();
		const other = await openChild({ ...parent, callId: "e" });
		const before = await typesOf(other.state.sessionId);
		await child.close();
		await other.close();
		await sessions.settleChild(child.state.sessionId);
		const settled = await typesOf(child.state.sessionId);
		expect(settled.slice(-4)).toEqual(["attempt/end", "step/end", "turn/end", "recovery/continuation"]);
		await sessions.settleChild(child.state.sessionId);
		expect(await typesOf(child.state.sessionId)).toEqual(settled);
		expect(await typesOf(other.state.sessionId)).toEqual(before);
	});

	it("leaves a log alone that is still written, and does not mind that there is none", async () => {
		const child = await openChild();
		const before = await typesOf(child.state.sessionId);
		await sessions.settleChild(child.state.sessionId);
		await sessions.settleChild("none");
		expect(await typesOf(child.state.sessionId)).toEqual(before);
		await child.close();
	});
});
