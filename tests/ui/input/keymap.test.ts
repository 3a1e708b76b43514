import { describe, expect, it } from "vitest";
import { type Key, namedKey, textKey } from "../../../src/ui/input/key.ts";
import {
	actionFor,
	chordLabel,
	type Focus,
	KEY_BINDINGS,
	type KeyContext,
} from "../../../src/ui/input/keymap.ts";
import { createKeyParser } from "../../../src/ui/input/keys.ts";

/** A place for a key, in words: the focus, then what else holds. */
function at(place: string): KeyContext {
	const [focus, ...facts] = place.split(" ");
	return {
		focus: focus as Focus,
		working: facts.includes("working"),
		empty: facts.includes("empty"),
		asks: facts.includes("asks"),
		parts: facts.includes("parts"),
		amends: facts.includes("amends"),
	};
}

/** The one key that `input` is. */
function keyOf(input: string): Key {
	const parser = createKeyParser();
	return [...parser.feed(input), ...parser.flushEscape()][0]!;
}

describe("actionFor", () => {
	it.each([
		["editor", "\r", { do: "submit" }],
		["editor", "\n", { do: "edit", edit: { type: "newline" } }],
		["editor", "\x1b\r", { do: "edit", edit: { type: "newline" } }],
		["editor", "\x1b[13;2u", { do: "edit", edit: { type: "newline" } }],
		["editor", "\x1b", { do: "cancel" }],
		["editor working", "\x1b", { do: "interrupt" }],
		["editor working", "\x03", { do: "interrupt" }],
		["editor", "\x03", { do: "clearOrExit" }],
		["editor empty", "\x04", { do: "exit" }],
		["editor", "\x04", { do: "edit", edit: { type: "delete" } }],
		["editor", "\x1b[Z", { do: "cycleMode" }],
		["editor", "\t", { do: "complete" }],
		["editor working", "\t", { do: "queue" }],
		["editor working asks", "\t", { do: "takeFocus" }],
		["editor empty", "?", { do: "showKeys" }],
		["editor", "?", { do: "edit", edit: { type: "insert", text: "?" } }],
		["editor", "\x0c", { do: "redraw" }],
		["editor", "\x0f", { do: "unfold" }],
		["editor", "\x14", { do: "togglePlan" }],
		["editor", "\x12", { do: "searchHistory" }],
		["editor", "\x07", { do: "editExternally" }],
		["editor", "\x1a", { do: "suspend" }],
		["editor working", "\x1b[1;3A", { do: "recallQueued" }],
		["editor", "\x1bq", { do: "markQueue" }],
		["queue", "\x1b[1;3B", { do: "moveQueued", by: 1 }],
		["queue", "\r", { do: "recallQueued" }],
		["queue", "\x1b[3~", { do: "dropQueued" }],
		["editor", "\x1f", { do: "edit", edit: { type: "undo" } }],
		["editor", "\x17", { do: "edit", edit: { type: "killToBlank" } }],
		["editor", "\x1bd", { do: "edit", edit: { type: "killWordRight" } }],
		["editor", "\x10", { do: "edit", edit: { type: "up" } }],
		["editor", "\x1bx", undefined],
		["editor", "\x1b[15~", undefined],
		["editor", "\x1b[I", { do: "focus", focused: true }],
		["completion", "\t", { do: "accept", send: false }],
		["completion", "\r", { do: "accept", send: true }],
		["completion working", "\x1b", { do: "cancel" }],
		["completion", "\x1b[A", { do: "move", by: -1 }],
		["completion", "a", { do: "edit", edit: { type: "insert", text: "a" } }],
		["choice working", "\r", { do: "accept", send: true }],
		["choice working", "\x1b", { do: "cancel" }],
		["choice working", "\x03", { do: "interrupt" }],
		["choice", "3", { do: "choose", index: 2 }],
		["choice", "y", { do: "mark", yes: true }],
		["choice", "n", { do: "mark", yes: false }],
		["choice", "j", { do: "move", by: 1 }],
		["choice", "x", { do: "edit", edit: { type: "insert", text: "x" } }],
		["choice", "yes please", { do: "edit", edit: { type: "insert", text: "yes please" } }],
		["choice", "\x1b[200~y\x1b[201~", { do: "edit", edit: { type: "paste", text: "y" } }],
		["choice", "\x7f", undefined],
		["field", "y", { do: "edit", edit: { type: "insert", text: "y" } }],
		["choice parts", "\t", { do: "markPart", by: 1 }],
		["choice parts", "\x1b[Z", { do: "markPart", by: -1 }],
		["choice parts", "\x1b[C", { do: "markPart", by: 1 }],
		["choice parts", " ", { do: "togglePart" }],
		["choice parts", "\x1b[B", { do: "move", by: 1 }],
		["choice", "\t", { do: "move", by: 1 }],
		["choice", " ", { do: "edit", edit: { type: "insert", text: " " } }],
		["choice amends", "e", { do: "amend" }],
		["choice", "e", { do: "edit", edit: { type: "insert", text: "e" } }],
		["field parts amends", "e", { do: "edit", edit: { type: "insert", text: "e" } }],
		["field", "\r", { do: "accept", send: true }],
		["field", "\x1b[A", { do: "edit", edit: { type: "up" } }],
		["picker", "j", { do: "edit", edit: { type: "insert", text: "j" } }],
		["picker", "\x1b[B", { do: "move", by: 1 }],
		["picker", "\x03", { do: "cancel" }],
		["historySearch", "\x12", { do: "move", by: 1 }],
		["historySearch", "\x1b", { do: "cancel" }],
	])("in %s takes %j for %o", (place, input, action) => {
		expect(actionFor(keyOf(input), at(place))).toEqual(action);
	});

	it.each(["up", "tab", "home", "delete", "return", "??"])("types %s that came in one read", (word) => {
		expect(actionFor(textKey(word), at("editor empty"))).toEqual({
			do: "edit",
			edit: { type: "insert", text: word },
		});
	});
});

describe("KEY_BINDINGS", () => {
	it("has no row that can never be reached", () => {
		const facts = ["", "working", "empty", "asks", "working empty asks", "parts", "amends"];
		const unreachable = KEY_BINDINGS.filter(
			(binding) =>
				!binding.in.some((focus) =>
					binding.chords.some((chord) =>
						facts.some((fact) => actionFor(pressed(chord), at(`${focus} ${fact}`)) === binding.action),
					),
				),
		);
		expect(unreachable).toEqual([]);
	});

	it("says what every row does, save for those that a row above says", () => {
		expect(KEY_BINDINGS.filter((row) => row.does === "").map((row) => row.chords.join())).toEqual([
			..."23456789",
		]);
	});
});

/** The key that a chord stands for. */
function pressed(chord: string): Key {
	const parts = chord.split(/\+(?=.)/);
	const name = parts.at(-1)!;
	const held = { ctrl: parts.includes("ctrl"), alt: parts.includes("alt"), shift: parts.includes("shift") };
	return name.length === 1 ? textKey(name, held) : namedKey(name as Key["name"], held);
}

describe("chordLabel", () => {
	it.each([
		["ctrl+a", "Ctrl+A"],
		["shift+return", "Shift+Enter"],
		["alt+up", "Alt+Up"],
		["ctrl+-", "Ctrl+-"],
		["pageUp", "PageUp"],
		["j", "j"],
		["?", "?"],
	])("writes %s as %s", (chord, label) => {
		expect(chordLabel(chord)).toBe(label);
	});
});
