import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createThinkSplitter } from "../../../src/adapters/models/thinkTags.ts";
import { cut } from "./cut.ts";

function split(pieces: string[], hasCalls = false): { text: string; reasoning: string } {
	const splitter = createThinkSplitter();
	const said = { text: "", reasoning: "" };
	for (const one of [...pieces.flatMap((piece) => splitter.push(piece)), ...splitter.end(hasCalls)]) {
		if (one.kind === "rethought") Object.assign(said, { reasoning: said.reasoning + said.text, text: "" });
		else said[one.kind] += one.text;
	}
	return said;
}

describe("createThinkSplitter", () => {
	it("parts reasoning from the answer however the tags are cut", () => {
		const whole = "\n<think>the user wants < 5</th ink></think>\n\nThe answer is <b>4</b>.";
		fc.assert(
			fc.property(fc.array(fc.nat(9), { maxLength: 40 }), (sizes) => {
				expect(split(cut(whole, sizes))).toEqual({
					reasoning: "the user wants < 5</th ink>",
					text: "The answer is <b>4</b>.",
				});
			}),
		);
	});

	it("leaves tags behind other text alone, in code as well", () => {
		const text = "Use it so:\n```html\n<think>visible</think>\n```";
		expect(split([...text])).toEqual({ text, reasoning: "" });
	});

	it("changes no text that holds no tag", () => {
		fc.assert(
			fc.property(fc.array(fc.string()), (pieces) => {
				fc.pre(!pieces.join("").trimStart().startsWith("<think>"));
				expect(split(pieces)).toEqual({ text: pieces.join(""), reasoning: "" });
			}),
		);
	});

	it("takes everything as reasoning where the closing tag never comes", () => {
		expect(split(["<think>never", " closed </th"])).toEqual({ text: "", reasoning: "never closed </th" });
	});

	it("takes what stands before a lone closing tag for reasoning, however it is cut", () => {
		const whole = "The user wants 2 + 2,\nso 4.\n</think>\n\nThe answer is `4`.";
		fc.assert(
			fc.property(fc.array(fc.nat(9), { maxLength: 40 }), (sizes) => {
				expect(split(cut(whole, sizes))).toEqual({
					reasoning: "The user wants 2 + 2,\nso 4.\n",
					text: "The answer is `4`.",
				});
			}),
		);
	});

	it.each([
		["hmm I reason </think>\n\nAnswer", "hmm I reason ", "Answer"],
		["short thought</think>\n\nAnswer", "short thought", "Answer"],
		["let me think\nabout it\n</think>\n\nThe answer", "let me think\nabout it\n", "The answer"],
		["- one\n- two\n</think> \nAnswer", "- one\n- two\n", "Answer"],
		["所以是四。</think>\n答案是四", "所以是四。", "答案是四"],
		[
			"`a` and ```b```\n```\ncode\n```\nok</think>\r\nAnswer",
			"`a` and ```b```\n```\ncode\n```\nok",
			"Answer",
		],
		["It ends with </think>.\nSo 4.\n</think>\n\nAnswer", "It ends with </think>.\nSo 4.\n", "Answer"],
		["</think>\n\nAnswer", "", "Answer"],
		["\n\n</think>\nAnswer", "", "Answer"],
	])("reads a lone closing tag in %j", (whole, reasoning, text) => {
		expect(split([whole])).toEqual({ reasoning, text });
		expect(split([...whole])).toEqual({ reasoning, text });
	});

	it.each([
		["The tag that closes it is </think>"],
		["The tag that closes it is </think>\n\n"],
		["The tag that closes it is </think>\nand nothing else."],
		["The tag that closes it:\n</think>\n"],
		["</think>"],
		["</think> closes it."],
		["It ends with the </think> tag."],
		["It ends with </think>."],
		["So 4.</think>The answer"],
		['It ends with "</think>" always'],
		["It ends with `</think>`\nalways"],
		["It ends with `x\n</think>`\nalways"],
		["```\nreasoning\n</think>\n```"],
		["> ```\n> x\n</think>\n> ```\nso"],
		["> ```\n> </think>\n> ```\nso"],
		["- ```\n</think>\n  ```\nso"],
		["Write <think>a</think>\nand then b"],
		["Write <think>\na\n</think>\nand then b"],
		["以</think>结束"],
		["标签是</think>\n它结束"],
		["| tag | does |\n|---|---|\n|</think>|ends it|\nSo."],
		["|ends it|</think>\nSo."],
		["add this line:\n\n    </think>\n\nThen restart it."],
		["add this line:\n\n\t</think>\n\nThen restart it."],
		["It is\n**</think>**\nSo."],
		["It is\n<b></think></b>\nSo."],
		["- </think>\n- b"],
		["1. </think>\n2. b"],
		["-</think>\n+b"],
		["+ foo</think>\n- b"],
		["> foo</think>\nso"],
		["## </think>\n\nIt closes."],
	])("leaves a closing tag alone that is written about: %j", (whole) => {
		expect(split([whole])).toEqual({ text: whole, reasoning: "" });
		expect(split([...whole])).toEqual({ text: whole, reasoning: "" });
	});

	it("takes a lone closing tag with nothing behind it for the end of reasoning only where calls follow", () => {
		const whole = "I call a tool.\n</think>\n\n";
		expect(split([whole], true)).toEqual({ text: "", reasoning: "I call a tool.\n" });
		expect(split([...whole], true)).toEqual({ text: "", reasoning: "I call a tool.\n" });
		expect(split(["</think>"], true)).toEqual({ text: "", reasoning: "" });
		expect(split([...whole])).toEqual({ text: whole, reasoning: "" });
	});

	it("says that text was reasoning only where more than blanks was given out", () => {
		const kinds = (pieces: string[]) => {
			const splitter = createThinkSplitter();
			return pieces.flatMap((piece) => splitter.push(piece)).map(({ kind }) => kind);
		};
		expect(kinds(["\n", " </", "think>\n\nHi"])).toEqual(["text"]);
		expect(kinds(["Hm.\n</think>\n\nHi"])).toEqual(["reasoning", "text"]);
		expect(kinds(["Hm.", "</think>\n\nHi"])).toEqual(["text", "rethought", "text"]);
	});

	it.each([
		["in one line", "</think>"],
		["in lines", "x </think>\n"],
		["in a fence", "</think>\n", "```\n"],
	])("reads any number of closing tags %s", (_case, line, before = "") => {
		const whole = `${before}${line.repeat(20_000)}.`;
		expect(split([whole]).text === whole).toBe(true);
	});

	it("drops a lone closing tag behind reasoning of a field only where no text came before", () => {
		const afterField = (...texts: string[]) => {
			const splitter = createThinkSplitter();
			return [
				...splitter.end(false),
				...texts.flatMap((text) => splitter.push(text)),
				...splitter.end(false),
			];
		};
		expect(afterField("</think>\n\nHi")).toEqual([{ kind: "text", text: "Hi" }]);
		expect(afterField("\n", "</think>\n\nHi")).toEqual([{ kind: "text", text: "Hi" }]);
		expect(afterField("A\n</think>\nB")).toEqual([{ kind: "text", text: "A\n</think>\nB" }]);
	});

	it("reads the same however a reply is cut, and loses nothing but the tag and blanks", () => {
		const part = fc.constantFrom("</think>", "<think>", "\n", " ", "    ", "- ", "```", "> ", "a", "是");
		fc.assert(
			fc.property(fc.array(part), fc.array(fc.nat(9)), fc.boolean(), (parts, sizes, hasCalls) => {
				const whole = parts.join("");
				fc.pre(!whole.trimStart().startsWith("<think>"));
				const said = split([whole], hasCalls);
				expect(split(cut(whole, sizes), hasCalls)).toEqual(said);
				const bare = (text: string) => text.replaceAll(/\s/g, "");
				const isWhole = said.text === whole && said.reasoning === "";
				if (!isWhole) expect(bare(`${said.reasoning}</think>${said.text}`)).toBe(bare(whole));
				if (!hasCalls && whole.trim() !== "") expect(said.text.trim()).not.toBe("");
			}),
			{ numRuns: 500 },
		);
	});

	it("gives a held-back beginning of a tag out as text at the end", () => {
		expect(split([" <thi"])).toEqual({ text: " <thi", reasoning: "" });
	});
});
