import { describe, expect, it } from "vitest";
import type { Client } from "../../src/rpc/client.ts";
import type { ClientRequest, Notification, OpenPrompt, RequestResult } from "../../src/rpc/protocol.ts";
import { runLineMode } from "../../src/ui/lineMode.ts";

/** A client whose answers and notifications the test gives, and a terminal that keeps what was written. */
function start(
	options: { results?: (RequestResult | Promise<RequestResult>)[]; prompt?: string; state?: object } = {},
) {
	const sent: ClientRequest[] = [];
	let written = "";
	let tell: (notification: Notification) => void = () => {};
	let interrupt = () => {};
	const lines = createLines();
	const client = {
		greeting: { state: { inbox: [], ...options.state }, skills: [{ name: "review", description: "" }] },
		async send(request: ClientRequest) {
			sent.push(request);
			return options.results?.shift() ?? { ok: true, value: undefined };
		},
		listen(listener: (notification: Notification) => void) {
			tell = listener;
			return () => {};
		},
	} as unknown as Client;
	const ended = runLineMode(client, {
		lines,
		write: (text) => {
			written += text;
		},
		onInterrupt: (listener) => {
			interrupt = listener;
		},
		saveText: async (path) => path,
		now: () => 0,
		...(options.prompt === undefined ? {} : { prompt: options.prompt }),
	});
	return {
		sent,
		ended,
		tell: (notification: Notification) => tell(notification),
		interrupt: () => interrupt(),
		shown: () => written,
		/** Types a line and lets the mode work on it. */
		async type(line: string) {
			lines.push(line);
			await new Promise((resolve) => setImmediate(resolve));
		},
		end: () => lines.end(),
	};
}

function createLines(): AsyncIterable<string> & { push(line: string): void; end(): void } {
	const ready: IteratorResult<string>[] = [];
	let wake: (() => void) | undefined;
	const add = (result: IteratorResult<string>) => {
		ready.push(result);
		wake?.();
	};
	return {
		push: (line) => add({ done: false, value: line }),
		end: () => add({ done: true, value: undefined }),
		[Symbol.asyncIterator]: () => ({
			async next() {
				while (ready.length === 0)
					await new Promise<void>((resolve) => {
						wake = resolve;
					});
				return ready.shift()!;
			},
		}),
	};
}

function approval(grantable: boolean): Notification {
	const prompt = {
		callId: "c",
		toolName: "writeFile",
		args: {},
		agent: "agi",
		reason: "It changes files.",
		grantable,
	};
	const open: OpenPrompt[] = [{ kind: "approval", prompt }];
	return { kind: "prompts", open };
}

describe("runLineMode", () => {
	it("sends a line as a new turn, and one typed while it runs to the next step", async () => {
		const { type, sent, tell, end, ended } = start();
		await type("hello");
		await type("also this");
		tell({ kind: "idle" });
		await type("and then");
		end();
		await ended;
		expect(sent).toEqual([
			{ do: "submit", text: "hello", target: "next_turn" },
			{ do: "submit", text: "also this", target: "next_step" },
			{ do: "submit", text: "and then", target: "next_turn" },
			{ do: "interrupt" },
		]);
	});

	it("says why a message was not taken, and waits for the next one", async () => {
		const { type, sent, shown } = start({ results: [{ ok: false, message: "The disk is full." }] });
		await type("hello");
		expect(shown()).toBe("> The disk is full.\n> ");
		await type("again");
		expect(sent.at(-1)).toMatchObject({ target: "next_turn" });
	});

	it("shows what streams, filtered, and the calls with the first lines of their results", async () => {
		const { tell, shown } = start();
		tell({ kind: "live", delta: { type: "text", text: "Let me \x1b[31mlook" } });
		tell({
			kind: "facts",
			seq: 1,
			at: "",
			events: [
				{
					type: "tool/call",
					callId: "c",
					stepId: "s",
					name: "readFile",
					args: { path: "a" },
					toolVersion: 1,
					effects: "none",
					recovery: "none",
				},
				{ type: "tool/result", callId: "c", status: "result", text: "1\n2\n3\n4\n5\n6\n7\n8", durationMs: 1 },
			],
		});
		tell({ kind: "idle" });
		expect(shown()).toBe(
			'> Let me look\n● readFile {"path":"a"}\n  1\n  2\n  3\n  4\n  5\n  6\n  … 2 more lines\n> ',
		);
	});

	it.each([
		["y", true, { answer: "yes" }],
		["YES", true, { answer: "yes" }],
		["a", true, { answer: "yes_session" }],
		["a", false, { answer: "no", words: "a" }],
		["n", true, { answer: "no" }],
		["", true, { answer: "no" }],
		["call it b.txt", true, { answer: "no", words: "call it b.txt" }],
	])(
		"takes %j for an answer to a question about a call (for the session: %s)",
		async (line, grantable, answer) => {
			const { type, tell, sent } = start();
			tell(approval(grantable));
			await type(line);
			expect(sent).toEqual([{ do: "answerApproval", callId: "c", ...answer }]);
		},
	);

	it("takes the number of an option for the option", async () => {
		const { type, tell, sent, shown } = start();
		const prompt = { callId: "c", question: "Which?", options: ["red", "blue"], secret: false };
		tell({ kind: "prompts", open: [{ kind: "question", prompt }] });
		expect(shown()).toContain("? Which?\n  1. red\n  2. blue\n? ");
		await type("2");
		expect(sent).toEqual([{ do: "answerQuestion", callId: "c", answer: "blue" }]);
	});

	it("interrupts what runs, and leaves at the second interrupt while nothing runs", async () => {
		const { interrupt, sent, tell, ended, shown } = start({ prompt: "go" });
		await new Promise((resolve) => setImmediate(resolve));
		interrupt();
		expect(sent.at(-1)).toEqual({ do: "interrupt" });
		tell({ kind: "idle" });
		interrupt();
		expect(shown()).toContain("Ctrl+C again");
		interrupt();
		await ended;
	});

	it.each(["exit", "quit", "/exit"])("leaves at %s", async (word) => {
		const { type, ended, sent } = start();
		await type(word);
		await ended;
		expect(sent).toEqual([]);
	});

	it("goes on with interrupted work at an empty line, and only where there is any", async () => {
		const idle = start();
		await idle.type("");
		expect([idle.sent, idle.shown()]).toEqual([[], "> > "]);
		const { type, sent } = start({ state: { continuation: { turnId: "turn-1" } } });
		await type("");
		await type("");
		expect(sent).toEqual([{ do: "goOn" }]);
	});

	it("sends a message that waits at an empty line", async () => {
		const message = { messageId: "m1", text: "hi", origin: "person" as const, target: "next_turn" as const };
		const givenBack = { ...message, target: "next_step" as const, wakeup: false };
		for (const waiting of [{ ...message, wakeup: true }, givenBack]) {
			const { type, sent } = start({ state: { inbox: [waiting] } });
			await type("");
			expect(sent).toEqual([{ do: "goOn" }]);
		}
		const output = start({ state: { inbox: [{ ...givenBack, origin: "program" }] } });
		await output.type("");
		expect(output.sent).toEqual([]);
	});

	it("leaves an open question open at the end of input", async () => {
		const { tell, sent, end, ended } = start();
		const prompt = { callId: "c", question: "Which?", options: [], secret: false };
		tell({ kind: "prompts", open: [{ kind: "question", prompt }] });
		end();
		await ended;
		expect(sent).toEqual([]);
	});

	it("says why an answer was not taken", async () => {
		const { type, tell, shown } = start({ results: [{ ok: false, message: "Choose one of: red · blue" }] });
		const prompt = { callId: "c", question: "Which?", options: ["red", "blue"], secret: false };
		tell({ kind: "prompts", open: [{ kind: "question", prompt: { ...prompt, freeText: false } }] });
		await type("green");
		expect(shown()).toContain("Choose one of: red · blue\n");
	});

	it("says in a sentence that there is no such command, and sends nothing", async () => {
		const { type, sent, shown } = start();
		await type("/stattus");
		await type("/zzz");
		expect(shown()).toBe(
			"> There is no command /stattus. Did you mean /status?\n> There is no command /zzz. /help shows all of them.\n> ",
		);
		expect(sent).toEqual([]);
	});

	it.each([
		["/review this", { text: "/review this" }],
		["//stattus", { text: "/stattus", startsSkills: false }],
		["/etc/hosts is odd", { text: "/etc/hosts is odd" }],
	])("sends %j as a message", async (line, request) => {
		const { type, sent } = start();
		await type(line);
		expect(sent).toEqual([{ do: "submit", target: "next_turn", ...request }]);
	});

	it("carries a command out and prints what it answers, then waits for the next line", async () => {
		const cost = { ok: true, value: { models: [], costUsd: null } } as unknown as RequestResult;
		const { type, sent, shown } = start({ results: [cost, { ok: false, message: "Nothing to sum up." }] });
		await type("/usage");
		await type("/compact");
		expect(sent).toEqual([{ do: "cost" }, { do: "compact" }]);
		expect(shown()).toBe("> Nothing was used yet.\n> Writing a summary…\nNothing to sum up.\n> ");
	});

	it.each(["/login", "/queue", "/copy 2"])(
		"says of %s that it needs a screen, and what to do",
		async (line) => {
			const { type, sent, shown } = start();
			await type(line);
			expect(shown()).toMatch(/needs a terminal with a screen\. Here, .+\.\n> $/);
			expect(sent).toEqual([]);
		},
	);

	it("lists under /help the commands that it has, and no others", async () => {
		const { type, shown } = start();
		await type("/help");
		expect(shown()).toMatch(/\/compact FOCUS/);
		expect(shown()).not.toMatch(/\/login|Ctrl\+R/);
	});

	it("takes lines for a command's own question: a number, words of a list, or nothing to leave it", async () => {
		const models = { ok: true, value: ["big-model", "small-model"] } as unknown as RequestResult;
		const chosen = {
			ok: true,
			value: { model: "small-model", profile: "p", contextWindow: 1000, offline: false, priceKnown: true },
		} as unknown as RequestResult;
		const { type, sent, shown } = start({ results: [models, chosen] });
		await type("/model");
		expect(shown()).toContain("? Model:\n  1. big-model\n  2. small-model\n");
		await type("small");
		expect(shown()).toContain("? Model:\n  1. small-model\n");
		await type("1");
		expect(sent.at(-1)).toEqual({ do: "switchModel", model: "small-model" });
		expect(shown()).toMatch(/Model: small-model .*\n> $/);
		const other = start({ results: [models] });
		await other.type("/model");
		await other.type("");
		expect(other.sent).toEqual([{ do: "listModels" }]);
		expect(other.shown()).toMatch(/\? > $/);
	});

	it("leaves a command's own question at Ctrl+C, and asks the session's question after it", async () => {
		const models = { ok: true, value: ["big-model"] } as unknown as RequestResult;
		const { type, interrupt, tell, sent, shown } = start({ results: [models] });
		await type("/model");
		tell(approval(false));
		expect(shown()).not.toContain("asks to run");
		interrupt();
		await type("y");
		expect(shown()).toContain("asks to run");
		expect(sent.at(-1)).toEqual({ do: "answerApproval", callId: "c", answer: "yes" });
	});

	it("shows what the session asked meanwhile before a line can answer it, while the command still works", async () => {
		const models = { ok: true, value: ["big-model"] } as unknown as RequestResult;
		const never = new Promise<RequestResult>(() => {});
		const { type, tell, shown } = start({ results: [models, never] });
		await type("/model");
		tell(approval(false));
		expect(shown()).not.toContain("asks to run");
		await type("1");
		expect(shown()).toContain("asks to run");
	});

	it("runs the person's own command and shows its output", async () => {
		const { type, sent, tell, shown } = start();
		await type("!ls");
		expect(sent).toEqual([{ do: "shell", command: "ls" }]);
		tell({ kind: "shell", id: "1", change: { state: "output", text: "a.txt\n" } });
		tell({ kind: "shell", id: "1", change: { state: "ended", failed: false, result: "exit code 0" } });
		expect(shown()).toContain("a.txt\n(exit code 0)\n");
	});
});
