// Reads how long a server asks to wait. Pure: the time now comes from the caller.

/**
 * Milliseconds from `now` (epoch) that the headers ask to wait: `retry-after-ms`, or `retry-after` in seconds or as an
 * HTTP date (RFC 9110, 10.2.3). Undefined where they ask nothing readable; 0 where the moment has passed.
 */
export function readRetryAfter(headers: Pick<Headers, "get">, now: number): number | undefined {
	const milliseconds = amount(headers.get("retry-after-ms"));
	if (milliseconds !== undefined) return Math.ceil(milliseconds);
	const told = headers.get("retry-after");
	const seconds = amount(told);
	if (seconds !== undefined) return Math.ceil(seconds * 1000);
	const date = told && /[a-z]/i.test(told) ? Date.parse(told) : Number.NaN;
	return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

function amount(text: string | null): number | undefined {
	return text !== null && /^\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : undefined;
}
