// From the bytes of a command to the text of its result: decoded, cleaned, bounded, and shown on the way. Its work per
// piece is small and of fixed memory, so that output that floods cannot starve the timer that should stop it.

import { StringDecoder } from "node:string_decoder";
import { createBoundedOutput } from "./boundedOutput.ts";
import { createOutputCleaner } from "./cleanOutput.ts";

/** Far above the bound of a result, so that the one cut that a model sees, and the whole kept beside it, are the executor's. */
const HEAD_BYTES = 1024 * 1024;
const TAIL_BYTES = 1024 * 1024;
/** Time between two pieces of live output, in milliseconds. */
const LIVE_INTERVAL_MS = 50;
/** Live output that waits longer than this many UTF-16 units is cut to its end. */
const LIVE_LIMIT = 8 * 1024;

/** The output of one command. */
export interface Capture {
	write(bytes: Buffer): void;
	/** Ends it; gives the text of the result and the number of bytes that came. Call once. */
	finish(): { output: string; outputBytes: number };
}

/** Starts a capture; `onOutput` hears cleaned text at most twenty times a second. */
export function captureOutput(onOutput?: (text: string) => void): Capture {
	const decoder = new StringDecoder("utf8");
	const cleaner = createOutputCleaner();
	const bounded = createBoundedOutput(HEAD_BYTES, TAIL_BYTES);
	const live = onOutput === undefined ? undefined : showLive(onOutput, cleaner.line);
	let outputBytes = 0;

	function write(bytes: Buffer): void {
		outputBytes += bytes.length;
		const text = cleaner.push(decoder.write(bytes));
		if (text !== "") bounded.add(text);
		live?.add(text);
	}

	function finish(): { output: string; outputBytes: number } {
		const text = cleaner.push(decoder.end());
		bounded.add(text + cleaner.line().text);
		live?.finish(text);
		return { output: bounded.text(), outputBytes };
	}

	return { write, finish };
}

/** Gives text out in time; what was given of an unfinished line is not given again. */
function showLive(onOutput: (text: string) => void, line: () => { text: string; redrawn: boolean }) {
	let waiting = "";
	let shownOfLine = "";
	let timer: NodeJS.Timeout | undefined;

	function take(text: string): void {
		if (text === "") return;
		waiting += text.startsWith(shownOfLine) ? text.slice(shownOfLine.length) : `\n${text}`;
		shownOfLine = "";
		if (waiting.length > LIVE_LIMIT) waiting = waiting.slice(-LIVE_LIMIT).toWellFormed();
	}

	function flush(final: boolean): void {
		clearTimeout(timer);
		timer = undefined;
		const unfinished = line();
		// A progress bar would come out once per redraw; it is shown when its line is complete.
		if (final || !unfinished.redrawn) {
			take(unfinished.text);
			shownOfLine = unfinished.text;
		}
		const text = waiting;
		waiting = "";
		if (text !== "") onOutput(text);
	}

	return {
		add(text: string): void {
			take(text);
			timer ??= setTimeout(flush, LIVE_INTERVAL_MS, false);
		},
		finish(text: string): void {
			take(text);
			flush(true);
		},
	};
}
