// What the screen switches on in a terminal, and how each of it is switched off again. Strings only; whoever leaves, by
// whatever end, writes `leaveModes`.

const PASTE_ON = "\x1b[?2004h";
const PASTE_OFF = "\x1b[?2004l";
const FOCUS_ON = "\x1b[?1004h";
const FOCUS_OFF = "\x1b[?1004l";
const SHOW_CURSOR = "\x1b[?25h";
/** Asks for the kitty keyboard protocol; a terminal that does not know it says nothing. */
const ASK_KEYBOARD = "\x1b[?u";
const KEYBOARD_ANSWER = /\x1b\[\?\d+u/;

/** Bracketed paste, focus reports, and the question for the keyboard protocol. */
export const ENTER_MODES = `${PASTE_ON}${FOCUS_ON}${ASK_KEYBOARD}`;

/** Told apart from Escape: what the keyboard protocol is used for. Pushed, so that leaving brings the old one back. */
export const PUSH_KEYBOARD = "\x1b[>1u";
const POP_KEYBOARD = "\x1b[<u";

/** Everything off; `keyboard`: the protocol was pushed. */
export function leaveModes(keyboard: boolean): string {
	return `${keyboard ? POP_KEYBOARD : ""}${FOCUS_OFF}${PASTE_OFF}${SHOW_CURSOR}`;
}

/** Whether what the terminal sent holds its answer that it knows the keyboard protocol. */
export function answersKeyboard(bytes: Uint8Array): boolean {
	// Only short reads are looked through: an answer comes alone or with a few keys, never in a paste.
	if (bytes.length > 256 || !bytes.includes(0x1b)) return false;
	return KEYBOARD_ANSWER.test(String.fromCharCode(...bytes));
}
