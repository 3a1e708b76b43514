import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { reduceView, type ViewEvent } from "../../../src/ui/view/reduce.ts";
import { plainText } from "../../../src/ui/view/style.ts";
import {
	afterEvents,
	attemptEnd,
	attemptStart,
	facts,
	flush,
	text,
	transcript,
	viewOf,
} from "../../support/screenView.ts";

const started = () => afterEvents(viewOf(), facts(attemptStart()));
const reasoning = (piece: string): ViewEvent => ({ kind: "live", delta: { type: "reasoning", text: piece } });
const partial = (view: ReturnType<typeof viewOf>) => view.stream.partial.map(plainText);

describe("streamed text", () => {
	it("is drawn at the next flush: whole lines in the transcript, the rest below it", () => {
		const gathered = afterEvents(started(), text("first\nsec"), text("ond"));
		expect([transcript(gathered), partial(gathered)]).toEqual([[], []]);
		const flushed = afterEvents(gathered, flush);
		expect([transcript(flushed), partial(flushed)]).toEqual([["first"], ["second"]]);
	});

	it("is not shown again by the fact that ends its attempt", () => {
		const view = afterEvents(started(), text("one\ntwo"), flush, facts(attemptEnd("one\ntwo")));
		expect([transcript(view), partial(view)]).toEqual([["one", "two"], []]);
	});

	it("is shown by the fact where nothing streamed", () => {
		expect(transcript(afterEvents(started(), facts(attemptEnd("one\ntwo"))))).toEqual(["one", "two"]);
	});

	it("is marked where it was withdrawn, once, and not shown again", () => {
		const view = afterEvents(
			started(),
			text("half a sen"),
			{ kind: "live", delta: { type: "withdrawn", text: "half a sen" } },
			facts(attemptEnd("half a sen", { outcome: "failed" })),
			facts(attemptStart("attempt-2")),
			text("whole"),
			facts(attemptEnd("whole")),
		);
		expect(transcript(view)).toEqual([
			"half a sen",
			"",
			"(the text above was cut off and does not count)",
			"",
			"whole",
		]);
	});

	it("is marked where it turned out to be reasoning, and the answer follows", () => {
		const turned = afterEvents(
			started(),
			text("hmm I rea"),
			{ kind: "live", delta: { type: "withdrawn", text: "hmm I rea", why: "reasoning" } },
			{ kind: "live", delta: { type: "reasoning", text: "hmm I reason" } },
		);
		const said = ["hmm I rea", "", "(the text above was reasoning, not the answer)"];
		const thought = "∴ thought, 1 line (Ctrl+O)";
		const answered = afterEvents(
			turned,
			text("Four."),
			facts(attemptEnd("Four.", { reasoning: "hmm I reason" })),
		);
		expect(transcript(answered)).toEqual([...said, thought, "", "Four."]);
		const failed = afterEvents(turned, text("Fou"), facts(attemptEnd("Fou", { outcome: "failed" })));
		expect(transcript(failed)).toEqual([
			...said,
			thought,
			"",
			"Fou",
			"",
			"(the text above was cut off and does not count)",
		]);
	});

	it("goes on in the same line after the output limit cut it", () => {
		const view = afterEvents(
			started(),
			text("The answer is fo"),
			facts(
				attemptEnd("The answer is fo", { outcome: "rejected", finish: "length" }),
				attemptStart("attempt-2"),
			),
			text("rty-two."),
			facts(attemptEnd("rty-two.")),
		);
		expect(transcript(view)).toEqual(["The answer is forty-two."]);
	});

	it("makes the same transcript however it is cut and whenever it is flushed", () => {
		const piece = fc.constantFrom(
			"word ",
			"\n",
			"\r\n",
			"**b**",
			"| a | b |\n",
			"|---|---|\n",
			"```ts\n",
			"```\n",
			"- item\n",
			"# head\n",
			"語",
			"👩‍🚀",
			"\x1b[31m",
			"\x1b]0;t\x07",
			"\x1b",
			"\u202e",
			"`",
			"\r",
			"\ud83d\ude00",
		);
		const cuts = fc.array(fc.tuple(fc.nat(7), fc.boolean()), { maxLength: 60 });
		fc.assert(
			fc.property(fc.array(piece, { maxLength: 30 }), cuts, (pieces, cutting) => {
				const whole = pieces.join("");
				const expected = transcript(afterEvents(started(), text(whole), facts(attemptEnd(whole))));
				let view = started();
				let at = 0;
				for (const [length, isFlushed] of cutting) {
					view = afterEvents(view, text(whole.slice(at, at + length)), ...(isFlushed ? [flush] : []));
					at += length;
				}
				view = afterEvents(view, text(whole.slice(at)), facts(attemptEnd(whole)));
				expect(transcript(view)).toEqual(expected);
			}),
		);
	});
});

describe("streamed reasoning", () => {
	it("is one line that counts, and is printed whole when it is unfolded", () => {
		const thinking = afterEvents(started(), reasoning("first thought\n"), reasoning("second"), flush);
		expect(thinking.stream.reasoningLines).toBe(2);
		expect(transcript(thinking)).toEqual([]);
		const answered = afterEvents(thinking, text("done\n"), flush);
		expect(transcript(answered)).toEqual(["∴ thought, 2 lines (Ctrl+O)", "", "done"]);
		expect(transcript(afterEvents(answered, { kind: "unfold" })).slice(3)).toEqual([
			"",
			"── reasoning, 2 lines",
			"first thought",
			"second",
		]);
	});

	it("tells how long it took", () => {
		let view = reduceView(started(), reasoning("hm"), 1000);
		view = reduceView(view, text("x\n"), 13_000);
		expect(transcript(reduceView(view, flush, 13_000))[0]).toBe("∴ thought for 12 s, 1 line (Ctrl+O)");
	});

	it("is told once where the fact brings it again", () => {
		const view = afterEvents(
			started(),
			reasoning("hm"),
			text("x"),
			facts(attemptEnd("x", { reasoning: "hm" })),
		);
		expect(transcript(view)).toEqual(["∴ thought, 1 line (Ctrl+O)", "", "x"]);
	});
});
