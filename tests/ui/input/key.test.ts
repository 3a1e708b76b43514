import { describe, expect, it } from "vitest";
import { chordOf, namedKey, textKey } from "../../../src/ui/input/key.ts";

describe("chordOf", () => {
	it.each([
		[namedKey("up"), "up"],
		[namedKey("return", { shift: true }), "shift+return"],
		[namedKey("right", { ctrl: true, alt: true }), "ctrl+alt+right"],
		[textKey("?"), "?"],
		[textKey("A"), "A"],
		[textKey("c", { ctrl: true }), "ctrl+c"],
		[textKey(" ", { ctrl: true }), "ctrl+space"],
		[textKey("B", { alt: true }), "alt+shift+b"],
		[textKey("b", { alt: true, shift: true }), "alt+shift+b"],
		[textKey("_", { ctrl: true, shift: true }), "ctrl+_"],
	])("writes %o as %s", (key, chord) => {
		expect(chordOf(key)).toBe(chord);
	});
});
