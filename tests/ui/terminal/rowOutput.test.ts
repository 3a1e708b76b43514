import fc from "fast-check";
import { describe, expect, it } from "vitest";
// Ink's own, which its package does not export.
import Output from "../../../node_modules/ink/build/output.js";
import { rowOutput } from "../../../src/ui/terminal/rowOutput.ts";

const WIDTH = 40;
const HEIGHT = 6;

const text = fc.constantFrom(
	"",
	"⠋ ",
	"words",
	"語語 wide",
	"\x1b[1mbold\x1b[0m end",
	"blank end  ",
	"one\ntwo\n\nfour",
);
/** A row of texts beside each other, as boxes in a row are. */
const row = fc.array(text, { maxLength: 3 });

const plain = (frame: string) =>
	frame
		.replaceAll(/\x1b\[\d*m/g, "")
		.split("\n")
		.map((line) => line.trimEnd());

describe("rowOutput", () => {
	it("shows what Ink's own output shows", () => {
		fc.assert(
			fc.property(fc.array(row, { maxLength: HEIGHT }), (rows) => {
				const own = rowOutput({ height: HEIGHT });
				const inks = new Output({ width: WIDTH, height: HEIGHT });
				// Lines below the first would meet the next row's.
				for (const [y, texts] of rows.entries())
					for (const [i, one] of texts.entries())
						for (const output of [own, inks])
							output.write(
								i * 12,
								y,
								i === 0 && texts.length === 1 && y === rows.length - 1 ? one : (one.split("\n")[0] ?? ""),
								{
									transformers: [],
								},
							);
				expect(plain(own.get().output)).toEqual(plain(inks.get().output));
				expect(own.get().height).toBe(inks.get().height);
			}),
		);
	});

	it("changes each line as Ink's components ask", () => {
		const output = rowOutput({ height: 2 });
		output.write(0, 0, "a\nb", { transformers: [(line, i) => `${line}${i}`, (line) => `<${line}>`] });
		expect(output.get().output).toBe("<a0>\n<b1>");
	});
});
