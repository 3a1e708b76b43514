// The filter between untrusted text and a terminal: nothing that moves the cursor, sets a title, writes the clipboard or
// hides letters gets through raw. Newline and tab pass; every other control is dropped as a sequence or shown as a mark.

/** CSI, OSC, DCS, APC, PM, SOS sequences, 7 and 8 bit, ended or not; then lone escapes. */
const SEQUENCES =
	/(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?|(?:\x1b[\]P^_X]|[\x9d\x90\x9e\x9f\x98])[^\x07\x1b\x9c\n]*(?:\x07|\x1b\\|\x9c)?|\x1b[ -/]*[0-~]?/g;

/** C0 and C1 controls, bidi controls, zero-width marks and tag characters; joiners inside emoji stay. */
const HIDDEN =
	/[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]|\udb40[\udc00-\udc7f]/g;

/** `text` as it may be written to a terminal. */
export function visibleText(text: string): string {
	return text.replaceAll("\r\n", "\n").replace(SEQUENCES, "").replace(HIDDEN, markOf);
}

/**
 * `text` that a person is to judge, such as a command before a yes: no part of it is left out, and what `visibleText`
 * would drop stands there as marks. A shell reads on where a terminal sees only a title or a colour.
 */
export function escapedText(text: string): string {
	return text.replaceAll("\r\n", "\n").replace(HIDDEN, markOf);
}

function markOf(hidden: string): string {
	const code = hidden.codePointAt(0)!;
	if (code === 0x0d) return "␍";
	return code < 0x20
		? String.fromCharCode(0x2400 + code)
		: `<U+${code.toString(16).toUpperCase().padStart(4, "0")}>`;
}
