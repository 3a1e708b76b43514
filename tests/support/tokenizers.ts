// Toy tokenizers, each wrong about agi's rule of thumb in a way of its own, and texts to count.

/** Counts tokens as some server might. */
export type Tokenizer = (text: string) => number;

const WIDE = /[\u3000-\u9fff]/gu;

export const TOKENIZERS: Record<string, Tokenizer> = {
	"four bytes a token": (text) => Math.ceil(new TextEncoder().encode(text).length / 4),
	"pieces of words, every sign its own": (text) =>
		(text.match(/[A-Za-z]{1,5}|\d{1,3}|[\u3000-\u9fff]|[^\sA-Za-z\d]/gu) ?? []).length,
	"an old vocabulary, two tokens a wide letter": (text) => {
		const wide = (text.match(WIDE) ?? []).length;
		return wide * 2 + Math.ceil((text.length - wide) / 3.1);
	},
};

/** One piece of each kind of text; `n` makes it another one. */
export const TEXTS: Record<string, (n: number) => string> = {
	English: (n) =>
		`In round ${n} the reviewer asked why the cache was kept. We answered that a request of the same prefix costs a tenth. `.repeat(
			12 + (n % 5),
		),
	Chinese: (n) =>
		`第${n}轮中，评审者询问为什么保留缓存。我们回答说，前缀相同的请求只花费十分之一。`.repeat(14 + (n % 4)),
	code: (n) =>
		`export function step${n}(state: State): Action {\n\tif (!state.turn) return { do: "rest" };\n\treturn next(state, ${n});\n}\n`.repeat(
			10 + (n % 6),
		),
	JSON: (n) =>
		`${JSON.stringify({ id: n, ok: true, path: `src/part${n}.ts`, counts: [n, n * 3, 17], error: null })}\n`.repeat(
			15 + (n % 5),
		),
};
