import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
	entryContent,
	findLines,
	formatEntry,
	mergeMemory,
	parseMemory,
	printMemory,
	searchLines,
	withEntry,
	withoutLine,
	withReplaced,
	wordsOf,
} from "../../src/agent/memoryText.ts";
import { MEMORY_CATEGORIES, type Memory } from "../../src/types.ts";

const entry = fc.record<Memory>({
	content: fc
		.string({ minLength: 1, maxLength: 60, unit: "grapheme" })
		.map(entryContent)
		.filter((content) => content !== ""),
	category: fc.constantFrom(...MEMORY_CATEGORIES),
	createdAt: fc.constantFrom("2026-01-02", "2026-11-29"),
});
const anyText = fc.oneof(
	fc.string({ unit: "binary" }),
	fc
		.array(fc.oneof(entry.map(formatEntry), fc.string(), fc.constant("# Notes"), fc.constant("")))
		.chain((lines) => fc.constantFrom("\n", "\r\n").map((end) => lines.join(end))),
);
const lines = fc.array(fc.constantFrom("a", "b", "c", "# d", "", "- [fact, 2026-01-02] e"), { maxLength: 8 });
const text = lines.map((all) => all.map((line) => `${line}\n`).join(""));

const FILE = `\uFEFF# Ours\r\n\r\n- [preference, 2026-01-02] Tabs, never spaces.\r\n* [Fact, 2026-02-03]  The port is 8099\r\n- a note of a person\r\n- [todo, 2026-02-03] no category of agi`;

describe("parseMemory", () => {
	it("gives back every byte of any text when it is printed", () => {
		fc.assert(
			fc.property(anyText, (any) => {
				expect(printMemory(parseMemory(any))).toBe(any);
			}),
		);
	});

	it("reads every entry that was formatted", () => {
		fc.assert(
			fc.property(entry, (one) => {
				expect(parseMemory(`${formatEntry(one)}\n`)[0]!.entry).toEqual(one);
			}),
		);
	});

	it("takes for entries only lines with category and date, in any letter case and with any mark", () => {
		expect(parseMemory(FILE).map(({ entry: found }) => found?.content)).toEqual([
			undefined,
			undefined,
			"Tabs, never spaces.",
			"The port is 8099",
			undefined,
			undefined,
		]);
		expect(parseMemory(FILE).map(wordsOf)).toEqual([
			"",
			"",
			"Tabs, never spaces.",
			"The port is 8099",
			"a note of a person",
			"[todo, 2026-02-03] no category of agi",
		]);
	});
});

describe("withEntry", () => {
	const added: Memory = { content: "Use pnpm", category: "instruction", createdAt: "2026-11-29" };

	it("adds one line at the end and keeps all that was there", () => {
		fc.assert(
			fc.property(anyText, entry, (any, one) => {
				const after = withEntry(any, one);
				expect(after.startsWith(any)).toBe(true);
				expect(parseMemory(after).at(-1)!.entry).toEqual(one);
			}),
		);
	});

	it("keeps the file's line ends, also where the last line has none", () => {
		expect(withEntry(FILE, added)).toBe(`${FILE}\r\n- [instruction, 2026-11-29] Use pnpm\r\n`);
		expect(withEntry("", added)).toBe("# Memory\n\n- [instruction, 2026-11-29] Use pnpm\n");
	});
});

describe("withReplaced and withoutLine", () => {
	it("touch one line only", () => {
		const one: Memory = { content: "The port is 9000", category: "fact", createdAt: "2026-11-29" };
		expect(withReplaced(FILE, 3, one)).toBe(
			FILE.replace("* [Fact, 2026-02-03]  The port is 8099", "- [fact, 2026-11-29] The port is 9000"),
		);
		expect(withoutLine(FILE, 4)).toBe(FILE.replace("- a note of a person\r\n", ""));
	});
});

describe("findLines", () => {
	it("prefers the line that says exactly the words, whatever case and full stop", () => {
		const all = parseMemory("- [fact, 2026-01-02] The port is 8099\n- [fact, 2026-01-02] The port\n");
		expect(findLines(all, "the port.")).toEqual([1]);
		expect(findLines(all, "PORT")).toEqual([0, 1]);
		expect(findLines(all, "8099")).toEqual([0]);
		expect(findLines(all, " ")).toEqual([]);
	});
});

describe("searchLines", () => {
	it("finds lines that hold every word in any order, a person's own lines too, and words without spaces", () => {
		const all = parseMemory(`${FILE}\r\n- [preference, 2026-11-29] 我喜欢 TypeScript 示例`);
		expect(searchLines(all, "person note")).toEqual([4]);
		expect(searchLines(all, "preference spaces")).toEqual([2]);
		expect(searchLines(all, "喜欢")).toEqual([6]);
		expect(searchLines(all, "which port does the person note?")).toEqual([4]);
		expect(searchLines(all, "nowhere")).toEqual([]);
		expect(searchLines(all, "")).toEqual([2, 3, 4, 5, 6]);
	});
});

describe("mergeMemory", () => {
	it("gives the other's text where one changed nothing", () => {
		fc.assert(
			fc.property(text, text, (base, other) => {
				expect(mergeMemory(base, base, other)).toBe(other);
				expect(mergeMemory(base, other, base)).toBe(other);
			}),
		);
	});

	it("loses no line that either wrote, and brings none back that either took out", () => {
		fc.assert(
			fc.property(text, text, text, (base, mine, theirs) => {
				const merged = new Set(mergeMemory(base, mine, theirs).split("\n"));
				const [old, own, other] = [base, mine, theirs].map((one) => one.split("\n")) as [
					string[],
					string[],
					string[],
				];
				for (const line of [...own, ...other])
					if (!old.includes(line)) expect(merged, JSON.stringify({ base, mine, theirs })).toContain(line);
				for (const line of old)
					if (line !== "" && !own.includes(line) && !other.includes(line)) expect(merged).not.toContain(line);
			}),
		);
	});

	it("keeps both forms of an entry that both changed, each new line behind the one it followed", () => {
		expect(mergeMemory("a\nb\nc\n", "a\nmine\nb2\nc\n", "a\nb3\nc\nlast\n")).toBe(
			"a\nmine\nb2\nb3\nc\nlast\n",
		);
	});

	it("takes an entry that both added only once", () => {
		expect(mergeMemory("a\n", "a\nnew\n", "a\nnew\nother\n")).toBe("a\nnew\nother\n");
	});
});
