// Parts `<think>…</think>` at the start of a reply from the text behind it, while both stream in pieces of any size. The
// opening tag may have stood in the server's template: then a closing one alone tells that the text before it was
// reasoning. Tags anywhere else are content: a model may write about them, and code may hold them.

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
	/** Returns what was held back. Content that comes later is text; only a closing tag before all of it is dropped. */
	end(): ThinkPiece[];
}

const OPEN = "<think>";
const CLOSE = "</think>";

/** A splitter for one reply. */
export function createThinkSplitter(): ThinkSplitter {
	let place: "start" | "inside" | "behind" | "text" = "start";
	let held = "";
	/** The text given out so far, for as long as it may turn out to be reasoning. */
	let said = "";
	let isParted = false;
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
		return release("reasoning", held.length - (isLast ? 0 : tailThatMayClose(held)));
	}

	function inText(isLast: boolean): ThinkPiece[] {
		const close = held.indexOf(CLOSE);
		if (close === -1) return release("text", held.length - (isLast ? 0 : tailThatMayClose(held)));
		const behind = held.slice(close + CLOSE.length);
		// What follows the tag tells what it is.
		if (!isLast && /^[^\S\n]*$/.test(behind)) return release("text", close);
		const before = said + held.slice(0, close);
		if (isEnded ? before.trim() !== "" : !endsReasoning(before, behind)) {
			return [...release("text", close + CLOSE.length), ...inText(isLast)];
		}
		isParted = true;
		const turned: ThinkPiece[] = said === "" ? [] : [{ kind: "rethought" }];
		const reasoning = isEnded || before.trim() === "" ? [] : piece("reasoning", held.slice(0, close));
		return [...turned, ...reasoning, ...goBehind(close)];
	}

	/** The first `length` letters of what is held. */
	function release(kind: WordPiece["kind"], length: number): ThinkPiece[] {
		const text = held.slice(0, length);
		held = held.slice(length);
		if (kind === "text") said += text;
		return piece(kind, text);
	}

	/** Goes on behind the closing tag that begins at `close`. */
	function goBehind(close: number): ThinkPiece[] {
		held = held.slice(close + CLOSE.length);
		said = "";
		place = "behind";
		return step();
	}

	return {
		push(text) {
			held += text;
			return step();
		},
		end() {
			const pieces = step(true);
			place = "text";
			isEnded = true;
			return pieces;
		},
	};
}

/** Whether a closing tag ends reasoning whose opening tag was never sent, and is not written about. */
function endsReasoning(before: string, behind: string): boolean {
	if (before.includes(OPEN) || isInsideCode(before)) return false;
	if (/^[^\S\n]*(\n|$)/.test(behind)) return true;
	if (/^[.,;:!?)\]}，。；：！？）」』]/.test(behind)) return false;
	const isQuoted = /["'`“‘«「『]$/.test(before) && /^["'`”’»」』]/.test(behind);
	const isWord = /[^\S\n]$/.test(before) && /^\s/.test(behind);
	// Here words stand side by side without blanks.
	const isGlued = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]$/u.test(before);
	return !isQuoted && !isWord && !isGlued;
}

/** Whether a fence, or a code span of the last line, is open at the end of `text`. */
function isInsideCode(text: string): boolean {
	const lines = text.split("\n");
	const fences = lines.filter((line) => /^\s*(```|~~~)/.test(line)).length;
	return fences % 2 === 1 || (lines.at(-1)?.split("`").length ?? 1) % 2 === 0;
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
