// The HTTP headers of the bundle, in place of the runtime's: `new Headers` there loads its whole fetch, a fifth of the
// start-up. scripts/build.mjs puts it under that name into the SDK's code. It does what the SDK and agi ask of it.

/** Header fields by name without regard to case, as in the Fetch Standard; a field set twice holds both, comma-joined. */
export class Headers {
	readonly #fields = new Map<string, string>();

	/** Takes pairs of name and value, other headers, or a record. Throws TypeError for what no header may hold. */
	constructor(init?: Iterable<readonly [string, string]> | Readonly<Record<string, string>> | null) {
		const pairs =
			init && Symbol.iterator in init
				? (init as Iterable<readonly [string, string]>)
				: Object.entries(init ?? {});
		for (const [name, value] of pairs) this.append(name, value);
	}

	append(name: string, value: string): void {
		const before = this.get(name);
		this.set(name, before === null ? value : `${before}, ${trim(value)}`);
	}

	delete(name: string): void {
		this.#fields.delete(name.toLowerCase());
	}

	get(name: string): string | null {
		return this.#fields.get(name.toLowerCase()) ?? null;
	}

	has(name: string): boolean {
		return this.#fields.has(name.toLowerCase());
	}

	set(name: string, value: string): void {
		if (!/^[!#$%&'*+.^_`|~\w-]+$/.test(name))
			throw new TypeError(`Invalid header name: ${JSON.stringify(name)}`);
		const trimmed = trim(value);
		// The value stays out of the message: it may be a key.
		if (/[^\t\u0020-\u007e\u0080-\u00ff]/.test(trimmed))
			throw new TypeError(`Invalid header value of ${name}`);
		this.#fields.set(name.toLowerCase(), trimmed);
	}

	/** Calls `visit` for each field, by name in order of the alphabet, as all ways to list them. */
	forEach(visit: (value: string, name: string, headers: Headers) => void): void {
		for (const [name, value] of this) visit(value, name, this);
	}

	entries(): IterableIterator<[string, string]> {
		return [...this.#fields].sort(([a], [b]) => (a < b ? -1 : 1)).values();
	}

	*keys(): IterableIterator<string> {
		for (const [name] of this) yield name;
	}

	*values(): IterableIterator<string> {
		for (const [, value] of this) yield value;
	}

	[Symbol.iterator](): IterableIterator<[string, string]> {
		return this.entries();
	}
}

function trim(value: string): string {
	return String(value).replace(/^[\t\n\r ]+|[\t\n\r ]+$/g, "");
}
