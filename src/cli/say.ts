// Sentences for the person at a headless run: they go to stderr, because stdout carries only the answer. They quote
// servers, models and files, so they pass the filter of each text that reaches a terminal.

import { visibleText } from "../ui/visibleText.ts";

/** Writes one line to stderr, hidden characters as marks. */
export function say(line: string): void {
	process.stderr.write(`${visibleText(line).trimEnd()}\n`);
}

const atEnd = new Set<string>();

/** Writes one line to stderr when the program ends, below whatever stands on the screen; the same line only once. */
export function sayAtEnd(line: string): void {
	if (atEnd.has(line)) return;
	atEnd.add(line);
	process.once("exit", () => say(line));
}
