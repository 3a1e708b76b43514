import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findMentions, takeOutImages } from "../../src/session/mentions.ts";

describe("findMentions", () => {
	it.each([
		["see @src/a.ts", [["src/a.ts"]]],
		[
			"see @src/a.ts, and (@b.md).",
			[
				["src/a.ts,", "src/a.ts"],
				["b.md).", "b.md)", "b.md"],
			],
		],
		["看@笔记.md。", [["笔记.md。", "笔记.md"]]],
		['see @"my notes.md" now', [["my notes.md"]]],
		['@"a\\"b.txt"', [['a"b.txt']]],
		["@~/x @/etc/hosts @../up", [["~/x"], ["/etc/hosts"], ["../up"]]],
		["@a @a @b", [["a"], ["b"]]],
		["@types/node", [["types/node"]]],
	])("reads %j", (text, paths) => {
		expect(findMentions(text)).toEqual(paths.map((one) => ({ kind: "path", paths: one })));
	});

	it.each([
		"",
		"mail me@example.org",
		"a@b",
		"git@github.com:x/y",
		"@",
		"@ x",
		"x@",
		"`@decorator`",
		"@@x",
		"//@x",
	])("finds nothing in %j", (text) => {
		expect(findMentions(text)).toEqual([]);
	});

	it("reads the ids of sessions", () => {
		expect(findMentions("as in @session:20261129-223025-4ttmfd, please")).toEqual([
			{ kind: "session", id: "20261129-223025-4ttmfd" },
		]);
	});

	it.each([
		["look at /tmp/shot.png", "/tmp/shot.png"],
		["/tmp/my\\ shot.PNG", "/tmp/my shot.PNG"],
		["'/tmp/my shot.jpeg' here", "/tmp/my shot.jpeg"],
		["file:///tmp/a.webp", "/tmp/a.webp"],
		["~/a.gif", "~/a.gif"],
	])("reads a pasted image path in %j", (text, path) => {
		expect(findMentions(text)).toEqual([{ kind: "imagePath", path }]);
	});

	it.each([
		"shot.png",
		"img/shot.png",
		"https://x.org/shot.png",
		"/tmp/shot.png.txt",
		"/tmp/shot.pngx",
		"a/tmp/x.png",
	])("takes %j for no pasted image path", (text) => {
		expect(findMentions(text)).toEqual([]);
	});

	it("finds at most 20", () => {
		const text = Array.from({ length: 30 }, (_, i) => `@f${i}`).join(" ");
		expect(findMentions(text)).toHaveLength(20);
	});

	it("finds any path that is quoted, whatever stands around it, and is quick with any text", () => {
		const path = fc.stringMatching(/^[^\n"\\]{1,40}$/);
		fc.assert(
			fc.property(path, fc.constantFrom("", "see ", "(", "看"), (name, before) => {
				const mention = name.startsWith("session:") ? undefined : { kind: "path", paths: [name] };
				if (mention) expect(findMentions(`${before}@"${name}" x`)).toContainEqual(mention);
			}),
		);
		fc.assert(fc.property(fc.string({ maxLength: 2_000 }), (text) => findMentions(text).length <= 20));
		const long = ["@", "/a\\", "/a", '"/a ', "@a.", "~/"].map((part) => part.repeat(40_000));
		for (const text of long) expect(findMentions(text).length).toBeLessThanOrEqual(20);
	});
});

describe("takeOutImages", () => {
	it("puts a name in the place of each image that stands in the text", () => {
		const text = "see data:image/png;base64,iVBORw0KGgo= and data:image/jpeg;base64,/9j/4AAQ end";
		expect(takeOutImages(text)).toEqual({
			text: "see [image 1] and [image 2] end",
			images: [
				{ name: "image 1", mediaType: "image/png", base64: "iVBORw0KGgo=" },
				{ name: "image 2", mediaType: "image/jpeg", base64: "/9j/4AAQ" },
			],
		});
		const again = "[image 1] data:image/png;base64,AAAA [image 3] data:image/png;base64,BBBB";
		expect(takeOutImages(again).text).toBe("[image 1] [image 2] [image 3] [image 4]");
		expect(takeOutImages("data:text/plain;base64,AAAA")).toEqual({
			text: "data:text/plain;base64,AAAA",
			images: [],
		});
	});
});
