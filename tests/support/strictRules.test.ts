// The rules themselves: a test of a program is worth as much as the server that judges it.

import { describe, expect, it } from "vitest";
import type { WireMessage } from "./caseServer.ts";
import { brokenRules } from "./strictRules.ts";

const SYSTEM: WireMessage = { role: "system", content: "s" };
const USER: WireMessage = { role: "user", content: "u" };

function calling(...calls: [id: string, args?: string][]): WireMessage {
	const tool_calls = calls.map(([id, text = "{}"]) => ({
		id,
		function: { name: "readFile", arguments: text },
	}));
	return { role: "assistant", content: null, tool_calls };
}

function result(id: string, content = "r"): WireMessage {
	return { role: "tool", tool_call_id: id, content };
}

describe("brokenRules", () => {
	it("finds nothing in a whole conversation, also where an id comes again in a later message", () => {
		const round = [calling(["a"], ["b"]), result("b"), result("a")];
		expect(brokenRules([SYSTEM, USER, ...round, ...round])).toEqual([]);
		expect(brokenRules([SYSTEM, USER, { role: "assistant", content: "hi" }, USER])).toEqual([]);
	});

	it.each<[string, WireMessage[], RegExp]>([
		["a call without its result", [USER, calling(["a"], ["b"]), result("a"), USER], /a,b .* answered by a$/],
		["a result after another message", [USER, calling(["a"]), USER, result("a")], /nothing before it asked/],
		["a result without a call", [USER, result("a")], /nothing before it asked/],
		["two results of one call", [USER, calling(["a"]), result("a"), result("a")], /answered by a,a/],
		["an empty result", [USER, calling(["a"]), result("a", "")], /empty result/],
		["an empty assistant message", [USER, { role: "assistant", content: " " }, USER], /says nothing/],
		["arguments that are no object", [USER, calling(["a", "[1]"]), result("a")], /no JSON object/],
		["arguments that are cut", [USER, calling(["a", '{"x":']), result("a")], /no JSON object/],
		["an empty id", [USER, calling([""]), result("")], /empty id/],
		["one id twice in a message", [USER, calling(["a"], ["a"]), result("a"), result("a")], /twice/],
		["a late system message", [USER, SYSTEM, USER], /system message and not the first/],
		[
			"an assistant who speaks last",
			[USER, { role: "assistant", content: "x" }],
			/last message is of assistant/,
		],
	])("finds %s", (_, messages, broken) => {
		expect(brokenRules(messages).join("\n")).toMatch(broken);
	});
});
