// Parts `<think>…</think>` at the very start of a reply from the text behind it, while both stream in pieces of any
// size. Tags anywhere else are content: a model may write about them, and code may hold them.

export interface ThinkPiece {
	kind: "text" | "reasoning";
	text: string;
}

export interface ThinkSplitter {
	/** Takes the next piece of content and returns what is now sure. */
	push(text: string): ThinkPiece[];
	/** Returns what was held back. Content that comes later is text. */
	end(): ThinkPiece[];
}

const OPEN = "<think>";
const CLOSE = "</think>";

/** A splitter for one reply. */
export function createThinkSplitter(): ThinkSplitter {
	let place: "start" | "inside" | "behind" | "text" = "start";
	let held = "";

	function step(): ThinkPiece[] {
		if (place === "start") return atStart();
		if (place === "inside") return inside();
		// The blank lines between the closing tag and the answer belong to neither.
		const text = place === "behind" ? held.trimStart() : held;
		held = "";
		if (text !== "") place = "text";
		return piece("text", text);
	}

	function atStart(): ThinkPiece[] {
		const seen = held.trimStart();
		if (seen.length < OPEN.length && OPEN.startsWith(seen)) return [];
		if (!seen.startsWith(OPEN)) {
			place = "text";
			return step();
		}
		place = "inside";
		held = seen.slice(OPEN.length);
		return step();
	}

	function inside(): ThinkPiece[] {
		const close = held.indexOf(CLOSE);
		if (close !== -1) {
			const reasoning = held.slice(0, close);
			held = held.slice(close + CLOSE.length);
			place = "behind";
			return [...piece("reasoning", reasoning), ...step()];
		}
		const keep = tailThatMayClose(held);
		const reasoning = held.slice(0, held.length - keep);
		held = held.slice(held.length - keep);
		return piece("reasoning", reasoning);
	}

	return {
		push(text) {
			held += text;
			return step();
		},
		end() {
			const kind = place === "inside" ? "reasoning" : "text";
			const rest = place === "behind" ? "" : held;
			held = "";
			place = "text";
			return piece(kind, rest);
		},
	};
}

function piece(kind: ThinkPiece["kind"], text: string): ThinkPiece[] {
	return text === "" ? [] : [{ kind, text }];
}

/** Length of the longest end of `text` that is a beginning of the closing tag. */
function tailThatMayClose(text: string): number {
	for (let length = Math.min(CLOSE.length - 1, text.length); length > 0; length--) {
		if (CLOSE.startsWith(text.slice(text.length - length))) return length;
	}
	return 0;
}
