// Where one visible character ends and the next begins, and how many terminal columns it takes. Pure. It owns its own
// table of wide letters: importing `string-width` costs 35 ms at start, more than the whole first frame.

/** Wide ranges (East Asian Width W and F of Unicode 17), pairs of first and last; gaps without letters are closed. */
const WIDE = [
	0x1100, 0x115e, 0x231a, 0x231b, 0x2329, 0x232a, 0x23e9, 0x23ec, 0x23f0, 0x23f0, 0x23f3, 0x23f3, 0x25fd,
	0x25fe, 0x2614, 0x2615, 0x2630, 0x2637, 0x2648, 0x2653, 0x267f, 0x267f, 0x268a, 0x268f, 0x2693, 0x2693,
	0x26a1, 0x26a1, 0x26aa, 0x26ab, 0x26bd, 0x26be, 0x26c4, 0x26c5, 0x26ce, 0x26ce, 0x26d4, 0x26d4, 0x26ea,
	0x26ea, 0x26f2, 0x26f3, 0x26f5, 0x26f5, 0x26fa, 0x26fa, 0x26fd, 0x26fd, 0x2705, 0x2705, 0x270a, 0x270b,
	0x2728, 0x2728, 0x274c, 0x274c, 0x274e, 0x274e, 0x2753, 0x2755, 0x2757, 0x2757, 0x2795, 0x2797, 0x27b0,
	0x27b0, 0x27bf, 0x27bf, 0x2b1b, 0x2b1c, 0x2b50, 0x2b50, 0x2b55, 0x2b55, 0x2e80, 0x303e, 0x3041, 0x3247,
	0x3250, 0xa4c6, 0xa960, 0xa97c, 0xac00, 0xd7a3, 0xf900, 0xfaff, 0xfe10, 0xfe6b, 0xff01, 0xff60, 0xffe0,
	0xffe6, 0x16fe0, 0x1b2fb, 0x1d300, 0x1d376, 0x1f004, 0x1f004, 0x1f0cf, 0x1f0cf, 0x1f18e, 0x1f18e, 0x1f191,
	0x1f19a, 0x1f1ae, 0x1f320, 0x1f32d, 0x1f335, 0x1f337, 0x1f37c, 0x1f37e, 0x1f393, 0x1f3a0, 0x1f3ca, 0x1f3cf,
	0x1f3d3, 0x1f3e0, 0x1f3f0, 0x1f3f4, 0x1f3f4, 0x1f3f8, 0x1f43e, 0x1f440, 0x1f440, 0x1f442, 0x1f4fc, 0x1f4ff,
	0x1f53d, 0x1f54b, 0x1f54e, 0x1f550, 0x1f567, 0x1f57a, 0x1f57a, 0x1f595, 0x1f596, 0x1f5a4, 0x1f5a4, 0x1f5fb,
	0x1f64f, 0x1f680, 0x1f6c5, 0x1f6cc, 0x1f6cc, 0x1f6d0, 0x1f6d2, 0x1f6d5, 0x1f6df, 0x1f6eb, 0x1f6ec, 0x1f6f4,
	0x1f6fc, 0x1f7da, 0x1f7f0, 0x1f90c, 0x1f93a, 0x1f93c, 0x1f945, 0x1f947, 0x1f9ff, 0x1fa70, 0x1fafa, 0x20000,
	0x3fffd,
];

/** Printable ASCII, and the letters of Latin, Greek and Cyrillic that no other letter joins. */
const PLAIN = /^[\x20-\x7e\xa1-\xac\xae-\u02ff\u0370-\u0482\u048a-\u052f]*$/;
const INVISIBLE = /^[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\p{Me}\p{Mn}]$/u;
const EMOJI_STYLE = /^(?:\p{Extended_Pictographic}|[\d#*])\ufe0f/u;
const TEXT_STYLE = /^\p{Extended_Pictographic}\ufe0e/u;
const JOINED_EMOJI = /\u200d\p{Extended_Pictographic}/u;
const SKIN_TONE = /\p{Extended_Pictographic}[\u{1f3fb}-\u{1f3ff}]/u;

/** Made at the first letter that needs it: that costs 17 ms. */
let segmenter: Intl.Segmenter | undefined;

/** Whether `text` holds plain letters only: one column and one code unit a character. */
export function isPlain(text: string): boolean {
	return PLAIN.test(text);
}

/** The visible characters of `text`, in order; joined they are `text`. */
export function* graphemesOf(text: string): Generator<string> {
	if (isPlain(text)) yield* text;
	else for (const { segment } of segments(text)) yield segment;
}

/** The range of the visible character that holds the code unit at `at` (0 ≤ `at` < length). A line break is one. */
export function graphemeAt(text: string, at: number): { from: number; to: number } {
	if (isAloneAt(text, at) && isAloneAt(text, at - 1) && isAloneAt(text, at + 1))
		return { from: at, to: at + 1 };
	const from = text.lastIndexOf("\n", at - 1) + 1;
	const lineEnd = text.indexOf("\n", at);
	if (lineEnd === at || at < from) return { from: at, to: at + 1 };
	const line = text.slice(from, lineEnd < 0 ? text.length : lineEnd);
	const found = segments(line).containing(at - from)!;
	return { from: from + found.index, to: from + found.index + found.segment.length };
}

/** Columns that `text` takes in a terminal: 2 for wide letters and emoji, 0 for marks; agrees with `string-width`. */
export function columnsOf(text: string): number {
	if (isPlain(text)) return text.length;
	let columns = 0;
	for (const grapheme of graphemesOf(text)) columns += graphemeColumns(grapheme);
	return columns;
}

/** Columns of one visible character. */
export function graphemeColumns(grapheme: string): number {
	const first = grapheme.codePointAt(0) ?? 0;
	if (grapheme.length === 1) return letterColumns(first);
	if (EMOJI_STYLE.test(grapheme)) return 2;
	if (TEXT_STYLE.test(grapheme) && first < 0x10000) return 1;
	if (letterColumns(first) === 2) return 2;
	if (JOINED_EMOJI.test(grapheme) || SKIN_TONE.test(grapheme)) return 2;
	let columns = 0;
	for (const letter of grapheme) {
		if (letter === "\u200d") break;
		columns += letterColumns(letter.codePointAt(0)!);
	}
	return columns;
}

function letterColumns(code: number): 0 | 1 | 2 {
	if (code >= 0x20 && code < 0x7f) return 1;
	if ((code >= 0x4e00 && code < 0xa000) || (code >= 0xac00 && code < 0xd7a4)) return 2;
	if (INVISIBLE.test(String.fromCodePoint(code))) return 0;
	return isWide(code) ? 2 : 1;
}

function segments(text: string): Intl.Segments {
	segmenter ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
	return segmenter.segment(text);
}

/** True also outside the text, where nothing can join a letter. A carriage return may join the line feed after it. */
function isAloneAt(text: string, at: number): boolean {
	const code = text.charCodeAt(at);
	return Number.isNaN(code) || (code < 0x80 ? code !== 0x0d : isPlain(text[at]!));
}

function isWide(code: number): boolean {
	if (code < WIDE[0]!) return false;
	let low = 0;
	let high = WIDE.length / 2 - 1;
	while (low <= high) {
		const middle = (low + high) >> 1;
		if (code < WIDE[middle * 2]!) high = middle - 1;
		else if (code > WIDE[middle * 2 + 1]!) low = middle + 1;
		else return true;
	}
	return false;
}
