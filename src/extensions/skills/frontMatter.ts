// The YAML head of a Markdown file. A plain head (`key: words`) is read here, because the YAML library costs a start more
// than everything else of a skill; whatever is not plain goes to the library.

/** A head and what follows it; `head` undefined where the file has none. */
export interface SplitText {
	head: string | undefined;
	body: string;
}

/** Parts a file at its `---` lines. */
export function splitFrontMatter(text: string): SplitText {
	const match = /^\ufeff?---[ \t]*\r?\n([\s\S]*?)(?:^|\n)---[ \t]*(?:\r?\n|$)/m.exec(text);
	if (match?.index !== 0) return { head: undefined, body: text };
	return { head: (match[1] ?? "").replaceAll("\r\n", "\n"), body: text.slice(match[0].length) };
}

/** The values of a YAML head; rejects with the library's sentence where it is no YAML. */
export async function parseHead(head: string): Promise<unknown> {
	const plain = readPlainHead(head);
	if (plain) return plain;
	const { parse } = await import("yaml");
	// The library would print its warnings, over whatever stands on the screen.
	return parse(head, { maxAliasCount: 0, logLevel: "error" }) as unknown;
}

const PLAIN_LINE = /^([A-Za-z][\w-]*): +([A-Za-z/][^\n\t#]*?) *$/;
/** Words that are no text in one version of YAML or another. */
const NO_TEXT = /^(true|false|null|yes|no|on|off|y|n)$/i;

/** The head where each line is a key and plain words, as the library would read it; undefined where one is not. */
export function readPlainHead(head: string): Record<string, string> | undefined {
	const values: Record<string, string> = {};
	for (const line of head.split("\n")) {
		if (line.trim() === "") continue;
		const [, key, value] = PLAIN_LINE.exec(line) ?? [];
		if (key === undefined || value === undefined) return undefined;
		if (Object.hasOwn(values, key) || /:( |$)/.test(value) || NO_TEXT.test(value)) return undefined;
		values[key] = value;
	}
	return values;
}
