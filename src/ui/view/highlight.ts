// Colours one line of code at a time: comments, strings, numbers, keywords. What reaches over a line end (a block
// comment, a long string) is carried in the state; a finished line never changes.

import { type Language, languageNamed } from "../languages.ts";
import { CODE, DIM, GOOD, type Span, type Style, type StyledLine } from "./style.ts";

/** Where the highlighter stands between two lines. */
export interface HighlightState {
	readonly language: Language | undefined;
	/** Lines of a diff are coloured by their first sign. */
	readonly isDiff: boolean;
	/** What ends the comment or string that the last line left open. */
	readonly open?: { readonly close: string; readonly style: Style };
}

const COMMENT: Style = { colour: "gray" };
const STRING: Style = GOOD;
const NUMBER: Style = { colour: "yellow" };
const KEYWORD: Style = { colour: "magenta" };
const PIECE = /[\p{L}_$][\p{L}\p{N}_$]*|\d[\w.]*|[ \t]+|[^\p{L}\d_$\s]/uy;
/** Longer lines are data, not code: they stay as they are. */
const LONGEST_LINE = 2000;

/** The state before the first line of code in the language that the fence names. */
export function startHighlight(fenceWord: string): HighlightState {
	const isDiff = fenceWord === "diff" || fenceWord === "patch";
	return { language: isDiff ? undefined : languageNamed(fenceWord), isDiff };
}

/** One line of code, coloured, and the state for the next. */
export function highlightLine(
	state: HighlightState,
	text: string,
): { line: StyledLine; state: HighlightState } {
	if (state.isDiff) return { line: diffLine(text), state };
	if (!state.language || text.length > LONGEST_LINE) return { line: text === "" ? [] : [{ text }], state };
	const spans: Span[] = [];
	const add = (piece: string, style?: Style) => {
		if (piece !== "") spans.push({ text: piece, style });
	};
	let at = 0;
	let open = state.open;
	while (at < text.length) {
		if (open) {
			const end = closeOf(text, at, open.close);
			add(text.slice(at, end ?? text.length), open.style);
			if (end === undefined) break;
			at = end;
			open = undefined;
			continue;
		}
		const start = opening(state.language, text, at);
		if (start?.kind === "line") {
			add(text.slice(at), COMMENT);
			break;
		}
		if (start?.kind === "long") {
			add(start.mark, start.style);
			at += start.mark.length;
			open = { close: start.close, style: start.style };
			continue;
		}
		if (start?.kind === "quote") {
			const end = closeOf(text, at + 1, start.mark) ?? text.length;
			add(text.slice(at, end), STRING);
			at = end;
			continue;
		}
		PIECE.lastIndex = at;
		const piece = PIECE.exec(text)?.[0] ?? text.slice(at, at + 1);
		add(piece, styleOf(state.language, piece));
		at += piece.length;
	}
	const { language, isDiff } = state;
	return { line: spans, state: open ? { language, isDiff, open } : { language, isDiff } };
}

type Opening =
	| { kind: "line" }
	| { kind: "quote"; mark: string }
	| { kind: "long"; mark: string; close: string; style: Style };

function opening(language: Language, text: string, at: number): Opening | undefined {
	const { blockComment } = language;
	if (blockComment && text.startsWith(blockComment[0], at))
		return { kind: "long", mark: blockComment[0], close: blockComment[1], style: COMMENT };
	if (language.lineComments.some((mark) => text.startsWith(mark, at) && isCommentPlace(mark, text, at)))
		return { kind: "line" };
	const long = language.longQuotes.find((mark) => text.startsWith(mark, at));
	if (long) return { kind: "long", mark: long, close: long, style: STRING };
	const quote = language.quotes.find((mark) => text.startsWith(mark, at));
	return quote ? { kind: "quote", mark: quote } : undefined;
}

/** `#` inside a word (`$#`, `a#b`) opens no comment. */
function isCommentPlace(mark: string, text: string, at: number): boolean {
	return mark !== "#" || at === 0 || /\s/.test(text[at - 1]!);
}

/** Behind the closing mark, or undefined where the line does not hold it; a backslash takes the next letter along. */
function closeOf(text: string, from: number, close: string): number | undefined {
	for (let at = from; at < text.length; at++) {
		if (text[at] === "\\") at++;
		else if (text.startsWith(close, at)) return at + close.length;
	}
	return undefined;
}

function styleOf(language: Language, piece: string): Style | undefined {
	if (/^\d/.test(piece)) return NUMBER;
	return language.keywords.has(piece) ? KEYWORD : undefined;
}

function diffLine(text: string): StyledLine {
	if (text === "") return [];
	const sign = text[0];
	if (text.startsWith("@@")) return [{ text, style: CODE }];
	if (sign === "+") return [{ text, style: GOOD }];
	if (sign === "-") return [{ text, style: { colour: "red" } }];
	return [{ text, style: DIM }];
}
