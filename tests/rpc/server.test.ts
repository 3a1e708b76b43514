import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openHostBench } from "../support/hostBench.ts";

describe("shell", () => {
	it("joins the output to the next request without waking the model", async () => {
		const bench = await openHostBench();
		const { text } = await bench.ok({ do: "shell", command: "echo out; echo err >&2; exit 3" });
		expect(text).toBe("The user ran `echo out; echo err >&2; exit 3` (exit code 3):\nout\nerr");
		expect(bench.model.requests).toHaveLength(0);
		await bench.say("what was that?");
		const texts = bench.model.requests[0]?.request.messages.map((message) => message.text);
		expect(texts).toEqual([text, "what was that?"]);
	});

	it("tells its start, its live output and its end", async () => {
		const bench = await openHostBench();
		await bench.ok({ do: "shell", command: "printf hello" });
		const changes = bench.heard.flatMap((one) => (one.kind === "shell" ? [one] : []));
		expect(changes).toEqual([
			{ kind: "shell", id: "shell-1", change: { state: "started", command: "printf hello" } },
			{ kind: "shell", id: "shell-1", change: { state: "output", text: "hello" } },
			{ kind: "shell", id: "shell-1", change: { state: "ended", failed: false, result: "exit code 0" } },
		]);
	});

	it("is interrupted before the turn that runs beside it", async () => {
		const bench = await openHostBench([{ hang: true }]);
		await bench.ok({ do: "submit", text: "go", target: "next_turn" });
		const ran = bench.ok({ do: "shell", command: "echo ready; sleep 60" });
		await bench.until(() => bench.heard.find((one) => one.kind === "shell" && one.change.state === "output"));
		await bench.ok({ do: "interrupt" });
		expect((await ran).text).toContain("(interrupted):\nready");
		expect(bench.heard.some((one) => one.kind === "turnEnded")).toBe(false);
		await bench.ok({ do: "interrupt" });
		await bench.until(() => bench.heard.find((one) => one.kind === "turnEnded"));
		expect(await bench.refusal({ do: "interrupt" })).toBe("Nothing runs.");
	});

	it("keeps secrets out of the log and gives a session no title", async () => {
		const bench = await openHostBench(undefined, { secrets: ["super-secret-value"] });
		const { text } = await bench.ok({ do: "shell", command: "echo super-secret-value" });
		expect(text).not.toContain("super-secret-value");
		expect(JSON.stringify(bench.facts())).not.toContain("super-secret-value");
		expect(bench.client.greeting.state.title).toBe("");
	});

	it("refuses an empty command", async () => {
		const bench = await openHostBench();
		expect(await bench.refusal({ do: "shell", command: "  " })).toBe("There is no command after the !.");
	});
});

describe("approvePlan", () => {
	const PLAN = "# Mend the parser\n\n1. change a.ts\n2. run the tests";

	it("stores the last answer, leaves plan mode and starts the work", async () => {
		const bench = await openHostBench([{ text: PLAN }, { text: "working" }], { mode: "plan" });
		await bench.say("plan it");
		const approved = await bench.ok({ do: "approvePlan" });
		expect(approved.notice).toBeNull();
		expect(approved.path).toMatch(/^\.agent\/plans\/\d{4}-\d\d-\d\d-mend-the-parser\.md$/);
		expect(readFileSync(join(bench.root, approved.path ?? ""), "utf8")).toBe(`${PLAN}\n`);
		await bench.until(() => bench.heard.filter((one) => one.kind === "idle").length === 2);
		expect(bench.client.greeting.mode).toBe("default");
		expect(bench.model.requests[1]?.request.messages.at(-1)?.text).toBe(
			`I approve this plan, stored in ${approved.path}. Carry it out now, step by step.\n\n${PLAN}`,
		);
	});

	it("goes back to acceptEdits where plan mode was turned on there", async () => {
		const bench = await openHostBench([{ text: PLAN }], { mode: "acceptEdits" });
		await bench.ok({ do: "changeMode", mode: "plan" });
		await bench.say("plan it");
		await bench.ok({ do: "approvePlan" });
		expect(bench.client.greeting.mode).toBe("acceptEdits");
	});

	it("never goes back to bypassPermissions", async () => {
		const bench = await openHostBench([{ text: PLAN }], { mode: "bypassPermissions" });
		await bench.ok({ do: "changeMode", mode: "plan" });
		await bench.say("plan it");
		await bench.ok({ do: "approvePlan", text: "do less" });
		expect(bench.client.greeting.mode).toBe("default");
	});

	it("takes the person's own text instead of the answer", async () => {
		const bench = await openHostBench([{ text: PLAN }], { mode: "plan" });
		await bench.say("plan it");
		const { path } = await bench.ok({ do: "approvePlan", text: "only step 2" });
		expect(readFileSync(join(bench.root, path ?? ""), "utf8")).toBe("only step 2\n");
	});

	it("starts all the same and says so where .agent/plans is a link", async () => {
		const bench = await openHostBench([{ text: PLAN }], {
			mode: "plan",
			prepare(root) {
				mkdirSync(join(root, "elsewhere"));
				mkdirSync(join(root, ".agent"));
				symlinkSync(join(root, "elsewhere"), join(root, ".agent", "plans"));
			},
		});
		await bench.say("plan it");
		const approved = await bench.ok({ do: "approvePlan" });
		expect(approved.path).toBeNull();
		expect(approved.notice).toContain("is a link or no folder. The work starts all the same.");
		expect(readdirSync(join(bench.root, "elsewhere"))).toEqual([]);
		await bench.until(() => bench.model.requests.length === 2);
	});

	it("is refused without plan mode, without an answer, and while the plan is being made", async () => {
		const bench = await openHostBench([{ hang: true }], { mode: "default" });
		expect(await bench.refusal({ do: "approvePlan" })).toContain("plan mode is off");
		await bench.ok({ do: "changeMode", mode: "plan" });
		expect(await bench.refusal({ do: "approvePlan" })).toContain("the model has not answered");
		await bench.ok({ do: "submit", text: "plan it", target: "next_turn" });
		await bench.until(() => bench.model.requests.length === 1);
		expect(await bench.refusal({ do: "approvePlan" })).toContain("still being made");
		expect(existsSync(join(bench.root, ".agent", "plans"))).toBe(false);
	});

	it("is not what a typed sentence does", async () => {
		const bench = await openHostBench([{ text: PLAN }, { text: "no" }], { mode: "plan" });
		await bench.say("plan it");
		await bench.say("Execute the approved plan.");
		expect(bench.client.greeting.mode).toBe("plan");
	});
});

describe("moveInput", () => {
	it("changes the order in which messages leave, and refuses one that the model has", async () => {
		const bench = await openHostBench([{ hang: true }, { text: "b" }, { text: "c" }]);
		for (const text of ["first", "second", "third"])
			await bench.ok({ do: "submit", text, target: "next_turn" });
		const waiting = () => bench.client.greeting.state.inbox.filter((message) => !message.stepId);
		await bench.ok({ do: "moveInput", messageId: waiting()[1]?.messageId ?? "", by: -1 });
		expect(waiting().map((message) => message.text)).toEqual(["third", "second"]);
		expect(await bench.refusal({ do: "moveInput", messageId: "message-1", by: 1 })).toBe(
			"That message no longer waits: the model has it already.",
		);
	});
});

describe("replaceInput", () => {
	it("changes a waiting message in its place, in one commit", async () => {
		const bench = await openHostBench([{ hang: true }, { text: "b" }, { text: "c" }]);
		await bench.ok({ do: "submit", text: "first", target: "next_turn" });
		await bench.ok({ do: "submit", text: "second", target: "next_turn" });
		await bench.ok({ do: "submit", text: "third", target: "next_turn" });
		const waiting = () => bench.client.greeting.state.inbox.filter((message) => !message.stepId);
		const old = waiting()[0]?.messageId ?? "";
		const { messageId } = await bench.ok({ do: "replaceInput", messageId: old, text: "better" });
		expect(waiting().map((message) => message.text)).toEqual(["better", "third"]);
		expect(waiting()[0]?.messageId).toBe(messageId);
		const commit = bench.heard.findLast((one) => one.kind === "facts");
		expect(commit?.kind === "facts" && commit.events.map((event) => event.type)).toEqual([
			"inbox/cancelled",
			"user/message",
			"inbox/enqueued",
			"user/message",
			"inbox/enqueued",
		]);
		expect(await bench.refusal({ do: "replaceInput", messageId: old, text: "again" })).toBe(
			"That message no longer waits: the model has it already.",
		);
		expect(await bench.refusal({ do: "replaceInput", messageId, text: " " })).toContain("is empty");
	});
});

describe("goOn", () => {
	it("sends what a turn gave back before its request, also under another text, and no command's output", async () => {
		const limits = { stepsPerTurn: 9, toolCallsPerTurn: 9, tokensPerSession: 1 };
		const bench = await openHostBench([{ text: "a" }, { text: "b" }], { limits });
		await bench.say("first");
		await bench.say("second");
		const { inbox } = bench.client.greeting.state;
		const [{ messageId = "" } = {}] = inbox;
		await bench.ok({ do: "replaceInput", messageId, text: "better" });
		const ends = () => bench.heard.filter((one) => one.kind === "turnEnded").length;
		expect(ends()).toBe(2);
		await bench.ok({ do: "goOn" });
		await bench.until(() => ends() === 3);
		const started = bench.facts().flatMap((fact) => (fact.type === "turn/start" ? [fact.source] : []));
		expect(started.at(-1)).toEqual({ kind: "inbox", messageIds: ["message-4"] });
		await bench.ok({ do: "cancelInput", messageIds: ["message-4"] });
		await bench.ok({ do: "shell", command: "echo out" });
		await bench.ok({ do: "goOn" });
		await bench.until(() => bench.heard.at(-1)?.kind === "idle");
		expect(ends()).toBe(3);
	});
});

describe("exportSession", () => {
	it("writes Markdown whose fences hold whatever a tool answers", async () => {
		const bench = await openHostBench([
			{ text: "I look.", calls: [{ name: "readFile", args: { path: "a.md" } }] },
			{ text: "It is a fence." },
		]);
		bench.write("a.md", "````\ninner\n````\n");
		await bench.say("what is in a.md?");
		const text = await bench.ok({ do: "exportSession", format: "markdown" });
		expect(text).toMatch(/^# what is in a\.md\?\n/);
		expect(text).toContain("## User\n\nwhat is in a.md?");
		expect(text).toContain('**readFile**\n\n```json\n{\n  "path": "a.md"\n}\n```');
		expect(text).toMatch(/Result \(result\):\n\n`````\n[\s\S]*inner[\s\S]*\n`````\n/);
		expect(text).toMatch(/It is a fence\.\n$/);
	});

	it("writes a page whose texts are escaped", async () => {
		const bench = await openHostBench([{ text: "a < b" }]);
		await bench.say("compare");
		const page = await bench.ok({ do: "exportSession", format: "html" });
		expect(page).toMatch(/^<!doctype html>[\s\S]*compare[\s\S]*a &lt; b[\s\S]*<\/html>\n$/);
	});

	it("writes every fact as JSON", async () => {
		const bench = await openHostBench([{ text: "hi" }]);
		await bench.say("hello");
		const exported = JSON.parse(await bench.ok({ do: "exportSession", format: "json" }));
		const types = exported.commits.flatMap((commit: { events: { type: string }[] }) =>
			commit.events.map((event) => event.type),
		);
		expect(exported.title).toBe("hello");
		expect(types.at(0)).toBe("session/created");
		expect(types.at(-1)).toBe("turn/end");
	});
});

describe("diff", () => {
	const WRITE = (path: string, content: string) => ({ name: "writeFile", args: { path, content } });

	it("shows changed files by git, and new ones whole", async () => {
		const bench = await openHostBench([
			{ calls: [{ name: "readFile", args: { path: "old.txt" } }] },
			{ calls: [WRITE("old.txt", "two\n"), WRITE("new.txt", "fresh\n")] },
			{ text: "done" },
		]);
		bench.write("old.txt", "one\n");
		bench.write("other.txt", "one\n");
		bench.git("init", "-q");
		bench.git("add", "old.txt", "other.txt");
		bench.git("commit", "-qm", "start");
		bench.write("other.txt", "changed by the person\n");
		await bench.say("go");
		const { diff } = await bench.ok({ do: "diff" });
		expect(diff).toContain("-one\n+two");
		expect(diff).toContain("+++ new.txt\n+fresh");
		expect(diff).not.toContain("other.txt");
	});

	it("starts no program that the repository's own configuration names", async () => {
		const bench = await openHostBench([
			{ calls: [{ name: "readFile", args: { path: "old.txt" } }] },
			{ calls: [WRITE("old.txt", "two\n")] },
			{ text: "done" },
		]);
		bench.write("old.txt", "one\n");
		bench.git("init", "-q");
		bench.git("add", "old.txt");
		bench.git("commit", "-qm", "start");
		const trap = `touch ${join(bench.root, "trapped")}; cat`;
		for (const key of [
			"filter.x.clean",
			"filter.x.process",
			"diff.x.command",
			"diff.x.textconv",
			"core.fsmonitor",
		])
			bench.git("config", key, trap);
		bench.git("config", "filter.x.required", "true");
		bench.git("config", "diff.external", trap);
		writeFileSync(join(bench.root, ".gitattributes"), "* filter=x diff=x\n");
		await bench.say("go");
		const { diff } = await bench.ok({ do: "diff" });
		expect(diff).toContain("+two");
		expect(existsSync(join(bench.root, "trapped"))).toBe(false);
	});

	it("says where there is no git project, and where nothing was changed", async () => {
		const bench = await openHostBench([
			{ calls: [{ name: "readFile", args: { path: "old.txt" } }] },
			{ calls: [WRITE("old.txt", "two\n")] },
			{ text: "done" },
		]);
		expect((await bench.ok({ do: "diff" })).notes[0]).toContain("No file tool has changed a file");
		bench.write("old.txt", "one\n");
		await bench.say("go");
		const { diff, notes } = await bench.ok({ do: "diff" });
		expect(diff).toBe("");
		expect(notes).toEqual([
			`This folder is in no git project, so these changed files cannot be compared: ${join(bench.root, "old.txt")}`,
		]);
	});
});

describe("cost", () => {
	it("sums the tokens of each model and knows no price of an unknown one", async () => {
		const bench = await openHostBench([{ text: "hi" }, { text: "again" }]);
		await bench.say("one");
		await bench.say("two");
		const usage = { inputTokens: 200, outputTokens: 20, cachedInputTokens: 0, reasoningTokens: 0 };
		expect(await bench.ok({ do: "cost" })).toEqual({
			models: [{ model: "scripted", profile: "scripted", usage, costUsd: null, estimated: false }],
			costUsd: null,
		});
	});
});

describe("renameSession", () => {
	it("gives another title, and refuses an empty one", async () => {
		const bench = await openHostBench();
		await bench.say("hello");
		await bench.ok({ do: "renameSession", title: " Parser " });
		expect((await bench.ok({ do: "listSessions" })).map((session) => session.title)).toEqual(["Parser"]);
		expect(await bench.refusal({ do: "renameSession", title: " " })).toContain("at least one letter");
	});
});
