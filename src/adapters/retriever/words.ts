// Words, as texts are indexed by them and questions are read: letters and digits in lower case, scripts without blanks in
// runs. Pure.

const WORD = /[\w\u00c0-\u1fff\u3040-\ud7ff\uf900-\ufaff\uff10-\uffdc]+/g;
/** Scripts that put no blanks between words. */
const WIDE =
	/[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]+|[^\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]+/g;
const IS_WIDE = /^[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]/;

/** Letters of one word that are kept: hashes and encoded blocks are no words. A run of a wide script is a sentence. */
const MAX_LENGTH = 64;
const MAX_RUN = 400;

/** Words of a question that are looked for at most. */
const MAX_WORDS = 12;

/** Words of questions, not of what is asked about. */
const EMPTY_WORDS = new Set(
	"a about all an and any are as at be been but by can could did do does for from get had has have how i if in into is it its me my no not of on or our should so some such than that the their them then there these they this those to us was we were what when where which who why will with would you your".split(
		" ",
	),
);

/** Every word of a text once. */
export function wordsOf(text: string): Set<string> {
	const words = new Set<string>();
	for (const word of text.toLowerCase().match(WORD) ?? [])
		words.add(word.length > MAX_LENGTH ? word.slice(0, IS_WIDE.test(word) ? MAX_RUN : MAX_LENGTH) : word);
	return words;
}

/** The words that a question is about, each once; runs of wide letters in overlapping pairs. */
export function queryWords(query: string): string[] {
	const all = [...query.toLowerCase().matchAll(WORD)].flatMap(([word]) =>
		[...word.matchAll(WIDE)].flatMap(([part]) => (IS_WIDE.test(part) ? pairsOf(part) : [part])),
	);
	const unique = [...new Set(all)];
	const telling = unique.filter((word) => !EMPTY_WORDS.has(word) && (word.length > 1 || IS_WIDE.test(word)));
	return (telling.length > 0 ? telling : unique).slice(0, MAX_WORDS);
}

function pairsOf(run: string): string[] {
	if (run.length <= 2) return [run];
	return Array.from({ length: run.length - 1 }, (_, at) => run.slice(at, at + 2));
}
