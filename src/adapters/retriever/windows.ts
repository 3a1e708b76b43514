// Finds the lines of a text that bear on a question: the few neighbouring ones that hold most of its words. Pure.

/** How much each word of a question tells, above 0; a rare one more. */
export type WordWeights = ReadonlyMap<string, number>;

/** Neighbouring lines. */
export interface Window {
	/** Counts from 1. */
	line: number;
	text: string;
	/** From 0 to 1: the part of the question's weight that they hold. */
	score: number;
}

/** Lines of a window, and letters of one of its lines. */
const LINES = 12;
const LINE_LENGTH = 300;
/** Lines shown before the first that holds a word. */
const LEAD = 2;

/** The best windows of a text, at most `most`, that do not overlap; [] where it holds none of the words. */
export function bestWindows(text: string, weights: WordWeights, most: number): Window[] {
	const lines = text.split(/\r?\n/);
	const held = lines.map((line) => wordsIn(line.toLowerCase(), weights));
	const total = [...weights.values()].reduce((sum, weight) => sum + weight, 0);
	const places = held
		.flatMap((words, at) => (words.length === 0 ? [] : [at]))
		.map((at) => ({ at, weight: weightOf(held.slice(at, at + LINES - LEAD), weights) }))
		.sort((one, other) => other.weight - one.weight || one.at - other.at);
	const chosen: typeof places = [];
	for (const place of places) {
		if (chosen.length === most) break;
		if (chosen.every(({ at }) => Math.abs(at - place.at) >= LINES)) chosen.push(place);
	}
	return chosen.map(({ at, weight }) => {
		const first = Math.max(0, at - LEAD);
		return { line: first + 1, text: cut(lines, first), score: total > 0 ? weight / total : 0 };
	});
}

/** The beginning of a text as a window. */
export function firstWindow(text: string, score: number): Window {
	return { line: 1, text: cut(text.split(/\r?\n/), 0), score };
}

function wordsIn(line: string, weights: WordWeights): string[] {
	return [...weights.keys()].filter((word) => line.includes(word));
}

function weightOf(held: readonly string[][], weights: WordWeights): number {
	return [...new Set(held.flat())].reduce((sum, word) => sum + (weights.get(word) ?? 0), 0);
}

function cut(lines: readonly string[], first: number): string {
	return lines
		.slice(first, first + LINES)
		.map((line) => (line.length > LINE_LENGTH ? `${line.slice(0, LINE_LENGTH).toWellFormed()}…` : line))
		.join("\n")
		.trimEnd();
}
