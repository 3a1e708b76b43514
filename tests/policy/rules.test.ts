// What a rule may say, what is wrong with one that may not stand, and that its own examples are held to it.

import { describe, expect, it } from "vitest";
import { matchesArgv } from "../../src/policy/argvPattern.ts";
import type { Effect } from "../../src/policy/effects.ts";
import { matchesPath } from "../../src/policy/pathPattern.ts";
import { matchesUrl, parseRule, type RuleSource } from "../../src/policy/rules.ts";

const parse = (source: RuleSource, effect: Effect = "allow") =>
	parseRule(source, { effect, layer: "user", origin: "/home/ann/settings.json" });

function ruleFrom(source: RuleSource, effect: Effect = "allow") {
	const parsed = parse(source, effect);
	if (!parsed.ok) throw new Error(parsed.problem);
	return parsed.rule;
}

const covers = (text: string, command: string, effect: Effect = "allow") =>
	matchesArgv(ruleFrom(text, effect).argv!, command.split(" "), effect === "allow");

describe("parseRule", () => {
	it.each([
		["runCommand(npm run test *)", "runCommand(npm run test *)"],
		[" runCommand( git  commit ) ", "runCommand(git commit)"],
		['runCommand(git commit -m "a b")', 'runCommand(git commit -m "a b")'],
		["editFile(src/**)", "editFile(src/**)"],
		["webFetch(domain:example.org)", "webFetch(domain:example.org)"],
		["readFile", "readFile"],
		["mcp__files__read", "mcp__files__read"],
	])("reads %j and lists it as %j", (written, listed) => {
		expect(ruleFrom(written).text).toBe(listed);
	});

	it("takes an object for the short form that it is", () => {
		expect(ruleFrom({ tool: "runCommand", argv: ["npm", "test"] }).text).toBe("runCommand(npm test)");
	});

	it.each<[RuleSource, string]>([
		["runCommand(npm test", "is no rule"],
		["", "is no rule"],
		["runCommand()", "has nothing in its brackets"],
		["runCommand(echo 'x)", "has a quote that is not closed"],
		["runCommand(npm * test)", "has a * before its end"],
		["runCommand(npm run te*)", "has a * before its end"],
		["runcommand(npm test)", "which is written runCommand"],
		["webFetch(example.org)", "needs a domain"],
		["webFetch(domain:http://x)", "has no plain host name"],
		["webSearch(cats)", "narrows webSearch"],
		[{ tool: "editFile", argv: ["x"] }, "has argv, which goes only with runCommand"],
		[{ tool: "runCommand", argv: [] }, "has an empty argv"],
		[{ tool: "runCommand", argv: ["x"], path: "y" }, "has more than one of argv, path and domain"],
	])("refuses %j as an allow and says why", (source, problem) => {
		const parsed = parse(source);
		expect(parsed.ok ? "" : parsed.problem).toContain(problem);
	});

	it.each<[RuleSource, Effect, string | undefined]>([
		[
			{ tool: "runCommand", argv: ["git", "push", "*"], match: ["git push -f"], notMatch: ["git pull"] },
			"deny",
			undefined,
		],
		[
			{ tool: "runCommand", argv: ["git", "push"], match: ["git push -f"] },
			"deny",
			'does not match its own example "git push -f"',
		],
		[
			{ tool: "runCommand", argv: ["git", "*"], notMatch: ["git push"] },
			"allow",
			'matches "git push", which it must not',
		],
		[{ tool: "editFile", path: "src/**", match: ["src/a/b.ts"], notMatch: ["lib/a.ts"] }, "allow", undefined],
		[{ tool: "webFetch", domain: "example.org", notMatch: ["https://x.example.org/"] }, "allow", undefined],
		[{ tool: "webFetch", domain: "example.org", notMatch: ["https://x.example.org/"] }, "deny", "matches"],
	])("holds %j as %s to its own examples", (source, effect, problem) => {
		const parsed = parse(source, effect);
		expect(parsed.ok ? undefined : parsed.problem).toEqual(
			problem === undefined ? undefined : expect.stringContaining(problem),
		);
	});
});

describe("matchesArgv", () => {
	it.each([
		["runCommand(npm test)", "npm test", true],
		["runCommand(npm test)", "npm test -- x", false],
		["runCommand(npm test *)", "npm test", true],
		["runCommand(npm test *)", "npm test -- x", true],
		["runCommand(npm test *)", "npm testx", false],
		["runCommand(npm test *)", "/tmp/npm test", false],
		["runCommand(go test *)", "go test -exec ./x ./...", false],
		["runCommand(git log *)", "git log --output=x", false],
		["runCommand(npm run build *)", "npm run build --script-shell=./x", false],
	])("an allow of %s covers %j: %s", (rule, command, expected) => {
		expect(covers(rule, command)).toBe(expected);
	});

	it.each([
		["runCommand(git * push *)", "git -C x push origin", true],
		["runCommand(git * push *)", "git push", true],
		["runCommand(rm *)", "/bin/rm -rf x", true],
		["runCommand(* --force*)", "git push --force-with-lease", true],
		["runCommand(npm i*)", "npm install x", false],
		["runCommand(npm i* *)", "npm install x", true],
		["runCommand(git push)", "git pull", false],
	])("a deny of %s catches %j: %s", (rule, command, expected) => {
		expect(covers(rule, command, "deny")).toBe(expected);
	});
});

describe("a rule of many stars", () => {
	it("is compared with a long command in no time", () => {
		expect(covers(`runCommand(${"* a ".repeat(6)}* b)`, "a ".repeat(400).trim(), "deny")).toBe(false);
	});
});

describe("matchesPath", () => {
	const places = { root: "/w", home: "/home/ann" };

	it.each([
		["src/**", "/w/src/a/b.ts", true, true],
		["src/**", "/w/src", true, true],
		["src/*", "/w/src/a/b.ts", false, true],
		["**/*.md", "/w/docs/a/x.md", true, true],
		["secrets/", "/w/secrets/k", true, true],
		["secrets", "/w/secrets/k", false, true],
		["Secrets/**", "/w/secrets/k", false, true],
		["~/notes/*", "/home/ann/notes/x", true, true],
		["/etc/hosts", "/etc/hosts", true, true],
		["../other/**", "/other/x", true, true],
		["src/**", "/other/src/x", false, false],
		["a?c", "/w/abc", true, true],
		["a**b/c", "/w/axxb/c", true, true],
	])("%s covers %s as an allow: %s, as a deny: %s", (pattern, path, allow, deny) => {
		expect([matchesPath(pattern, path, places, false), matchesPath(pattern, path, places, true)]).toEqual([
			allow,
			deny,
		]);
	});

	it("ends in no time on a pattern of many stars", () => {
		const pattern = `${"**/a*a*/".repeat(12)}x`;
		expect(matchesPath(pattern, `/w/${"aaaa/".repeat(80)}y`, places, false)).toBe(false);
	});
});

describe("matchesUrl", () => {
	it.each<[string, string, boolean, boolean]>([
		["example.org", "https://EXAMPLE.org:8443/x", true, true],
		["example.org", "https://docs.example.org/", false, true],
		["*.example.org", "https://docs.example.org/", true, true],
		["example.org", "https://example.org./", true, true],
		["example.org", "https://docs.example.org./", false, true],
		["example.org", "https://notexample.org/", false, false],
		["example.org", "https://example.org.evil.test/", false, false],
	])("a rule on %s covers %s as an allow: %s, as a deny: %s", (domain, url, allow, deny) => {
		const text = `webFetch(domain:${domain})`;
		expect([matchesUrl(ruleFrom(text), url), matchesUrl(ruleFrom(text, "deny"), url)]).toEqual([allow, deny]);
	});
});
