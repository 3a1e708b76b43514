// Sentences for the person at a headless run: they go to stderr, because stdout carries only the answer.

/** Writes one line to stderr. */
export function say(line: string): void {
	process.stderr.write(`${line.trimEnd()}\n`);
}
