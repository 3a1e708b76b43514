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
