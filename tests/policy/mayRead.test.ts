import { describe, expect, it } from "vitest";
import { mayFetchUnasked, mayReadUnasked } from "../../src/policy/mayRead.ts";
import type { PolicyContext } from "../../src/policy/policyQuestion.ts";
import { ruleOf } from "../support/turnBench.ts";

const context = (rules: PolicyContext["rules"] & object): PolicyContext => ({
	...{ mode: "default", grants: [], interactive: true, trusted: true, rules },
	places: { workspaceRoots: ["/w"], home: "/home/nobody" },
});

describe("mayReadUnasked", () => {
	it.each([
		["deny", "readFile(private/**)", false],
		["ask", "readFile(private/**)", false],
		["deny", "searchFiles(private/**)", false],
		["deny", "writeFile(private/**)", true],
		["deny", "readFile(other/**)", true],
		["allow", "readFile(other/**)", true],
	] as const)("with the rule %s %s says %s", (effect, rule, expected) => {
		expect(mayReadUnasked("/w/private/a.md", context([ruleOf(effect, rule)]))).toBe(expected);
	});

	it("is true where there are no rules", () => {
		expect(mayReadUnasked("/w/a.md", context([]))).toBe(true);
	});
});

describe("mayFetchUnasked", () => {
	it.each([
		["deny", "webFetch(domain:example.org)", false],
		["ask", "webFetch(domain:example.org)", false],
		["deny", "webFetch", false],
		["deny", "webFetch(domain:other.org)", true],
		["allow", "webFetch(domain:other.org)", true],
	] as const)("with the rule %s %s says %s", (effect, rule, expected) => {
		expect(mayFetchUnasked("https://docs.example.org/a", context([ruleOf(effect, rule)]))).toBe(expected);
	});
});
