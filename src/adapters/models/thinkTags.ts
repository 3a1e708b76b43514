// Parts `<think>…</think>` at the start of a reply from the text behind it, while both stream in pieces of any size. The
// opening tag may have stood in the server's template: then a closing one at the end of a plain line, with more behind
// it, tells that the text before it was reasoning. Tags anywhere else are content: a model may write about them, and code
// may hold them. Where it is not sure, it is content: reasoning that shows is ugly, an answer that is gone is lost.

export interface WordPiece {
	kind: "text" | "reasoning";
	text: string;
}

export type ThinkPiece =
	| WordPiece
	/** All text given out so far was reasoning. */
	| { kind: "rethought" };

export interface ThinkSplitter {
	/** Takes the next piece of content and returns what is now sure. */
	push(text: string): ThinkPiece[];
	/**
	 * Returns what was held back. Content that comes later is text; only a closing tag before all of it is dropped.
	 * `isCalling`: the reply calls tools, so that it may be whole without text.
	 */
	end(isCalling: boolean): ThinkPiece[];
}

const OPEN = "<think>";
const CLOSE = "</think>";

/** A splitter for one reply. */
export function createThinkSplitter(): ThinkSplitter {
	let place: "start" | "inside" | "behind" | "text" = "start";
	let held = "";
	/** Text that is read and not given out. */
	let waiting = "";
	const lines = createLineReader();
	/** Whether text that is more than blanks was given out. */
	let isShown = false;
	let isParted = false;
	let hasCalls = false;
	let isEnded = false;

	function step(isLast = false): ThinkPiece[] {
		if (place === "start") return atStart(isLast);
		if (place === "inside") return inside(isLast);
		if (place === "text" && !isParted) return inText(isLast);
		// The blank lines between the closing tag and the answer belong to neither.
		const text = place === "behind" ? held.trimStart() : held;
		held = "";
		if (text !== "") place = "text";
		return piece("text", text);
	}

	function atStart(isLast: boolean): ThinkPiece[] {
		const seen = held.trimStart();
		if (!isLast && seen.length < OPEN.length && OPEN.startsWith(seen)) return [];
		if (!seen.startsWith(OPEN)) {
			place = "text";
			return step(isLast);
		}
		isParted = true;
		place = "inside";
		held = seen.slice(OPEN.length);
		return step(isLast);
	}

	function inside(isLast: boolean): ThinkPiece[] {
		const close = held.indexOf(CLOSE);
		if (close !== -1) return [...piece("reasoning", held.slice(0, close)), ...goBehind(close)];
		return piece("reasoning", cutHeld(held.length - (isLast ? 0 : tailThatMayClose(held))));
	}

	function inText(isLast: boolean): ThinkPiece[] {
		for (let close = held.indexOf(CLOSE); close !== -1; close = held.indexOf(CLOSE)) {
			readText(close);
			const behind = held.slice(CLOSE.length);
			const isAtEnd = !/\S/.test(behind);
			// What follows the tag tells what it is.
			if (isAtEnd && !isLast) return giveText(isLast);
			const isLineEnd = isAtEnd ? hasCalls : /^[^\S\n]*\n/.test(behind);
			const isFirst = !lines.hasWords;
			if (isLineEnd && (isFirst || !isEnded) && lines.mayEndReasoning(behind)) return turn();
			readText(CLOSE.length);
		}
		readText(held.length - (isLast ? 0 : tailThatMayClose(held)));
		return giveText(isLast);
	}

	/** Reads the first `length` letters of what is held. */
	function readText(length: number): void {
		const text = cutHeld(length);
		lines.read(text);
		waiting += text;
	}

	/** Blanks wait for the first word: before a closing tag they belong to nothing. */
	function giveText(isLast: boolean): ThinkPiece[] {
		if (!isLast && !lines.hasWords) return [];
		isShown = lines.hasWords;
		const text = waiting;
		waiting = "";
		return piece("text", text);
	}

	/** All text before the closing tag that is held was reasoning. */
	function turn(): ThinkPiece[] {
		isParted = true;
		const turned: ThinkPiece[] = isShown ? [{ kind: "rethought" }] : [];
		const reasoning = lines.hasWords ? piece("reasoning", waiting) : [];
		return [...turned, ...reasoning, ...goBehind(0)];
	}

	function cutHeld(length: number): string {
		const text = held.slice(0, length);
		held = held.slice(length);
		return text;
	}

	/** Goes on behind the closing tag that begins at `close`. */
	function goBehind(close: number): ThinkPiece[] {
		held = held.slice(close + CLOSE.length);
		place = "behind";
		return step();
	}

	return {
		push(text) {
			held += text;
			return step();
		},
		end(isCalling) {
			hasCalls = isCalling;
			const pieces = step(true);
			place = "text";
			isEnded = true;
			return pieces;
		},
	};
}

/** Lines of lists, tables, quotes, headings, diffs and indented code. */
const MARKED_LINE = /^(?: {4}| {0,3}\t|[+-]|\s*(?:[|>#]|[*+•-]\s|\d+[.)]\s))/;

/** A fence, be it in a quote or a list. */
const FENCE = /^[\s>]*(?:(?:[*+-]|\d+[.)])\s+)?(?:```|~~~)/;

/** A word that the tag may follow as the next one; in some scripts words stand side by side without blanks. */
const WORD_BEFORE = /\S\s+$|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]$/u;

interface LineReader {
	read(text: string): void;
	/** Whether more than blanks was read. */
	readonly hasWords: boolean;
	/**
	 * Whether a closing tag that comes next and ends its line ends reasoning whose opening tag was never sent; `behind`
	 * is what follows it.
	 */
	mayEndReasoning(behind: string): boolean;
}

/** Follows the lines of text that comes in pieces; looks at each line once. */
function createLineReader(): LineReader {
	let line = "";
	let isFenced = false;
	let isOpened = false;
	let hasWords = false;
	return {
		read(text) {
			hasWords ||= /\S/.test(text);
			const [rest = "", ...next] = text.split("\n");
			line += rest;
			for (const one of next) {
				if (FENCE.test(line)) isFenced = !isFenced;
				isOpened ||= line.includes(OPEN);
				line = one;
			}
		},
		get hasWords() {
			return hasWords;
		},
		mayEndReasoning(behind) {
			const isInSpan = line.split("`").length % 2 === 0;
			const isTold = isFenced || isInSpan || isOpened || line.includes(OPEN);
			// A sentence that breaks at the tag goes on in the next line.
			const isInSentence = WORD_BEFORE.test(line) && !/^[^\S\n]*\n[^\S\n]*\n/.test(behind);
			return !isTold && !isInSentence && !MARKED_LINE.test(line);
		},
	};
}

function piece(kind: WordPiece["kind"], text: string): ThinkPiece[] {
	return text === "" ? [] : [{ kind, text }];
}

/** Length of the longest end of `text` that is a beginning of the closing tag. */
function tailThatMayClose(text: string): number {
	for (let length = Math.min(CLOSE.length - 1, text.length); length > 0; length--) {
		if (CLOSE.startsWith(text.slice(text.length - length))) return length;
	}
	return 0;
}
