import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { continuesLine, type Edit, editEditor, submitText } from "../../../src/ui/input/editor.ts";
import { createEditor, type EditorState, foldedIn } from "../../../src/ui/input/editorState.ts";
import { graphemesOf } from "../../../src/ui/input/graphemes.ts";

type Step = Edit | Edit["type"];

/** The state after some edits; a plain word is an edit without arguments. */
function edited(steps: readonly Step[], state: EditorState = createEditor()): EditorState {
	return steps.reduce(
		(now, step) => editEditor(now, typeof step === "string" ? ({ type: step } as Edit) : step),
		state,
	);
}

/** The text with `|` where the cursor is. */
function shown({ text, cursor }: EditorState): string {
	return `${text.slice(0, cursor)}|${text.slice(cursor)}`;
}

/** The places between the visible characters of `text`. */
function edgesOf(text: string): number[] {
	let at = 0;
	const ends = Array.from(graphemesOf(text), (grapheme) => {
		at += grapheme.length;
		return at;
	});
	return [0, ...ends];
}

const type = (text: string): Edit => ({ type: "insert", text });
const paste = (text: string): Edit => ({ type: "paste", text });

/** A field that shows `marked`, its cursor at the `|`. */
function field(marked: string, width = 80): EditorState {
	const [before = "", after = ""] = marked.split("|");
	return edited(
		[type(after), "home", { type: "replace", from: 0, to: 0, text: before }],
		createEditor(width),
	);
}

describe("editEditor", () => {
	it.each<[string, string, Step[], string]>([
		["inserts at the cursor", "a|c", [type("b")], "ab|c"],
		["makes line feeds of other line ends", "|", [type("a\r\nb\rc")], "a\nb\nc|"],
		["breaks the line", "a|b", ["newline"], "a\n|b"],
		["deletes an accented letter whole", "xe\u0301|", ["backspace"], "x|"],
		["deletes a family of emoji whole", "x👨‍👩‍👧|y", ["backspace"], "x|y"],
		["deletes a Hangul syllable", "안녕|", ["backspace"], "안|"],
		["deletes forward by whole characters", "|👍🏽x", ["delete"], "|x"],
		["joins lines at a line's start", "a\n|b", ["backspace"], "a|b"],
		["does nothing at the start", "|a", ["backspace", "left"], "|a"],
		["does nothing at the end", "a|", ["delete", "right"], "a|"],
		["moves over whole characters", "안👨‍👩‍👧|", ["left", "left", "right"], "안|👨‍👩‍👧"],
		["moves a word left", "one two_3, |", ["wordLeft"], "one |two_3, "],
		["moves a word right", "one| two three", ["wordRight"], "one two| three"],
		["moves over Chinese as a word", "|中文 x", ["wordRight"], "中文| x"],
		["goes to the line's start", "a\nbc|d", ["home"], "a\n|bcd"],
		["goes to the line's end", "a|b\nc", ["end"], "ab|\nc"],
		["cuts to the line's end", "a|bc\nd", ["killToEnd"], "a|\nd"],
		["cuts the line break at a line's end", "a|\nb", ["killToEnd"], "a|b"],
		["cuts to the line's start", "a\nbc|d", ["killToStart"], "a\n|d"],
		["cuts a word back", "one two-three|", ["killWordLeft"], "one two-|"],
		["cuts a word forward", "|one two", ["killWordRight"], "| two"],
		["cuts back to a blank", "one two-three|", ["killToBlank"], "one |"],
		["puts the cut text back", "one two|", ["killToBlank", "home", "yank"], "two|one "],
		["joins cuts in a row", "one two three|", ["killToBlank", "killToBlank", "yank"], "one two three|"],
		["keeps cuts apart after a move", "one two|", ["killToBlank", "left", "killToBlank", "yank"], "one| "],
		["yanks the cut before", "one two|", ["killToBlank", "left", "killToBlank", "yank", "yankPop"], "two| "],
		["ignores yankPop without a yank", "a|", ["yankPop", "yank"], "a|"],
		[
			"replaces a range",
			"see @re|",
			[{ type: "replace", from: 4, to: 7, text: "@readme " }],
			"see @readme |",
		],
		["continues a line after a backslash", "a\\|b", ["continueLine"], "a\n|b"],
	])("%s", (_, before, steps, after) => {
		expect(shown(edited(steps, field(before)))).toBe(after);
	});

	it("never leaves the cursor before a mark that joins the letter behind it", () => {
		expect(shown(edited([type("e")], field("|\u0301x")))).toBe("e\u0301|x");
	});

	describe("up and down", () => {
		it("move by rows as drawn and keep the column over a short row", () => {
			const state = field("abcdef\nx\nabcdef|", 20);
			expect(shown(edited(["left", "up"], state))).toBe("abcdef\nx|\nabcdef");
			expect(shown(edited(["left", "up", "up"], state))).toBe("abcde|f\nx\nabcdef");
			expect(shown(edited(["up", "up", "down", "down"], state))).toBe("abcdef\nx\nabcdef|");
		});

		it("move within a line that is wider than the field", () => {
			expect(shown(edited(["up"], field("abcdefg|", 3)))).toBe("abcd|efg");
		});

		it("follow a change of the width", () => {
			expect(shown(edited([{ type: "resize", width: 4 }, "up"], field("abcdef|", 80)))).toBe("ab|cdef");
		});
	});

	describe("history", () => {
		const history = ["newest", "older\nwith rows", "oldest"];
		const start = () => edited([type("my draft")], createEditor(80, history));

		it("is walked from the first row, and back to the draft on the last", () => {
			expect(shown(edited(["up"], start()))).toBe("newest|");
			expect(shown(edited(["up", "up"], start()))).toBe("older\nwith rows|");
			expect(shown(edited(["up", "up", "up", "up"], start()))).toBe("oldest|");
			expect(shown(edited(["up", "up", "down", "down"], start()))).toBe("my draft|");
			expect(shown(edited(["down"], start()))).toBe("my draft|");
		});

		it("lets the rows of a recalled message be walked once the cursor has moved", () => {
			expect(shown(edited(["up", "up", "left", "up"], start()))).toBe("older|\nwith rows");
		});

		it("gives an edited recalled message back by undo", () => {
			expect(shown(edited(["up", type("!"), "historyPrevious", "undo"], start()))).toBe("newest!|");
		});

		it("takes in what was sent, not twice in a row, with pastes whole", () => {
			const sent = edited([type("again"), "submitted", type("again"), "submitted"]);
			expect(sent.history).toEqual(["again"]);
			const big = `${"line\n".repeat(20)}end`;
			expect(edited([paste(big), "submitted"]).history).toEqual([big]);
		});

		it("can come later than the first letters", () => {
			const state = edited([type("d"), { type: "loadHistory", entries: ["x"] }, "up", "down"]);
			expect(shown(state)).toBe("d|");
		});
	});

	describe("pastes", () => {
		const big = Array.from({ length: 120 }, (_, i) => `line ${i}`).join("\n");

		it("stand as they are up to ten lines", () => {
			expect(edited([paste("one\r\ntwo\rthree")]).text).toBe("one\ntwo\nthree");
		});

		it("are folded above ten lines or a thousand letters, and sent whole", () => {
			const state = edited([type("look: "), paste(big), type(" ok "), paste("y".repeat(1_001))]);
			expect(state.text).toBe("look: [pasted 120 lines] ok [pasted 1001 letters]");
			expect(submitText(state)).toBe(`look: ${big} ok ${"y".repeat(1_001)}`);
		});

		it("have marks of their own where two are of one size", () => {
			const other = big.replaceAll("line", "row");
			const state = edited([paste(big), type(" "), paste(other)]);
			expect(state.text).toBe("[pasted 120 lines] [pasted 120 lines #2]");
			expect(submitText(state)).toBe(`${big} ${other}`);
		});

		it("take no mark that the text already holds", () => {
			const state = edited([type("[pasted 120 lines] "), paste(big)]);
			expect(submitText(state)).toBe(`[pasted 120 lines] ${big}`);
		});

		it("are crossed and deleted as one character", () => {
			const state = edited([type("a"), paste(big), type("b")]);
			expect(shown(edited(["left", "left"], state))).toBe("a|[pasted 120 lines]b");
			expect(shown(edited(["left", "backspace"], state))).toBe("a|b");
			expect(shown(edited(["home", "right", "delete"], state))).toBe("a|b");
			expect(shown(edited(["left", "killWordLeft"], state))).toBe("a|b");
		});

		it("come back whole by undo and by yank", () => {
			const state = edited([paste(big), "backspace"]);
			expect(submitText(edited(["undo"], state))).toBe(big);
			expect(submitText(edited(["undo", "killToBlank", "yank"], edited([paste(big)])))).toBe("");
			expect(submitText(edited([paste(big), "killWordLeft", "yank"]))).toBe(big);
		});

		it("keep marks inside pasted text as they are", () => {
			const state = edited([paste(big), type("\n"), paste(`${big}\n[pasted 120 lines]`)]);
			expect(submitText(state)).toBe(`${big}\n${big}\n[pasted 120 lines]`);
		});
	});

	describe("undo", () => {
		it("takes back a word at a time and redo brings it again", () => {
			const typed = edited([..."one two"].map(type));
			expect(shown(edited(["undo"], typed))).toBe("one|");
			expect(shown(edited(["undo", "undo"], typed))).toBe("|");
			expect(shown(edited(["undo", "undo", "redo", "redo"], typed))).toBe("one two|");
		});

		it("brings a cleared line back", () => {
			expect(shown(edited(["clear", "undo"], field("two\nlines|")))).toBe("two\nlines|");
		});

		it("forgets what was sent", () => {
			expect(shown(edited([type("sent"), "submitted", "undo"]))).toBe("|");
		});

		it("has an end", () => {
			const many = Array.from({ length: 1_000 }, (_, i) => [type(`${i}`), "left", "right"] as Step[]).flat();
			expect(edited(many).undo.length).toBeLessThanOrEqual(200);
		});
	});

	const text = fc.constantFrom(
		"a",
		" ",
		"word",
		"안",
		"👨‍👩‍👧",
		"\u0301",
		"\u200d",
		"👩",
		"\n",
		"\r\n",
		"🏽",
		"🇩",
		"1\n".repeat(12),
	);
	const anyEdit: fc.Arbitrary<Edit> = fc.oneof(
		fc.record({ type: fc.constantFrom("insert" as const, "paste" as const), text }),
		fc.record({
			type: fc.constantFrom("left", "right", "up", "down", "home", "end", "wordLeft", "wordRight"),
		}) as fc.Arbitrary<Edit>,
		fc.record({
			type: fc.constantFrom(
				..."backspace delete newline killToEnd killToStart killWordLeft killWordRight killToBlank yank yankPop undo redo clear historyPrevious historyNext continueLine submitted".split(
					" ",
				),
			),
		}) as fc.Arbitrary<Edit>,
		fc.record({ type: fc.constant("resize" as const), width: fc.integer({ min: 1, max: 9 }) }),
	);

	it("never leaves the cursor inside a character or a folded paste", () => {
		fc.assert(
			fc.property(fc.array(anyEdit, { maxLength: 30 }), (edits) => {
				let state = createEditor(5, ["é 안", "two\nrows"]);
				for (const edit of edits) {
					state = editEditor(state, edit);
					expect(edgesOf(state.text)).toContain(state.cursor);
					expect(foldedIn(state).some(({ from, to }) => from < state.cursor && state.cursor < to)).toBe(
						false,
					);
				}
			}),
			{ numRuns: 400 },
		);
	});

	it("comes back to the beginning by undo alone", () => {
		fc.assert(
			fc.property(
				fc.array(
					anyEdit.filter(({ type }) => type !== "submitted"),
					{ maxLength: 20 },
				),
				(edits) => {
					let state = edited(edits, createEditor(5, ["é 안"]));
					for (let i = 0; i < 50; i++) state = editEditor(state, { type: "undo" });
					expect(state.text).toBe("");
				},
			),
		);
	});

	it("restores exactly what one edit changed", () => {
		fc.assert(
			fc.property(fc.array(anyEdit, { maxLength: 12 }), anyEdit, (edits, last) => {
				fc.pre(!["undo", "redo", "submitted"].includes(last.type));
				const before = { ...edited(edits, createEditor(5, ["é 안"])), lastEdit: "other" as const };
				const after = editEditor(before, last);
				fc.pre(after.text !== before.text);
				const { text, cursor } = editEditor(after, { type: "undo" });
				expect({ text, cursor }).toEqual({ text: before.text, cursor: before.cursor });
			}),
		);
	});
});

describe("continuesLine", () => {
	it.each([
		["a\\|", true],
		["a\\\\|", false],
		["a\\\\\\|", true],
		["a|\\", false],
		["|", false],
	])("says of %s: %s", (marked, answer) => {
		expect(continuesLine(field(marked))).toBe(answer);
	});
});
