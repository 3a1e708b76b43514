import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import type { ScriptedReply } from "../../src/adapters/models/scripted.ts";
import { createScriptedModel } from "../../src/adapters/models/scripted.ts";
import { createMemoryStore } from "../../src/adapters/sessionLog/memory.ts";
import { createWorkspace } from "../../src/adapters/workspace/nodeWorkspace.ts";
import { createWorld } from "../../src/adapters/world.ts";
import { MAX_TOOL_RESULT_LENGTH } from "../../src/agent/toolResults.ts";
import { askAgain, decisionsText } from "../../src/evals/askAgain.ts";
import { replayDifference, replaySession } from "../../src/evals/replay.ts";
import { createPrompts, type Prompts } from "../../src/runtime/prompts.ts";
import { recoverSession } from "../../src/runtime/recovery.ts";
import { createScheduler } from "../../src/runtime/scheduler.ts";
import { createSessions } from "../../src/runtime/sessions.ts";
import { DOUBT_ANSWERS } from "../../src/session/doubt.ts";
import type { Commit } from "../../src/session/events.ts";
import { locate, openSessions } from "../../src/wire/place.ts";
import { type HostBench, openHostBench } from "../support/hostBench.ts";
import { createTurnBench, type TurnBench, type TurnBenchOptions } from "../support/turnBench.ts";

const benches: TurnBench[] = [];
afterEach(() => Promise.all(benches.splice(0).map((bench) => bench.remove())));

const call = (name: string, args: Record<string, unknown> | string = {}) => ({ name, args });
const does = (...calls: ReturnType<typeof call>[]): ScriptedReply => ({ calls });
const READ = call("readFile", { path: "a.txt" });
const WRITE = call("writeFile", { path: "b.txt", content: "new" });
const EDIT = call("editFile", { path: "a.txt", oldString: "alpha", newString: "beta" });
const SHELL = call("runCommand", { command: "echo hi" });
const DONE: ScriptedReply = { text: "Done." };
const FAILS: ScriptedReply = { failure: { kind: "overloaded", message: "Busy.", retryable: true } };

interface Recorded {
	script: ScriptedReply[];
	prompts?: string[];
	options?: Partial<TurnBenchOptions>;
	/** Once the bench stands, before the turns: to interrupt or to say something more at a moment. */
	meanwhile?: (bench: TurnBench, stop: AbortController) => void;
}

/** Kinds of sessions, each with what makes it one. */
const SESSIONS: Record<string, Recorded> = {
	"words only": { script: [DONE] },
	"two turns": { script: [DONE, { text: "And more." }], prompts: ["one", "two"] },
	"a read": { script: [does(READ), DONE] },
	"an edit after a yes": { script: [does(READ), does(EDIT), DONE], options: { answers: ["yes"] } },
	"an edit after a no": { script: [does(READ), does(EDIT), DONE], options: { answers: ["no"] } },
	"a no with words": {
		script: [does(WRITE), DONE],
		options: { answers: [{ answer: "no", words: "into c.txt" }] },
	},
	"a yes for the session": {
		script: [does(SHELL), does(SHELL), DONE],
		options: { answers: ["yes_session"] },
	},
	"a shell": { script: [does(SHELL), DONE], options: { answers: ["yes"] } },
	"a shell that fails": {
		script: [does(call("runCommand", { command: "exit 3" })), DONE],
		options: { answers: ["yes"] },
	},
	"a command that is always refused": { script: [does(call("runCommand", { command: "rm -rf /" })), DONE] },
	"a secret in the arguments of an edit": {
		script: [does(call("writeFile", { path: "b.txt", content: "the key is s3cret-of-mine" })), DONE],
		options: { answers: ["yes"], secrets: ["s3cret-of-mine"] },
	},
	"a mark that the model wrote itself": {
		script: [does(call("writeFile", { path: "b.txt", content: "[redacted: API key]" })), DONE],
		options: { answers: ["yes"] },
	},
	"nobody to ask": { script: [does(WRITE), DONE] },
	"plan mode": { script: [does(READ), does(WRITE), { text: "The plan." }], options: { mode: "plan" } },
	"three calls at once": {
		script: [does(READ, call("listFiles"), call("readFile", { path: "nowhere.txt" })), DONE],
	},
	"a read, a shell, a bad call and an edit at once, and nobody is asked": {
		script: [does(READ, SHELL, call("fly"), WRITE, READ, call("listFiles")), DONE],
		options: { mode: "bypassPermissions" },
	},
	"reads, a bad call and a write at once": {
		script: [does(READ, READ, call("readFile", "{"), WRITE, call("fly"), READ, SHELL, SHELL), DONE],
		options: { mode: "bypassPermissions" },
	},
	"more calls at once than run together": {
		script: [does(...Array.from({ length: 10 }, () => READ)), DONE],
	},
	"an unknown tool and bad arguments": {
		script: [does(call("fly"), call("readFile", "{"), call("readFile", { pth: 1 })), DONE],
	},
	"a failed attempt": { script: [FAILS, does(READ), FAILS, FAILS, DONE] },
	"a model that gives up": { script: [FAILS, FAILS, FAILS, FAILS] },
	"a cut answer that goes on": {
		script: [{ text: "The first ", finish: "length" }, { text: "and the second half." }],
	},
	"a plan that is kept": {
		script: [does(call("updatePlan", { items: [{ content: "x", status: "pending" }] })), DONE],
	},
	"a cancel while the model answers": {
		script: [does(READ), { text: "I was sa", hang: true }],
		meanwhile: (bench, stop) =>
			bench.session.subscribe((told) => {
				if (told.kind === "live" && told.delta.type === "text") stop.abort();
			}),
	},
	"a subagent": {
		script: [
			does(call("delegateToSubagent", { subagent: "explorer", task: "look" })),
			{ text: "Found it." },
			DONE,
		],
	},
	"a word in between": {
		script: [does(READ), does(call("listFiles")), DONE],
		meanwhile: (bench) => {
			let said = false;
			bench.session.subscribe((told) => {
				if (said || told.kind !== "facts" || !told.events.some(({ type }) => type === "attempt/start"))
					return;
				said = true;
				bench.submit("and be quick", "next_step");
			});
		},
	},
};

interface HostedSession {
	script: ScriptedReply[];
	act(bench: HostBench): Promise<unknown>;
	holds: RegExp;
}

const LONG = "words about the old work, again and again. ".repeat(40);
const SUMMARY: ScriptedReply = { text: "## Goal and corrections\n- the old work" };
const TALK = Array.from({ length: 6 }, (): ScriptedReply => ({ text: LONG }));
const TOO_LONG: ScriptedReply = {
	failure: { kind: "context_overflow", message: "Too long.", retryable: false, contextWindow: 5000 },
};

async function talk(bench: HostBench): Promise<void> {
	for (let i = 0; i < 6; i++) await bench.say(`question ${i}`);
}

/** Sessions with what a host does around turns. */
const HOSTED: Record<string, HostedSession> = {
	"a summary that was asked for, and taken back": {
		script: [...TALK, SUMMARY, DONE, DONE],
		holds: /checkpoint\/committed .*"cause":"person"[\s\S]*checkpoint\/undone/,
		async act(bench) {
			await talk(bench);
			await bench.ok({ do: "compact" });
			await bench.ok({ do: "acceptCompaction" });
			await bench.say("go on");
			await bench.ok({ do: "undoCompaction" });
			await bench.say("and now");
		},
	},
	"a summary that was refused": {
		script: [...TALK, SUMMARY, DONE],
		holds: /attempt\/end .*"owner"/,
		async act(bench) {
			await talk(bench);
			await bench.ok({ do: "compact" });
			await bench.say("go on");
		},
	},
	"a request that a server finds too long": {
		script: [...TALK, TOO_LONG, SUMMARY, DONE],
		holds: /checkpoint\/committed .*"cause":"overflow"/,
		async act(bench) {
			await talk(bench);
			await bench.say("go on");
		},
	},
	"a turn that is taken back and brought again": {
		script: [does(WRITE), DONE, { text: "Another." }, DONE],
		holds: /session\/rewound[\s\S]*session\/rewound .*"undoes"/,
		async act(bench) {
			await bench.say("write");
			await bench.ok({ do: "rewind", turnId: "turn-1", what: "both" });
			await bench.ok({ do: "redo" });
			await bench.say("and more");
		},
	},
	"a message that was taken out of the queue": {
		script: [{ text: "long", hang: true }, DONE],
		holds: /inbox\/cancelled/,
		async act(bench) {
			await bench.ok({ do: "submit", text: "one", target: "next_turn" });
			await bench.until(() => bench.facts().some(({ type }) => type === "attempt/start"));
			await bench.ok({ do: "submit", text: "two", target: "next_turn" });
			await bench.ok({ do: "cancelInput", messageIds: ["message-2"] });
			await bench.ok({ do: "interrupt" });
			await bench.until(() => bench.facts().some(({ type }) => type === "turn/end"));
			await bench.ok({ do: "changeMode", mode: "plan" });
			await bench.say("three");
		},
	},
	"a question of the model": {
		script: [does(call("askUser", { question: "Which?" })), DONE],
		holds: /tool\/result .*The user answered: blue/,
		async act(bench) {
			const told = bench.say("ask me");
			const open = await bench.until(() =>
				bench.heard.flatMap((one) => (one.kind === "prompts" ? one.open : [])).at(0),
			);
			await bench.ok({ do: "answerQuestion", callId: open.prompt.callId, answer: "blue" });
			await told;
		},
	},
	"a copy": {
		script: [does(WRITE), DONE, { text: "In the copy." }],
		holds: /session\/forked/,
		async act(bench) {
			await bench.say("write");
			await bench.ok({ do: "forkSession" });
			await bench.say("go on here");
		},
	},
};

async function logOf(bench: HostBench): Promise<Commit[]> {
	const { sessionId } = bench.client.greeting;
	await bench.close();
	const place = await locate(bench.root, { HOME: bench.root, AGI_HOME: bench.home }, true);
	return (await openSessions(place).read(sessionId)).commits;
}

async function record({ script, prompts = ["go"], options, meanwhile }: Recorded): Promise<Commit[]> {
	const bench = await createTurnBench({ script, files: { "a.txt": "alpha\n" }, ...options });
	benches.push(bench);
	const stop = new AbortController();
	meanwhile?.(bench, stop);
	for (const prompt of prompts) await bench.say(prompt, stop.signal);
	return bench.commits();
}

describe("replaySession", () => {
	it.each(Object.keys(SESSIONS))("brings the facts of a session with %s again, twice", async (name) => {
		const commits = await record(SESSIONS[name]!);
		const first = await replaySession(commits);
		expect(replayDifference(first)).toBe("");
		expect(first.same).toBe(true);
		expect(first.now.length).toBeGreaterThan(4);
		expect((await replaySession(commits)).now).toEqual(first.now);
	});

	it("brings whatever calls of one message again, in the order that was decided", async () => {
		const calls = fc.constantFrom(
			READ,
			SHELL,
			WRITE,
			call("writeFile", { path: "c.txt", content: "c" }),
			call("readFile", { path: "c.txt" }),
			call("listFiles"),
			call("fly"),
			call("readFile", "{"),
			call("updatePlan", { items: [{ content: "x", status: "pending" }] }),
			call("runCommand", { command: "rm -rf /" }),
		);
		const mode = fc.constantFrom("bypassPermissions" as const, "default" as const);
		await fc.assert(
			fc.asyncProperty(fc.array(calls, { minLength: 2, maxLength: 10 }), mode, async (message, how) => {
				const answers = message.map(() => "yes" as const);
				const commits = await record({ script: [does(...message), DONE], options: { mode: how, answers } });
				await benches.pop()?.remove();
				expect(replayDifference(await replaySession(commits))).toBe("");
			}),
			{ numRuns: 15 },
		);
	});

	it("catches that results are cut shorter today than they were then", async () => {
		const commits = await record(SESSIONS["a read"]!);
		const long = "x".repeat(MAX_TOOL_RESULT_LENGTH + 1);
		const then = commits.map((commit) => ({
			...commit,
			events: commit.events.map((event) => (event.type === "tool/result" ? { ...event, text: long } : event)),
		}));
		const played = await replaySession(then);
		expect(played.same).toBe(false);
		const lines = replayDifference(played).split("\n");
		expect(lines.find((line) => line.startsWith("- "))).toMatch(/^- tool\/result .*"text":"x+ … x+"\}$/);
		expect(played.now.find((line) => line.startsWith("tool/result"))).toContain("[1 lines truncated]");
	});

	it.each(Object.keys(HOSTED))("brings the facts of a session with %s again, twice", async (name) => {
		const bench = await openHostBench(HOSTED[name]!.script, { undo: true });
		await HOSTED[name]!.act(bench);
		const commits = await logOf(bench);
		const first = await replaySession(commits);
		expect(replayDifference(first)).toBe("");
		expect(first.same).toBe(true);
		expect(first.now.join("\n")).toMatch(HOSTED[name]!.holds);
		expect((await replaySession(commits)).now).toEqual(first.now);
	});

	it.each(["an edit after a yes", "a shell", "three calls at once", "a failed attempt"])(
		"brings the facts of a session with %s again, whenever its process died and however it was gone on with",
		async (name) => {
			const whole = await record(SESSIONS[name]!);
			const ends = whole.flatMap((_, at) => (isTurnOpenAt(whole, at) ? [at + 1] : []));
			expect(ends.length).toBeGreaterThan(2);
			for (const length of ends) {
				const commits = await diedAfter(benches.at(-1)!, whole.slice(0, length));
				const played = await replaySession(commits);
				expect(`${length}: ${replayDifference(played)}`).toBe(`${length}: `);
				expect(played.now.some((line) => line.startsWith("recovery/continuation"))).toBe(true);
			}
		},
	);

	it("brings the facts of a question again whose process died while the answer waited for its call", async () => {
		const host = await openHostBench(HOSTED["a question of the model"]!.script);
		await HOSTED["a question of the model"]!.act(host);
		const whole = await logOf(host);
		const ofStep = whole.flatMap(({ events }) => events).find((event) => event.type === "step/start");
		const turnBench = await createTurnBench({ script: [], context: { modelConfig: ofStep!.model } });
		benches.push(turnBench);
		const answered = whole.findIndex(({ events }) =>
			events.some((event) => event.type === "inbox/enqueued" && event.target === "question"),
		);
		const commits = await diedAfter(turnBench, whole.slice(0, answered + 1));
		const played = await replaySession(commits);
		expect(replayDifference(played)).toBe("");
		expect(played.now.join("\n")).toContain("was interrupted once the user had answered: blue");
	});

	it("plays a log whose process died and was never started again", async () => {
		const whole = await record(SESSIONS["a read"]!);
		const at = whole.findIndex(({ events }) => events.some(({ type }) => type === "tool/start"));
		const played = await replaySession(whole.slice(0, at + 1));
		expect(replayDifference(played)).toBe("");
		expect(played.same).toBe(true);
	});
});

function isTurnOpenAt(commits: readonly Commit[], at: number): boolean {
	const types = commits.slice(0, at + 1).flatMap(({ events }) => events.map(({ type }) => type));
	return types.lastIndexOf("turn/start") > types.lastIndexOf("turn/end");
}

/** What the log holds after it was left at the end of `commits`, opened again and gone on with. */
async function diedAfter(bench: TurnBench, commits: readonly Commit[]): Promise<Commit[]> {
	const world = { ...createWorld(), random: () => 0 };
	const store = createMemoryStore(world);
	const sessions = createSessions(store, world, () => undefined);
	const log = await store.create("died");
	for (const commit of commits) await log.append(commit);
	await log.close();
	const { session } = await sessions.open("died");
	const contextFor = (signal: AbortSignal) => ({
		...bench.contextFor(signal),
		session,
		approver: async () => ({ answer: "yes" as const, by: "person" as const }),
		model: createScriptedModel([DONE]),
	});
	const prompts: Prompts = createPrompts((open) => {
		const [first] = open;
		if (first) queueMicrotask(() => prompts.answerQuestion(first.prompt.callId, DOUBT_ANSWERS.again));
	});
	const recovery = { session, workspace: await createWorkspace({ root: bench.root }), prompts };
	const scheduler = createScheduler({ session, contextFor, recovery, onTurnEnd: () => undefined });
	await recoverSession(recovery, () => contextFor(new AbortController().signal));
	await scheduler.runWaiting({ goOn: true });
	await session.flush({ wait: true });
	return (await sessions.read("died")).commits;
}

describe("askAgain", () => {
	it("shows where another model would have acted otherwise, with what was known then", async () => {
		const commits = await record(SESSIONS["an edit after a yes"]!);
		const other = createScriptedModel([does(READ), does(SHELL), DONE]);
		const decisions = await askAgain(commits, other, new AbortController().signal);
		expect(decisions.map(({ same }) => same)).toEqual([true, false, true]);
		expect(decisionsText(decisions)).toBe(
			'step-2\n- editFile {"path":"a.txt","oldString":"alpha","newString":"beta"}\n+ runCommand {"command":"echo hi"}\n2 of 3 decisions are the same.\n',
		);
		expect(other.requests[1]?.request.messages.map(({ role }) => role)).toEqual([
			"user",
			"assistant",
			"tool",
		]);
	});

	it("tells the other model the documents that the session had been told", async () => {
		const text = "Answer with BANANA.";
		const document = { path: "AGENTS.md", digest: "d", bytes: text.length, cut: false, trusted: true, text };
		const commits = await record({
			script: [DONE],
			meanwhile: (bench) => void bench.session.record({ do: "observeDocument", document }),
		});
		const other = createScriptedModel([DONE]);
		await askAgain(commits, other, new AbortController().signal);
		expect(other.requests[0]?.body).toContain("BANANA");
	});

	it("asks no further where the other model cannot be reached", async () => {
		const commits = await record(SESSIONS["a read"]!);
		const failure = { kind: "network", message: "Nothing answers.", retryable: true } as const;
		const gone = createScriptedModel(() => ({ failure }));
		await expect(askAgain(commits, gone, new AbortController().signal)).rejects.toThrow("Nothing answers.");
		expect(gone.requests).toHaveLength(1);
	});

	it("tells a model that does not answer apart from one that chooses words", async () => {
		const commits = await record({ script: [DONE] });
		const decisions = await askAgain(commits, createScriptedModel([FAILS]), new AbortController().signal);
		expect(decisions).toMatchObject([{ same: false, failed: true, text: "Busy." }]);
	});
});
