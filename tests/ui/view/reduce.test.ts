import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { describeError } from "../../../src/agent/toolResults.ts";
import type { OpenPrompt } from "../../../src/rpc/protocol.ts";
import type { SessionEvent } from "../../../src/session/events.ts";
import { emptyState } from "../../../src/session/state.ts";
import { openTurnEntry } from "../../../src/session/timeline.ts";
import { openView, reduceView, type ViewEvent } from "../../../src/ui/view/reduce.ts";
import type { ViewState } from "../../../src/ui/view/state.ts";
import {
	afterEvents,
	attemptEnd,
	attemptStart,
	facts,
	flush,
	greetingOf,
	text,
	toolCall,
	toolResult,
	transcript,
	viewOf,
	WIDE,
} from "../../support/screenView.ts";

const message = (said: string, messageId = "message-1"): SessionEvent => ({
	type: "user/message",
	messageId,
	text: said,
	origin: "person",
});
const approval = (preview: string, callId = "call-1"): OpenPrompt => ({
	kind: "approval",
	prompt: {
		callId,
		toolName: "runCommand",
		args: {},
		agent: "agi",
		reason: "it writes",
		preview,
		grantable: true,
	},
});
const usage = { inputTokens: 400, outputTokens: 100, cachedInputTokens: 0, reasoningTokens: 0 };

describe("reduceView", () => {
	it("queues a message until a request carries it, then shows it in the transcript", () => {
		const queued = afterEvents(viewOf(), facts(message("hello\nthere")));
		expect(queued.queue.map((m) => m.rawText)).toEqual(["hello\nthere"]);
		expect(transcript(queued)).toEqual([]);
		const sent = afterEvents(
			queued,
			facts({ type: "inbox/included", messageIds: ["message-1"], stepId: "step-1" }),
		);
		expect(sent.queue).toEqual([]);
		expect(transcript(sent)).toEqual(["> hello", "  there"]);
		expect(sent.title).toBe("hello there");
	});

	it("tells below a message what came with it", () => {
		const file = { kind: "file" as const, source: "a\u001b[2J.ts", text: "x", cut: true, digest: "" };
		const view = afterEvents(
			viewOf(),
			facts(
				{ type: "user/message", messageId: "message-1", text: "see", origin: "person", attachments: [file] },
				{ type: "inbox/included", messageIds: ["message-1"], stepId: "step-1" },
			),
		);
		expect(transcript(view)).toEqual(["> see", expect.stringMatching(/^ {2}attached: a.*\.ts \(cut\)$/)]);
		expect(transcript(view).join()).not.toContain("\u001b");
	});

	it("drops a message that was taken back", () => {
		const view = afterEvents(
			viewOf(),
			facts(message("a"), { type: "inbox/cancelled", messageIds: ["message-1"] }),
		);
		expect([view.queue, transcript(view)]).toEqual([[], []]);
	});

	it("shows a call with its folded result, and the whole at Ctrl+O", () => {
		const output = Array.from({ length: 8 }, (_, i) => `line ${i}`).join("\n");
		const running = afterEvents(viewOf(), facts(toolCall("runCommand", { command: "npm test" })));
		expect(running.calls.map((c) => `${c.name} ${c.title}`)).toEqual(["runCommand npm test"]);
		const done = afterEvents(running, facts(toolResult(output, { durationMs: 2300 })));
		expect(done.calls).toEqual([]);
		expect(transcript(done)).toEqual([
			"● runCommand npm test  2.3 s",
			"  line 0",
			"  line 1",
			"  line 2",
			"  line 3",
			"  line 4",
			"  … 3 more lines (Ctrl+O)",
		]);
		const whole = transcript(afterEvents(done, { kind: "unfold" }));
		expect(whole.slice(7, 9)).toEqual(["", "── runCommand npm test, 8 lines"]);
		expect(whole.at(-1)).toBe("line 7");
	});

	it("unfolds the older result at the second Ctrl+O and says when nothing is left", () => {
		const long = (name: string) => Array.from({ length: 9 }, (_, i) => `${name} ${i}`).join("\n");
		let view = viewOf();
		for (const name of ["first", "second"])
			view = afterEvents(view, facts(toolCall("runCommand", { command: name }), toolResult(long(name))));
		const once = afterEvents(view, { kind: "unfold" });
		expect(transcript(once).at(-1)).toBe("second 8");
		const twice = afterEvents(once, { kind: "unfold" });
		expect(transcript(twice).at(-1)).toBe("first 8");
		expect(afterEvents(twice, { kind: "unfold" }).notices.map((n) => n.text)).toEqual(["Nothing is folded."]);
	});

	it("marks calls that failed, were denied, cancelled or have an unknown end", () => {
		const ends: [string, string][] = [];
		for (const status of ["error", "denied", "cancelled", "outcome_unknown"] as const) {
			const view = afterEvents(
				viewOf(),
				facts(toolCall("runCommand", { command: "x" }), toolResult("exit code 1", { status })),
			);
			ends.push([transcript(view)[0]!, transcript(view)[1]!]);
		}
		expect(ends).toEqual([
			["● runCommand x  failed", "  exit code 1"],
			["● runCommand x  denied", "  exit code 1"],
			["● runCommand x  cancelled", "  exit code 1"],
			["● runCommand x  outcome unknown", "  exit code 1"],
		]);
	});

	it("shows how a call failed in the same words when it ends and when its session is entered again", () => {
		const error = { type: "NOT_FOUND" as const, message: "File not found:\nnope.txt", retryable: false };
		const recorded = [
			describeError(error),
			`${describeError(error)}\n(This same call has failed 2 times.)`,
			"Command failed (exit code 1):\nno such file",
			'{"ok":false,"error":"of the file itself"}',
			'{"ok":false,"error":{"message":"cut in the mid',
		];
		const shown = recorded.map((text) => {
			const live = afterEvents(
				viewOf(),
				facts(toolCall("readFile", { path: "nope.txt" }), toolResult(text, { status: "error", error })),
			);
			const state = emptyState();
			const call = { callId: "call-1", providerId: "c1", name: "readFile", args: { path: "nope.txt" } };
			state.history = [
				{ kind: "assistant", messageId: "m1", text: "", reasoning: "", origin: "", calls: [call] },
				{ kind: "tool", callId: "call-1", providerId: "c1", name: "readFile", status: "error", text },
			];
			const resumed = openView(greetingOf({ state }), WIDE, 0);
			expect(transcript(resumed)).toEqual(transcript(live));
			return transcript(resumed).slice(1, 3);
		});
		expect(shown).toEqual([
			["  File not found:", "  nope.txt"],
			["  File not found:", "  nope.txt"],
			["  Command failed (exit code 1):", "  no such file"],
			[`  ${recorded[3]}`],
			[`  ${recorded[4]}`],
		]);
	});

	it("leaves the question about a call in doubt to the dialog, and prints it once with its answer", () => {
		const question = 'agi ended while runCommand "deploy" was running. What happened?';
		const asked: SessionEvent = {
			type: "question/asked",
			questionId: "q",
			callId: "call-1",
			question,
			options: [],
			secret: false,
		};
		const open: OpenPrompt = {
			kind: "question",
			prompt: { callId: "call-1", question, options: [], secret: false },
		};
		const waiting = afterEvents(viewOf(), facts(toolCall("runCommand", { command: "deploy" }), asked), {
			kind: "prompts",
			open: [open],
		});
		expect(transcript(waiting)).toEqual([]);
		const answered: SessionEvent = {
			type: "question/answered",
			questionId: "q",
			callId: "call-1",
			answer: "It ran",
			by: "person",
		};
		const told = transcript(afterEvents(waiting, { kind: "prompts", open: [] }, facts(answered))).join("\n");
		expect(told).toMatch(/^\? agi ended while runCommand[\s\S]*What happened\?\s+> It ran$/);
	});

	it("shows the change that was asked about last where a call is asked about again", () => {
		const args = { path: "a.ts", oldString: "one", newString: "two" };
		const diff = (old: string) => `--- a.ts\n+++ a.ts\n@@ -1 +1 @@\n-${old}\n+two`;
		const requested: SessionEvent = {
			type: "approval/requested",
			approvalId: "a",
			callId: "call-1",
			digest: "",
			reason: "",
			resources: [],
			preview: diff("old"),
		};
		const first = afterEvents(viewOf(), facts(toolCall("editFile", args), requested));
		const again = afterEvents(
			first,
			{ kind: "prompts", open: [approval(diff("one"))] },
			facts(toolResult("ok")),
		);
		expect(transcript(again).join("\n")).toMatch(/-one[\s\S]*\+two/);
		expect(transcript(again).join("\n")).not.toContain("-old");
	});

	it("shows an edit as a numbered diff: the approved preview, else its own arguments", () => {
		const args = { path: "a.ts", oldString: "one", newString: "two" };
		const asked = afterEvents(
			viewOf(),
			facts(toolCall("editFile", args), {
				type: "approval/requested",
				approvalId: "approval-1",
				callId: "call-1",
				digest: "",
				reason: "",
				resources: [],
				preview: "--- a.ts\n+++ a.ts\n@@ -7 +7 @@\n-one\n+two",
			}),
			facts(toolResult("Successfully replaced 1 occurrence in a.ts (line 7)")),
		);
		expect(transcript(asked)).toEqual([
			"● editFile a.ts",
			"  --- a.ts",
			"  +++ a.ts",
			"  7 -one",
			"  7 +two",
		]);
		const silent = afterEvents(
			viewOf(),
			facts(toolCall("editFile", args), toolResult("Edited a.ts (line 12)")),
		);
		expect(transcript(silent)).toEqual(["● editFile a.ts", "  12 -one", "  12 +two"]);
	});

	it("shows of a change what was written, where a person refused a part of it or wrote another text", () => {
		const preview = "--- a.ts\n+++ a.ts\n@@ -7 +7 @@\n-one\n+two\n@@ -90 +90 @@\n-x\n+y";
		const shown = (revised: { hunks: number[] } | { amended: string }) =>
			transcript(
				afterEvents(
					viewOf(),
					facts(
						toolCall("writeFile", { path: "a.ts", content: "…" }),
						{
							type: "approval/requested",
							approvalId: "approval-1",
							callId: "call-1",
							digest: "",
							reason: "",
							resources: [],
							preview,
						},
						{
							type: "approval/resolved",
							approvalId: "approval-1",
							callId: "call-1",
							answer: "yes",
							by: "person",
							...revised,
						},
						toolResult("a.ts was written."),
					),
				),
			).slice(1);
		expect(shown({ hunks: [1] })).toEqual(["  --- a.ts", "  +++ a.ts", "  90 -x", "  90 +y"]);
		expect(shown({ amended: "mine\n" })).toEqual(["  --- (your text instead)", "  +++ a.ts", "  1 +mine"]);
	});

	it("counts the lines of a read file instead of showing them", () => {
		const view = afterEvents(viewOf(), facts(toolCall("readFile", { path: "a.ts" }), toolResult("1\n2\n3")));
		expect(transcript(view)).toEqual(["● readFile a.ts", "  3 lines (Ctrl+O)"]);
	});

	it("shows the last lines of a running call at the next flush", () => {
		const started = afterEvents(viewOf(), facts(toolCall("runCommand", { command: "x" })));
		const output: ViewEvent = {
			kind: "live",
			delta: { type: "output", callId: "call-1", text: "1\n2\n3\n4\n5\n6\n" },
		};
		const view = afterEvents(started, output, flush);
		expect(view.calls[0]?.tail).toEqual(["2", "3", "4", "5", "6"]);
	});

	it("indents what a subagent does under the call that runs it", () => {
		const started = afterEvents(
			viewOf(),
			facts(toolCall("delegateToSubagent", { subagent: "reviewer", task: "look" })),
		);
		const event = toolCall("readFile", { path: "src/a.ts" }, "child-1");
		const child: ViewEvent = {
			kind: "live",
			delta: { type: "subagent", callId: "call-1", agent: "reviewer", event },
		};
		const working = afterEvents(started, child);
		expect(working.calls[0]?.children).toEqual(["reviewer.readFile src/a.ts"]);
		expect(transcript(afterEvents(working, facts(toolResult("fine"))))).toEqual([
			"● delegateToSubagent reviewer: look",
			"  ↳ reviewer.readFile src/a.ts",
			"  fine",
		]);
	});

	it("says that a subagent waits to ask again until it does", () => {
		const wait: ViewEvent = {
			kind: "live",
			delta: { type: "waiting", for: "retry", detail: "reviewer: retry 1 of 3 in 1 s: busy" },
		};
		const started = afterEvents(viewOf(), facts(toolCall("delegateToSubagent", {})), wait);
		expect(started.wait).toMatchObject({ for: "retry", detail: expect.stringContaining("reviewer: retry") });
		const child = (event: SessionEvent): ViewEvent => ({
			kind: "live",
			delta: { type: "subagent", callId: "call-1", agent: "reviewer", event },
		});
		const again = child({
			type: "attempt/start",
			attemptId: "attempt-2",
			stepId: "step-1",
			requestId: "request-2",
		});
		expect(afterEvents(started, again).wait).toBeUndefined();
		expect(afterEvents(started, child(toolCall("readFile", {}, "child-1"))).wait).toBeDefined();
	});

	it("prints a plan that changed and keeps it, without the call's own result", () => {
		const items = [
			{ content: "one", status: "completed" as const },
			{ content: "two", status: "in_progress" as const },
			{ content: "three", status: "pending" as const },
		];
		const view = afterEvents(
			viewOf(),
			facts(toolCall("updatePlan", { items }), { type: "plan/replaced", items }, toolResult("ok")),
		);
		expect(transcript(view)).toEqual(["Plan, 1 of 3 done", "☑ one", "▸ two", "☐ three"]);
		expect(view.plan).toEqual(items);
		expect(afterEvents(view, { kind: "togglePlan" }).isPlanShown).toBe(false);
	});

	it("says why a turn ended otherwise than completed, and closes what streamed", () => {
		const view = afterEvents(
			viewOf(),
			facts({ type: "turn/start", turnId: "turn-1", source: { kind: "recovery" } }, attemptStart()),
			text("half"),
			facts(attemptEnd("half", { outcome: "cancelled" }), {
				type: "turn/end",
				turnId: "turn-1",
				status: "cancelled",
				reason: "The turn was cancelled",
			}),
		);
		expect(transcript(view).at(-1)).toBe("■ The turn was cancelled");
		expect([view.busy, view.stream.partial]).toEqual([false, []]);
	});

	it("measures the window after each answer and knows the costs after each turn", () => {
		const view = afterEvents(viewOf(), facts(attemptEnd("x", { usage })), {
			kind: "turnEnded",
			end: { status: "completed", answer: "x" },
			costUsd: 0.5,
		});
		expect([view.meter.tokens, view.meter.window, view.costUsd]).toEqual([500, 1000, 0.5]);
	});

	it("shows on the meter what the request takes again once a summary was taken back", () => {
		const before = afterEvents(viewOf(), facts(attemptEnd("x", { usage })));
		const undone = afterEvents(before, facts({ type: "checkpoint/undone", checkpointId: "c", tokens: 900 }));
		expect(undone.meter).toMatchObject({ tokens: 900, estimated: true });
	});

	it("shows on the meter what the request takes once an item was masked; an older log does not tell", () => {
		const before = afterEvents(viewOf(), facts(attemptEnd("x", { usage })));
		const mask = { type: "item/masked", itemId: "c", masked: true, tokens: 50, by: "person" } as const;
		const masked = afterEvents(before, facts({ ...mask, contextTokens: 40 }));
		expect(masked.meter).toMatchObject({ tokens: 40, estimated: true });
		expect(afterEvents(before, facts(mask)).meter).toEqual(before.meter);
	});

	it("shows on the meter what the conversation took at the place to which it went back", () => {
		const before = afterEvents(viewOf(), facts(attemptEnd("x", { usage })));
		const context = { tokens: 120, estimated: true };
		const rewound = { type: "session/rewound", rewindId: "r", toTurnId: "turn-2", changes: "" } as const;
		const back = afterEvents(before, facts({ ...rewound, conversation: true, context }));
		expect(back.meter).toMatchObject(context);
		const files = afterEvents(before, facts({ ...rewound, conversation: false }));
		expect(files.meter).toEqual(before.meter);
	});

	it("names a turn that was taken back by the first words of its message", () => {
		const text = `${"make the tests green ".repeat(4)}\nand more`;
		const source = { kind: "inbox" as const, messageIds: ["m1"] };
		const asked = afterEvents(
			viewOf(),
			facts(
				{ type: "user/message", messageId: "m1", text, origin: "person" },
				{ type: "turn/start", turnId: "turn-1", source },
			),
		);
		const rewound = { type: "session/rewound", rewindId: "r", changes: "", conversation: true } as const;
		const told = (toTurnId: string, undoes?: string) =>
			transcript(
				afterEvents(asked, facts({ ...rewound, toTurnId, ...(undoes === undefined ? {} : { undoes }) })),
			)
				.join(" ")
				.trim();
		const words = "make the tests green make the tests green make th…";
		expect(told("turn-1")).toBe(`[rewound to before "${words}"]`);
		expect(told("turn-1", "r")).toBe(`[took back the rewind to before "${words}"]`);
		expect(told("turn-9")).toBe("[rewound to before an earlier turn]");
		const state = emptyState();
		openTurnEntry(state, "turn-1", []);
		Object.assign(state.timeline[0]!, { text: "do it\nnow" });
		const resumed = openView(greetingOf({ state }), WIDE, 0);
		expect(transcript(afterEvents(resumed, facts({ ...rewound, toTurnId: "turn-1" }))).at(-1)).toBe(
			'[rewound to before "do it"]',
		);
	});

	it("marks the meter as an estimate where the server told no usage, until it tells one", () => {
		const estimated = afterEvents(viewOf(), facts(attemptEnd("x", { usage, usageEstimated: true })));
		expect(estimated.meter).toMatchObject({ tokens: 500, estimated: true });
		expect(afterEvents(estimated, facts(attemptEnd("y", { usage }))).meter.estimated).toBe(false);
	});

	it("lets a notice go when its time is over", () => {
		const shown = afterEvents(viewOf(), { kind: "notice", text: "Press Ctrl+C again", forMs: 1000 });
		expect(reduceView(shown, { kind: "tick" }, 999).notices).toHaveLength(1);
		expect(reduceView(shown, { kind: "tick" }, 1000).notices).toEqual([]);
	});

	it("shows the person's own command while it runs and leaves its output", () => {
		const shell = (change: (ViewEvent & { kind: "shell" })["change"]): ViewEvent => ({
			kind: "shell",
			id: "shell-1",
			change,
		});
		const running = afterEvents(
			viewOf(),
			shell({ state: "started", command: "ls" }),
			shell({ state: "output", text: "a\nb\n" }),
		);
		expect(afterEvents(running, { kind: "idle" }).calls).toHaveLength(1);
		const ended = afterEvents(running, shell({ state: "ended", failed: false, result: "exit code 0" }));
		expect(ended.calls).toEqual([]);
		expect(transcript(ended)).toEqual(["● ! ls  exit code 0", "  a", "  b"]);
		const told = facts({
			type: "user/message",
			messageId: "message-1",
			text: "The user ran `ls`",
			origin: "program",
		});
		expect(afterEvents(ended, told).queue).toEqual([]);
	});

	it("begins anew in another session and keeps what was printed", () => {
		const view = afterEvents(viewOf(), { kind: "print", text: "before" }, { kind: "notice", text: "old" });
		const state = { ...emptyState(), title: "Other" };
		const entered = afterEvents(view, {
			kind: "session",
			greeting: greetingOf({ sessionId: "s-2", state }),
			notices: ["torn"],
		});
		expect(transcript(entered)).toEqual(["before", "── session s-2", "torn"]);
		expect([entered.title, entered.notices]).toEqual(["Other", []]);
		expect(entered.blocks.map((block) => block.id)).toEqual([0, 1, 2]);
	});

	it("never lets a control character through, whatever comes from outside", () => {
		const evil = fc.string({
			unit: fc.constantFrom(
				"a",
				"\x1b",
				"[",
				"2J",
				"]52;c;",
				"\x07",
				"\x9b",
				"\r",
				"\b",
				"\u202e",
				"\n",
				"\t",
				"\x90",
			),
		});
		fc.assert(
			fc.property(evil, (said) => {
				const view = afterEvents(
					viewOf(WIDE, { model: said, cwd: said, branch: said }),
					facts(message(said), { type: "inbox/included", messageIds: ["message-1"], stepId: "s" }),
					facts(attemptStart()),
					{ kind: "live", delta: { type: "reasoning", text: said } },
					text(said),
					flush,
					facts(attemptEnd(said), toolCall(said, { command: said }), toolCall("x", { [said]: 1 }, "call-2")),
					{ kind: "live", delta: { type: "output", callId: "call-2", text: said } },
					{ kind: "live", delta: { type: "notice", text: said } },
					{ kind: "prompts", open: [approval(said, "call-2")] },
					{ kind: "notice", text: said },
					flush,
					facts(toolResult(said)),
					{ kind: "unfold" },
				);
				expect(drawnTexts(view).filter((drawn) => /[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]/.test(drawn))).toEqual(
					[],
				);
			}),
		);
	});
});

describe("reduceView of a sandbox", () => {
	it("says once why commands are less than wholly confined, and nothing where they are", () => {
		const notice = "Commands run with your full rights: there is no bwrap.";
		const none = { kind: "sandbox", sandbox: { level: "none", network: true, notice } } as const;
		const full = { kind: "sandbox", sandbox: { level: "full", network: false } } as const;
		const before = viewOf();
		const told = afterEvents(before, none, none);
		expect(told.sandbox).toEqual(none.sandbox);
		expect(told.blocks).toHaveLength(before.blocks.length + 1);
		expect(afterEvents(before, full).blocks).toHaveLength(before.blocks.length);
	});
});

describe("openPrompts", () => {
	it("prints a command that the dialog cannot hold whole, once", () => {
		const command = Array.from({ length: 30 }, (_, i) => `echo ${i}`).join("\n");
		const asked = afterEvents(viewOf(), { kind: "prompts", open: [approval(command)] });
		expect(transcript(asked)).toHaveLength(31);
		expect(transcript(asked).at(-1)).toBe("echo 29");
		const again = afterEvents(asked, {
			kind: "prompts",
			open: [approval(command), approval("ls", "call-2")],
		});
		expect(again.prompts.map((prompt) => prompt.callId)).toEqual(["call-1", "call-2"]);
		expect(again.blocks).toHaveLength(1);
		expect(afterEvents(again, { kind: "prompts", open: [] }).prompts).toEqual([]);
	});

	it("prints even a short one where the screen is too low for a dialog with it", () => {
		const view = afterEvents(viewOf({ columns: 40, rows: 8 }), { kind: "prompts", open: [approval("ls")] });
		expect(transcript(view)).toEqual(["── runCommand, 1 line", "ls"]);
	});

	it("leaves a short one to the dialog, and prints it at Ctrl+O", () => {
		const asked = afterEvents(viewOf(), { kind: "prompts", open: [approval("ls")] });
		expect(transcript(asked)).toEqual([]);
		expect(transcript(afterEvents(asked, { kind: "unfold" }))).toEqual(["── runCommand, 1 line", "ls"]);
	});
});

describe("openView", () => {
	it("shows the past of a session that was there before", () => {
		const state = emptyState();
		state.title = "Old work";
		state.plan = [{ content: "step", status: "pending" }];
		state.history = [
			{ kind: "user", messageId: "m1", text: "do it" },
			{
				kind: "assistant",
				messageId: "m2",
				text: "**Sure**",
				reasoning: "",
				origin: "",
				calls: [{ callId: "c1", providerId: "p1", name: "runCommand", args: { command: "ls" } }],
			},
			{ kind: "tool", callId: "c1", providerId: "p1", name: "runCommand", status: "denied", text: "no" },
			{ kind: "recovery", notes: ["A call was cut off."] },
		];
		state.inbox = [
			{ messageId: "m3", text: "next", origin: "person", target: "next_turn", wakeup: true },
			{ messageId: "m4", text: "given back", origin: "person", target: "next_step", wakeup: false },
			{ messageId: "m5", text: "output", origin: "program", target: "next_step", wakeup: false },
		];
		const view = openView(greetingOf({ state }), WIDE, 0);
		expect(transcript(view)).toEqual([
			"> do it",
			"",
			"Sure",
			"",
			"● runCommand ls  denied",
			"  no",
			"",
			"This turn was interrupted.",
			"A call was cut off.",
		]);
		expect([view.title, view.plan.length]).toEqual(["Old work", 1]);
		expect(view.queue.map(({ rawText }) => rawText)).toEqual(["given back", "next"]);
	});

	it("leaves an interruption whose work is owed to the start's own lines", () => {
		const state = emptyState();
		state.history = [
			{ kind: "user", messageId: "m1", text: "do it" },
			{ kind: "recovery", notes: ["A call was cut off."] },
		];
		expect(transcript(openView(greetingOf({ state }), WIDE, 0))).toContain("A call was cut off.");
		state.continuation = { turnId: "turn-1" };
		expect(transcript(openView(greetingOf({ state }), WIDE, 0))).toEqual(["> do it"]);
	});

	it("shows what becomes of calls that a killed process left open", () => {
		const state = emptyState();
		const open = { providerId: "p", effects: "possible", recovery: "manual", toolVersion: 1 } as const;
		state.step = {
			stepId: "step-1",
			model: { model: "m", profile: "custom", baseUrl: "http://127.0.0.1", contextWindow: 1000 },
			claimed: [],
			attempts: 1,
			checkpoints: 0,
			failures: 0,
			calls: [
				{
					...open,
					callId: "c1",
					name: "runCommand",
					args: { command: "make" },
					approval: { approvalId: "a", digest: "d", reason: "it runs", resources: [] },
				},
				{ ...open, callId: "c2", name: "readFile", args: { path: "x" }, status: "result" },
			],
		};
		const view = openView(greetingOf({ state }), WIDE, 0);
		expect(view.calls.map(({ title, phase }) => [title, phase])).toEqual([["make", "asking"]]);
		const ended = afterEvents(view, facts(toolResult("made", { callId: "c1" })));
		expect(transcript(ended)).toEqual(["● runCommand make", "  made"]);
	});

	it("never calls the embedded model by a name that sounds like an AI", () => {
		expect(viewOf(WIDE, { offline: true, model: "smart" }).model).toBe("offline model, not an AI");
	});
});

/** Every text in the view that a component may draw. */
function drawnTexts(value: unknown, key = ""): string[] {
	if (key.startsWith("raw")) return [];
	if (typeof value === "string") return [value];
	if (typeof value !== "object" || value === null) return [];
	return Object.entries(value as ViewState).flatMap(([name, inner]) => drawnTexts(inner, name));
}
