// Reads JSON and remembers the line of every key, so that a mistake in a settings file can be shown where it stands.
// Strict as RFC 8259, and stricter: a key that stands twice is an error, because one of the two would be lost.

/** What was read: the value with the line (from 1) of every key by dotted path, or where reading stopped and why. */
export type PositionedJson =
	| { ok: true; value: unknown; lineOf(path: readonly (string | number)[]): number }
	| { ok: false; line: number; column: number; message: string };

const DEEPEST = 100;

interface Reader {
	text: string;
	at: number;
	depth: number;
	/** Offset of each key and list entry, by its path as JSON text. */
	offsets: Map<string, number>;
}

class JsonMistake extends Error {}

/** Reads `text` as JSON; a leading byte order mark is skipped. Never throws. Columns count UTF-16 units from 1. */
export function readJson(text: string): PositionedJson {
	const reader: Reader = { text, at: text.startsWith("\uFEFF") ? 1 : 0, depth: 0, offsets: new Map() };
	try {
		const value = readValue(reader, []);
		skipBlanks(reader);
		if (reader.at < text.length) fail(reader, "nothing may follow the closing bracket");
		const lineOf = (path: readonly (string | number)[]): number => {
			const offset = reader.offsets.get(JSON.stringify(path.map(String)));
			if (offset !== undefined) return position(text, offset).line;
			return path.length === 0 ? 1 : lineOf(path.slice(0, -1));
		};
		return { ok: true, value, lineOf };
	} catch (mistake) {
		if (!(mistake instanceof JsonMistake)) throw mistake;
		return { ok: false, ...position(text, reader.at), message: mistake.message };
	}
}

function position(text: string, offset: number): { line: number; column: number } {
	const before = text.slice(0, offset);
	return { line: before.split("\n").length, column: offset - before.lastIndexOf("\n") };
}

function fail(reader: Reader, message: string): never {
	throw new JsonMistake(reader.at >= reader.text.length ? "the file ends too early" : message);
}

function skipBlanks(reader: Reader): void {
	while (" \t\r\n".includes(reader.text[reader.at] ?? "x")) reader.at++;
}

function readValue(reader: Reader, path: string[]): unknown {
	skipBlanks(reader);
	const first = reader.text[reader.at];
	if (first === "{") return nested(reader, () => readObject(reader, path));
	if (first === "[") return nested(reader, () => readList(reader, path));
	if (first === '"') return readString(reader);
	const scalar = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
	scalar.lastIndex = reader.at;
	const found = scalar.exec(reader.text)?.[0];
	if (found === undefined)
		fail(reader, "a value is expected here: text in double quotes, a number, true, false, { or [");
	reader.at += found.length;
	return JSON.parse(found);
}

function nested<T>(reader: Reader, read: () => T): T {
	if (++reader.depth > DEEPEST) fail(reader, `brackets are nested more than ${DEEPEST} deep`);
	reader.at++;
	const value = read();
	reader.depth--;
	return value;
}

function readObject(reader: Reader, path: string[]): Record<string, unknown> {
	const entries = new Map<string, unknown>();
	skipBlanks(reader);
	while (reader.text[reader.at] !== "}") {
		if (entries.size > 0) expectComma(reader, "}");
		if (reader.text[reader.at] !== '"') fail(reader, "a key in double quotes is expected here");
		const start = reader.at;
		const key = readString(reader);
		if (entries.has(key)) {
			reader.at = start;
			fail(reader, `the key "${key}" stands here for the second time`);
		}
		const keyPath = [...path, key];
		reader.offsets.set(JSON.stringify(keyPath), start);
		skipBlanks(reader);
		if (reader.text[reader.at] !== ":") fail(reader, `a colon is expected after the key "${key}"`);
		reader.at++;
		entries.set(key, readValue(reader, keyPath));
		skipBlanks(reader);
	}
	reader.at++;
	return Object.fromEntries(entries);
}

function readList(reader: Reader, path: string[]): unknown[] {
	const values: unknown[] = [];
	skipBlanks(reader);
	while (reader.text[reader.at] !== "]") {
		if (values.length > 0) expectComma(reader, "]");
		const entryPath = [...path, String(values.length)];
		reader.offsets.set(JSON.stringify(entryPath), reader.at);
		values.push(readValue(reader, entryPath));
		skipBlanks(reader);
	}
	reader.at++;
	return values;
}

function expectComma(reader: Reader, closing: string): void {
	if (reader.text[reader.at] !== ",") fail(reader, `a comma or ${closing} is expected here`);
	reader.at++;
	skipBlanks(reader);
	if (reader.text[reader.at] === closing) fail(reader, `a comma may not stand before ${closing}`);
}

function readString(reader: Reader): string {
	const string = /"(?:[^"\\\u0000-\u001F]|\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4}))*"/y;
	string.lastIndex = reader.at;
	const found = string.exec(reader.text)?.[0];
	if (found === undefined)
		fail(reader, "this text in double quotes is not closed or holds an invalid character");
	reader.at += found.length;
	return JSON.parse(found);
}
