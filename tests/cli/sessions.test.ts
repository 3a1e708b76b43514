import { appendFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type CommandLine, parseArguments } from "../../src/cli/arguments.ts";
import { sessionsCommand } from "../../src/cli/sessions.ts";
import { LOG_VERSION, type SessionEvent } from "../../src/session/events.ts";
import { parseLog } from "../../src/session/parseLog.ts";
import { locate, openSessions } from "../../src/wire/place.ts";
import { writeLog } from "../support/recordedLog.ts";
import { type Desk, openDesk, recordSession } from "../support/recordedSession.ts";

let desk: Desk;
beforeEach(() => {
	desk = openDesk();
});
afterEach(() => desk.remove());

/** Runs the command as it is typed; rejections are told as the program tells them. */
async function run(...words: string[]): Promise<{ code: number; out: string; err: string }> {
	const parsed = parseArguments(["sessions", ...words]) as CommandLine<"sessions">;
	const code = await sessionsCommand(parsed, desk.around).catch((error) => {
		desk.around.err(error.message);
		return error.exitCode as number;
	});
	return { code, ...desk.taken() };
}

const READ_AND_ANSWER = [
	{ text: "I look.", calls: [{ name: "readFile", args: { path: "a.txt" } }] },
	{ text: "It says héllo 🙂." },
];

/** Long enough that the request's body goes into a blob, short enough that the message itself does not. */
const LONG_PROMPT = "a long question ".repeat(1500);

describe("sessionsCommand list", () => {
	it("says in a sentence that there is none yet, and leaves no trace in project and home", async () => {
		expect(await run("list")).toEqual({
			code: 0,
			out: "No session of this folder is recorded yet.\n",
			err: "",
		});
		expect((await run("list", "--json")).out).toBe("[]\n");
		expect(readdirSync(desk.project)).toEqual([]);
		expect(existsSync(desk.home)).toBe(false);
	});

	it("gives the newest first, each with exactly the promised members", async () => {
		const first = await recordSession(desk, ["first question"], [{ text: "one" }]);
		const second = await recordSession(desk, ["second", "third"], [{ text: "two" }, { text: "three" }]);
		const listed = JSON.parse((await run("list", "--json")).out);
		expect(listed).toEqual([
			{
				id: second.sessionId,
				title: "second",
				cwd: desk.project,
				created: expect.stringMatching(/^\d{4}-.*Z$/),
				updated: expect.stringMatching(/^\d{4}-.*Z$/),
				turns: 2,
				model: "scripted",
			},
			expect.objectContaining({ id: first.sessionId, title: "first question", turns: 1 }),
		]);
	});

	it("draws a table no wider than the screen, wide letters counted as two cells", async () => {
		await recordSession(desk, [`${"问".repeat(60)} and \u001b[31mred`], [{ text: "one" }]);
		const lines = (await run("list")).out.trimEnd().split("\n");
		expect(lines[0]).toMatch(/^ID +AGE +TURNS +MODEL +TITLE$/);
		const { default: stringWidth } = await import("string-width");
		expect(stringWidth(lines[1] ?? "")).toBeLessThanOrEqual(80);
		expect(lines[1]).toContain("问问");
		expect(lines[1]).not.toContain("\u001b");
	});
});

describe("a session whose log is damaged", () => {
	it("is marked in the list, as text and as JSON", async () => {
		const { sessionId, folder } = await recordSession(desk, ["first"], [{ text: "one" }]);
		const log = join(folder, "log.jsonl");
		writeFileSync(log, readFileSync(log, "utf8").split("\n").with(1, "damaged").join("\n"));
		expect((await run("list")).out.trimEnd().split("\n").at(-1)).toMatch(/ \(damaged\) first$/);
		expect(JSON.parse((await run("list", "--json")).out)).toEqual([
			expect.objectContaining({ id: sessionId, damage: expect.stringMatching(/^line 2: /) }),
		]);
	});
});

describe("a session that a newer agi wrote", () => {
	it("is marked in the list, opened by nothing, passed by in the check, and never written to", async () => {
		const old = await recordSession(desk, ["first"], [{ text: "one" }]);
		const { sessionId, folder } = await recordSession(desk, ["second"], [{ text: "two" }]);
		const log = join(folder, "log.jsonl");
		writeLog(
			log,
			parseLog(readFileSync(log), crc32).commits.map((commit) => ({ ...commit, v: LOG_VERSION + 1 })),
		);
		const before = readFileSync(log);
		const sentence = /written by a newer agi .*Update agi to open it; nothing was changed\.\n$/;

		const { out, err } = await run("list");
		expect(out.trimEnd().split("\n").at(-1)).toMatch(/^\S+ +- +- +- +\(this agi cannot read it\)$/);
		expect(err).toMatch(sentence);
		expect(err).toContain(`Session ${sessionId} cannot be read`);
		expect(JSON.parse((await run("list", "--json")).out)).toEqual([
			expect.objectContaining({ id: old.sessionId, title: "first" }),
			{ id: sessionId, unreadable: expect.stringContaining("Update agi") },
		]);
		for (const words of [["show"], ["fork"], ["export"], ["rename", sessionId, "other"]]) {
			const [action = "", ...rest] = words;
			const told = await run(action, ...(rest.length > 0 ? rest : [sessionId]));
			expect([action, told.code, told.out]).toEqual([action, 42, ""]);
			expect(told.err).toMatch(sentence);
		}
		expect(await run("check")).toEqual({
			code: 0,
			out: "1 session checked, no violations.\n",
			err: expect.stringMatching(/was not checked: .*Update agi/),
		});
		expect(readFileSync(log).equals(before)).toBe(true);
	});
});

describe("sessionsCommand show", () => {
	it("gives every event on a line of its own with its commit and time", async () => {
		const { sessionId } = await recordSession(desk, ["hello"], [{ text: "hi" }]);
		const events = (await run("show", sessionId, "--json")).out
			.trimEnd()
			.split("\n")
			.map((line) => JSON.parse(line) as SessionEvent & { seq: number; at: string });
		expect(events[0]).toMatchObject({ seq: 1, type: "session/created", sessionId });
		expect(events.at(-1)).toMatchObject({ type: "turn/end", status: "completed" });
		expect(events.map(({ seq }) => seq)).toEqual(events.map(({ seq }) => seq).sort((a, b) => a - b));
		expect(events.every(({ at }) => !Number.isNaN(Date.parse(at)))).toBe(true);
	});

	it("tells a conversation in words, the beginning of an id being enough", async () => {
		writeFileSync(join(desk.project, "a.txt"), "héllo 🙂\n");
		const { sessionId } = await recordSession(desk, ["what is in a.txt?"], READ_AND_ANSWER);
		const { out } = await run("show", sessionId.slice(0, -2));
		const order = ["> what is in a.txt?", "I look.", '* readFile {"path":"a.txt"}', "  | héllo", "It says"];
		const places = order.map((part) => out.indexOf(part));
		expect(places).toEqual([...places].sort((a, b) => a - b));
		expect(places[0]).toBeGreaterThan(0);
	});

	it("shows what is left of a session whose stored text is lost, and says so", async () => {
		const long = "x".repeat(80_000);
		const { sessionId, folder } = await recordSession(desk, ["short", long], [{ text: "a" }, { text: "b" }]);
		rmSync(join(folder, "blobs"), { recursive: true });
		const { code, out, err } = await run("show", sessionId);
		expect(code).toBe(0);
		expect(out).toContain("> short");
		expect(out).toContain("is lost.]");
		expect(err).toContain("Restore its blobs folder");
	});

	it("ends with 42 and a sentence for an id that names nothing", async () => {
		const { code, err } = await run("show", "nope");
		expect(code).toBe(42);
		expect(err).toContain("No session nope is stored here");
	});

	it("finds a session of another project by its id", async () => {
		const { sessionId } = await recordSession(desk, ["hello"], [{ text: "hi" }]);
		const elsewhere = { ...desk, around: { ...desk.around, folder: () => desk.home } };
		const parsed = parseArguments(["sessions", "show", sessionId]) as CommandLine<"sessions">;
		expect(await sessionsCommand(parsed, elsewhere.around)).toBe(0);
		expect(desk.taken().out).toContain("> hello");
	});
});

describe("sessionsCommand request", () => {
	it("gives each request back byte for byte, also after a resume and from blobs", async () => {
		writeFileSync(join(desk.project, "a.txt"), `${"line of text\n".repeat(150)}héllo 🙂 "quoted" \\ \u2028`);
		const first = await recordSession(desk, [LONG_PROMPT, "again"], [...READ_AND_ANSWER, { text: "more" }]);
		const resumed = await recordSession(desk, ["go on"], [{ text: "done" }], first.sessionId);
		const bodies = [...first.bodies, ...resumed.bodies];
		expect(bodies).toHaveLength(4);
		for (const [at, body] of bodies.entries())
			expect(await run("request", first.sessionId, String(at + 1))).toEqual({ code: 0, out: body, err: "" });
		expect(readdirSync(join(first.folder, "blobs")).length).toBeGreaterThan(0);
	});

	it("ends with 42 and tells how many there are for a number beyond them", async () => {
		const { sessionId } = await recordSession(desk, ["hello"], [{ text: "hi" }]);
		const { code, out, err } = await run("request", sessionId, "3");
		expect({ code, out }).toEqual({ code: 42, out: "" });
		expect(err).toBe(`There is no request 3: session ${sessionId} sent 1 request, numbered from 1.\n`);
	});

	it("gives a request whose own texts are there, and tells of another what it lost", async () => {
		const prompts = ["short", "x".repeat(80_000)];
		const { sessionId, folder, bodies } = await recordSession(desk, prompts, [{ text: "a" }, { text: "b" }]);
		rmSync(join(folder, "blobs"), { recursive: true });
		expect(await run("request", sessionId, "1")).toEqual({ code: 0, out: bodies[0], err: "" });
		const { code, out, err } = await run("request", sessionId, "2");
		expect({ code, out }).toEqual({ code: 1, out: "" });
		expect(err).toMatch(/^Request 2 of session \S+ is lost: .*\.\n$/);
		expect(err).toContain("Restore its blobs folder");
	});

	it("gives nothing out where the body no longer matches its digest", async () => {
		const { sessionId, folder } = await recordSession(desk, [LONG_PROMPT], [{ text: "hi" }]);
		const [blob] = readdirSync(join(folder, "blobs"));
		rmSync(join(folder, "blobs", blob ?? ""));
		const { code, out, err } = await run("request", sessionId, "1");
		expect({ code, out }).toEqual({ code: 1, out: "" });
		expect(err).toContain("Request 1 of session");
	});
});

describe("sessionsCommand check", () => {
	const checked = async (...words: string[]) => {
		const { code, out, err } = await run("check", ...words, "--json");
		return { code, err, ...(JSON.parse(out) as { ok: boolean; sessions: number; violations: object[] }) };
	};

	it("is content with sound sessions, a subagent's and a fork's counted too", async () => {
		const { sessionId } = await recordSession(
			desk,
			["review it"],
			[
				{
					calls: [{ name: "delegateToSubagent", args: { subagent: "reviewer", task: "look" } }],
				},
				{ text: "looks fine" },
				{ text: "reviewed" },
			],
		);
		const sessions = openSessions(await locate(desk.project, desk.around.env, false));
		await (await sessions.fork(sessionId)).close();
		expect(await checked()).toEqual({ code: 0, err: "", ok: true, sessions: 3, violations: [] });
		expect(await checked(sessionId)).toEqual({ code: 0, err: "", ok: true, sessions: 2, violations: [] });
		expect((await run("check")).out).toBe("3 sessions checked, no violations.\n");
	});

	it("checks while another process writes the session", async () => {
		const { sessionId } = await recordSession(desk, ["hello"], [{ text: "hi" }]);
		const sessions = openSessions(await locate(desk.project, desk.around.env, false));
		const { session } = await sessions.open(sessionId);
		expect(await checked(sessionId)).toMatchObject({ code: 0, ok: true });
		await session.close();
	});

	it("names a torn tail as what it is and finds no fault in it", async () => {
		const { sessionId, folder } = await recordSession(desk, ["hello"], [{ text: "hi" }]);
		appendFileSync(join(folder, "log.jsonl"), '{"v":1,"seq":99,"at":"20');
		const { ok, err } = await checked(sessionId);
		expect(ok).toBe(true);
		expect(err).toContain("24 bytes are a line that was never finished");
	});

	it("reports a changed line as damage with its number", async () => {
		const { sessionId, folder } = await recordSession(desk, ["hello"], [{ text: "hi" }]);
		const log = join(folder, "log.jsonl");
		writeFileSync(log, readFileSync(log, "utf8").replace("hello", "hullo"));
		const { code, ok, violations } = await checked();
		expect({ code, ok }).toEqual({ code: 1, ok: false });
		expect(violations[0]).toEqual({
			session: sessionId,
			invariant: 1,
			seq: 1,
			message: expect.stringContaining("line 1: its checksum does not match"),
		});
	});

	it("reports a lost blob with the commit that needs it, and goes on with other sessions", async () => {
		const broken = await recordSession(desk, [LONG_PROMPT], [{ text: "hi" }]);
		await recordSession(desk, ["sound"], [{ text: "hi" }]);
		rmSync(join(broken.folder, "blobs"), { recursive: true });
		const { sessions, violations } = await checked();
		expect(sessions).toBe(2);
		expect(violations).toEqual([
			{
				session: broken.sessionId,
				invariant: 10,
				seq: expect.any(Number),
				message: expect.stringContaining("request request-1 cannot be rebuilt"),
			},
		]);
	});
});
