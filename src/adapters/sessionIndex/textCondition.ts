// Turns the words of a search into a condition on the table of texts. Words are data: none of their letters means
// anything to SQL or to the full-text query. Pure.

/** Fewer letters make no trigram; such a word is looked for in the texts themselves. */
const TRIGRAM = 3;

/** The condition that all words stand in a row of `texts`, with its values; undefined where there is no word. */
export function textCondition(words: readonly string[]): { sql: string; values: string[] } | undefined {
	// A text cannot hold NUL, and SQLite would end the word there.
	const wanted = words.map((word) => word.replaceAll("\0", "")).filter((word) => word !== "");
	const long = wanted.filter((word) => [...word].length >= TRIGRAM);
	const short = wanted.filter((word) => [...word].length < TRIGRAM);
	if (wanted.length === 0) return undefined;
	const conditions = [
		...(long.length > 0 ? ["texts MATCH ?"] : []),
		...short.map(() => "body LIKE ? ESCAPE '\\'"),
	];
	return {
		sql: conditions.join(" AND "),
		values: [...(long.length > 0 ? [long.map(quoted).join(" AND ")] : []), ...short.map(pattern)],
	};
}

function quoted(word: string): string {
	return `"${word.replaceAll('"', '""')}"`;
}

function pattern(word: string): string {
	return `%${word.replace(/[\\%_]/g, "\\$&")}%`;
}
