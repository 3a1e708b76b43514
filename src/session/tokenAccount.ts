// What a server's own counts teach about its tokenizer, model by model: estimates are rules of thumb until the first
// count, and lean on the last one from then on. Pure; the sizes come from `agent/context/tokenEstimator.ts`.

/** How large a text is by rule of thumb, in tokens: its letters, its ASCII signs and digits, its wide letters. */
export interface TokenSize {
	letters: number;
	signs: number;
	wide: number;
}

/** What is known of one model's tokenizer. A value: `observeTokens` makes a new one. */
export interface TokenAccount {
	/** What a rule-of-thumb token of each kind really costs. */
	weights: TokenSize;
	/** The last request that the server counted, and its count. */
	last?: { size: TokenSize; told: number };
}

/** A model that was never asked: signs cost more than letters in every vocabulary in use. */
export const UNKNOWN_TOKENIZER: TokenAccount = { weights: { letters: 0.95, signs: 1.6, wide: 1 } };

/** How far vocabularies differ in each: what a count teaches is put down to the doubtful parts first. */
const DOUBT: TokenSize = { letters: 0.15, signs: 1, wide: 0.4 };

/** Growth, in tokens, from which a count says more of the new text than of its own rounding. */
const MIN_SAMPLE = 48;

/** No tokenizer is further from the rule of thumb than this, either way; what says so is no measurement. */
const FURTHEST = 6;

/** Tokens of a request of that size. A request that grew is the last count and what is new; nothing is below 0. */
export function estimateSize(account: TokenAccount, size: TokenSize): number {
	const { last } = account;
	const plain = weigh(account.weights, size);
	if (!last) return Math.ceil(plain);
	const before = weigh(account.weights, last.size);
	if (isWithin(last.size, size)) return Math.ceil(last.told + plain - before);
	return Math.ceil(before > 0 ? (plain * last.told) / before : plain);
}

/** The account after a server counted a request of `size` as `told` tokens. */
export function observeTokens(account: TokenAccount, size: TokenSize, told: number): TokenAccount {
	const last = { size, told };
	const growth =
		account.last && isWithin(account.last.size, size) ? minus(size, account.last.size) : undefined;
	if (!growth || !account.last) return { weights: adjust(account.weights, size, told), last };
	const grown = told - account.last.told;
	if (sum(growth) < MIN_SAMPLE || grown <= 0) return { weights: account.weights, last };
	return { weights: adjust(account.weights, growth, grown), last };
}

/** The least surprising change of the weights after which they give `told` for `size`. */
function adjust(weights: TokenSize, size: TokenSize, told: number): TokenSize {
	const pull = {
		letters: DOUBT.letters * size.letters,
		signs: DOUBT.signs * size.signs,
		wide: DOUBT.wide * size.wide,
	};
	const length = weigh(pull, size);
	if (length === 0) return weights;
	const step = (told - weigh(weights, size)) / length;
	return {
		letters: bounded(weights.letters + step * pull.letters),
		signs: bounded(weights.signs + step * pull.signs),
		wide: bounded(weights.wide + step * pull.wide),
	};
}

function weigh(weights: TokenSize, size: TokenSize): number {
	return weights.letters * size.letters + weights.signs * size.signs + weights.wide * size.wide;
}

function sum(size: TokenSize): number {
	return size.letters + size.signs + size.wide;
}

function isWithin(part: TokenSize, whole: TokenSize): boolean {
	return part.letters <= whole.letters && part.signs <= whole.signs && part.wide <= whole.wide;
}

function minus(whole: TokenSize, part: TokenSize): TokenSize {
	return {
		letters: whole.letters - part.letters,
		signs: whole.signs - part.signs,
		wide: whole.wide - part.wide,
	};
}

function bounded(weight: number): number {
	return Math.min(FURTHEST, Math.max(1 / FURTHEST, weight));
}
