import { describe, expect, it } from "vitest";
import { findCommand, parseSubmission, SLASH_COMMANDS } from "../../../src/ui/input/slashCommands.ts";

describe("parseSubmission", () => {
	it.each([
		["hello\nworld", { kind: "message", text: "hello\nworld" }],
		["\n\n  indented\n  code \n", { kind: "message", text: "  indented\n  code" }],
		["  \n ", { kind: "empty" }],
		["/help", { kind: "command", name: "help", argument: "" }],
		["/plan add a\ntest", { kind: "command", name: "plan", argument: "add a\ntest" }],
		["/MODEL  x ", { kind: "command", name: "model", argument: "x" }],
		["/quit", { kind: "command", name: "exit", argument: "" }],
		["/usage", { kind: "command", name: "cost", argument: "" }],
		["/new", { kind: "command", name: "clear", argument: "" }],
		["/sessions", { kind: "command", name: "resume", argument: "" }],
		["/continue foo", { kind: "command", name: "resume", argument: "foo" }],
		["//help is a command", { kind: "message", text: "/help is a command" }],
		["/usr/bin/env is missing", { kind: "message", text: "/usr/bin/env is missing" }],
		["/notes.md says what?", { kind: "message", text: "/notes.md says what?" }],
		["/modle", { kind: "unknownCommand", typed: "modle", suggestions: ["model"] }],
		["/stat", { kind: "unknownCommand", typed: "stat", suggestions: ["status", "cost"] }],
		["/hlep me", { kind: "unknownCommand", typed: "hlep", suggestions: ["help"] }],
		["/zzzzzz", { kind: "unknownCommand", typed: "zzzzzz", suggestions: [] }],
		["/", { kind: "unknownCommand", typed: "", suggestions: ["help"] }],
		["!npm test", { kind: "shell", command: "npm test" }],
		["! ls | wc", { kind: "shell", command: "ls | wc" }],
		["!", { kind: "empty" }],
		["approve", { kind: "word", word: "approve", text: "approve" }],
		[" Exit ", { kind: "word", word: "exit", text: "Exit" }],
		["quit", { kind: "word", word: "quit", text: "quit" }],
		["approve it", { kind: "message", text: "approve it" }],
		["e", { kind: "message", text: "e" }],
	])("reads %j", (text, submission) => {
		expect(parseSubmission(text)).toEqual(submission);
	});

	it("takes e for a word while a plan waits", () => {
		expect(parseSubmission("e", true)).toEqual({ kind: "word", word: "e", text: "e" });
	});
});

describe("SLASH_COMMANDS", () => {
	it("has every name and alias once", () => {
		const words = SLASH_COMMANDS.flatMap(({ name, aliases }) => [name, ...aliases]);
		expect(new Set(words).size).toBe(words.length);
		for (const word of words) expect(findCommand(word)).toBeDefined();
	});
});
