// Whole turns in small windows: what is summed up, what stays, and when it ends.

import { afterEach, describe, expect, it } from "vitest";
import type { ScriptedReply } from "../../src/adapters/models/scripted.ts";
import { createWorld } from "../../src/adapters/world.ts";
import { createDocumentObserver } from "../../src/agent/context/documents.ts";
import type { ModelRequest, PromptMessage } from "../../src/ports/model.ts";
import { rebuildRequests } from "../../src/runtime/requests.ts";
import { stateOf } from "../../src/runtime/sessions.ts";
import { TOKENIZERS } from "../support/tokenizers.ts";
import { createTurnBench, type TurnBench, type TurnBenchOptions } from "../support/turnBench.ts";

let bench: TurnBench | undefined;

afterEach(async () => {
	await bench?.remove();
	bench = undefined;
});

async function open(options: TurnBenchOptions): Promise<TurnBench> {
	bench = await createTurnBench(options);
	return bench;
}

/** About four letters a token, as the server counts. */
const countOf = (request: ModelRequest) =>
	Math.ceil(JSON.stringify([request.system, request.tools, request.messages]).length / 4);

const isSummary = (request: ModelRequest) => request.system.startsWith("You sum up");

const usage = (request: ModelRequest, out = 20) => ({
	inputTokens: countOf(request),
	outputTokens: out,
	cachedInputTokens: 0,
	reasoningTokens: 0,
});

const overflow = (contextWindow?: number): ScriptedReply => ({
	failure: {
		kind: "context_overflow",
		message: "prompt is too long",
		retryable: false,
		...(contextWindow === undefined ? {} : { contextWindow }),
	},
});

const window = (contextWindow: number, more: object = {}) => ({
	limits: { contextWindow, outputReserve: Math.floor(contextWindow / 8) },
	...more,
});

/** Breaks of the rules of strict servers: a call without its result behind it, or a result without its call. */
function orphans(messages: readonly PromptMessage[]): string[] {
	const broken: string[] = [];
	let owed: string[] = [];
	for (const message of messages) {
		if (message.role === "tool") {
			const at = owed.indexOf(message.id);
			if (at < 0) broken.push(`result ${message.id}`);
			else owed.splice(at, 1);
			continue;
		}
		broken.push(...owed.map((id) => `call ${id}`));
		owed = message.role === "assistant" ? message.calls.map((call) => call.id) : [];
	}
	return [...broken, ...owed.map((id) => `call ${id}`)];
}

const viewOf = (request: ModelRequest) =>
	request.messages.map((m) => `${m.text} ${"calls" in m ? JSON.stringify(m.calls) : ""}`).join("\n");

/** What a real summariser does under pressure: it keeps the drift and rounds off every name and number. */
const LOSSY = `## Goal and corrections
- The user wants some changes.
## Confirmed facts
- Several files were read and things looked fine.
## Decisions and why
- Some decisions were made.`;

describe("a session of 400 steps in a window of 32,000 tokens", () => {
	const FACTS = {
		goal: "port the billing service to node 26",
		correction: "keep the CSV header named Betrag_EUR",
		path: "services/billing/src/ledgerExport.ts",
		number: "41873",
		error: "EPIPE: broken pipe while flushing ledger-7",
		decision: "SQLite in WAL mode",
		job: "job-5521-nightly",
		port: "port 49217",
		branch: "release/2026-11",
		hash: "9f3a01bc7d",
		url: "http://localhost:8931/health",
		ticket: "BILL-2291",
		command: "npm run verify:ledger",
		version: "3.14.159",
		name: "Ottilie",
		limit: "at most 17 retries",
		flag: "--no-rounding",
		table: "ledger_entries_v2",
		date: "2026-12-24",
		rule: "never touch the archive folder",
		wish: "数字不要四舍五入",
	};

	it.each(Object.entries(TOKENIZERS))(
		"finishes within the window, with few summaries, no orphan and every planted fact: %s",
		async (_, tokenizer) => {
			const steps = 400;
			const countOf = (request: ModelRequest) =>
				tokenizer(JSON.stringify([request.system, request.tools, request.messages]));
			const usage = (request: ModelRequest, out = 20) => ({
				inputTokens: countOf(request),
				outputTokens: out,
				cachedInputTokens: 0,
				reasoningTokens: 0,
			});
			const served: ModelRequest[] = [];
			const said: Record<number, string> = {
				3: `Decided: ${FACTS.decision} instead of Postgres, because the export runs offline.`,
				5: `The work is in ${FACTS.path}; the total of line 12 is ${FACTS.number}.`,
				9: `Started ${FACTS.job}; the service listens on ${FACTS.port}, see ${FACTS.url}.`,
				40: `Branch ${FACTS.branch} is at ${FACTS.hash}; the table is \`${FACTS.table}\`, version ${FACTS.version}.`,
				120: `Run \`${FACTS.command}\` with \`${FACTS.flag}\` for ${FACTS.ticket}, due ${FACTS.date}.`,
			};
			let turn = 0;
			const b = await open({
				script: (request) => {
					if (isSummary(request)) return { text: LOSSY, usage: usage(request, 60) };
					served.push(request);
					turn++;
					if (turn === 60) b.submit(`No: ${FACTS.correction}. ${FACTS.wish}。`, "next_step");
					const call =
						turn === 30
							? { name: "runCommand", args: { command: `echo '${FACTS.error}' >&2; exit 3` } }
							: { name: "readFile", args: { path: `f${turn % 4}.txt`, limit: 40 } };
					if (turn >= steps) return { text: "done", usage: usage(request) };
					return { text: said[turn] ?? `Step ${turn}: reading on.`, calls: [call], usage: usage(request) };
				},
				files: Object.fromEntries(
					[0, 1, 2, 3].map((n) => [
						`f${n}.txt`,
						Array.from({ length: 40 }, (_, i) => `row ${i} of part ${n}: plain words about nothing`).join(
							"\n",
						),
					]),
				),
				mode: "bypassPermissions",
				context: window(32_000),
			});
			b.submit(`Please ${FACTS.goal}; ${FACTS.limit}; ${FACTS.rule}. Ask ${FACTS.name} in doubt.`);
			const end = await b.run();
			expect(end).toMatchObject({ status: "completed", answer: "done" });
			expect(served).toHaveLength(steps);
			expect(Math.max(...b.model.requests.map(({ request }) => countOf(request)))).toBeLessThanOrEqual(
				32_000,
			);
			expect(served.flatMap(({ messages }) => orphans(messages))).toEqual([]);
			const last = viewOf(served.at(-1)!);
			expect(Object.values(FACTS).filter((fact) => !last.includes(fact))).toEqual([]);
			const events = await b.events();
			const checkpoints = events.filter(({ type }) => type === "checkpoint/committed").length;
			expect(checkpoints).toBeGreaterThan(2);
			expect(checkpoints).toBeLessThanOrEqual(12);
			expect(prefixBreaks(served)).toBeLessThanOrEqual(checkpoints);
			expect(stateOf(await b.commits()).history).toEqual(b.session.state.history);
		},
		60_000,
	);
});

/** Every request of a session as its log gives it back. */
async function rebuilt({ sessions, session }: TurnBench): Promise<string[]> {
	const { commits, getBlob } = await sessions.read(session.state.sessionId);
	const digest = createWorld().digest;
	const bodies: string[] = [];
	for await (const request of rebuildRequests(commits, { getBlob, digest }))
		bodies.push(request.ok ? request.body : request.message);
	return bodies;
}

/** How many requests do not begin with all that the one before them had sent. */
function prefixBreaks(requests: readonly ModelRequest[]): number {
	return requests.filter((request, i) => {
		const before = requests[i - 1];
		if (!before) return false;
		const isSame = (message: PromptMessage, at: number) =>
			JSON.stringify(message) === JSON.stringify(request.messages[at]);
		return (
			before.system !== request.system || before.tools !== request.tools || !before.messages.every(isSame)
		);
	}).length;
}

describe("a session of 60 steps in which AGENTS.md and the plan change", () => {
	it("sends the whole of each request again as the beginning of the next", async () => {
		let text = "Use tabs.";
		const read = () => ({
			documents: [{ path: "AGENTS.md", scope: "project" as const, text, bytes: text.length, cut: false }],
			warnings: [],
		});
		let observe = (): void => undefined;
		const b = await open({
			files: { "a.txt": "alpha" },
			script: (request, index) => {
				if (index % 15 === 7) text = `Use ${index} spaces.`;
				if (index === 59) return { text: "done", usage: usage(request) };
				const plan = { items: [{ content: `part ${index}`, status: "in_progress" }] };
				const call =
					index % 10 === 3
						? { name: "updatePlan", args: plan }
						: { name: "readFile", args: { path: "a.txt" } };
				return { calls: [call], usage: usage(request) };
			},
			context: { observe: () => observe() },
		});
		const { redact, world } = b.contextFor(new AbortController().signal);
		observe = createDocumentObserver({
			session: b.session,
			documents: { read, mark: () => text, enter: () => undefined },
			trusted: true,
			redact,
			digest: world.digest,
			warn: () => undefined,
		});
		observe();
		expect(await b.say("go")).toMatchObject({ status: "completed" });
		const requests = b.model.requests.map(({ request }) => request);
		expect(requests).toHaveLength(60);
		expect(prefixBreaks(requests)).toBe(0);
		expect(requests.at(-1)!.messages.filter((m) => m.text.includes("AGENTS.md has changed"))).toHaveLength(4);
	});
});

describe("an overflow told by the server", () => {
	const turns = 12;
	const long = "many words about the old work ".repeat(60);

	it.each([
		["names the window", 8_192],
		["names none", undefined],
	])("compacts once and goes on in the same step where it %s", async (_, told) => {
		let isFirst = true;
		const b = await open({
			script: (request, index) => {
				if (isSummary(request)) return { text: "## Confirmed facts\n- a summary" };
				if (index >= turns && isFirst) {
					isFirst = false;
					return overflow(told);
				}
				return { text: index >= turns ? "ok" : long, usage: null };
			},
		});
		for (let i = 0; i < turns; i++) await b.say(`question ${i}`);
		const before = b.model.requests.length;
		expect(await b.say("continue")).toMatchObject({ status: "completed", answer: "ok" });
		const sent = b.model.requests.slice(before).map(({ request }) => request);
		expect(sent).toHaveLength(3);
		const [refused, summary, again] = sent;
		expect(isSummary(summary!)).toBe(true);
		expect(summary!.tools).toEqual([]);
		expect(countOf(again!)).toBeLessThan(countOf(refused!) * 0.8);
		expect(again!.messages.at(-1)).toEqual({ role: "user", text: "continue" });
		const events = await b.events();
		expect(events.filter(({ type }) => type === "step/start")).toHaveLength(turns + 1);
		expect(await rebuilt(b)).toEqual(b.model.requests.map(({ body }) => body));
		const owned = events.filter((event) => event.type === "attempt/end" && event.owner);
		expect(owned).toMatchObject([{ outcome: "accepted", usage: { inputTokens: 100 } }]);
	});

	it("ends with what fills the window where there is nothing to sum up, and keeps the prompt", async () => {
		const b = await open({
			script: () => overflow(8_000),
			context: window(8_000, { system: "You are agi." }),
		});
		b.session.record({
			do: "observeDocument",
			document: {
				path: "AGENTS.md",
				digest: "d",
				bytes: 27_600,
				cut: false,
				trusted: true,
				text: "rules ".repeat(4_600),
			},
		});
		const end = await b.say("hello");
		expect(end).toMatchObject({ status: "failed", code: "context" });
		expect(end!.answer).toMatch(
			/does not fit the window of 8,000 .*AGENTS\.md about [67],\d{3}.*shorten AGENTS\.md/,
		);
		expect(b.model.requests).toHaveLength(1);
		expect(b.session.state.history).toMatchObject([{ kind: "user", text: "hello" }]);
	});

	it("sends no first request that is far longer than a known window, which some servers cut without a word", async () => {
		const b = await open({
			script: (request) => ({ text: "ok", usage: usage(request) }),
			context: window(4_000),
			answers: [],
		});
		const end = await b.say("many words ".repeat(2_400));
		expect(end).toMatchObject({ status: "failed", code: "context" });
		expect(end!.answer).toMatch(
			/does not fit the window of 4,000 .*your message about [67],\d{3}.*shorten or delete it \(\/queue\)/,
		);
		expect(b.model.requests).toEqual([]);
		expect(b.session.state.inbox).toHaveLength(1);
	});

	it("says that such a message does not wait where nobody could shorten it", async () => {
		const b = await open({
			script: (request) => ({ text: "ok", usage: usage(request) }),
			context: window(4_000),
		});
		const end = await b.say("many words ".repeat(2_400));
		expect(end!.answer).toMatch(
			/The message was taken back and no later turn carries it: send a shorter one, or .* \(-m;/,
		);
	});

	it("keeps the window that the server named in its refusal, as a fact of the log", async () => {
		const b = await open({ script: (_, index) => (index === 0 ? overflow(3_000) : { text: "ok" }) });
		await b.say("hello");
		expect([...b.session.state.windows.values()]).toEqual([3_000]);
	});

	it("never asks for a third summary in one step, whatever the server says", async () => {
		const b = await open({
			script: (request, index) =>
				isSummary(request) ? { text: "short" } : index < turns ? { text: long } : overflow(),
		});
		for (let i = 0; i < turns; i++) await b.say(`question ${i}`);
		const before = b.model.requests.length;
		expect(await b.say("go on")).toMatchObject({ status: "failed", code: "context" });
		const sent = b.model.requests.slice(before);
		expect(sent.filter(({ request }) => isSummary(request)).length).toBeLessThanOrEqual(2);
		const bodies = sent.map(({ body }) => body);
		expect(new Set(bodies).size).toBe(bodies.length);
	});

	it("goes on with what agi keeps by itself where the summariser fails", async () => {
		let refused = false;
		const b = await open({
			script: (request, index) => {
				if (isSummary(request)) return { failure: { kind: "unknown", message: "no", retryable: false } };
				if (index < turns) return { text: long };
				if (refused) return { text: "ok" };
				refused = true;
				return overflow();
			},
		});
		await b.say("the goal is exactly 4711 lines");
		for (let i = 1; i < turns; i++) await b.say(`question ${i}`);
		expect(await b.say("continue")).toMatchObject({ answer: "ok" });
		expect(viewOf(b.model.requests.at(-1)!.request)).toContain("user: the goal is exactly 4711 lines");
	});
});

describe("the threshold", () => {
	const long = "many words about the old work ".repeat(60);

	it("keeps a batch of parallel calls together with its results", async () => {
		const files = Object.fromEntries(["p1", "p2", "p3"].map((name) => [name, `${name} `.repeat(1_600)]));
		const b = await open({
			files,
			script: (request, index) => {
				if (isSummary(request)) return { text: LOSSY, usage: usage(request) };
				const calls = ["p1", "p2", "p3"].map((path) => ({ id: path, name: "readFile", args: { path } }));
				const told = { usage: usage(request) };
				return index === 10 ? { calls, ...told } : { text: index < 10 ? long : "ok", ...told };
			},
			context: window(16_000, { compaction: { threshold: 0.4 } }),
		});
		for (let i = 0; i < 10; i++) await b.say(`question ${i}`);
		await b.say("read them");
		await b.say("next");
		expect(b.model.requests.flatMap(({ request }) => orphans(request.messages))).toEqual([]);
		expect(b.model.requests.at(-1)!.request.messages.at(-1)).toEqual({ role: "user", text: "next" });
		expect((await b.events()).some(({ type }) => type === "checkpoint/committed")).toBe(true);
	});

	it("compacts in time where the server tells no usage and counts Chinese letters as tokens", async () => {
		const count = (request: ModelRequest) => {
			const text = JSON.stringify([request.system, request.tools, request.messages]);
			const wide = text.match(/[\u3000-\u9fff]/g)?.length ?? 0;
			return wide + Math.ceil((text.length - wide) / 4);
		};
		let refusals = 0;
		const b = await open({
			script: (request) => {
				if (count(request) > 16_000) {
					refusals++;
					return overflow();
				}
				return { text: isSummary(request) ? "## Confirmed facts\n- 简短" : "好的。".repeat(80), usage: null };
			},
			context: window(16_000),
		});
		for (let i = 0; i < 40; i++)
			expect(await b.say(`第${i}个问题：${"请继续写下去。".repeat(70)}`)).toMatchObject({
				status: "completed",
			});
		expect(refusals).toBeLessThanOrEqual(1);
	});

	it("begins earlier where results as large as the last would leave no room for the answer", async () => {
		const sizeAtCheckpoint = async (letters: number) => {
			let isDone = false;
			const b = await open({
				files: { part: "x".repeat(letters) },
				script: (request) => {
					isDone ||= isSummary(request) || (letters < 100 && countOf(request) > 12_600);
					if (isDone) return { text: "short", usage: usage(request) };
					const call = { name: "readFile", args: { path: "part" } };
					return { text: letters > 100 ? "" : long.repeat(2), calls: [call], usage: usage(request) };
				},
				context: window(16_000, { compaction: { threshold: 0.99 } }),
			});
			await b.say("read");
			const made = (await b.events()).find((event) => event.type === "checkpoint/committed");
			await b.remove();
			return made?.type === "checkpoint/committed" ? made.tokensBefore : Infinity;
		};
		expect(await sizeAtCheckpoint(6_000)).toBeLessThan(14_000);
		expect(await sizeAtCheckpoint(10)).toBe(Infinity);
	});

	it("cuts one result that would fill the window, and says how to get the rest", async () => {
		const b = await open({
			files: { big: "one line of a large file\n".repeat(1_500) },
			script: (request, index) =>
				index === 0
					? { calls: [{ name: "readFile", args: { path: "big", limit: 1500 } }], usage: usage(request) }
					: { text: "ok", usage: usage(request) },
			context: window(8_000),
		});
		expect(await b.say("read")).toMatchObject({ status: "completed" });
		const last = b.model.requests.at(-1)!.request;
		expect(countOf(last)).toBeLessThan(8_000);
		expect(last.messages.at(-1)!.text).toContain("Ask for a smaller part");
	});

	it("tries a summary that saves nothing once, not before every request", async () => {
		const b = await open({
			script: (request, index) =>
				isSummary(request)
					? { failure: { kind: "unknown", message: "no", retryable: false } }
					: { text: index < 8 ? long : "ok", usage: usage(request) },
			context: window(8_000, { compaction: { threshold: 0.5 } }),
		});
		for (let i = 0; i < 11; i++) await b.say(`question ${i}`);
		const asked = b.model.requests.filter(({ request }) => isSummary(request)).length;
		expect(asked).toBeGreaterThan(0);
		expect(asked).toBeLessThan(5);
	});
});
