import { once } from "node:events";
import {
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmSync,
	statSync,
	writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type CommandLine, parseArguments } from "../../src/cli/arguments.ts";
import { sessionsCommand } from "../../src/cli/sessions.ts";
import type { Surroundings } from "../../src/cli/surroundings.ts";
import type { Sessions } from "../../src/runtime/sessions.ts";
import type { SessionTrace } from "../../src/session/trace.ts";
import { locate, openSessions } from "../../src/wire/place.ts";
import { type Desk, openDesk, recordSession } from "../support/recordedSession.ts";

let desk: Desk;
beforeEach(() => {
	desk = openDesk();
});
afterEach(() => desk.remove());

/** Runs the command as it is typed; rejections are told as the program tells them. */
async function run(words: string[], around: Partial<Surroundings> = {}) {
	const parsed = parseArguments(["sessions", ...words]) as CommandLine<"sessions">;
	const code = await sessionsCommand(parsed, { ...desk.around, ...around }).catch((error) => {
		desk.around.err(error.message);
		return error.exitCode as number;
	});
	return { code, ...desk.taken() };
}

async function openStore(): Promise<Sessions> {
	return openSessions(await locate(desk.project, desk.around.env, false));
}

/** Records a session in another project of the same person. */
async function recordElsewhere(name: string, prompt: string) {
	const project = join(dirname(desk.project), name);
	mkdirSync(project);
	return recordSession({ ...desk, project }, [prompt], [{ text: "answered there" }]);
}

const READ_AND_ANSWER = [
	{ text: "I look.", calls: [{ name: "readFile", args: { path: "a.txt" } }] },
	{ text: "It says hello." },
];

describe("sessionsCommand search", () => {
	it("finds a word of a session of another project and marks it", async () => {
		const { sessionId } = await recordElsewhere("other", "where is the zebrafish?");
		await recordSession(desk, ["something else"], [{ text: "no" }]);
		const { code, out, err } = await run(["search", "ZEBRAFISH"], { columns: undefined });
		expect({ code, err }).toEqual({ code: 0, err: "" });
		expect(out.split("\n")).toEqual([
			`${sessionId}  ${join(dirname(desk.project), "other")}  where is the zebrafish?`,
			"  turn 1, user: where is the [zebrafish]?",
			"",
		]);
	});

	it("gives id, folder, turn and snippet as JSON, this folder's sessions first", async () => {
		const own = await recordSession(desk, ["first", "the word here"], [{ text: "a" }, { text: "b" }]);
		const other = await recordElsewhere("other", "the word there");
		const { out } = await run(["search", "word", "--json"]);
		expect(JSON.parse(out)).toEqual({
			found: [
				expect.objectContaining({
					sessionId: own.sessionId,
					cwd: desk.project,
					turn: 2,
					kind: "user",
					snippet: { before: "the ", hit: "word", after: " here" },
				}),
				expect.objectContaining({ sessionId: other.sessionId, title: "the word there", turn: 1 }),
			],
			more: false,
		});
	});

	it("lets nothing of a text control the terminal", async () => {
		await recordSession(desk, ["\u001b]0;title\u0007needle\u001b[2J"], [{ text: "a" }]);
		const { out } = await run(["search", "needle"]);
		expect(out.replaceAll("\u001b[1;7m", "").replaceAll("\u001b[0m", "")).not.toContain("\u001b");
		expect(out).toContain("\u001b[1;7mneedle\u001b[0m");
	});

	it("ends with 1 and a sentence where nothing holds the word", async () => {
		await recordSession(desk, ["hello"], [{ text: "hi" }]);
		expect(await run(["search", "absent"])).toEqual({ code: 1, out: "No session holds absent.\n", err: "" });
		expect(JSON.parse((await run(["search", "absent", "--json"])).out)).toEqual({ found: [], more: false });
	});

	it("finds no secret, since the log holds none", async () => {
		const token = "ghp_aBcDeFgHiJkLmNoPqRsTuVwXyZ0123456789";
		writeFileSync(join(desk.project, "a.txt"), `token: ${token}`);
		const { sessionId } = await recordSession(desk, ["what is in a.txt?"], READ_AND_ANSWER);
		expect((await run(["search", token])).code).toBe(1);
		expect((await run(["search", "redacted"])).out).toContain(sessionId);
	});
});

describe("sessionsCommand list --all", () => {
	it("adds the sessions of every other folder", async () => {
		const own = await recordSession(desk, ["here"], [{ text: "a" }]);
		const other = await recordElsewhere("other", "there");
		const ids = async (...words: string[]) =>
			(JSON.parse((await run(["list", "--json", ...words])).out) as { id: string }[]).map(({ id }) => id);
		expect(await ids()).toEqual([own.sessionId]);
		expect(await ids("--all")).toEqual([other.sessionId, own.sessionId]);
	});
});

describe("a moved folder", () => {
	it("keeps its sessions: they are listed, found and continued under the new name", async () => {
		const { sessionId } = await recordSession(desk, ["before the move"], [{ text: "a" }]);
		const moved = join(dirname(desk.project), "renamed");
		renameSync(desk.project, moved);
		const there = { folder: () => moved };
		expect(JSON.parse((await run(["list", "--json"], there)).out)).toEqual([
			expect.objectContaining({ id: sessionId, title: "before the move" }),
		]);
		await recordSession({ ...desk, project: moved }, ["after the move"], [{ text: "b" }], sessionId);
		const { out } = await run(["search", "move"], { ...there, columns: undefined });
		expect(out).toContain(`${sessionId}  this folder  before the move`);
		expect(out).toContain("turn 2, user: after the [move]");
		const sessions = openSessions(await locate(moved, desk.around.env, false));
		expect(await sessions.newest()).toBe(sessionId);
	});
});

describe("sessionsCommand rename", () => {
	it("gives the session a title that list and search show at once", async () => {
		const { sessionId } = await recordSession(desk, ["first words"], [{ text: "hi" }]);
		expect(await run(["rename", sessionId, "  A better title "])).toEqual({ code: 0, out: "", err: "" });
		expect(JSON.parse((await run(["list", "--json"])).out)[0]).toMatchObject({ title: "A better title" });
		expect((await run(["search", "better"])).out).toContain(sessionId);
	});

	it("refuses a session that another agi writes, and says which", async () => {
		const { sessionId } = await recordSession(desk, ["hello"], [{ text: "hi" }]);
		const { session } = await (await openStore()).open(sessionId);
		const { code, err } = await run(["rename", sessionId, "title"]);
		expect(code).toBe(42);
		expect(err).toContain(`Session ${sessionId} is in use by this process`);
		await session.close();
	});
});

describe("sessionsCommand fork", () => {
	it("copies a session whole, or up to the end of a step, and leaves it as it is", async () => {
		writeFileSync(join(desk.project, "a.txt"), "hello");
		const { sessionId, folder } = await recordSession(desk, ["what is in a.txt?"], READ_AND_ANSWER);
		const before = readFileSync(join(folder, "log.jsonl"));
		const whole = (await run(["fork", sessionId])).out.trim();
		const part = JSON.parse((await run(["fork", sessionId, "--at", "1", "--json"])).out) as {
			id: string;
			from: string;
		};
		expect(part.from).toBe(sessionId);
		expect(readFileSync(join(folder, "log.jsonl")).equals(before)).toBe(true);
		const shown = async (id: string) => (await run(["show", id])).out;
		expect(await shown(whole)).toContain("It says hello.");
		expect(await shown(part.id)).toContain("  | hello");
		expect(await shown(part.id)).not.toContain("It says hello.");
		expect((await run(["check"])).out).toBe("3 sessions checked, no violations.\n");
	});

	it("makes a copy that goes on from its step", async () => {
		writeFileSync(join(desk.project, "a.txt"), "hello");
		const { sessionId } = await recordSession(desk, ["what is in a.txt?"], READ_AND_ANSWER);
		const { out } = await run(["fork", sessionId, "--at", "step-1"]);
		const { bodies } = await recordSession(desk, ["and now?"], [{ text: "Now this." }], out.trim());
		expect(bodies[0]).toContain("and now?");
		expect(bodies[0]).toContain("readFile");
		expect(bodies[0]).not.toContain("It says hello.");
		expect((await run(["check", out.trim()])).code).toBe(0);
	});

	it("ends with 42 and names the last step for one that did not end", async () => {
		const { sessionId } = await recordSession(desk, ["hello"], [{ text: "hi" }]);
		const { code, out, err } = await run(["fork", sessionId, "--at", "7"]);
		expect({ code, out }).toEqual({ code: 42, out: "" });
		expect(err).toBe(`Session ${sessionId} has no ended step step-7: its last one that ended is step-1.\n`);
		expect(JSON.parse((await run(["list", "--json"])).out)).toHaveLength(1);
	});
});

describe("sessionsCommand rm", () => {
	it("deletes the session's folder and nothing else, after a yes", async () => {
		const { sessionId, folder } = await recordSession(desk, ["delete me"], [{ text: "hi" }]);
		const other = await recordSession(desk, ["keep me"], [{ text: "hi" }]);
		await run(["list"]);
		const asked: string[] = [];
		const confirm = async (question: string) => {
			asked.push(question);
			return true;
		};
		const { code, err } = await run(["rm", sessionId], { confirm });
		expect({ code, err }).toEqual({ code: 0, err: `Session ${sessionId} is deleted.\n` });
		expect(asked).toEqual([`Delete session ${sessionId} (delete me) for ever?`]);
		expect(readdirSync(dirname(folder))).toEqual([other.sessionId]);
		expect((await run(["search", "delete"])).code).toBe(1);
	});

	it("deletes what results were kept whole with their session", async () => {
		writeFileSync(join(desk.project, "long.txt"), "a line\n".repeat(10_000));
		const count = { name: "runCommand", args: { command: "cat long.txt" } };
		const { sessionId, folder } = await recordSession(desk, ["count"], [{ calls: [count] }, { text: "ok" }]);
		const digest = /"type":"artifact\/created"[^}]*"digest":"(\w+)"/.exec(
			readFileSync(join(folder, "log.jsonl"), "utf8"),
		)?.[1];
		expect(readFileSync(join(folder, "blobs", digest ?? ""), "utf8")).toHaveLength(
			"a line\n".length * 10_000 - 1,
		);
		expect((await run(["rm", sessionId, "--yes"])).code).toBe(0);
		expect(existsSync(folder)).toBe(false);
	});

	it("deletes nothing after a no, or where nobody can be asked", async () => {
		const { sessionId, folder } = await recordSession(desk, ["keep me"], [{ text: "hi" }]);
		expect(await run(["rm", sessionId], { confirm: async () => false })).toMatchObject({
			code: 1,
			err: "Nothing was deleted.\n",
		});
		const { code, err } = await run(["rm", sessionId]);
		expect(code).toBe(42);
		expect(err).toContain("--yes deletes it without a question");
		expect(existsSync(folder)).toBe(true);
	});

	it("refuses a session in use, also with --yes", async () => {
		const { sessionId, folder } = await recordSession(desk, ["keep me"], [{ text: "hi" }]);
		const { session } = await (await openStore()).open(sessionId);
		expect(await run(["rm", sessionId, "--yes"])).toMatchObject({ code: 42 });
		await session.close();
		expect(existsSync(join(folder, "log.jsonl"))).toBe(true);
		expect((await run(["rm", sessionId, "--yes"])).code).toBe(0);
	});

	it("deletes a session whose log cannot be read", async () => {
		const { sessionId, folder } = await recordSession(desk, ["broken"], [{ text: "hi" }]);
		writeFileSync(join(folder, "log.jsonl"), "nothing of a log\n");
		expect((await run(["rm", sessionId, "--yes"])).code).toBe(0);
		expect(existsSync(folder)).toBe(false);
	});
});

describe("sessionsCommand export", () => {
	it("writes Markdown, JSON and HTML of the same session", async () => {
		const { sessionId } = await recordSession(desk, ["is 1 < 2?"], [{ text: "Yes, 1 < 2." }]);
		expect((await run(["export", sessionId])).out).toContain("## Assistant\n\nYes, 1 < 2.");
		const json = JSON.parse((await run(["export", sessionId, "--format", "json"])).out);
		expect(json).toMatchObject({ sessionId, title: "is 1 < 2?", cwd: desk.project });
		expect((await run(["export", sessionId, "--format", "html"])).out).toContain("Yes, 1 &lt; 2.");
	});

	it("writes to a file that only the user can read, and says where", async () => {
		const { sessionId } = await recordSession(desk, ["hello"], [{ text: "hi" }]);
		const path = join(desk.project, "out.html");
		const { code, out, err } = await run(["export", sessionId, "--format", "html", "-o", "out.html"]);
		expect({ code, out, err }).toEqual({
			code: 0,
			out: "",
			err: `Session ${sessionId} is written to ${path}.\n`,
		});
		expect(statSync(path).mode & 0o777).toBe(0o600);
		expect(readFileSync(path, "utf8")).toMatch(/^<!doctype html>[\s\S]*<\/html>\n$/);
	});

	it("ends with 42 and the reason where the file cannot be written", async () => {
		const { sessionId } = await recordSession(desk, ["hello"], [{ text: "hi" }]);
		const { code, err } = await run(["export", sessionId, "-o", "none/out.md"]);
		expect(code).toBe(42);
		expect(err).toContain("ENOENT");
	});

	it("ends with 42 and leaves a file as it is that is there already", async () => {
		const { sessionId } = await recordSession(desk, ["hello"], [{ text: "hi" }]);
		const path = join(desk.project, "kept.md");
		writeFileSync(path, "mine");
		const { code, err } = await run(["export", sessionId, "-o", "kept.md"]);
		expect({ code, err }).toEqual({
			code: 42,
			err: `${path} exists already and was not written over; name another file.\n`,
		});
		expect(readFileSync(path, "utf8")).toBe("mine");
	});

	it("takes out a key that is set now, even where the log was written without knowing it", async () => {
		const key = "a-key-of-no-known-form-1234";
		const { sessionId } = await recordSession(desk, [`my key is ${key}`], [{ text: "hi" }]);
		const env = { ...desk.around.env, LLM_API_KEY: key };
		for (const format of ["markdown", "json", "html"]) {
			const { out } = await run(["export", sessionId, "--format", format], { env });
			expect(out).not.toContain(key);
			expect(out).toContain("my key is");
		}
	});

	it("exports what is left of a session whose stored text is lost, and says so", async () => {
		const { sessionId, folder } = await recordSession(desk, ["x".repeat(80_000)], [{ text: "short answer" }]);
		rmSync(join(folder, "blobs"), { recursive: true });
		const { code, out, err } = await run(["export", sessionId]);
		expect(code).toBe(0);
		expect(out).toContain("short answer");
		expect(err).toContain("Restore its blobs folder");
	});
});

describe("sessionsCommand trace", () => {
	const delegating = [
		{ calls: [{ name: "delegateToSubagent", args: { subagent: "reviewer", task: "look" } }] },
		{ text: "looks fine" },
		{ text: "reviewed" },
	];

	it("shows turns, steps, requests and calls with decisions, a subagent's nested", async () => {
		const { sessionId } = await recordSession(desk, ["review it"], delegating);
		const lines = (await run(["trace", sessionId])).out.split("\n");
		expect(lines[0]).toBe(`Session ${sessionId} in ${desk.project}: review it`);
		expect(lines[1]).toBe("1 turn, 2 steps, 2 requests, 1 tool call");
		const order = [
			/^turn-1 .*completed/,
			/^ {2}step-1 .*tools/,
			/^ {4}attempt-1 .*accepted/,
			/^ {4}delegateToSubagent/,
		];
		const places = order.map((form) => lines.findIndex((line) => form.test(line)));
		expect(places).toEqual([...places].sort((a, b) => a - b));
		expect(places).not.toContain(-1);
		expect(lines.some((line) => /^ {6}allow by \S/.test(line))).toBe(true);
		expect(lines.some((line) => /^ {8}Session /.test(line))).toBe(true);
		expect(lines.some((line) => /^ {8}turn-1 .*completed/.test(line))).toBe(true);
	});

	it("gives the same as JSON", async () => {
		const { sessionId } = await recordSession(desk, ["review it"], delegating);
		const trace = JSON.parse((await run(["trace", sessionId, "--json"])).out) as SessionTrace;
		expect(trace).toMatchObject({
			sessionId,
			title: "review it",
			totals: { turns: 1, steps: 2, toolCalls: 1 },
		});
		const [call] = trace.turns[0]?.steps[0]?.tools ?? [];
		expect(call).toMatchObject({
			name: "delegateToSubagent",
			status: "result",
			decision: { verdict: "allow" },
		});
		expect(call?.child?.trace).toMatchObject({ sessionId: call?.child?.sessionId, totals: { turns: 1 } });
	});

	it("tells the call of a subagent whose session is gone", async () => {
		const { sessionId, folder } = await recordSession(desk, ["review it"], delegating);
		for (const id of readdirSync(dirname(folder)))
			if (id !== sessionId) rmSync(join(dirname(folder), id), { recursive: true });
		expect((await run(["trace", sessionId])).out).toContain("reviewer, completed: its session");
	});

	it("says that no collector is named, and sends nothing", async () => {
		const { sessionId } = await recordSession(desk, ["hello"], [{ text: "hi" }]);
		const { code, err } = await run(["trace", sessionId, "--otlp"]);
		expect(code).toBe(1);
		expect(err).toContain("set OTEL_EXPORTER_OTLP_ENDPOINT");
	});

	it("sends a session's new turns to the named collector when it closes, and all of them when told", async () => {
		const bodies: string[] = [];
		const server = createServer((request, response) => {
			let body = "";
			request.on("data", (part) => {
				body += part;
			});
			request.on("end", () => {
				bodies.push(body);
				response.end("{}");
			});
		}).listen(0, "127.0.0.1");
		await once(server, "listening");
		const env = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
		const traced = { ...desk, around: { ...desk.around, env: { ...desk.around.env, ...env } } };
		const turnsOf = (body: string | undefined) => [...(body ?? "").matchAll(/"agi\.turn\.id"/g)].length;
		const { sessionId } = await recordSession(traced, ["one", "two"], [{ text: "a" }, { text: "b" }]);
		await recordSession(traced, ["three"], [{ text: "c" }], sessionId);
		expect(bodies.map(turnsOf)).toEqual([2, 1]);
		expect(await run(["trace", sessionId, "--otlp"], { env: traced.around.env })).toMatchObject({
			code: 0,
			err: `The trace of session ${sessionId} was sent.\n`,
		});
		expect(turnsOf(bodies[2])).toBe(3);
		server.close();
	});
});
