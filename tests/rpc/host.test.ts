import { chmodSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createJsonlStore } from "../../src/adapters/sessionLog/jsonl.ts";
import { createWorld } from "../../src/adapters/world.ts";
import { createSessions } from "../../src/runtime/sessions.ts";
import { startCaseServer } from "../support/caseServer.ts";
import { type HostBench, openHostBench } from "../support/hostBench.ts";
import { ASKED, accept, decided, startCall } from "../support/sessionSteps.ts";

const lastSwitch = (bench: HostBench) => bench.heard.findLast((one) => one.kind === "session");

describe("newSession", () => {
	it("ends the running turn, opens another session and tells it", async () => {
		const bench = await openHostBench([{ hang: true }, { text: "second session" }], { mode: "acceptEdits" });
		const first = bench.client.greeting.sessionId;
		await bench.ok({ do: "submit", text: "go", target: "next_turn" });
		await bench.until(() => bench.model.requests.length === 1);
		await bench.ok({ do: "newSession" });
		expect(bench.facts().findLast((event) => event.type === "turn/end")).toMatchObject({
			status: "cancelled",
		});
		expect(lastSwitch(bench)).toMatchObject({ greeting: { mode: "acceptEdits" }, notices: [] });
		expect(bench.client.greeting.sessionId).not.toBe(first);
		expect(bench.client.greeting.state.history).toEqual([]);
		await bench.say("hello");
		expect(bench.model.requests[1]?.request.messages.map((message) => message.text)).toEqual(["hello"]);
	});

	it("is heard of no more by the old session's client events", async () => {
		const bench = await openHostBench();
		await bench.say("one");
		await bench.ok({ do: "newSession" });
		const heard = bench.heard.length;
		await bench.say("two");
		const commits = bench.heard.slice(heard).flatMap((one) => (one.kind === "facts" ? [one.seq] : []));
		expect(new Set(commits).size).toBe(commits.length);
	});
});

/** A session of the bench's project whose process died inside of a command. */
async function interruptedSession(bench: HostBench): Promise<string> {
	const world = createWorld();
	const folder = join(bench.home, "data", "projects", bench.projectId, "sessions");
	const sessions = createSessions(createJsonlStore({ folder, digest: world.digest }), world, () => undefined);
	const session = await sessions.create({
		cwd: bench.root,
		projectId: bench.projectId,
		agiVersion: "test",
		startedOn: "2026-11-29",
		mode: "default",
	});
	const run = {
		providerId: "c",
		name: "runCommand",
		args: { command: "make deploy" },
		tool: { version: 1, effects: "possible", recovery: "manual" },
	} as const;
	for (const command of [...ASKED, accept("", run), decided("c", "allow"), startCall("c")]) {
		session.record(command);
		await session.flush({ wait: true });
	}
	await session.close();
	return session.state.sessionId;
}

describe("resumeSession, after a death", () => {
	it("tells the switch, then the question, takes no other answer, and goes on after it", async () => {
		const bench = await openHostBench([{ text: "It is deployed." }]);
		const id = await interruptedSession(bench);
		await bench.ok({ do: "resumeSession", id });
		await bench.until(() => bench.heard.find((one) => one.kind === "prompts" && one.open.length > 0));
		const order = bench.heard.filter((one) => one.kind === "session" || one.kind === "prompts");
		expect(order.map((one) => one.kind)).toEqual(["session", "prompts"]);
		expect(lastSwitch(bench)).toMatchObject({
			notices: [expect.stringContaining("ended in the middle of a turn")],
		});
		expect(await bench.refusal({ do: "answerQuestion", callId: "c", answer: "maybe" })).toMatch(
			/Choose one of/,
		);
		await bench.ok({ do: "answerQuestion", callId: "c", answer: "It ran" });
		await bench.until(() => bench.heard.find((one) => one.kind === "turnEnded"));
		expect(bench.model.requests[0]?.request.messages.map((message) => message.text).join()).toContain(
			"The user says that it ran",
		);
	});

	it("tells a question that waits to whoever listens later", async () => {
		const bench = await openHostBench();
		await bench.ok({ do: "resumeSession", id: await interruptedSession(bench) });
		await bench.until(() => bench.heard.find((one) => one.kind === "prompts" && one.open.length > 0));
		const later: string[] = [];
		bench.client.listen((one) => later.push(one.kind));
		expect(later).toEqual(["prompts"]);
	});
});

describe("resumeSession", () => {
	it("goes on with an old session, its history in the next request", async () => {
		const bench = await openHostBench([{ text: "noted" }, { text: "blue" }]);
		await bench.say("remember blue");
		const first = bench.client.greeting.sessionId;
		await bench.ok({ do: "newSession" });
		await bench.ok({ do: "resumeSession", id: first });
		expect(lastSwitch(bench)).toMatchObject({ greeting: { sessionId: first } });
		await bench.say("which colour?");
		expect(bench.model.requests[1]?.request.messages.map((message) => message.text)).toEqual([
			"remember blue",
			"noted",
			"which colour?",
		]);
	});

	it("leaves the person where they are when there is no such session", async () => {
		const bench = await openHostBench();
		const { sessionId } = bench.client.greeting;
		expect(await bench.refusal({ do: "resumeSession", id: "nothing" })).toContain("No session nothing");
		expect(await bench.refusal({ do: "resumeSession", id: sessionId })).toContain("in that session already");
		await bench.say("still here");
		expect(bench.client.greeting.sessionId).toBe(sessionId);
	});
});

describe("forkSession", () => {
	it("goes on in a copy and leaves the old one as it was", async () => {
		const bench = await openHostBench([{ text: "noted" }]);
		await bench.say("remember blue");
		const first = bench.client.greeting.sessionId;
		await bench.ok({ do: "forkSession" });
		await bench.say("only in the copy");
		const sessions = await bench.ok({ do: "listSessions" });
		expect(sessions.map(({ id, turns }) => ({ isFirst: id === first, turns }))).toEqual([
			{ isFirst: false, turns: 2 },
			{ isFirst: true, turns: 1 },
		]);
		expect(lastSwitch(bench)?.notices).toEqual(['Copied from "remember blue" up to its end.']);
	});

	it("ends the copy with a closed step inside of a turn, says so, and asks on from there", async () => {
		const bench = await openHostBench([
			{ calls: [{ id: "a", name: "writeFile", args: { path: "a.txt", content: "1" } }] },
			{ calls: [{ id: "b", name: "writeFile", args: { path: "a.txt", content: "2" } }] },
			{ text: "both are done" },
			{ text: "from the copy" },
		]);
		await bench.say("write twice");
		await bench.ok({ do: "forkSession", afterStep: "step-1" });
		expect(lastSwitch(bench)?.notices).toEqual([
			'Copied from "write twice" up to the end of step-1. No file was changed.',
		]);
		expect(readFileSync(join(bench.root, "a.txt"), "utf8")).toBe("2");
		await bench.say("another way");
		const { messages } = bench.model.requests.at(-1)!.request;
		expect(messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "user"]);
		expect(messages.at(-1)?.text).toBe("another way");
	});

	it("copies a closed step while a turn runs, and cancels that turn in the old session", async () => {
		const bench = await openHostBench([{ text: "noted" }, { hang: true }, { text: "from the copy" }]);
		await bench.say("remember blue");
		await bench.ok({ do: "submit", text: "and red", target: "next_turn" });
		await bench.until(() => bench.model.requests.length === 2);
		expect(await bench.refusal({ do: "forkSession", afterStep: "2" })).toMatch(
			/no ended step step-2: its last one that ended is step-1/,
		);
		await bench.ok({ do: "forkSession", afterStep: "1" });
		expect(bench.facts().findLast((event) => event.type === "turn/end")).toMatchObject({
			status: "cancelled",
		});
		expect(lastSwitch(bench)?.notices).toEqual([
			expect.stringContaining("up to the end of step-1"),
			"The turn that was running there is cancelled.",
		]);
		await bench.say("what did I say?");
		expect(bench.model.requests.at(-1)!.request.messages.map(({ text }) => text)).toEqual([
			"remember blue",
			"noted",
			"what did I say?",
		]);
	});

	it("leaves the person where they are when that step did not end", async () => {
		const bench = await openHostBench();
		await bench.say("one");
		const { sessionId } = bench.client.greeting;
		expect(await bench.refusal({ do: "forkSession", afterStep: "step-9" })).toBe(
			`Session ${sessionId} has no ended step step-9: its last one that ended is step-1.`,
		);
		expect(bench.client.greeting.sessionId).toBe(sessionId);
	});

	it("copies another session by its id, which stays as it was", async () => {
		const bench = await openHostBench([{ text: "noted" }, { text: "other" }]);
		await bench.say("remember blue");
		const first = bench.client.greeting.sessionId;
		await bench.ok({ do: "newSession" });
		await bench.say("something else");
		await bench.ok({ do: "forkSession", id: first, afterStep: "1" });
		expect(bench.client.greeting.sessionId).not.toBe(first);
		expect(bench.client.greeting.state.history).toHaveLength(2);
		expect(bench.client.greeting.state.title).toBe("remember blue");
	});
});

describe("forkPoints", () => {
	it("tells the closed steps, the newest first, those that a copy brought along too", async () => {
		const bench = await openHostBench([{ calls: [{ name: "listFiles", args: {} }] }, { text: "one" }]);
		expect(await bench.ok({ do: "forkPoints" })).toEqual([]);
		await bench.say("look");
		await bench.ok({ do: "forkSession" });
		await bench.say("again");
		const points = await bench.ok({ do: "forkPoints" });
		expect(points.map(({ stepId, text, endsTurn }) => [stepId, text, endsTurn])).toEqual([
			["step-3", "again", true],
			["step-2", "look", true],
			["step-1", "look", false],
		]);
	});
});

describe("listSessions", () => {
	it("finds by words of the title or the id's beginning, and leaves out empty sessions", async () => {
		const bench = await openHostBench();
		await bench.say("Mend the parser");
		await bench.ok({ do: "newSession" });
		await bench.say("write docs");
		await bench.ok({ do: "newSession" });
		const titles = async (query?: string) =>
			(await bench.ok({ do: "listSessions", ...(query === undefined ? {} : { query }) })).map(
				({ title }) => title,
			);
		expect(await titles()).toEqual(["write docs", "Mend the parser"]);
		expect(await titles("PARSER mend")).toEqual(["Mend the parser"]);
		expect(await titles("nothing")).toEqual([]);
	});

	it("finds by what was said, behind the titles, with the place", async () => {
		const bench = await openHostBench([{ text: "It was the zebrafish, I think." }, { text: "ok" }]);
		await bench.say("Which fish?");
		await bench.ok({ do: "newSession" });
		await bench.say("feed the zebrafish");
		await bench.ok({ do: "newSession" });
		const found = await bench.ok({ do: "listSessions", query: " zebrafish " });
		expect(found.map(({ title, snippet }) => [title, snippet])).toEqual([
			["feed the zebrafish", undefined],
			["Which fish?", "It was the zebrafish, I think."],
		]);
	});
});

describe("switchModel", () => {
	it("asks the new server from the next step on and records it", async () => {
		const server = await startCaseServer([{ text: "from the server" }]);
		onTestFinished(() => server.close());
		const bench = await openHostBench([{ text: "scripted" }]);
		await bench.say("one");
		const shown = await bench.ok({ do: "switchModel", model: "case-model", baseUrl: server.baseUrl });
		expect(shown).toMatchObject({
			model: "case-model",
			profile: "custom",
			priceKnown: false,
			offline: false,
		});
		expect(bench.heard.at(-1)).toEqual({ kind: "model", model: shown });
		expect(bench.client.greeting.model).toBe("case-model");
		await bench.say("two");
		expect(server.violations).toEqual([]);
		const steps = bench.facts().flatMap((event) => (event.type === "step/start" ? [event.model.model] : []));
		expect(steps).toEqual(["scripted", "case-model"]);
		const { models } = await bench.ok({ do: "cost" });
		expect(models.map((entry) => entry.model)).toEqual(["scripted", "case-model"]);
	});

	it("holds for the sessions opened later", async () => {
		const bench = await openHostBench();
		await bench.ok({ do: "switchModel", model: "offline" });
		await bench.ok({ do: "newSession" });
		expect(bench.client.greeting).toMatchObject({ model: "offline", offline: true, priceKnown: true });
	});

	it("is refused with the reason where there is no key, and the old model stays", async () => {
		const bench = await openHostBench();
		const message = await bench.refusal({ do: "switchModel", model: "gpt-5", profile: "openai" });
		expect(message).toContain("No key for api.openai.com");
		expect(bench.client.greeting.model).toBe("scripted");
	});
});

describe("listModels", () => {
	it("names the offline model where it answers", async () => {
		const bench = await openHostBench(undefined, { model: { kind: "offline" } });
		expect(await bench.ok({ do: "listModels" })).toEqual(["offline"]);
	});
});

describe("listFiles", () => {
	it("tells the workspace's files without those that git ignores", async () => {
		const bench = await openHostBench();
		bench.write(".gitignore", "dist/\n");
		bench.write("dist/out.js", "");
		bench.write("src/a b.ts", "");
		const paths = await bench.ok({ do: "listFiles" });
		expect(paths).toContain("src/a b.ts");
		expect(paths).not.toContain("dist/out.js");
	});
});

describe("promptHistory", () => {
	it("tells what was typed in this project, the newest first, each once, over sessions", async () => {
		const bench = await openHostBench(undefined, { secrets: ["super-secret-value"] });
		await bench.say("first");
		await bench.ok({ do: "shell", command: "true" });
		await bench.ok({ do: "newSession" });
		await bench.say("with super-secret-value");
		await bench.say("first");
		expect(await bench.ok({ do: "promptHistory" })).toEqual(["first", "with [redacted: secret]", "!true"]);
	});

	it("is kept readable by nobody else", async () => {
		const bench = await openHostBench();
		await bench.say("hello");
		await bench.ok({ do: "promptHistory" });
		const file = join(bench.home, "data", "projects", bench.projectId, "history.jsonl");
		expect(statSync(file).mode & 0o777).toBe(0o600);
		expect(readFileSync(file, "utf8")).toBe('{"text":"hello"}\n');
	});
});

describe("greeting", () => {
	it("tells trust, price and branch, and a turn that changed the branch", async () => {
		const bench = await openHostBench(
			[{ calls: [{ name: "runCommand", args: { command: "git checkout -q -b next" } }] }, { text: "done" }],
			{ trusted: true },
		);
		expect(bench.client.greeting).toMatchObject({ trusted: true, priceKnown: false, branch: null });
		bench.git("init", "-q", "-b", "main");
		bench.git("commit", "-qm", "start", "--allow-empty");
		await bench.ok({ do: "newSession" });
		expect(bench.client.greeting.branch).toBe("main");
		await bench.say("switch");
		expect(bench.heard.filter((one) => one.kind === "branch")).toEqual([{ kind: "branch", branch: "next" }]);
	});
});

describe("saveLogin", () => {
	it("stores a login that a switch then uses", async () => {
		const server = await startCaseServer([{ text: "hello" }]);
		onTestFinished(() => server.close());
		const bench = await openHostBench();
		const login = { profile: "custom", baseUrl: server.baseUrl, apiKey: "sk-stored", model: "case-model" };
		await bench.ok({ do: "saveLogin", ...login });
		await bench.ok({ do: "switchModel", model: login.model, profile: login.profile, baseUrl: login.baseUrl });
		await bench.say("hello");
		expect(server.requests[0]?.headers.authorization).toBe("Bearer sk-stored");
		expect(JSON.stringify(bench.heard)).not.toContain("sk-stored");
	});

	it("is refused where a file of the person cannot be read as JSON, and leaves it alone", async () => {
		const bench = await openHostBench();
		await bench.ok({ do: "saveLogin", profile: "ollama", model: "m" });
		const file = join(bench.home, "config", "settings.json");
		writeFileSync(file, "{ half");
		chmodSync(file, 0o600);
		expect(await bench.refusal({ do: "saveLogin", profile: "ollama", model: "n" })).toContain(
			"is no JSON object",
		);
		expect(readFileSync(file, "utf8")).toBe("{ half");
	});
});

describe("createHost", () => {
	it("lists the providers without the models it knows of them", async () => {
		const bench = await openHostBench();
		const profiles = await bench.ok({ do: "listProfiles" });
		expect(profiles.find((profile) => profile.name === "openai")).toEqual({
			name: "openai",
			title: "OpenAI",
			baseUrl: "https://api.openai.com/v1",
			local: false,
			keyVariable: "OPENAI_API_KEY",
		});
	});
});
