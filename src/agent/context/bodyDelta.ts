// A request body told as its difference to the one before, so that every request can be given back byte for byte while
// a log grows only by what is new. Lengths are UTF-16 units. Pure.

/** Units compared at a time: slices compare fast, single units do not. */
const BLOCK = 1024;

/** What `body` shares with `previous` at both ends, and what stands between. */
export function diffBody(previous: string, body: string): { prefix: number; suffix: number; middle: string } {
	const shorter = Math.min(previous.length, body.length);
	const prefix = outsidePair(body, commonPrefix(previous, body, shorter), -1);
	const suffix =
		body.length - outsidePair(body, body.length - commonSuffix(previous, body, shorter - prefix), 1);
	return { prefix, suffix, middle: body.slice(prefix, body.length - suffix) };
}

/** The body that a difference stands for. */
export function patchBody(
	previous: string,
	delta: { prefix: number; suffix: number; middle: string },
): string {
	return previous.slice(0, delta.prefix) + delta.middle + previous.slice(previous.length - delta.suffix);
}

function commonPrefix(a: string, b: string, limit: number): number {
	let at = 0;
	while (at + BLOCK <= limit && a.slice(at, at + BLOCK) === b.slice(at, at + BLOCK)) at += BLOCK;
	while (at < limit && a.charCodeAt(at) === b.charCodeAt(at)) at++;
	return at;
}

function commonSuffix(a: string, b: string, limit: number): number {
	let at = 0;
	while (
		at + BLOCK <= limit &&
		a.slice(a.length - at - BLOCK, a.length - at) === b.slice(b.length - at - BLOCK, b.length - at)
	)
		at += BLOCK;
	while (at < limit && a.charCodeAt(a.length - at - 1) === b.charCodeAt(b.length - at - 1)) at++;
	return at;
}

/** A cut between the halves of a surrogate pair would not survive UTF-8, in which a long middle is stored. */
function outsidePair(text: string, at: number, step: -1 | 1): number {
	const isHigh = /[\ud800-\udbff]/.test(text[at - 1] ?? "");
	const isLow = /[\udc00-\udfff]/.test(text[at] ?? "");
	return isHigh && isLow ? at + step : at;
}
