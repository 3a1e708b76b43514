// Globs as models write them, and that none of them can hang the program.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseGlob } from "../../../src/adapters/search/globPattern.ts";

const matches = (glob: string, path: string) => parseGlob(glob).matches(path);

describe("parseGlob", () => {
	it.each([
		["*.ts", "a.ts"],
		["*.ts", "deep/er/a.ts"],
		["**/*.ts", "a.ts"],
		["src/**/*.ts", "src/a.ts"],
		["src/**/*.ts", "src/x/y/a.ts"],
		["src/**", "src/x/y"],
		["src/", "src/x"],
		["./src/*.ts", "src/a.ts"],
		["/src/*.ts", "src/a.ts"],
		["*.{ts,tsx}", "a.tsx"],
		["{src,tests}/**/*.{a,b}", "tests/x/y.b"],
		["a{b,c{d,e}}f", "acef"],
		["a?c", "abc"],
		["[a-c]x", "bx"],
		["[!a-c]x", "dx"],
		["[]]x", "]x"],
		["\\*x", "*x"],
		["[x", "[x"],
		["{x", "{x"],
		[".*", ".hidden"],
		["*", ".hidden"],
		["!*.ts", "a.js"],
		["a**b", "axyb"],
		["?", "é"],
		["?", "😀"],
	])("%j matches %j", (glob, path) => {
		expect(matches(glob, path)).toBe(true);
	});

	it.each([
		["*.ts", "a.tsx"],
		["src/*.ts", "src/x/a.ts"],
		["src/*.ts", "lib/src/a.ts"],
		["a?c", "ac"],
		["a*c", "a/c"],
		["[!a-c]x", "ax"],
		["!*.ts", "deep/a.ts"],
		["*.TS", "a.ts"],
		["\\*x", "ax"],
		["a.c", "abc"],
	])("%j does not match %j", (glob, path) => {
		expect(matches(glob, path)).toBe(false);
	});

	it("takes any text for a glob, and a text without signs for itself", () => {
		fc.assert(
			fc.property(fc.string(), fc.string(), (glob, path) => typeof matches(glob, path) === "boolean"),
		);
		const plain = fc
			.stringMatching(/^[\w.-]{1,10}(\/[\w.-]{1,10}){0,3}$/)
			.filter((text) => !/^\.*\//.test(text));
		fc.assert(fc.property(plain, (path) => matches(path, path)));
	});

	it("stays fast for patterns that make backtracking explode", () => {
		const long = "a".repeat(2_000);
		const started = process.cpuUsage().user;
		expect(matches(`${"*a".repeat(40)}b`, long)).toBe(false);
		expect(matches(`${"**/".repeat(40)}b`, `${"a/".repeat(500)}a`)).toBe(false);
		expect(matches("{a,b}".repeat(60), long)).toBe(false);
		expect(process.cpuUsage().user - started).toBeLessThan(5_000_000);
	});

	it("tells the names that narrow a search only where each match has one of them", () => {
		expect(parseGlob("src/**/*.{ts,tsx}").names).toEqual(["*.ts", "*.tsx"]);
		expect(parseGlob("src/**").names).toBeUndefined();
		expect(parseGlob("!*.ts").names).toBeUndefined();
		expect(parseGlob("[ab].ts").names).toBeUndefined();
	});
});
