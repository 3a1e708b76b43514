import { afterEach, describe, expect, it } from "vitest";
import type { ScriptedReply } from "../../src/adapters/models/scripted.ts";
import { createScriptedModel } from "../../src/adapters/models/scripted.ts";
import { MAX_TOOL_RESULT_LENGTH } from "../../src/agent/toolResults.ts";
import { askAgain, decisionsText } from "../../src/evals/askAgain.ts";
import { replayDifference, replaySession } from "../../src/evals/replay.ts";
import { readTape } from "../../src/evals/tape.ts";
import type { Commit } from "../../src/session/events.ts";
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
	"nobody to ask": { script: [does(WRITE), DONE] },
	"plan mode": { script: [does(READ), does(WRITE), { text: "The plan." }], options: { mode: "plan" } },
	"three calls at once": {
		script: [does(READ, call("listFiles"), call("readFile", { path: "nowhere.txt" })), DONE],
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

	it("plays a session that was interrupted only up to there, and says why", async () => {
		const commits = await record(SESSIONS["a read"]!);
		const notes = { type: "recovery/continuation" as const, interruptedTurnId: "turn-1", notes: [] };
		const played = await replaySession([
			...commits,
			{ ...commits.at(-1)!, seq: commits.length + 1, events: [notes] },
		]);
		expect(played).toMatchObject({ same: true, endsBecause: "agi was interrupted there" });
	});
});

describe("readTape", () => {
	it("is cut after the last whole turn before the conversation was summed up", async () => {
		const commits = await record(SESSIONS["two turns"]!);
		const at = commits.findLastIndex(({ events }) => events.some(({ type }) => type === "turn/start"));
		const summary = {
			type: "checkpoint/committed" as const,
			checkpointId: "checkpoint-1",
			cause: "threshold" as const,
			upTo: 1,
			kept: [],
			summary: "s",
			tokensBefore: 2,
			tokensAfter: 1,
		};
		const events = [...commits[at]!.events, summary];
		const tape = readTape(commits.with(at, { ...commits[at]!, events }));
		expect(tape?.endsBecause).toBe("the conversation was summed up there");
		expect(tape?.events.at(-1)).toMatchObject({ type: "turn/end", turnId: "turn-1" });
		expect(tape?.attempts).toHaveLength(1);
	});
});

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

	it("tells a model that does not answer apart from one that chooses words", async () => {
		const commits = await record({ script: [DONE] });
		const decisions = await askAgain(commits, createScriptedModel([FAILS]), new AbortController().signal);
		expect(decisions).toMatchObject([{ same: false, failed: true, text: "Busy." }]);
	});
});
