import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type CanonicalEnd, createCanonical } from "../../../src/adapters/models/canonical.ts";
import { cut } from "./cut.ts";

interface Reading {
	text: string;
	reasoning: string;
	calls: { id: string; name: string; arguments: string }[];
	finish: string | null | undefined;
	usage: unknown;
	end: CanonicalEnd;
}

function read(values: unknown[], sawDone = true): Reading {
	const canonical = createCanonical({ idPrefix: "ab12", model: "m" });
	const pushed = values.flatMap((value) => canonical.push(value));
	const end = canonical.end(sawDone);
	const chunks = [...pushed, ...end.chunks];
	const deltas = chunks.flatMap(({ choices }) => choices.map(({ delta }) => delta));
	const calls: Reading["calls"] = [];
	for (const delta of deltas.flatMap((one) => one.tool_calls ?? [])) {
		const call = calls[delta.index];
		if (call) call.arguments += delta.function.arguments;
		else calls[delta.index] = { id: delta.id ?? "", name: delta.function.name ?? "", arguments: "" };
	}
	return {
		text: deltas.map(({ content }) => content ?? "").join(""),
		reasoning: deltas.map((delta) => delta.reasoning_content ?? "").join(""),
		calls,
		finish: chunks.flatMap(({ choices }) => choices.map((choice) => choice.finish_reason)).findLast(Boolean),
		usage: chunks.at(-1)?.usage,
		end,
	};
}

const delta = (value: unknown, finish: string | null = null) => ({
	choices: [{ index: 0, delta: value, finish_reason: finish }],
});
const call = (value: unknown) => delta({ tool_calls: [value] });
const A = '{"path":"a.txt"}';
const B = '{"path":"b.txt"}';

describe("createCanonical", () => {
	it("never throws and always ends well formed, whatever JSON comes", () => {
		const part = fc.oneof(
			fc.jsonValue(),
			fc.record({ index: fc.nat(2), id: fc.jsonValue(), function: fc.jsonValue() }),
		);
		const chunk = fc.record({
			choices: fc.array(
				fc.record({
					delta: fc.record({
						content: fc.jsonValue(),
						reasoning: fc.jsonValue(),
						tool_calls: fc.array(part),
					}),
					finish_reason: fc.jsonValue(),
				}),
			),
			usage: fc.jsonValue(),
		});
		fc.assert(
			fc.property(fc.array(fc.oneof(fc.jsonValue(), chunk)), fc.boolean(), (values, sawDone) => {
				const { end, calls, finish } = read(values, sawDone);
				expect(new Set(calls.map(({ id }) => id)).size).toBe(calls.length);
				expect(calls.every(({ id, name }) => id !== "" && name !== "")).toBe(true);
				expect(finish === "error").toBe(end.problem !== undefined);
			}),
		);
	});

	it("gives the same calls whatever a server leaves out and however it cuts the arguments", () => {
		const one = fc.record({
			name: fc.constantFrom("readFile", "listFiles", "runCommand"),
			args: fc.dictionary(fc.string(), fc.string(), { minKeys: 1, maxKeys: 3 }),
			cuts: fc.array(fc.nat(12), { maxLength: 4 }),
		});
		const habit = fc.constantFrom(
			"reference",
			"no index",
			"index 0 always",
			"name repeated",
			"id repeated",
			"resent",
		);
		fc.assert(
			fc.property(fc.array(one, { minLength: 1, maxLength: 4 }), habit, (wanted, server) => {
				const values = wanted.flatMap(({ name, args, cuts }, position) => {
					const text = JSON.stringify(args);
					const pieces = cut(text, cuts).filter((piece) => piece !== "");
					const index = server === "no index" ? {} : { index: server === "index 0 always" ? 0 : position };
					const deltas = pieces.map((piece, at) => ({
						...index,
						...(at === 0 || server === "id repeated" ? { id: `c_${position}` } : { id: "" }),
						function: { ...(at === 0 || server === "name repeated" ? { name } : {}), arguments: piece },
					}));
					const again = server === "resent" ? [{ ...index, function: { arguments: text } }] : [];
					return [...deltas, ...again].map(call);
				});
				const { calls, end } = read([...values, delta({}, "tool_calls")]);
				expect(end.problem).toBeUndefined();
				expect(calls).toEqual(
					wanted.map(({ name, args }, position) => ({
						id: `c_${position}`,
						name,
						arguments: JSON.stringify(args),
					})),
				);
			}),
		);
	});

	it.each([
		[
			"without any index",
			[
				{ id: "c_a", function: { name: "readFile", arguments: A } },
				{ id: "c_b", function: { name: "readFile", arguments: B } },
			],
			["c_a", "c_b"],
		],
		[
			"under one index",
			[
				{ index: 0, id: "c_a", function: { name: "readFile", arguments: A } },
				{ index: 0, id: "c_b", function: { name: "readFile", arguments: B } },
			],
			["c_a", "c_b"],
		],
		[
			"without index and id",
			[{ function: { name: "readFile", arguments: A } }, { function: { name: "readFile", arguments: B } }],
			["call_ab12_0", "call_ab12_1"],
		],
		[
			"under one id",
			[
				{ index: 0, id: "x", function: { name: "readFile", arguments: A } },
				{ index: 1, id: "x", function: { name: "readFile", arguments: B } },
			],
			["x", "call_ab12_1"],
		],
		[
			"with empty ids under one index",
			[
				{ index: 0, id: "", function: { name: "readFile", arguments: A } },
				{ index: 0, id: "", function: { name: "readFile", arguments: B } },
			],
			["call_ab12_0", "call_ab12_1"],
		],
	])("keeps two calls apart that come %s", (_case, deltas, ids) => {
		const { calls } = read([...deltas.map(call), delta({}, "tool_calls")]);
		expect(calls).toEqual([
			{ id: ids[0], name: "readFile", arguments: A },
			{ id: ids[1], name: "readFile", arguments: B },
		]);
	});

	it("drops empty names and goes on with the last call where index and id are missing", () => {
		const { calls } = read([
			call({ id: "c", function: { name: "readFile", arguments: '{"path":' } }),
			call({ function: { name: "", arguments: '"a.txt"}' } }),
			delta({}, "tool_calls"),
		]);
		expect(calls).toEqual([{ id: "c", name: "readFile", arguments: A }]);
	});

	it.each([[""], [null], [undefined], ["null"], [{}]])("makes %j as arguments an empty object", (given) => {
		const { calls } = read([
			call({ index: 0, id: "c", function: { name: "listFiles", arguments: given } }),
			delta({}, "tool_calls"),
		]);
		expect(calls[0]?.arguments).toBe("{}");
	});

	it("writes arguments that are an object as text", () => {
		const { calls } = read([
			call({ index: 0, id: "c", function: { name: "readFile", arguments: { path: "a.txt" } } }),
			delta({}, "stop"),
		]);
		expect(calls[0]?.arguments).toBe(A);
	});

	it("takes a legacy function call as a tool call", () => {
		const { calls, finish } = read([
			delta({ function_call: { name: "readFile", arguments: '{"path":' } }),
			delta({ function_call: { arguments: '"a.txt"}' } }, "function_call"),
		]);
		expect(calls).toEqual([{ id: "call_ab12_0", name: "readFile", arguments: A }]);
		expect(finish).toBe("tool_calls");
	});

	it("lets the calls decide where the reason is stop, and the cut where it is length", () => {
		const cutCall = call({ index: 0, id: "c", function: { name: "writeFile", arguments: '{"path":"no' } });
		expect(
			read([call({ index: 0, id: "c", function: { name: "readFile", arguments: A } }), delta({}, "stop")])
				.finish,
		).toBe("tool_calls");
		const { finish, calls } = read([cutCall, delta({}, "length")]);
		expect(finish).toBe("length");
		expect(calls[0]?.arguments).toBe('{"path":"no');
	});

	it.each([
		["eos", "stop"],
		["STOP", "stop"],
		["end_turn", "stop"],
		["max_tokens", "length"],
		["MAX_TOKENS", "length"],
		["model_length", "length"],
		["content-filter", "content_filter"],
		["sensitive", "content_filter"],
		["refusal", "refusal"],
	])("reads the finish reason %s as %s", (told, expected) => {
		expect(read([delta({ content: "x" }, told)]).finish).toBe(expected);
	});

	it("ends as a refusal where the server sends refusal text", () => {
		const { text, finish } = read([delta({ refusal: "I will not." }), delta({}, "stop")]);
		expect({ text, finish }).toEqual({ text: "I will not.", finish: "refusal" });
	});

	it("reads reasoning in every field and list, and text in lists", () => {
		const { text, reasoning } = read([
			delta({ reasoning: "a" }),
			delta({ reasoning_content: "b", reasoning: "b" }),
			delta({ content: [{ type: "thinking", thinking: [{ type: "text", text: "c" }] }] }),
			delta({ content: null }),
			delta({ content: [{ type: "text", text: "He" }, "llo"] }, "stop"),
		]);
		expect({ text, reasoning }).toEqual({ text: "Hello", reasoning: "abc" });
	});

	it("takes text back only where more than blanks was shown", () => {
		const deltasOf = (...contents: string[]) => {
			const canonical = createCanonical({ idPrefix: "ab12", model: "m" });
			const chunks = contents.flatMap((content) => canonical.push(delta({ content })));
			return chunks.flatMap(({ choices }) => choices.map((choice) => choice.delta));
		};
		expect(deltasOf("\n", " </", "think>\n\nHi")).toEqual([{ content: "Hi" }]);
		expect(deltasOf("Hm.", "</think>\n\nHi")).toEqual([
			{ content: "Hm." },
			{ rethought: true, reasoning_place: "content" },
			{ content: "Hi" },
		]);
	});

	it("takes a closing tag at the end for text, unless the reply calls tools", () => {
		const said = delta({ content: "It is:\n</think>\n" });
		expect(read([said, delta({}, "stop")])).toMatchObject({ text: "It is:\n</think>\n", finish: "stop" });
		const calling = call({ index: 0, id: "c", function: { name: "readFile", arguments: A } });
		expect(read([said, calling, delta({}, "tool_calls")])).toMatchObject({ finish: "tool_calls" });
		expect(read([delta({ content: "</think>" }), calling, delta({}, "tool_calls")]).text).toBe("");
	});

	it("takes the last real usage, wherever it stands", () => {
		const usage = (n: number) => ({ prompt_tokens: 10, completion_tokens: n, total_tokens: 10 + n });
		const values = [
			{ ...delta({ content: "a" }), usage: usage(1) },
			{ choices: [{ index: 0, delta: { content: "b" }, finish_reason: "stop", usage: usage(2) }] },
			{ choices: [], usage: { prompt_tokens: 0, completion_tokens: 0 } },
		];
		expect(read(values).usage).toMatchObject({ prompt_tokens: 10, completion_tokens: 2 });
		expect(read([{ ...delta({ content: "a" }, "stop"), x_groq: { usage: usage(3) } }]).usage).toMatchObject({
			completion_tokens: 3,
		});
	});

	it("takes a whole reply, and ignores a whole message that repeats what streamed", () => {
		const message = { role: "assistant", content: "Hello" };
		const whole = {
			id: "x",
			object: "chat.completion",
			choices: [{ index: 0, message, finish_reason: "stop" }],
		};
		expect(read([whole]).text).toBe("Hello");
		expect(read([delta({ content: "Hello" }), whole]).text).toBe("Hello");
	});

	it("is cut off without a finish reason and end marker", () => {
		expect(read([delta({ content: "Step 1: back up the " })], false).end.problem).toEqual({
			type: "cut_off",
			said: "something",
		});
		expect(read([], false).end.problem).toEqual({ type: "cut_off", said: "nothing" });
	});

	it("accepts an end marker without a reason after text or whole calls only, and notes it", () => {
		const half = call({ index: 0, id: "c", function: { name: "readFile", arguments: '{"pa' } });
		expect(read([delta({ content: "Hi" })]).end).toMatchObject({ notes: { finishAssumed: true } });
		expect(read([delta({ content: "Hi" })]).finish).toBe("stop");
		expect(read([half]).end.problem).toMatchObject({ type: "cut_off" });
		expect(read([delta({ reasoning: "Hm" })]).end.problem).toMatchObject({ type: "cut_off" });
	});

	it("does not take a stop with neither text nor calls for an answer", () => {
		expect(read([delta({ reasoning: "Hm" }), delta({}, "stop")]).end.problem).toEqual({ type: "empty" });
		expect(read([delta({ content: "\n " }, "tool_calls")]).end.problem).toEqual({ type: "empty" });
	});

	it("does not take a call without a name for one", () => {
		expect(
			read([call({ index: 0, id: "c", function: { arguments: A } }), delta({}, "tool_calls")]).end.problem,
		).toEqual({ type: "nameless_call" });
	});

	it.each([
		[{ error: { message: "upstream overloaded", code: "overloaded" } }, "upstream overloaded", "overloaded"],
		[{ error: "no capacity" }, "no capacity", undefined],
		[{ code: "InvalidParameter", message: "bad", request_id: "1" }, "bad", "InvalidParameter"],
		[{ choices: [{ index: 0, delta: {}, error: { message: "died", code: 502 } }] }, "died", "502"],
		[{ object: "error", message: "too busy" }, "too busy", undefined],
	])("stops at the error %j", (value, message, code) => {
		const { end, text } = read([
			delta({ content: "Thinking about" }),
			value,
			delta({ content: "more" }, "stop"),
		]);
		expect(end.problem).toMatchObject({ type: "server_error", error: { message, ...(code && { code }) } });
		expect(text).toBe("Thinking about");
	});

	it("takes a finish reason that tells an error for one", () => {
		expect(read([delta({ content: "x" }, "insufficient_system_resource")]).end.problem).toMatchObject({
			type: "server_error",
			error: { code: "insufficient_system_resource" },
		});
	});
});
