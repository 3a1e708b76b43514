import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { highlightLine, startHighlight } from "../../../src/ui/view/highlight.ts";
import { plainText } from "../../../src/ui/view/style.ts";

const COMMENT = { colour: "gray" };
const STRING = { colour: "green" };

const styled = (language: string, ...lines: string[]) => {
	let state = startHighlight(language);
	return lines.map((text) => {
		const next = highlightLine(state, text);
		state = next.state;
		return next.line.filter((span) => span.style).map((span) => [span.text, span.style]);
	});
};

describe("highlightLine", () => {
	it.each([
		[
			"ts",
			'return "a"; // b',
			[
				["return", { colour: "magenta" }],
				['"a"', STRING],
				["// b", COMMENT],
			],
		],
		[
			"python",
			"def f(): # c",
			[
				["def", { colour: "magenta" }],
				["# c", COMMENT],
			],
		],
		[
			"rust",
			"let x = 42;",
			[
				["let", { colour: "magenta" }],
				["42", { colour: "yellow" }],
			],
		],
		[
			"sh",
			"echo $# 'a b'",
			[
				["echo", { colour: "magenta" }],
				["'", STRING],
				["a b'", STRING],
			],
		],
		[
			"json",
			'{"a": "\\"b", "n": null}',
			[
				['"a"', STRING],
				['"\\"b"', STRING],
				['"n"', STRING],
				["null", { colour: "magenta" }],
			],
		],
		["diff", "+ added", [["+ added", STRING]]],
	])("colours %s", (language, text, expected) => {
		expect(styled(language, text)).toEqual([expected]);
	});

	it("carries a block comment over lines", () => {
		expect(styled("c", "/* one", "two */ int x")).toEqual([
			[
				["/*", COMMENT],
				[" one", COMMENT],
			],
			[
				["two */", COMMENT],
				["int", { colour: "magenta" }],
			],
		]);
	});

	it("ends a plain string at the end of its line", () => {
		expect(styled("ts", 'a = "open', "const b")).toEqual([
			[['"open', STRING]],
			[["const", { colour: "magenta" }]],
		]);
	});

	it("leaves an unknown language as it is", () => {
		expect(styled("brainfuck", "if return")).toEqual([[]]);
	});

	it("never changes a letter", () => {
		fc.assert(
			fc.property(
				fc.constantFrom("ts", "py", "sh", "sql", "html", "diff", ""),
				fc.array(fc.string()),
				(name, lines) => {
					let state = startHighlight(name);
					for (const text of lines) {
						const next = highlightLine(state, text);
						expect(plainText(next.line)).toBe(text);
						state = next.state;
					}
				},
			),
		);
	});
});
