import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createThinkSplitter } from "../../../src/adapters/models/thinkTags.ts";
import { cut } from "./cut.ts";

function split(pieces: string[]): { text: string; reasoning: string } {
	const splitter = createThinkSplitter();
	const said = { text: "", reasoning: "" };
	for (const one of [...pieces.flatMap((piece) => splitter.push(piece)), ...splitter.end()]) {
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
		["So 4.</think>The answer", "So 4.", "The answer"],
		["So 4.</think> The answer", "So 4.", "The answer"],
		["所以是四。</think>答案是四", "所以是四。", "答案是四"],
		["I call a tool.\n</think>", "I call a tool.\n", ""],
		[
			"`a` and ```b```\n```\ncode\n```\nok</think>\r\nAnswer",
			"`a` and ```b```\n```\ncode\n```\nok",
			"Answer",
		],
		["</think>\n\nAnswer", "", "Answer"],
		["\n\n</think>Answer", "", "Answer"],
	])("reads a lone closing tag in %j", (whole, reasoning, text) => {
		expect(split([whole])).toEqual({ reasoning, text });
		expect(split([...whole])).toMatchObject({ text });
	});

	it.each([
		["It ends with the </think> tag."],
		["It ends with </think>."],
		['It ends with "</think>" always'],
		["It ends with `</think>`\nalways"],
		["```\nreasoning\n</think>\n```"],
		["Write <think>a</think>\nand then b"],
		["以</think>结束"],
	])("leaves a closing tag alone that is written about: %j", (whole) => {
		expect(split([whole])).toEqual({ text: whole, reasoning: "" });
		expect(split([...whole])).toEqual({ text: whole, reasoning: "" });
	});

	it("drops a lone closing tag behind reasoning of a field only where no text came before", () => {
		const afterField = (text: string) => {
			const splitter = createThinkSplitter();
			return [...splitter.end(), ...splitter.push(text), ...splitter.end()];
		};
		expect(afterField("</think>\n\nHi")).toEqual([{ kind: "text", text: "Hi" }]);
		expect(afterField("A\n</think>\nB").map((one) => ("text" in one ? one.text : ""))).toEqual([
			"A\n</think>",
			"\nB",
		]);
	});

	it("gives a held-back beginning of a tag out as text at the end", () => {
		expect(split([" <thi"])).toEqual({ text: " <thi", reasoning: "" });
	});
});
