// The text of a file of memory: one entry a line, `- [preference, 2026-11-29] text`. Whatever else a person wrote there is
// kept byte for byte. Reads, changes, merges and searches; pure.

import { withoutHidden } from "../policy/hiddenCharacters.ts";
import type { Memory, MemoryCategory } from "../types.ts";

/** Letters of one entry. */
export const MAX_ENTRY = 500;

/** Letters from which on a Latin word says what is meant: the shorter ones stand in every sentence. */
const LONGER_WORD = 4;

/** A line; `raw` with its line end. Only lines of agi's own form have an entry. */
export interface MemoryLine {
	raw: string;
	entry?: Memory;
}

const ENTRY =
	/^\s*[-*+]\s+\[\s*(preference|fact|instruction)\s*,\s*(\d{4}-\d{2}-\d{2})\s*\]\s*(\S(?:.*\S)?)\s*$/i;
const HEAD = "# Memory\n\n";

/** The lines of a text. */
export function parseMemory(text: string): MemoryLine[] {
	return (text.match(/[^\n]*\n|[^\n]+$/g) ?? []).map((raw) => {
		const [, category, createdAt, content] = ENTRY.exec(raw.replace(/\r?\n$/, "")) ?? [];
		if (category === undefined || createdAt === undefined || content === undefined) return { raw };
		return { raw, entry: { content, category: category.toLowerCase() as MemoryCategory, createdAt } };
	});
}

/** The text of lines: the opposite of `parseMemory`, for any text. */
export function printMemory(lines: readonly MemoryLine[]): string {
	return lines.map(({ raw }) => raw).join("");
}

/** An entry as its line, without a line end. */
export function formatEntry({ category, createdAt, content }: Memory): string {
	return `- [${category}, ${createdAt}] ${content}`;
}

/** Words as an entry can hold them: on one line, without hidden characters. */
export function entryContent(text: string): string {
	return withoutHidden(text).text.replace(/\s+/g, " ").trim();
}

/** What a line says, without list mark, category and date; "" for blank lines, headings and comments. */
export function wordsOf({ raw, entry }: MemoryLine): string {
	if (entry) return entry.content;
	const line = raw.trim();
	return /^(?:#|<!--|---|```|$)/.test(line) ? "" : line.replace(/^[-*+]\s+/, "");
}

/** Two texts that mean the same to a reader have the same key. */
export function contentKey(text: string): string {
	return entryContent(text)
		.normalize("NFKC")
		.toLowerCase()
		.replace(/[.!。！]+$/, "");
}

/** Indexes of the lines that say exactly `words`; where none does, of those that hold them. */
export function findLines(lines: readonly MemoryLine[], words: string): number[] {
	const wanted = contentKey(words);
	if (wanted === "") return [];
	const keys = lines.map((line) => contentKey(wordsOf(line)));
	const matching = (fits: (key: string) => boolean) =>
		keys.flatMap((key, index) => (key !== "" && fits(key) ? [index] : []));
	const exact = matching((key) => key === wanted);
	return exact.length > 0 ? exact : matching((key) => key.includes(wanted));
}

/**
 * Indexes of the lines that hold every word of `query`, in any order; where there is none, of those that hold most of its
 * longer words. All that say something where `query` is empty.
 */
export function searchLines(lines: readonly MemoryLine[], query: string): number[] {
	const words = contentKey(query)
		.split(" ")
		.filter((word) => word !== "");
	const told = lines.flatMap((line, index) =>
		wordsOf(line) === "" ? [] : [{ index, key: contentKey(line.raw) }],
	);
	const whole = told.filter(({ key }) => words.every((word) => key.includes(word)));
	if (whole.length > 0) return whole.map(({ index }) => index);
	const longer = contentKey(query)
		.split(/[^\p{L}\p{N}]+/u)
		.filter((word) => word.length >= LONGER_WORD || !/^[a-z]*$/.test(word));
	const held = told.map(({ index, key }) => ({
		index,
		words: longer.filter((word) => key.includes(word)).length,
	}));
	const most = Math.max(1, ...held.map((line) => line.words));
	return held.filter((line) => line.words === most).map(({ index }) => index);
}

/** The text with an entry more, at its end. */
export function withEntry(text: string, entry: Memory): string {
	const whole = text === "" ? HEAD : endedLine(text, text);
	return `${whole}${formatEntry(entry)}${lineEnd(text)}`;
}

/** The text with another entry in the place of a line. */
export function withReplaced(text: string, index: number, entry: Memory): string {
	const lines = parseMemory(text);
	const end = /\r?\n$/.exec(lines[index]?.raw ?? "")?.[0] ?? "";
	return printMemory(lines.map((line, at) => (at === index ? { raw: formatEntry(entry) + end } : line)));
}

/** The text without a line. */
export function withoutLine(text: string, index: number): string {
	return printMemory(parseMemory(text).filter((_, at) => at !== index));
}

/**
 * What two people made of `base`, line by line: what either took out is gone, what either wrote is there, and what both
 * changed differently is there in both forms. Nothing that was written is lost.
 */
export function mergeMemory(base: string, mine: string, theirs: string): string {
	if (base === mine || mine === theirs) return theirs;
	if (base === theirs) return mine;
	const [old, own, other] = [base, mine, theirs].map(bareLines) as [string[], string[], string[]];
	const merged = without(other, without(old, own));
	let alike = without(other, old);
	const counts = countsOf(old);
	for (const [at, line] of own.entries()) {
		const left = counts.get(line) ?? 0;
		counts.set(line, left - 1);
		if (left > 0) continue;
		if (alike.includes(line)) alike = without(alike, [line]);
		else insertAfter(merged, own[at - 1], line);
	}
	const end = lineEnd(theirs);
	return merged.map((line) => `${line}${end}`).join("");
}

/** The lines without their ends. */
function bareLines(text: string): string[] {
	return parseMemory(text).map(({ raw }) => raw.replace(/\r?\n$/, ""));
}

/** `lines` without one for each of `gone`. */
function without(lines: readonly string[], gone: readonly string[]): string[] {
	const counts = countsOf(gone);
	return lines.filter((line) => {
		const left = counts.get(line) ?? 0;
		counts.set(line, left - 1);
		return left <= 0;
	});
}

function countsOf(lines: readonly string[]): Map<string, number> {
	const counts = new Map<string, number>();
	for (const line of lines) counts.set(line, (counts.get(line) ?? 0) + 1);
	return counts;
}

/** Behind the line that it followed, else at the end. */
function insertAfter(lines: string[], before: string | undefined, line: string): void {
	const at = before === undefined ? lines.length : lines.lastIndexOf(before) + 1;
	lines.splice(at === 0 ? lines.length : at, 0, line);
}

/** The line end that a text has. */
function lineEnd(text: string): string {
	return text.includes("\r\n") ? "\r\n" : "\n";
}

function endedLine(text: string, whole: string): string {
	return text.endsWith("\n") ? text : `${text}${lineEnd(whole)}`;
}
