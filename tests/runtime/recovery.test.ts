import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { createWorkspace } from "../../src/adapters/workspace/nodeWorkspace.ts";
import type { LeftProcesses } from "../../src/ports/processes.ts";
import { createPrompts, type OpenPrompt } from "../../src/runtime/prompts.ts";
import { finishInterrupted, recoverSession } from "../../src/runtime/recovery.ts";
import type { CallRecord, Command } from "../../src/session/commands.ts";
import { outline } from "../support/outline.ts";
import {
	ASKED,
	accept,
	decided,
	requestApproval,
	resolveApproval,
	startCall,
	submit,
} from "../support/sessionSteps.ts";
import { createTurnBench, type TurnBench, type TurnBenchOptions } from "../support/turnBench.ts";

let bench: TurnBench;
afterEach(() => bench.remove());

const digestOf = (text: string) => bench.contextFor(new AbortController().signal).world.digest(text);

/** A session whose process died after these commands; `prompts` where somebody can be asked. */
async function interruptedAfter(
	commands: (path: (name: string) => string) => Command[],
	options: Partial<TurnBenchOptions> & {
		asks?: (open: OpenPrompt) => string | undefined;
		left?: LeftProcesses;
		settleChild?: (childId: string) => Promise<void>;
	} = {},
) {
	bench = await createTurnBench({ script: [], ...options });
	const workspace = await createWorkspace({ root: bench.root });
	for (const command of commands((name) => join(bench.root, name))) {
		bench.session.record(command);
		await bench.session.flush({ wait: true });
	}
	const asked: OpenPrompt[] = [];
	const prompts = createPrompts((open) => {
		const question = open[0];
		if (!question || asked.includes(question)) return;
		asked.push(question);
		queueMicrotask(() => prompts.answerQuestion(question.prompt.callId, options.asks?.(question)));
	});
	const parts = {
		session: bench.session,
		workspace,
		...(options.asks ? { prompts } : {}),
		...(options.left ? { left: options.left } : {}),
		...(options.settleChild ? { settleChild: options.settleChild } : {}),
	};
	const context = () => bench.contextFor(new AbortController().signal);
	const seen = (await bench.events()).length;
	return {
		asked,
		recover: () => recoverSession(parts, context),
		finish: () => finishInterrupted(parts, context()),
		news: async () => outline((await bench.events()).slice(seen)),
	};
}

const WRITE: CallRecord = {
	providerId: "w",
	name: "writeFile",
	args: { path: "n.txt", content: "new\n" },
	tool: { version: 1, effects: "possible", recovery: "reconcile" },
};
const RUN: CallRecord = {
	providerId: "c",
	name: "runCommand",
	args: { command: "echo ran >> ran" },
	tool: { version: 1, effects: "possible", recovery: "manual" },
};
const CLOSED = ["step/end interrupted", "turn/end failed interrupted", "recovery/continuation"];

/** A write that was started over `old`. */
const startedWrite =
	(old: string | null, call = WRITE) =>
	(path: (name: string) => string): Command[] => [
		...ASKED,
		accept("", call),
		decided("w", "allow"),
		{
			do: "startCall",
			callId: "w",
			before: [{ path: path("n.txt"), digest: old === null ? null : digestOf(old) }],
			after: [{ path: path("n.txt"), digest: digestOf("new\n") }],
		},
	];
const startedCommand = () => [...ASKED, accept("", RUN), decided("c", "allow"), startCall("c")];

/** A machine on which one process of each started call still runs. */
function leftOf(end: "ended" | "gone" | "stays"): LeftProcesses & { ended: string[] } {
	const ended: string[] = [];
	return {
		ended,
		runningOf: (owner) => (owner.endsWith("/c") ? [4711, 4712] : []),
		async end(owner) {
			ended.push(owner);
			return end;
		},
	};
}

describe("recoverSession", () => {
	it("has nothing to say of a session at rest, and appends nothing", async () => {
		const { recover, news } = await interruptedAfter(() => []);
		expect(await recover()).toEqual({ notices: [] });
		expect(await news()).toEqual([]);
	});

	it("closes a turn that nothing is left of, tells it in two lines, and finds nothing the next time", async () => {
		const { recover, news } = await interruptedAfter(() => ASKED, { asks: () => undefined });
		const { notices, question } = await recover();
		expect(notices).toEqual([
			'agi ended in the middle of a turn ("hi"). All that was recorded is here.',
			expect.stringMatching(/request to the model was interrupted.*Press Enter/),
		]);
		expect(question).toBeUndefined();
		const events = await news();
		expect(events).toEqual(["attempt/end interrupted", ...CLOSED]);
		expect((await recover()).notices).toEqual([
			expect.stringContaining("not gone on with"),
			expect.stringMatching(/request to the model was interrupted.*Press Enter/),
		]);
		expect(await news()).toEqual(events);
	});

	it("tells of no key to press where nobody is there to press one", async () => {
		const { recover } = await interruptedAfter(() => ASKED);
		const told = [...(await recover()).notices, ...(await recover()).notices];
		expect(told).toHaveLength(4);
		expect(told.join()).not.toContain("Press");
	});

	it("tells in two lines of messages that no turn has begun with, and of the first alone without a person", async () => {
		const [submit] = ASKED;
		const attended = await interruptedAfter(() => [submit!], { asks: () => undefined });
		expect((await attended.recover()).notices).toEqual([
			'agi ended before it began with "hi".',
			"It waits in the queue. Press Enter to send it, or write more.",
		]);
		expect(await attended.news()).toEqual([]);
		await bench.remove();
		const alone = await interruptedAfter(() => [submit!, submit!]);
		expect((await alone.recover()).notices).toEqual([
			expect.stringMatching(
				/^Answered first.*: "hi" and 1 more message\. .*in the session, not in this result/,
			),
		]);
	});

	it("names a long message by its beginning and cuts through no letter", async () => {
		const text = `${"x".repeat(48)}${"😀".repeat(20)}`;
		const { recover } = await interruptedAfter(() => [submit(text)], { asks: () => undefined });
		expect((await recover()).notices[0]).toBe(
			`agi ended before it began with "${"x".repeat(48)}${"😀".repeat(11)}…".`,
		);
	});

	it("tells a run without a person of no message that goes along with its own", async () => {
		const { recover } = await interruptedAfter(() => ASKED.slice(0, 3));
		expect((await recover()).notices).toEqual([
			expect.stringContaining("in the middle of a turn"),
			expect.any(String),
		]);
	});

	it("takes a write for done where the file holds what it would have written, and removes its draft", async () => {
		const { recover, news } = await interruptedAfter(startedWrite(null), { files: { "n.txt": "new\n" } });
		const draft = join(bench.root, ".agi-0123456789ab.tmp");
		writeFileSync(draft, "ne");
		writeFileSync(join(bench.root, ".agi-notes.tmp"), "mine");
		await recover();
		expect(await news()).toEqual(["tool/result w result", ...CLOSED]);
		expect([existsSync(draft), existsSync(join(bench.root, ".agi-notes.tmp"))]).toEqual([false, true]);
	});

	it("leaves the outcome open where the file is neither as before nor as after", async () => {
		const { recover, news } = await interruptedAfter(startedWrite(null), { files: { "n.txt": "else\n" } });
		await recover();
		expect(await news()).toEqual(["tool/result w outcome_unknown", ...CLOSED]);
	});

	it("runs nothing before somebody goes on: a write that did not happen waits", async () => {
		const { recover, news } = await interruptedAfter(startedWrite(null));
		expect(await recover()).toEqual({
			notices: [expect.any(String), expect.stringContaining('Not run yet: writeFile "n.txt"')],
		});
		expect(await news()).toEqual([]);
		expect(existsSync(join(bench.root, "n.txt"))).toBe(false);
	});

	it.each([
		["a started command", startedCommand, /nobody knows whether it did its work/],
		[
			"an approval that the policy still wants",
			() => [...ASKED, accept("", RUN), decided("c", "ask"), requestApproval("c")],
			/waits for a yes or no/,
		],
	])("names %s as what needs a person", async (_, commands, words) => {
		const { recover, news } = await interruptedAfter(commands);
		expect((await recover()).question).toMatch(words);
		expect(await news()).toEqual([]);
	});

	it("tells of a call in doubt in the question alone where somebody is there to be asked", async () => {
		const attended = await interruptedAfter(startedCommand, { asks: () => undefined });
		const { notices, question } = await attended.recover();
		expect(question).toMatch(/nobody knows/);
		expect(notices).toEqual([expect.stringContaining("in the middle of a turn")]);
	});

	it("has the log of a subagent closed before the call that it stood behind ends", async () => {
		const call: CallRecord = {
			providerId: "d",
			name: "delegateToSubagent",
			args: { subagent: "explorer", task: "look" },
			tool: { version: 1, effects: "none", recovery: "none" },
		};
		const spawned: Command = {
			do: "recordSubagent",
			change: { callId: "d", agent: "explorer", sessionId: "child", status: "started" },
		};
		const settled: string[] = [];
		const { recover, news } = await interruptedAfter(
			() => [...ASKED, accept("", call), decided("d", "allow"), startCall("d"), spawned],
			{
				async settleChild(childId) {
					expect(await news()).toEqual([]);
					settled.push(childId);
				},
			},
		);
		await recover();
		await recover();
		expect(settled).toEqual(["child"]);
		expect(await news()).toEqual(["tool/result d cancelled", ...CLOSED]);
	});

	it("needs nobody for an approval that the policy no longer wants", async () => {
		const waiting = () => [...ASKED, accept("", RUN), decided("c", "ask"), requestApproval("c")];
		const { recover } = await interruptedAfter(waiting, { mode: "bypassPermissions" });
		expect((await recover()).question).toBeUndefined();
	});

	it.each([
		["is of another version of its tool", { ...RUN, tool: { ...RUN.tool!, version: 9 } }],
		["held a secret", { ...RUN, args: { command: "login [redacted: secret]" } }],
	])("ends a call that waits and %s as unfinished", async (_, call) => {
		const { recover, news } = await interruptedAfter(() => [
			...ASKED,
			accept("", call),
			decided("c", "ask"),
			requestApproval("c"),
		]);
		await recover();
		expect(await news()).toEqual(["approval/resolved c cancelled", "tool/result c cancelled", ...CLOSED]);
	});
});

describe("finishInterrupted", () => {
	it("runs a write again that did not happen, and then closes the turn", async () => {
		const { finish, news } = await interruptedAfter(startedWrite(null), { mode: "bypassPermissions" });
		expect(await finish()).toBe("closed");
		expect(readFileSync(join(bench.root, "n.txt"), "utf8")).toBe("new\n");
		expect(await news()).toEqual([
			expect.stringMatching(/^policy\/decided w allow/),
			"tool/start w",
			"tool/result w result",
			...CLOSED,
		]);
	});

	it.each([
		["It ran", "result", "goOn"],
		["It did not run; run it again", "cancelled", "goOn"],
		["Leave it as it is", "outcome_unknown", "closed"],
	])("ends a call in doubt after %j, and runs nothing itself", async (answer, status, what) => {
		const { finish, news, asked } = await interruptedAfter(startedCommand, { asks: () => answer });
		expect(await finish()).toBe(what);
		expect(asked).toMatchObject([{ kind: "question", prompt: { callId: "c", freeText: false } }]);
		expect(await news()).toEqual([
			"question/asked",
			"inbox/enqueued question",
			"question/answered",
			`tool/result c ${status}`,
			...CLOSED,
		]);
		expect(existsSync(join(bench.root, "ran"))).toBe(false);
	});

	it("names the process of a started command that outlived agi", async () => {
		const left = leftOf("ended");
		const { recover } = await interruptedAfter(startedCommand, { left });
		expect((await recover()).question).toMatch(/^runCommand .* is still running \(pid 4711\)\.$/);
	});

	it.each([
		["ended", "cancelled", /was ended, and the user wants it run: call it again/],
		["gone", "outcome_unknown", /ended by itself before/],
		["stays", "outcome_unknown", /could not be ended: do not run it again/],
	] as const)(
		"ends what still runs where the person says so, and tells that it is %s",
		async (end, status, words) => {
			const left = leftOf(end);
			const asks = () => "End it and run it again";
			const { finish, asked, news } = await interruptedAfter(startedCommand, { left, asks });
			expect(await finish()).toBe("goOn");
			expect(asked).toMatchObject([
				{
					prompt: {
						question: expect.stringContaining("still running (pid 4711)"),
						options: ["It ran", "End it and run it again", "Leave it as it is"],
					},
				},
			]);
			expect(left.ended).toEqual([`${bench.session.state.sessionId}/c`]);
			expect(await news()).toContain(`tool/result c ${status}`);
			const told = bench.session.state.history.find((item) => item.kind === "tool");
			expect(told?.text).toMatch(words);
		},
	);

	it("ends nothing after another answer", async () => {
		const left = leftOf("ended");
		const { finish } = await interruptedAfter(startedCommand, { left, asks: () => "Leave it as it is" });
		expect(await finish()).toBe("closed");
		expect(left.ended).toEqual([]);
	});

	it("waits where the question finds no answer, and asks it again as the same one", async () => {
		const { finish, news } = await interruptedAfter(startedCommand, { asks: () => undefined });
		expect([await finish(), await finish()]).toEqual(["wait", "wait"]);
		const notice = { type: "notice", text: expect.stringContaining("Press Enter to be asked again") };
		expect(bench.live).toEqual([notice, notice]);
		expect(await news()).toEqual(["question/asked"]);
	});

	it("does not ask again what the person had said before the process died once more", async () => {
		const asking: Command = { do: "askQuestion", callId: "c", question: "q", options: [], secret: false };
		const answer: Command = {
			do: "answerQuestion",
			questionId: "question-1",
			callId: "c",
			answer: "It ran",
			by: "person",
		};
		const said = () => [...startedCommand(), asking, answer];
		const { finish, news, asked } = await interruptedAfter(said, { asks: () => undefined });
		expect(await finish()).toBe("closed");
		expect(asked).toEqual([]);
		expect(await news()).toEqual(["question/answered", "tool/result c result", ...CLOSED]);
	});

	it("leaves the outcome of a call in doubt unknown where nobody can be asked", async () => {
		const { finish, news } = await interruptedAfter(startedCommand);
		expect(await finish()).toBe("closed");
		expect(await news()).toEqual(["tool/result c outcome_unknown", ...CLOSED]);
	});

	it("asks for an approval again and runs the call at a yes", async () => {
		const waiting = () => [...ASKED, accept("", RUN), decided("c", "ask"), requestApproval("c")];
		const { finish, news } = await interruptedAfter(waiting, { answers: ["yes"], asks: () => undefined });
		expect(await finish()).toBe("goOn");
		expect(bench.asked).toHaveLength(1);
		expect(readFileSync(join(bench.root, "ran"), "utf8")).toBe("ran\n");
		// The recorded question was another one: it does not count for what is asked now.
		expect((await news()).slice(0, 4)).toEqual([
			expect.stringMatching(/^policy\/decided c ask/),
			"approval/resolved c expired",
			"approval/requested c",
			"approval/resolved c yes",
		]);
	});

	it("does not take a yes for a call whose digest it was not given for", async () => {
		const answered = () => [
			...ASKED,
			accept("", RUN),
			decided("c", "ask"),
			requestApproval("c"),
			resolveApproval("c", "yes"),
		];
		const { finish } = await interruptedAfter(answered, { answers: ["no"], asks: () => undefined });
		expect(await finish()).toBe("closed");
		expect(bench.asked).toHaveLength(1);
		expect(existsSync(join(bench.root, "ran"))).toBe(false);
	});
});
