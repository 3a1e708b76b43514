import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chordOf, type Key } from "../../../src/ui/input/key.ts";
import { createKeyParser } from "../../../src/ui/input/keys.ts";

/** Keys in short: letters in quotes, pastes in angle brackets, others as chords. */
function shown(keys: readonly Key[]): string[] {
	return keys.map((key) => {
		if (key.name === "paste") return `<${key.text}>`;
		return key.name === "text" && !key.ctrl && !key.alt ? `"${key.text}"` : chordOf(key);
	});
}

/** The keys with the letters of neighbouring reads put together. */
function joined(keys: readonly Key[]): string[] {
	const result: Key[] = [];
	for (const key of keys) {
		const last = result.at(-1);
		const isPlain = (each: Key | undefined) => each?.name === "text" && !each.ctrl && !each.alt;
		if (last && isPlain(last) && isPlain(key))
			result[result.length - 1] = { ...last, text: `${last.text}${key.text}` };
		else result.push(key);
	}
	return shown(result);
}

function read(...chunks: (string | Uint8Array)[]): string[] {
	const parser = createKeyParser();
	return shown(chunks.flatMap((chunk) => parser.feed(chunk)));
}

const bytes = (text: string) => new TextEncoder().encode(text);

describe("createKeyParser", () => {
	it.each([
		["letters and Enter in one read", "hello\r", ['"hello"', "return"]],
		["a line feed as Ctrl+J", "a\nb", ['"a"', "ctrl+j", '"b"']],
		[
			"controls",
			"\x01\x03\x04\x1a\x1f\x00",
			["ctrl+a", "ctrl+c", "ctrl+d", "ctrl+z", "ctrl+_", "ctrl+space"],
		],
		["both backspaces", "\x7f\x08", ["backspace", "backspace"]],
		["arrows", "\x1b[A\x1b[B\x1bOC\x1bOD", ["up", "down", "right", "left"]],
		["arrows with modifiers", "\x1b[1;5C\x1b[1;3D\x1b[1;2A", ["ctrl+right", "alt+left", "shift+up"]],
		["an arrow with Alt as two escapes", "\x1b\x1b[A", ["alt+up"]],
		[
			"home, end, delete, pages",
			"\x1b[H\x1b[4~\x1b[3~\x1b[5~\x1b[6~",
			["home", "end", "delete", "pageUp", "pageDown"],
		],
		["delete with Ctrl", "\x1b[3;5~", ["ctrl+delete"]],
		["function keys", "\x1bOP\x1b[15~\x1b[24~\x1b[[B\x1b[1;2S", ["f1", "f5", "f12", "f2", "shift+f4"]],
		["Shift+Tab", "\x1b[Z", ["shift+tab"]],
		["Shift+Enter of kitty", "\x1b[13;2u", ["shift+return"]],
		["Shift+Enter of xterm", "\x1b[27;2;13~", ["shift+return"]],
		["Alt+Enter", "\x1b\r", ["alt+return"]],
		["Alt and letters", "\x1bb\x1bé\x1b\x7f", ["alt+b", "alt+é", "alt+backspace"]],
		["Alt before several letters", "\x1bbcd", ["alt+b", '"cd"']],
		["letters of kitty", "\x1b[99;5u\x1b[97;2u\x1b[228u", ["ctrl+c", '"A"', '"ä"']],
		["kitty's associated text", "\x1b[97;;229u", ['"å"']],
		["keypad keys of kitty", "\x1b[57400u\x1b[57414u\x1b[57419u", ['"1"', "return", "up"]],
		["repeat and release of kitty", "\x1b[97;1:2u\x1b[97;1:3u\x1b[1;1:3A", ['"a"']],
		["keys of the window system", "\x1b[99;9u", []],
		["lock keys as no modifier", "\x1b[99;69u", ["ctrl+c"]],
		["focus", "\x1b[I\x1b[O", ["focusIn", "focusOut"]],
		["an escape before an unknown letter outside ASCII", "\x1b안", ["alt+안"]],
	])("reads %s", (_, input, keys) => {
		expect(read(input)).toEqual(keys);
	});

	it.each([
		["the cursor's position", "\x1b[12;40R"],
		["device attributes", "\x1b[?62;22c\x1b[>1;10;0c"],
		["a mode report", "\x1b[?2026;2$y"],
		["the keyboard protocol's state", "\x1b[?1u"],
		["a mouse report", "\x1b[<0;10;20M"],
		["a colour, ended by BEL", "\x1b]11;rgb:0000/0000/0000\x07"],
		["a colour, ended by ST", "\x1b]11;rgb:0000/0000/0000\x1b\\"],
		["a terminal's name", "\x1bP>|xterm(380)\x1b\\"],
		["an unknown sequence", "\x1b[99;1;1X"],
		["an eight-bit control", "\u009b"],
	])("swallows %s", (_, report) => {
		expect(read(`a${report}b`)).toEqual(['"a"', '"b"']);
	});

	it("lets Enter through after a report that never ended", () => {
		expect(read("\x1b]11;rgb:00", "\rok")).toEqual(["return", '"ok"']);
	});

	it("goes on with the escape that cuts a report off", () => {
		expect(read("\x1b]0;x\x1b[A")).toEqual(["up"]);
	});

	it("joins a letter whose bytes come in two reads", () => {
		const family = bytes("👨‍👩‍👧é");
		for (let cut = 1; cut < family.length; cut++)
			expect(read(family.slice(0, cut), family.slice(cut)).join("").replaceAll('"', "")).toBe("👨‍👩‍👧é");
	});

	it("joins a letter whose halves come in two texts", () => {
		expect(read("\ud83d", "\ude00")).toEqual(['"😀"']);
	});

	describe("in a bracketed paste", () => {
		it.each([
			["line feeds", "one\ntwo\nthree"],
			["carriage returns", "one\rtwo\rthree"],
			["both", "one\r\ntwo\r\nthree"],
		])("makes line breaks of %s", (_, text) => {
			expect(read(`\x1b[200~${text}\x1b[201~\r`)).toEqual(["<one\ntwo\nthree>", "return"]);
		});

		it("finds the marks wherever they are cut", () => {
			const input = bytes("a\x1b[200~one\rtwö\x1b[201~\r");
			for (let first = 1; first < input.length; first++)
				for (let second = first; second < input.length; second++) {
					const keys = read(input.slice(0, first), input.slice(first, second), input.slice(second));
					expect(keys).toEqual(['"a"', "<one\ntwö>", "return"]);
				}
		});

		it("finds an end mark that comes byte by byte", () => {
			expect(read("\x1b[200~x", ..."\x1b[201~y")).toEqual(["<x>", '"y"']);
		});

		it("keeps sequences as text and never shows its marks", () => {
			expect(read("\x1b[200~a\x1b[A\x1b[200~b\x03\x1b[201~\x1b[201~c")).toEqual(["<a\x1b[Ab\x03>", '"c"']);
		});

		it("is no typing where its mark's escape was already taken for the key", () => {
			const parser = createKeyParser();
			parser.feed("\x1b");
			expect(shown(parser.flushEscape())).toEqual(["escape"]);
			expect(shown(parser.feed("[200~rm -rf x\r\x1b[201~"))).toEqual(["<rm -rf x\n>"]);
		});

		it("waits for its end without a flush cutting it", () => {
			const parser = createKeyParser();
			parser.feed("\x1b[200~x\x1b");
			expect(parser.pending()).toBe(false);
			expect(parser.flushEscape()).toEqual([]);
			expect(shown(parser.feed("[201~"))).toEqual(["<x>"]);
		});
	});

	describe("flushEscape", () => {
		it.each([
			["\x1b", ["escape"]],
			["\x1b\x1b", ["escape", "escape"]],
			["\x1b]", ["alt+]"]],
			["\x1bP", ["alt+shift+p"]],
		])("tells %j from the beginning of a sequence", (input, keys) => {
			const parser = createKeyParser();
			expect(parser.feed(input)).toEqual([]);
			expect(parser.pending()).toBe(true);
			expect(shown(parser.flushEscape())).toEqual(keys);
			expect(parser.pending()).toBe(false);
			expect(shown(parser.feed("a"))).toEqual(['"a"']);
		});

		it.each(["\x1b[", "\x1b[1;5", "\x1bO", "\x1b]11;rgb"])(
			"leaves the begun sequence %j waiting",
			(input) => {
				const parser = createKeyParser();
				parser.feed(input);
				expect(parser.pending()).toBe(false);
				expect(parser.flushEscape()).toEqual([]);
			},
		);

		it("has nothing to tell when nothing waits", () => {
			const parser = createKeyParser();
			parser.feed("a");
			expect(parser.flushEscape()).toEqual([]);
		});
	});

	const piece = fc.oneof(
		fc.constantFrom(
			"\x1b[A",
			"\x1b[1;5C",
			"\x1bb",
			"\x1b[13;2u",
			"\r",
			"\n",
			"\x03",
			"\x1b[200~",
			"\x1b[201~",
			"\x1b[I",
		),
		fc.constantFrom(
			"안녕",
			"👨‍👩‍👧",
			"é",
			"\x1b]11;rgb:0/0/0\x07",
			"\x1b[3;4R",
			"\x1b",
			"\x1b\x1b",
			"[",
			"~",
			"\x1bO",
		),
		fc.string({ maxLength: 6 }),
	);

	it("gives the same keys however the bytes are cut", () => {
		fc.assert(
			fc.property(
				fc.array(piece, { maxLength: 12 }),
				fc.array(fc.nat(12), { maxLength: 20 }),
				(pieces, cuts) => {
					const input = bytes(pieces.join(""));
					const whole = createKeyParser();
					const cut = createKeyParser();
					const keys: Key[] = [];
					let at = 0;
					for (const length of cuts) {
						keys.push(...cut.feed(input.slice(at, at + length)));
						at += length;
					}
					keys.push(...cut.feed(input.slice(at)));
					expect(joined(keys)).toEqual(joined(whole.feed(input)));
					expect(cut.pending()).toBe(whole.pending());
					expect(joined(cut.flushEscape())).toEqual(joined(whole.flushEscape()));
				},
			),
			{ numRuns: 500 },
		);
	});

	it("loses no typed letter", () => {
		const typed = fc
			.string({ unit: "grapheme", minLength: 1 })
			.filter((text) => !/[\x00-\x1f\x7f-\x9f]/.test(text));
		fc.assert(
			fc.property(typed, (text) => {
				expect(read(bytes(text))).toEqual([`"${text}"`]);
			}),
		);
	});
});
