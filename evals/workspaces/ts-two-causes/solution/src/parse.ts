/** `key=value` lines as a record; blanks around both are dropped, lines that begin with # are comments. */
export function parse(text: string): Record<string, string> {
	const lines = text.split("\n").filter((line) => line.trim() !== "" && !line.startsWith("#"));
	return Object.fromEntries(
		lines.map((line) => {
			const at = line.indexOf("=");
			return [line.slice(0, at).trim(), line.slice(at + 1).trim()];
		}),
	);
}
