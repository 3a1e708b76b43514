import { describe, expect, it } from "vitest";
import { absolutePath, notReadable, vitalFolder } from "../../src/policy/places.ts";

const places = { workspaceRoots: ["/srv/team/proj"], home: "/home/ann" };

describe("absolutePath", () => {
	it.each([
		["/a/./b//../c/", "/x", "/a/c"],
		["../..", "/a/b/c", "/a"],
		["../../../..", "/a", "/"],
		["f", "/", "/f"],
		["/f", undefined, "/f"],
	])("folds %j against %j", (path, cwd, expected) => {
		expect(absolutePath(path, cwd)).toBe(expected);
	});

	it("knows no relative path without a folder", () => {
		expect(absolutePath("f", undefined)).toBeUndefined();
	});
});

describe("notReadable", () => {
	it("leaves out what lies in a readable folder, by whole names", () => {
		const readable = ["/home/ann/.claude/skills/a"];
		const paths = [
			"/home/ann/.claude/skills/a",
			"/home/ann/.claude/skills/a/b.md",
			"/home/ann/.claude/skills/ab",
		];
		expect(notReadable(paths, { ...places, readable })).toEqual(["/home/ann/.claude/skills/ab"]);
		expect([notReadable(paths, places).length, notReadable(undefined, places)]).toEqual([3, []]);
	});
});

describe("vitalFolder", () => {
	it.each([
		["/", "root", false],
		["/*", "root", true],
		["/.*", "root", true],
		["/srv/team/proj", "workspace", false],
		["/srv/team/proj/*", "workspace", true],
		["/srv/team/proj/.[!.]*", "workspace", true],
		["/srv/team/p*j", "workspace", false],
		["/srv/team", "system", false],
		["/srv", "system", false],
		["/*/team/pro?", "workspace", false],
		["/home/ann", "home", false],
		["/Users/bob", "home", false],
		["/etc", "system", false],
	])("finds %s", (pattern, kind, contents) => {
		expect(vitalFolder(pattern, places)).toMatchObject({ kind, contents });
	});

	it.each([
		"/srv/team/proj/src",
		"/srv/team/proj-old",
		"/srv/team/project",
		"/srv/team/proj/*.js",
		"/home/ann/x",
		"/etc/x",
		"/tmp/*",
	])("leaves %s alone", (pattern) => {
		expect(vitalFolder(pattern, places)).toBeUndefined();
	});

	it("decides a glob of many stars at once", () => {
		expect(vitalFolder(`/${"*a".repeat(20_000)}`, places)).toBeUndefined();
	});
});
