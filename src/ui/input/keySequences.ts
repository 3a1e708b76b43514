// Reads one key from the front of what a terminal sent: letters, controls, CSI and SS3 sequences of xterm, kitty and
// modifyOtherKeys. Terminal reports are swallowed. Pure and without memory: an unfinished sequence is "not yet".

import { type Key, type KeyName, type Modifiers, namedKey, textKey } from "./key.ts";

/** What was read: where the rest begins, and the key, if it was one. */
export interface KeyRead {
	next: number;
	key?: Key;
	/** A bracketed paste begins here. */
	opensPaste?: true;
}

/** A report longer than this is no report: it is dropped, so that it cannot swallow what is typed for ever. */
const LONGEST_REPORT = 65_536;

const LETTERS = /[^\x00-\x1f\x7f-\x9f]+/y;
const CSI = /([0-?]*)([ -/]*)([@-~])?/y;
const REPORT_BODY = /[^\x00-\x1f\x7f\x9c]*/y;

const BY_FINAL: Record<string, KeyName> = {
	A: "up",
	B: "down",
	C: "right",
	D: "left",
	F: "end",
	H: "home",
	P: "f1",
	Q: "f2",
	R: "f3",
	S: "f4",
	M: "return",
};

const BY_NUMBER: Record<number, KeyName> = {
	1: "home",
	2: "insert",
	3: "delete",
	4: "end",
	5: "pageUp",
	6: "pageDown",
	7: "home",
	8: "end",
	11: "f1",
	12: "f2",
	13: "f3",
	14: "f4",
	15: "f5",
	17: "f6",
	18: "f7",
	19: "f8",
	20: "f9",
	21: "f10",
	23: "f11",
	24: "f12",
};

/** Key codes of the kitty protocol that are no letters: https://sw.kovidgoyal.net/kitty/keyboard-protocol/ */
const BY_CODE: Record<number, KeyName> = {
	8: "backspace",
	9: "tab",
	13: "return",
	27: "escape",
	127: "backspace",
	57414: "return",
	57417: "left",
	57418: "right",
	57419: "up",
	57420: "down",
	57421: "pageUp",
	57422: "pageDown",
	57423: "home",
	57424: "end",
	57425: "insert",
	57426: "delete",
};
const KEYPAD_FIRST = 57399;
const KEYPAD = "0123456789./*-+";

/** The key at `at`; undefined where the sequence is not whole yet. `input` is decoded text. */
export function readKey(input: string, at: number): KeyRead | undefined {
	const code = input.charCodeAt(at);
	if (code === 0x1b) return readEscape(input, at);
	if (code < 0x20 || code === 0x7f) return { next: at + 1, key: controlKey(code) };
	if (code < 0xa0 && code > 0x7f) return { next: at + 1 };
	LETTERS.lastIndex = at;
	const text = LETTERS.exec(input)![0];
	return { next: at + text.length, key: textKey(text) };
}

function controlKey(code: number): Key {
	if (code === 0x0d) return namedKey("return");
	if (code === 0x09) return namedKey("tab");
	if (code === 0x08 || code === 0x7f) return namedKey("backspace");
	if (code === 0x00) return textKey(" ", { ctrl: true });
	const letter = String.fromCharCode(code + 0x40).toLowerCase();
	return textKey(letter, { ctrl: true });
}

function readEscape(input: string, at: number): KeyRead | undefined {
	const second = input[at + 1];
	if (second === undefined) return undefined;
	if (second === "[") return readCsi(input, at + 2);
	if (second === "O") return readSs3(input, at + 2);
	if ("]PX^_".includes(second)) return readReport(input, at);
	if (second === "\x1b") return readDoubleEscape(input, at);
	const rest = readKey(input, at + 1)!;
	if (!rest.key) return rest;
	if (rest.key.name !== "text" || rest.key.ctrl) return { next: rest.next, key: { ...rest.key, alt: true } };
	const letter = String.fromCodePoint(input.codePointAt(at + 1)!);
	return { next: at + 1 + letter.length, key: textKey(letter, { alt: true }) };
}

/** Escape and then something else; an arrow with Alt in terminals that put an escape before its sequence. */
function readDoubleEscape(input: string, at: number): KeyRead | undefined {
	const third = input[at + 2];
	if (third === undefined) return undefined;
	if (third !== "[" && third !== "O") return { next: at + 1, key: namedKey("escape") };
	const rest = readEscape(input, at + 1);
	if (!rest) return undefined;
	const isKey = rest.key && rest.key.name !== "focusIn" && rest.key.name !== "focusOut";
	if (!rest.key || !isKey) return { next: at + 1, key: namedKey("escape") };
	return { next: rest.next, key: { ...rest.key, alt: true } };
}

function readSs3(input: string, at: number): KeyRead | undefined {
	const final = input[at];
	if (final === undefined) return undefined;
	const name = BY_FINAL[final];
	if (name) return { next: at + 1, key: namedKey(name) };
	return { next: /[\x40-\x7e]/.test(final) ? at + 1 : at };
}

function readCsi(input: string, at: number): KeyRead | undefined {
	CSI.lastIndex = at;
	const [whole, params = "", between, final] = CSI.exec(input)!;
	const next = at + whole.length;
	if (final === undefined)
		return next === input.length && whole.length < LONGEST_REPORT ? undefined : { next };
	if (final === "[" && whole === "[") return readLinuxFunction(input, next);
	if (between !== "" || /[<=>?]/.test(params)) return { next };
	if (final === "~" && params === "200") return { next, opensPaste: true };
	const key = keyOfCsi(params, final);
	return key ? { next, key } : { next };
}

function readLinuxFunction(input: string, at: number): KeyRead | undefined {
	const letter = input[at];
	if (letter === undefined) return undefined;
	const number = "ABCDE".indexOf(letter) + 1;
	return number === 0 ? { next: at } : { next: at + 1, key: namedKey(`f${number}`) };
}

/** OSC, DCS, SOS, PM, APC: ends with BEL or ST; any other control ends it too, so that Enter and Ctrl+C always work. */
function readReport(input: string, at: number): KeyRead | undefined {
	REPORT_BODY.lastIndex = at + 2;
	const end = at + 2 + REPORT_BODY.exec(input)![0].length;
	const mark = input[end];
	if (mark === "\x07" || mark === "\x9c") return { next: end + 1 };
	if (mark === undefined) return end - at < LONGEST_REPORT ? undefined : { next: end };
	if (mark !== "\x1b") return { next: end };
	if (input[end + 1] === undefined) return undefined;
	return { next: input[end + 1] === "\\" ? end + 2 : end };
}

function keyOfCsi(params: string, final: string): Key | undefined {
	const numbers = params.split(";").map((part) => part.split(":").map(Number));
	const number = numbers[0]?.[0] ?? 0;
	if (final === "~" && number === 27) return keyOfCode(numbers[2]?.[0] ?? 0, heldKeys(numbers[1]));
	const held = heldKeys(numbers[1]);
	if (final === "u") return keyOfCode(number, held, numbers[2]);
	if (final === "I" && params === "") return namedKey("focusIn");
	if (final === "O" && params === "") return namedKey("focusOut");
	if (final === "Z") return namedKey("tab", { shift: true });
	// With numbers it is the reply to a question for the cursor, which xterm's F3 is spelled like.
	if (final === "R" && params !== "") return undefined;
	const name = final === "~" ? BY_NUMBER[number] : final === "M" ? undefined : BY_FINAL[final];
	return name && held ? namedKey(name, held) : undefined;
}

/** xterm's and kitty's modifier number; undefined for a release and for keys of the window system. */
function heldKeys(part: number[] | undefined): Modifiers | undefined {
	if (part?.[1] === 3) return undefined;
	const bits = (part?.[0] || 1) - 1;
	if (bits & (8 | 16)) return undefined;
	return { shift: (bits & 1) !== 0, alt: (bits & (2 | 32)) !== 0, ctrl: (bits & 4) !== 0 };
}

function keyOfCode(code: number, held: Modifiers | undefined, letters?: number[]): Key | undefined {
	if (!held) return undefined;
	const name = BY_CODE[code];
	if (name) return namedKey(name, held);
	const keypad = KEYPAD[code - KEYPAD_FIRST];
	const isLetter =
		code >= 0x20 && code <= 0x10ffff && (code < 0xd800 || code > 0xf8ff) && (code < 0x7f || code > 0x9f);
	if (keypad === undefined && !isLetter) return undefined;
	const letter = keypad ?? String.fromCodePoint(code);
	if (held.ctrl || held.alt) return textKey(letter, held);
	const typed = letters?.filter((each) => each >= 0x20 && each <= 0x10ffff) ?? [];
	if (typed.length > 0) return textKey(String.fromCodePoint(...typed));
	return textKey(held.shift ? letter.toUpperCase() : letter);
}
