import { mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createJsonlStore } from "../../src/adapters/sessionLog/jsonl.ts";
import { createWorld } from "../../src/adapters/world.ts";
import { conversationText } from "../../src/cli/sessionText.ts";
import { exportHtml } from "../../src/runtime/exportHtml.ts";
import { exportJson, exportMarkdown } from "../../src/runtime/exportSession.ts";
import { createSessions, type Sessions } from "../../src/runtime/sessions.ts";
import { checkLog } from "../../src/session/check.ts";
import type { Command } from "../../src/session/commands.ts";
import type { Commit } from "../../src/session/events.ts";
import { sessionCommits, writeLog } from "../support/recordedLog.ts";
import { ASKED, accept } from "../support/sessionSteps.ts";

/** A whole turn, as a person goes on with a session. */
const GO_ON: Command[] = [
	...ASKED,
	accept("gone on"),
	{ do: "endStep", outcome: "answer" },
	{ do: "endTurn", status: "completed" },
];

let folder: string;
let sessions: Sessions;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), "agi-newest-"));
	const world = createWorld();
	sessions = createSessions(createJsonlStore({ folder, digest: world.digest }), world, () => undefined);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Records a session that was written last at so many seconds. */
function record(id: string, second: number, commits: readonly Commit[] = sessionCommits(id, 1)): void {
	const path = join(folder, id, "log.jsonl");
	writeLog(path, commits);
	utimesSync(path, second, second);
}

describe("createSessions newest", () => {
	it("is the session that was written last, passing over those of subagents", async () => {
		record("old", 1);
		record("new", 2);
		const child = sessionCommits("child", 1);
		const [created] = child[0]?.events ?? [];
		if (created?.type !== "session/created") throw new Error("no session");
		created.parent = { sessionId: "new", callId: "call-1", agent: "reviewer" };
		record("child", 3, child);
		expect(await sessions.newest()).toBe("new");
	});

	it("is the damaged one where that was written last, so that opening it tells the damage", async () => {
		record("old", 1);
		record("new", 2);
		writeFileSync(join(folder, "new", "log.jsonl"), "damaged from its first line on\n");
		expect(await sessions.newest()).toBe("new");
	});

	it("is undefined where there is none", async () => {
		expect(await sessions.newest()).toBeUndefined();
	});
});

describe("createSessions open", () => {
	it("brings a session of 20,000 events to the state of its last one, with nothing open", async () => {
		record("long", 1, sessionCommits("long", 200));
		const { session, notices } = await sessions.open("long");
		expect(notices).toEqual([]);
		expect(session.state.made).toMatchObject({ turn: 200, step: 1800, attempt: 1800 });
		expect(session.state.history).toHaveLength(200 * (1 + 9 + 8));
		expect([session.state.turn, session.state.inbox]).toEqual([undefined, []]);
		await session.close();
	});
});

describe("createSessions fork", () => {
	it("marks what a damaged log lost, at whatever line, and goes on with ids of its own", async () => {
		const commits = sessionCommits("whole", 2);
		for (const lost of commits.keys()) {
			const id = `lost${lost}`;
			const path = join(folder, id, "log.jsonl");
			writeLog(path, commits);
			const lines = readFileSync(path, "utf8").split("\n");
			lines[lost] = (lines[lost] ?? "").replace('"seq"', '"Seq"');
			writeFileSync(path, lines.join("\n"));
			if (lost === 0) {
				await expect(sessions.fork(id)).rejects.toMatchObject({ code: "SESSION_EMPTY", exitCode: 42 });
				continue;
			}
			const losses: unknown[] = [];
			const copy = await sessions.fork(id, { onLoss: (loss) => losses.push(loss) });
			expect({ lost, losses }).toEqual({ lost, losses: [{ parts: 1, texts: 0 }] });
			for (const command of GO_ON) copy.record(command);
			await copy.close();
			const read = await sessions.read(copy.state.sessionId);
			const events = read.commits.flatMap((commit) => commit.events);
			const forked = events.find((event) => event.type === "session/forked");
			expect({ lost, gaps: forked?.gaps }).toEqual({ lost, gaps: [lost + 1] });
			expect({ lost, broken: checkLog(read.commits) }).toEqual({ lost, broken: [] });
			for (const text of [conversationText, exportMarkdown, exportHtml])
				expect(text(read.commits)).toContain("Here something is missing");
			expect(JSON.parse(exportJson(read.commits))).toMatchObject({ gaps: [lost + 1] });
			const original = await sessions.read(id);
			const isAtEnd = lost === commits.length - 1;
			expect(exportMarkdown(original.commits).includes("Here something is missing")).toBe(!isAtEnd);
		}
	});

	it("marks nothing in the copy of a sound log", async () => {
		record("sound", 1);
		const copy = await sessions.fork("sound");
		await copy.close();
		const { commits } = await sessions.read(copy.state.sessionId);
		expect(commits.at(-1)?.events).toEqual([
			{ type: "session/forked", from: { sessionId: "sound", seq: commits.length - 1 } },
		]);
	});
});
