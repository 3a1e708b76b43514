// What a key press is, whatever bytes the terminal sent for it. Pure words, no decision.

/** Named keys. `text` carries letters (with `ctrl` or `alt` exactly one), `paste` a whole paste. */
export type KeyName =
	| "text"
	| "paste"
	| "return"
	| "tab"
	| "backspace"
	| "delete"
	| "insert"
	| "escape"
	| "up"
	| "down"
	| "left"
	| "right"
	| "home"
	| "end"
	| "pageUp"
	| "pageDown"
	| "focusIn"
	| "focusOut"
	| `f${number}`;

/** Keys held down with another. `alt` is also what terminals call meta or option. */
export interface Modifiers {
	ctrl: boolean;
	alt: boolean;
	shift: boolean;
}

/** One press. `text` is set for `text` and `paste` only; a paste's line ends are line feeds. */
export interface Key extends Modifiers {
	name: KeyName;
	text?: string;
}

const NONE: Modifiers = { ctrl: false, alt: false, shift: false };

/** A named key with the modifiers that are held. */
export function namedKey(name: KeyName, held: Partial<Modifiers> = {}): Key {
	return { name, ...NONE, ...held };
}

/** Letters, or one letter with modifiers. */
export function textKey(text: string, held: Partial<Modifiers> = {}): Key {
	return { name: "text", text, ...NONE, ...held };
}

/**
 * The key as the key table writes it: `ctrl+a`, `alt+up`, `shift+tab`, `?`. Letters are small; shift counts for them
 * only beside ctrl or alt, and never for signs, where terminals disagree on it.
 */
export function chordOf(key: Key): string {
	const letter = key.text ?? "";
	const isText = key.name === "text";
	const isCapital = letter.toLowerCase() !== letter;
	const isCased = isCapital || letter.toUpperCase() !== letter;
	if (isText && !key.ctrl && !key.alt) return letter;
	const shift = isText ? isCased && (key.shift || isCapital) : key.shift;
	const name = isText ? (letter === " " ? "space" : letter.toLowerCase()) : key.name;
	return `${key.ctrl ? "ctrl+" : ""}${key.alt ? "alt+" : ""}${shift ? "shift+" : ""}${name}`;
}
