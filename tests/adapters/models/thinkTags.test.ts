import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createThinkSplitter } from "../../../src/adapters/models/thinkTags.ts";
import { cut } from "./cut.ts";

function split(pieces: string[]): { text: string; reasoning: string } {
	const splitter = createThinkSplitter();
	const all = [...pieces.flatMap((piece) => splitter.push(piece)), ...splitter.end()];
	const join = (kind: string) => all.filter((one) => one.kind === kind).map((one) => one.text);
	return { text: join("text").join(""), reasoning: join("reasoning").join("") };
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

	it("gives a held-back beginning of a tag out as text at the end", () => {
		expect(split([" <thi"])).toEqual({ text: " <thi", reasoning: "" });
	});
});
