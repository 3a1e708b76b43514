/** `key=value` lines as a record; blanks around both are dropped, lines that begin with # are comments. */
export function parse(text: string): Record<string, string> {
	const entries = text.split("\n").map((line) => line.split("="));
	return Object.fromEntries(entries.map(([key, value]) => [key.trim(), value.trim()]));
}
