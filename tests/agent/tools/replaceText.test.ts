// The arithmetic of an edit against a reference replacement.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { replaceText } from "../../../src/agent/tools/replaceText.ts";

const LF = { eol: "\n" } as const;
const CRLF = { eol: "\r\n" } as const;

describe("replaceText", () => {
	const letters = fc.string({ unit: fc.constantFrom("a", "b", "\n", "$", "&"), maxLength: 30 });
	const wanted = fc.string({ unit: fc.constantFrom("a", "b", "\n"), minLength: 1, maxLength: 3 });

	it("equals a literal replacement of all occurrences, in LF and in CRLF files", () => {
		fc.assert(
			fc.property(letters, wanted, letters, (text, oldString, newString) => {
				const reference = text.split(oldString).join(newString);
				const edit = { oldString, newString, replaceAll: true };
				const count = text.split(oldString).length - 1;
				const plain = replaceText(text, LF, edit);
				const windows = replaceText(text.replaceAll("\n", "\r\n"), CRLF, edit);
				if (count === 0) {
					expect([plain.type, windows.type]).toEqual(["not_found", "not_found"]);
					return;
				}
				expect(plain).toMatchObject({ type: "replaced", text: reference, count });
				expect(windows).toMatchObject({ type: "replaced", text: reference.replaceAll("\n", "\r\n"), count });
			}),
			{ numRuns: 500 },
		);
	});

	it("keeps every line end outside of the changed letters in a file of mixed line ends", () => {
		const pieces = fc.array(fc.constantFrom("a\n", "a\r\n", "b\n", "b\r\n"), { maxLength: 12 });
		fc.assert(
			fc.property(pieces, pieces, (before, after) => {
				const text = `${before.join("")}X\r\nY\n${after.join("")}`;
				const end = replaceText(text, CRLF, { oldString: "X\nY", newString: "X\nZ", replaceAll: false });
				expect(end).toMatchObject({ text: `${before.join("")}X\r\nZ\n${after.join("")}` });
			}),
		);
	});

	describe("in a file of mixed line ends", () => {
		const end = fc.constantFrom("\n", "\r\n");
		const ends = fc.array(end, { minLength: 1, maxLength: 8 });
		const numbered = (letter: string, lineEnds: readonly string[]) =>
			lineEnds.map((lineEnd, at) => `${letter}${at}${lineEnd}`).join("");

		it("gives each replaced line the end of the line in its place", () => {
			expect(
				replaceText("a\r\nb\nc\r\n", CRLF, { oldString: "b\nc", newString: "B\nC", replaceAll: false }),
			).toMatchObject({ text: "a\r\nB\nC\r\n" });
			fc.assert(
				fc.property(ends, ends, ends, fc.constantFrom(LF, CRLF), (before, inside, after, encoding) => {
					const around = (lines: string) => numbered("x", before) + lines + numbered("y", after);
					const count = inside.map(() => "\n");
					const edit = {
						oldString: numbered("a", count),
						newString: numbered("b", count),
						replaceAll: false,
					};
					expect(replaceText(around(numbered("a", inside)), encoding, edit)).toMatchObject({
						text: around(numbered("b", inside)),
					});
				}),
			);
		});

		it("keeps the end of each line that stays, and gives added lines the file's", () => {
			const line = fc.record({ end, fate: fc.constantFrom("stays", "goes", "gets a line before it") });
			fc.assert(
				fc.property(
					fc
						.array(line, { minLength: 1, maxLength: 8 })
						.filter((lines) => lines.some(({ fate }) => fate !== "stays")),
					fc.constantFrom(LF, CRLF),
					(lines, encoding) => {
						const write = (form: (line: (typeof lines)[number], at: number) => string) =>
							lines.map(form).join("");
						const changed = (endOf: (lineEnd: string) => string, added: string) =>
							write(({ end: own, fate }, at) =>
								fate === "goes" ? "" : `${fate === "stays" ? "" : `new${added}`}l${at}${endOf(own)}`,
							);
						const edit = {
							oldString: `${write((_, at) => `l${at}\n`)}end`,
							newString: `${changed(() => "\n", "\n")}end`,
							replaceAll: false,
						};
						const found = replaceText(`${write(({ end: own }, at) => `l${at}${own}`)}end`, encoding, edit);
						if (found.type !== "replaced") throw new Error(found.type);
						const keepsAll = lines.every(({ end: own, fate }, at) => {
							if (fate === "goes") return true;
							return found.text.includes(`l${at}${own}`);
						});
						expect(keepsAll).toBe(true);
						if (lines.every(({ fate }) => fate !== "goes"))
							expect(found.text).toBe(`${changed((own) => own, encoding.eol)}end`);
					},
				),
			);
		});

		it("pairs the lines of a very large change by their order", () => {
			const many = Array.from({ length: 1_500 }, (_, at) => (at % 3 === 0 ? "\r\n" : "\n"));
			const plain = many.map(() => "\n");
			const edit = { oldString: numbered("a", plain), newString: numbered("b", plain), replaceAll: false };
			expect(replaceText(numbered("a", many), LF, edit)).toMatchObject({ text: numbered("b", many) });
		});
	});

	it("reads CRLF in the edit itself as a line end", () => {
		const edit = { oldString: "a\r\nb", newString: "a\r\nc\r\nb", replaceAll: false };
		expect(replaceText("a\nb\n", LF, edit)).toMatchObject({ text: "a\nc\nb\n" });
		expect(replaceText("a\r\nb\r\n", CRLF, edit)).toMatchObject({ text: "a\r\nc\r\nb\r\n" });
	});

	it("works in files whose lines end with CR alone", () => {
		const edit = { oldString: "a\nb", newString: "a\nc", replaceAll: false };
		expect(replaceText("a\rb\r", { eol: "\r" }, edit)).toMatchObject({ text: "a\rc\r" });
	});

	it("counts matches that do not overlap and names the lines of the first ten", () => {
		const end = replaceText("aa\n".repeat(12), LF, { oldString: "a", newString: "b", replaceAll: false });
		expect(end).toEqual({ type: "ambiguous", count: 24, lines: [1, 1, 2, 2, 3, 3, 4, 4, 5, 5] });
	});

	it("refuses a result that no memory would hold", () => {
		const edit = { oldString: "a", newString: "b".repeat(100_000), replaceAll: true };
		expect(replaceText("a".repeat(100_000), LF, edit)).toEqual({ type: "too_large" });
	});
});
