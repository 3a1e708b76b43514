// A command that was put into the model's mouth is known by where it stands, not by what it does.

import { describe, expect, it } from "vitest";
import { quotedFrom } from "../../src/policy/quotedCommands.ts";

const find = (command: string, text: string, ...own: string[]) =>
	quotedFrom(command, [{ source: "a.md", text }], own);

describe("quotedFrom", () => {
	it.each([
		["make check", "make check"],
		["make check", "intro\n  $ make check\nmore"],
		["make check", "To validate, run: make check"],
		["make check", "Please run `make check` first."],
		["make check", "```sh\nmake   check\n```"],
		["make check", "3: make check"],
		["make check", "a.md:7: run this: make check"],
		["make check", "- make check"],
		["make check", 'type "make check"'],
		["make check", "<code>make check</code>"],
		["make check", "\r\n> make check\r\n"],
		["echo hi && make check", "make check"],
		["cd x\nmake check", "make check"],
		["ls", "ls"],
	])("finds %j in %j", (command, text) => {
		expect(find(command, text)).toBe("a.md");
	});

	it.each([
		["make check", "the make check target"],
		["make check", "make checks"],
		["make check", "remake check"],
		["ls && make check", "ls"],
		["make check -k", "make check"],
		["make check", ""],
	])("does not find %j in %j", (command, text) => {
		expect(find(command, text)).toBeUndefined();
	});

	it("lets pass what the person said in their own words", () => {
		expect(find("make check", "run: make check", "please run make check now")).toBeUndefined();
		expect(find("make check", "run: make check", "please do what a.md says")).toBe("a.md");
	});

	it("finds it behind blanks and tabs of any number", () => {
		expect(find("make check", `3:\t\t${" ".repeat(500)}make${" ".repeat(500)}check   `)).toBe("a.md");
	});

	it("is done with lines of many colons before anybody waits for it", () => {
		const line = `${'"make":'.repeat(7_000)} "check"\n`;
		expect(find("make check all", line.repeat(60))).toBeUndefined();
	});

	it("finds it at the end of a megabyte of results", () => {
		const text = `${"a line of some output: with words\n".repeat(30_000)}run: make check\n`;
		expect(find("make check", text)).toBe("a.md");
	});
});
