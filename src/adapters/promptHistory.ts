// What a person typed in a project, one JSON line each, in the user's data folder (mode 0600). A comfort only: whatever the
// disk does is swallowed, and a line that cannot be read is skipped.

import { appendFile, mkdir, open, readFile, stat } from "node:fs/promises";
import { dirname } from "node:path";
import type { PromptHistory } from "../ports/promptHistory.ts";
import { replaceFile } from "./sessionLog/durable.ts";

/** Prompts that are told and kept at most. */
const MOST_PROMPTS = 1000;
/** A longer text is not kept: nobody looks for it by its words. */
const LONGEST_PROMPT = 20_000;
const LARGEST_FILE = 2_000_000;
const NEWLINE = 10;

/** The history in `file`; nothing is opened before it is asked for. */
export function createPromptHistory(file: string): PromptHistory {
	let writing: Promise<void> = Promise.resolve();
	let last = "";
	let mayBeHalf = true;
	return {
		append(text) {
			if (text === last || text.trim() === "" || text.length > LONGEST_PROMPT) return;
			last = text;
			writing = writing
				.then(async () => {
					// A process that died in a write has left half a line.
					const start = mayBeHalf && (await endsInHalfLine(file)) ? "\n" : "";
					mayBeHalf = false;
					await add(file, start + lineOf(text));
				})
				.catch(() => undefined);
		},
		async read() {
			await writing;
			return newestFirst(await readFile(file, "utf8").catch(() => ""));
		},
		close: () => writing,
	};
}

/** A history that ends with the process, for a run that must leave nothing. */
export function createMemoryHistory(): PromptHistory {
	const texts: string[] = [];
	return {
		append: (text) => void texts.push(text),
		read: async () => [...new Set(texts.toReversed())].slice(0, MOST_PROMPTS),
		close: async () => undefined,
	};
}

async function endsInHalfLine(file: string): Promise<boolean> {
	const opened = await open(file, "r").catch(() => undefined);
	if (opened === undefined) return false;
	try {
		const { size } = await opened.stat();
		const { bytesRead, buffer } = await opened.read(Buffer.alloc(1), 0, 1, Math.max(0, size - 1));
		return bytesRead === 1 && buffer[0] !== NEWLINE;
	} finally {
		await opened.close();
	}
}

async function add(file: string, line: string): Promise<void> {
	await mkdir(dirname(file), { recursive: true, mode: 0o700 });
	// One small write at the end of the file: two programs at once cannot mix their lines.
	await appendFile(file, line, { mode: 0o600 });
	if ((await stat(file)).size <= LARGEST_FILE) return;
	const kept: string[] = [];
	let bytes = 0;
	for (const one of newestFirst(await readFile(file, "utf8"))) {
		const old = lineOf(one);
		bytes += Buffer.byteLength(old);
		if (bytes > LARGEST_FILE / 2) break;
		kept.unshift(old);
	}
	await replaceFile(file, kept.join(""), { sync: false });
}

function lineOf(text: string): string {
	return `${JSON.stringify({ text })}\n`;
}

function newestFirst(content: string): string[] {
	const texts = new Set<string>();
	for (const line of content.split("\n").reverse()) {
		const text = textOf(line);
		if (text !== undefined) texts.add(text);
		if (texts.size === MOST_PROMPTS) break;
	}
	return [...texts];
}

function textOf(line: string): string | undefined {
	try {
		const entry: unknown = JSON.parse(line);
		const text: unknown =
			typeof entry === "object" && entry !== null && "text" in entry ? entry.text : undefined;
		return typeof text === "string" ? text : undefined;
	} catch {
		return undefined;
	}
}
