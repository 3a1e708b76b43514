// Big pastes in the editor: a short mark stands for the whole text until the message is sent. Pure. A mark is one
// character to the cursor: it is crossed and deleted whole, so that half a mark never loses its text.

import { graphemeAt } from "./graphemes.ts";

/** A paste that is shown as its mark. */
export interface FoldedPaste {
	mark: string;
	text: string;
}

/** Code units `from` ≤ i < `to` of a text. */
export interface TextRange {
	from: number;
	to: number;
}

const MOST_LINES = 10;
const MOST_LETTERS = 1_000;
const MARK = /\[pasted [^\]\n]*\]/g;

/** The paste as it goes into the editor: itself where it is short, else a mark that neither text nor pastes hold yet. */
export function foldPaste(
	pasted: string,
	text: string,
	pastes: readonly FoldedPaste[],
): { insertion: string; pastes: readonly FoldedPaste[] } {
	const lines = pasted.replace(/\n$/, "").split("\n").length;
	if (lines <= MOST_LINES && pasted.length <= MOST_LETTERS) return { insertion: pasted, pastes };
	const size = lines > 1 ? `${lines} lines` : `${pasted.length} letters`;
	let mark = `[pasted ${size}]`;
	for (let n = 2; text.includes(mark) || pastes.some((paste) => paste.mark === mark); n++)
		mark = `[pasted ${size} #${n}]`;
	return { insertion: mark, pastes: [...pastes, { mark, text: pasted }] };
}

/** `text` with every mark replaced by what was pasted; marks inside pasted text stay as they are. */
export function unfoldPastes(text: string, pastes: readonly FoldedPaste[]): string {
	if (pastes.length === 0) return text;
	return text.replace(MARK, (mark) => pastes.find((paste) => paste.mark === mark)?.text ?? mark);
}

/** Where the marks of `pastes` stand in `text`, in order, each with what joins its last sign (an accent, a skin tone). */
export function foldedRanges(text: string, pastes: readonly FoldedPaste[]): TextRange[] {
	if (pastes.length === 0) return [];
	return [...text.matchAll(MARK)]
		.filter(([mark]) => pastes.some((paste) => paste.mark === mark))
		.map(({ 0: mark, index }) => ({
			from: graphemeAt(text, index).from,
			to: graphemeAt(text, index + mark.length - 1).to,
		}));
}
