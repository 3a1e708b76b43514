// Reading values of unknown shape that came over the wire. Pure; never throws.

export type JsonRecord = Record<string, unknown>;

/** The value as an object; undefined for null, arrays and everything else. */
export function asRecord(value: unknown): JsonRecord | undefined {
	return typeof value === "object" && value !== null && !Array.isArray(value)
		? (value as JsonRecord)
		: undefined;
}

/** The value as a string that holds more than blanks; undefined else. */
export function asWord(value: unknown): string | undefined {
	return typeof value === "string" && value.trim() !== "" ? value : undefined;
}

/** The text as a JSON value; undefined where it is none. */
export function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

/**
 * JSON text whose strings hold no half of a surrogate pair, neither raw nor as an escape: `�` stands in its place, since
 * strict readers refuse the whole text for one. Text without any comes back as it is.
 */
export function wellFormedJson(text: string): string {
	const paired = text.toWellFormed();
	if (!/\\ud[89a-f]/i.test(paired)) return paired;
	// An escaped backslash is taken whole, so that the letters behind it are no escape.
	return paired.replace(
		/\\ud[89ab][0-9a-f]{2}\\ud[c-f][0-9a-f]{2}|\\u(d[89a-f][0-9a-f]{2})|\\./gis,
		(whole, lone: string | undefined) => (lone === undefined ? whole : "\\ufffd"),
	);
}
