import { describe, expect, it } from "vitest";
import {
	type LaminarModule,
	type TracedSession,
	traceToLaminar,
} from "../../../src/adapters/tracing/laminar.ts";
import type { EventOf, SessionEvent } from "../../../src/session/events.ts";

const model = { model: "m", profile: "custom", baseUrl: "http://127.0.0.1", contextWindow: 1000 };

/** A session that publishes what it is told to. */
function fakeSession() {
	const listeners = new Set<Parameters<TracedSession["subscribe"]>[0]>();
	const notices: string[] = [];
	return {
		notices,
		listeners,
		publish(at: string, ...events: SessionEvent[]) {
			for (const listener of listeners) listener({ kind: "facts", at, events });
		},
		session: {
			state: { sessionId: "s-1" },
			subscribe(listener) {
				listeners.add(listener);
				return () => listeners.delete(listener);
			},
			tell(delta) {
				if (delta.type === "notice") notices.push(delta.text);
			},
		} satisfies TracedSession,
	};
}

interface RecordedSpan {
	options: Record<string, unknown>;
	attributes: Record<string, unknown>;
	status?: unknown;
	end?: number;
}

/** A package that keeps the spans it was asked for. */
function fakePackage(change: Partial<LaminarModule["Laminar"]> = {}) {
	const spans: RecordedSpan[] = [];
	const calls: string[] = [];
	let isInitialized = false;
	const module: LaminarModule = {
		Laminar: {
			initialized: () => isInitialized,
			initialize(options) {
				isInitialized = true;
				calls.push(`initialize ${options.projectApiKey}`);
			},
			startSpan(options) {
				const span: RecordedSpan = { options, attributes: {} };
				spans.push(span);
				return {
					setAttribute: (name, value) => {
						span.attributes[name] = value;
					},
					setStatus: (status) => {
						span.status = status;
					},
					end: (time) => {
						span.end = time;
					},
				};
			},
			serializeLaminarSpanContext: () => `parent-${spans.length}`,
			async flush() {
				calls.push("flush");
			},
			...change,
		},
	};
	return { spans, calls, load: async () => module };
}

const at = (second: number): string => `2026-11-29T17:20:${String(second).padStart(2, "0")}.000Z`;
const usage = { inputTokens: 100, outputTokens: 10, cachedInputTokens: 40, reasoningTokens: 3 };

/** A turn: one attempt fails, the next calls a tool, the call fails, the model answers. */
function publishTurn(publish: (at: string, ...events: SessionEvent[]) => void): void {
	const ended = (n: number, rest: Partial<EventOf<"attempt/end">>): SessionEvent => ({
		type: "attempt/end",
		attemptId: `attempt-${n}`,
		outcome: "accepted",
		text: "",
		reasoning: "",
		calls: [],
		durationMs: 1000,
		...rest,
	});
	publish(at(0), { type: "user/message", messageId: "message-1", text: "read it", origin: "person" });
	publish(
		at(1),
		{ type: "turn/start", turnId: "turn-1", source: { kind: "inbox", messageIds: ["message-1"] } },
		{ type: "step/start", stepId: "step-1", turnId: "turn-1", model, claimed: ["message-1"] },
		{ type: "inbox/included", messageIds: ["message-1"], stepId: "step-1" },
	);
	const failure = { kind: "overloaded" as const, message: "The server is busy.", retryable: true };
	publish(at(3), ended(1, { outcome: "failed", failure }));
	const call = { id: "c", name: "readFile", arguments: "{}" };
	publish(
		at(5),
		ended(2, { outcome: "accepted", calls: [call], finish: "tool_calls", usage }),
		{ type: "assistant/accepted", messageId: "message-2", attemptId: "attempt-2", calls: [] },
		{
			type: "tool/call",
			callId: "call-1",
			stepId: "step-1",
			name: "readFile",
			args: { path: "a" },
			toolVersion: 1,
			effects: "none",
			recovery: "none",
		},
	);
	publish(at(7), {
		type: "tool/result",
		callId: "call-1",
		status: "error",
		text: "File not found: a",
		error: { type: "NOT_FOUND", message: "File not found: a", retryable: false },
		durationMs: 500,
	});
	publish(
		at(9),
		ended(3, { outcome: "accepted", text: "It is not there.", finish: "stop", usage }),
		{ type: "assistant/accepted", messageId: "message-3", attemptId: "attempt-3", calls: [] },
		{ type: "turn/end", turnId: "turn-1", status: "completed" },
	);
}

describe("traceToLaminar", () => {
	it("makes a span for the turn, each attempt and each call, with input, output, usage, status and times", async () => {
		const { session, publish } = fakeSession();
		const { spans, calls, load } = fakePackage();
		const trace = await traceToLaminar("key", session, load);
		publishTurn(publish);
		await trace.close();
		expect(calls).toEqual(["initialize key", "flush"]);
		expect(spans.map(({ options }) => [options["spanType"], options["name"]])).toEqual([
			["DEFAULT", "turn"],
			["LLM", "m"],
			["LLM", "m"],
			["TOOL", "readFile"],
			["LLM", "m"],
		]);
		const [turn, failed, asked, tool, answered] = spans;
		expect(turn).toMatchObject({
			options: { input: "read it", startTime: Date.parse(at(1)) },
			end: Date.parse(at(9)),
		});
		expect(failed).toMatchObject({
			options: { parentSpanContext: "parent-1", sessionId: "s-1", startTime: Date.parse(at(2)) },
			status: { code: 2, message: "The server is busy." },
			end: Date.parse(at(3)),
		});
		expect(asked).toMatchObject({
			options: { input: [{ role: "user", content: "read it" }] },
			attributes: {
				"gen_ai.request.model": "m",
				"gen_ai.usage.input_tokens": 100,
				"gen_ai.usage.output_tokens": 10,
				"gen_ai.usage.cache_read_input_tokens": 40,
				"llm.usage.total_tokens": 110,
			},
			status: { code: 1 },
		});
		expect(tool).toMatchObject({
			options: { input: { path: "a" }, startTime: Date.parse(at(7)) - 500 },
			attributes: { "lmnr.span.output": '"File not found: a"', "agi.tool.status": "error" },
			status: { code: 2, message: "File not found: a" },
		});
		expect(answered?.options["input"]).toEqual([
			{ role: "tool", tool_call_id: "call-1", content: "File not found: a" },
		]);
		expect(answered?.attributes["lmnr.span.output"]).toContain("It is not there.");
	});

	it("loses no fact that was told before the package was loaded", async () => {
		const { session, publish } = fakeSession();
		const { spans, load } = fakePackage();
		const gate = Promise.withResolvers<void>();
		const trace = await traceToLaminar("key", session, async () => {
			await gate.promise;
			return load();
		});
		publishTurn(publish);
		expect(spans).toEqual([]);
		gate.resolve();
		await trace.close();
		expect(spans).toHaveLength(5);
	});

	it("tells once that the package is not installed, and stops listening", async () => {
		const { session, publish, notices, listeners } = fakeSession();
		const missing = Object.assign(new Error("Cannot find package"), { code: "ERR_MODULE_NOT_FOUND" });
		const trace = await traceToLaminar("key", session, () => Promise.reject(missing));
		await trace.close();
		publishTurn(publish);
		expect(notices).toEqual([expect.stringContaining("npm install -g @lmnr-ai/lmnr")]);
		expect(listeners.size).toBe(0);
	});

	it("stops with one notice where a span cannot be made, and never throws into the session", async () => {
		const { session, publish, notices } = fakeSession();
		const { load } = fakePackage({
			startSpan: () => {
				throw new Error("no tracer");
			},
		});
		const trace = await traceToLaminar("key", session, load);
		publishTurn(publish);
		await trace.close();
		publishTurn(publish);
		expect(notices).toEqual([expect.stringContaining("no tracer")]);
	});

	it("closes when its time is over where the server takes nothing", async () => {
		const { session } = fakeSession();
		const flushing = Promise.withResolvers<void>();
		const { load } = fakePackage({
			flush: () => {
				flushing.resolve();
				return new Promise(() => undefined);
			},
		});
		const trace = await traceToLaminar("key", session, load, 20);
		const closed = trace.close();
		await flushing.promise;
		await expect(closed).resolves.toBeUndefined();
	});

	it("uses the tracing that a program has set up itself", async () => {
		const { session, publish } = fakeSession();
		const { spans, calls, load } = fakePackage({ initialized: () => true });
		const trace = await traceToLaminar("key", session, load);
		publishTurn(publish);
		await trace.close();
		expect(calls).toEqual(["flush"]);
		expect(spans).toHaveLength(5);
	});

	it("survives the real package with a wrong key and no server, and leaves its environment alone", async () => {
		// Loaded beforehand, so that the bound of `close` is not spent on it.
		const { Laminar } = await import("@lmnr-ai/lmnr");
		const before = { ...process.env };
		process.env["LMNR_BASE_URL"] = "http://127.0.0.1:9";
		try {
			const { session, publish, notices } = fakeSession();
			const trace = await traceToLaminar("wrong-key", session);
			publishTurn(publish);
			await trace.close();
			expect(notices).toEqual([]);
			expect(Laminar.initialized()).toBe(true);
			expect(process.env["LMNR_LOG_LEVEL"]).toBe(before["LMNR_LOG_LEVEL"]);
		} finally {
			if (before["LMNR_BASE_URL"] === undefined) delete process.env["LMNR_BASE_URL"];
			else process.env["LMNR_BASE_URL"] = before["LMNR_BASE_URL"];
		}
	});
});
