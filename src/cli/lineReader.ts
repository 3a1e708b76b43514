// Reads lines that a person types into a terminal, shown or hidden. It owns the keys from open to close: nothing typed
// ahead is lost between two questions, and a hidden line never reaches the screen.

import stringWidth from "string-width";
import { visibleText } from "../ui/visibleText.ts";

/** A terminal to read from: `process.stdin` fits. */
export interface KeySource {
	setRawMode(isRaw: boolean): unknown;
	on(event: "data", listener: (chunk: Uint8Array) => void): unknown;
	on(event: "end", listener: () => void): unknown;
	pause(): unknown;
}

export interface LineReader {
	/** The next line; undefined where the person pressed Ctrl+C or Ctrl+D, or the input has ended. */
	ask(question: string, options?: { hidden?: boolean }): Promise<string | undefined>;
	/** Gives the keys back. */
	close(): void;
}

const ENTER = /[\r\n]/;
const ESCAPE = "\x1b";

/** Takes the keys of `input`; what is shown goes through `write`. */
export function openLineReader(input: KeySource, write: (text: string) => void): LineReader {
	const typed: string[] = [];
	let wake: () => void = () => undefined;
	let ended = false;
	const decoder = new TextDecoder();
	input.setRawMode(true);
	input.on("data", (chunk) => {
		typed.push(...decoder.decode(chunk, { stream: true }));
		wake();
	});
	input.on("end", () => {
		ended = true;
		wake();
	});
	const nextKey = async (): Promise<string | undefined> => {
		while (typed.length === 0 && !ended)
			await new Promise<void>((resolve) => {
				wake = resolve;
			});
		return typed.shift();
	};
	return {
		async ask(question, { hidden = false } = {}) {
			write(question);
			const line = await readLine(nextKey, hidden ? () => undefined : write);
			write("\n");
			return line;
		},
		close() {
			input.setRawMode(false);
			input.pause();
		},
	};
}

async function readLine(
	nextKey: () => Promise<string | undefined>,
	echo: (text: string) => void,
): Promise<string | undefined> {
	let line: string[] = [];
	const erase = (count: number) => {
		for (const letter of line.splice(Math.max(0, line.length - count)))
			echo("\b \b".repeat(stringWidth(letter)));
	};
	for (;;) {
		const key = await nextKey();
		if (key === undefined || key === "\x03" || key === "\x04") return undefined;
		if (ENTER.test(key)) return line.join("").trim();
		if (key === ESCAPE) await skipSequence(nextKey);
		else if (key === "\x7f" || key === "\b") erase(1);
		else if (key === "\x15") erase(line.length);
		else if (key >= " ") {
			line = [...line, key];
			echo(visibleText(key));
		}
	}
}

/** Arrows and the like have no meaning here; their letters must not become text. */
async function skipSequence(nextKey: () => Promise<string | undefined>): Promise<void> {
	const kind = await nextKey();
	if (kind !== "[" && kind !== "O") return;
	for (let key = await nextKey(); key !== undefined && !/[@-~]/.test(key); ) key = await nextKey();
}
