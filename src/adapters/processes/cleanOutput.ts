// Turns what a program wrote for a terminal into plain text: control sequences dropped, redrawn lines folded into their
// last state. Works piece by piece; the result does not depend on where the pieces were cut. Never lets a control
// character other than line feed and tab through.

/** Longer lines are given out in parts, and a redraw reaches back only to the start of its part. In UTF-16 units. */
const LINE_LIMIT = 16_384;

/** Every C0 and C1 control but tab and line feed. */
const CONTROL = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/g;
/** What can end the body of an OSC, DCS, APC, PM or SOS. A line feed ends it too, so that one stray introducer cannot
 * swallow all the output that follows. */
const STRING_END = /[\x07\n\x18\x1a\x1b\x9c]/g;

const ESCAPE = 0x1b;
const CONTROL_SEQUENCE = 0x9b;
const STRING_INTRODUCERS = new Set([0x90, 0x98, 0x9d, 0x9e, 0x9f]);

/** A cleaner of one stream of decoded text. */
export interface OutputCleaner {
	/** Takes the next piece, gives the text that no later piece can change any more. */
	push(text: string): string;
	/** The unfinished last line as it stands, and whether it was redrawn. */
	line(): { text: string; redrawn: boolean };
}

/** Makes a cleaner (ECMA-48 sequences, states after Williams' parser of the DEC VT500). */
export function createOutputCleaner(): OutputCleaner {
	let line = "";
	let column = 0;
	let redrawn = false;
	let state: "text" | "escape" | "escapeIntermediate" | "sequence" | "string" = "text";
	let parameters = "";

	function overwrite(run: string): void {
		if (column === line.length) line += run;
		else line = (line.slice(0, column) + run + line.slice(column + run.length)).toWellFormed();
		column += run.length;
	}

	function write(run: string): string {
		const first = run.indexOf("\n");
		let done = "";
		if (first === -1) {
			overwrite(run);
		} else {
			const last = run.lastIndexOf("\n");
			overwrite(run.slice(0, first));
			done = line + run.slice(first, last + 1);
			line = run.slice(last + 1);
			column = line.length;
			redrawn = false;
		}
		if (line.length <= LINE_LIMIT) return done;
		done += line;
		line = "";
		column = 0;
		return done;
	}

	function control(code: number): void {
		if (code === 0x0d) {
			column = 0;
			redrawn ||= line !== "";
		} else if (code === 0x08) {
			column = Math.max(0, column - 1);
			redrawn = true;
		} else if (code === ESCAPE) {
			state = "escape";
		} else if (code === CONTROL_SEQUENCE) {
			beginSequence();
		} else if (STRING_INTRODUCERS.has(code)) {
			state = "string";
		}
	}

	function beginSequence(): void {
		state = "sequence";
		parameters = "";
	}

	function eraseInLine(): void {
		if (parameters === "" || parameters === "0") line = line.slice(0, column);
		else if (parameters === "2") {
			line = "";
			column = 0;
		}
		redrawn = true;
	}

	/** One character inside an escape; false where it does not belong to it and is to be read as text. */
	function continueEscape(code: number): boolean {
		const isIntermediate = code >= 0x20 && code <= 0x2f;
		const isFinal = code >= 0x30 && code <= 0x7e;
		if (isIntermediate) {
			state = "escapeIntermediate";
			return true;
		}
		const introduces = state === "escape";
		state = "text";
		if (!isFinal) return false;
		// ESC and a letter are the seven-bit spelling of a C1 control: ESC [ is 9B, ESC ] is 9D.
		if (introduces && code >= 0x40 && code <= 0x5f) control(code + 0x40);
		return true;
	}

	function continueSequence(code: number): boolean {
		if (code >= 0x20 && code <= 0x3f) {
			if (parameters.length < 16) parameters += String.fromCharCode(code);
			return true;
		}
		state = "text";
		if (code < 0x40 || code > 0x7e) return false;
		if (code === 0x4b) eraseInLine();
		return true;
	}

	/** Skips the body of a string sequence from `from`; gives the position to go on at. */
	function skipString(text: string, from: number): number {
		STRING_END.lastIndex = from;
		const end = STRING_END.exec(text);
		if (end === null) return text.length;
		state = end[0] === "\x1b" ? "escape" : "text";
		return end[0] === "\n" ? end.index : end.index + 1;
	}

	function push(text: string): string {
		let done = "";
		let at = 0;
		while (at < text.length) {
			if (state === "text") {
				CONTROL.lastIndex = at;
				const end = CONTROL.exec(text)?.index ?? text.length;
				if (end > at) done += write(text.slice(at, end));
				if (end < text.length) control(text.charCodeAt(end));
				at = end + 1;
			} else if (state === "string") {
				at = skipString(text, at);
			} else {
				const code = text.charCodeAt(at);
				const belongs = state === "sequence" ? continueSequence(code) : continueEscape(code);
				if (belongs) at += 1;
			}
		}
		return done;
	}

	return { push, line: () => ({ text: line, redrawn }) };
}
