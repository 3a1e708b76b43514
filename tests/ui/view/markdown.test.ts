import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
	finishMarkdown,
	MARKDOWN_START,
	renderMarkdownLine,
	renderPartialLine,
} from "../../../src/ui/view/markdown.ts";
import { plainText, type StyledLine } from "../../../src/ui/view/style.ts";
import { markdownRows } from "../../../src/ui/view/transcript.ts";
import { lineWidth } from "../../../src/ui/view/wrap.ts";

const shown = (text: string, width = 60) => markdownRows(text, width).map(plainText);
const styleOf = (rows: readonly StyledLine[], text: string) =>
	rows.flat().find((span) => span.text === text)?.style;

describe("renderMarkdownLine", () => {
	it("styles headings, emphasis, code and links without their marks", () => {
		const rows = markdownRows("## Title\n**bold** *it* `code` ~~old~~ [docs](https://a.b/c)", 80);
		expect(rows.map(plainText)).toEqual(["Title", "bold it code old docs (https://a.b/c)"]);
		expect(styleOf(rows, "Title")).toMatchObject({ bold: true });
		expect(styleOf(rows, "bold")).toEqual({ bold: true });
		expect(styleOf(rows, "it")).toEqual({ italic: true });
		expect(styleOf(rows, "code")).toEqual({ colour: "cyan" });
		expect(styleOf(rows, "old")).toEqual({ strike: true });
		expect(styleOf(rows, "docs")).toEqual({ underline: true });
	});

	it("shows a bare address once", () => {
		expect(shown("see https://a.b/c")).toEqual(["see https://a.b/c"]);
	});

	it("draws lists with hanging rows, numbers and boxes", () => {
		expect(shown("- one two three four\n  - inner\n3. third\n- [x] done", 12)).toEqual([
			"• one two",
			"  three four",
			"  • inner",
			"3. third",
			"• ☑ done",
		]);
	});

	it("draws quotes with a bar", () => {
		expect(shown("> quoted **text**")).toEqual(["│ quoted text"]);
	});

	it("makes several empty lines one and drops those at both ends", () => {
		expect(shown("\n\na\n\n\n\nb\n\n")).toEqual(["a", "", "b"]);
	});

	it("leaves code as it is, moved in, with words coloured", () => {
		const rows = markdownRows("```ts\nconst a = **1**; // x\n\n  b()\n```\nafter", 60);
		expect(rows.map(plainText)).toEqual(["  const a = **1**; // x", "", "    b()", "after"]);
		expect(styleOf(rows, "const")).toEqual({ colour: "magenta" });
		expect(styleOf(rows, "// x")).toEqual({ colour: "gray" });
	});

	it("ends a fence only by its own mark", () => {
		expect(shown("````\n```\n````\nx")).toEqual(["  ```", "x"]);
	});

	it("aligns a table's columns by their widest cell", () => {
		expect(shown("| a | long head |\n|--:|---|\n| 100 | **x** |\ntext")).toEqual([
			"  a │ long head",
			"────┼──────────",
			"100 │ x        ",
			"text",
		]);
	});

	it("wraps the cells of a table that is too wide", () => {
		const rows = markdownRows("| one | two |\n|---|---|\n| some words here | other words there |", 20);
		expect(rows.every((row) => lineWidth(row) <= 20)).toBe(true);
		expect(rows.map(plainText).join(" ")).toContain("there");
	});

	it("shows lines with bars that make no table as text", () => {
		expect(shown("|just a bar|\nnext")).toEqual(["|just a bar|", "next"]);
	});

	it("fits any text into the width", () => {
		const line = fc.string({
			unit: fc.constantFrom("a", " ", "*", "`", "|", "-", "#", ">", "語", "[", "]", "(", ")", "1", ".", "\t"),
		});
		fc.assert(
			fc.property(fc.array(line, { maxLength: 8 }), fc.integer({ min: 4, max: 30 }), (lines, width) => {
				for (const row of markdownRows(lines.join("\n"), width))
					expect(lineWidth(row)).toBeLessThanOrEqual(width);
			}),
		);
	});
});

describe("finishMarkdown", () => {
	it("gives the table that was still open", () => {
		const { state, lines } = renderMarkdownLine(MARKDOWN_START, "| a | b |", 40);
		expect(lines).toEqual([]);
		expect(finishMarkdown(state, 40).map(plainText)).toEqual(["| a | b |"]);
	});
});

describe("renderPartialLine", () => {
	it("shows the line as it stands and the rows of a table that waits", () => {
		const { state } = renderMarkdownLine(MARKDOWN_START, "| a | b |", 40);
		expect(renderPartialLine(state, "| c", 40).map(plainText)).toEqual(["| a | b |", "| c"]);
	});

	it("does not show a fence before it is complete", () => {
		expect(renderPartialLine(MARKDOWN_START, "```py", 40)).toEqual([]);
	});
});
