import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { parse } from "yaml";
import { parseHead, readPlainHead, splitFrontMatter } from "../../../src/extensions/skills/frontMatter.ts";

const key = fc.constantFrom("name", "description", "allowed-tools", "n", "x_1");
const value = fc.oneof(
	fc.string({ maxLength: 30 }),
	fc.stringMatching(/^[a-zA-Z0-9 :#"'\-,.[\]{}&*!|>%@`/~?=]{1,30}$/),
	fc.constantFrom("true", "No", "1.0", "0x1f", "null", "~", "a: b", "a #b", "a:b", "- x", "|", "2026-11-29"),
);
const line = fc
	.tuple(key, fc.constantFrom(": ", ":", ":  ", " : ", ":\t"), value)
	.map(([name, colon, text]) => `${name}${colon}${text}`);

describe("readPlainHead", () => {
	it("reads what it accepts exactly as the YAML library does", () => {
		fc.assert(
			fc.property(fc.array(line, { minLength: 1, maxLength: 4 }), (lines) => {
				const head = lines.join("\n");
				const plain = readPlainHead(head);
				if (plain) expect(plain).toEqual(parse(head));
			}),
			{ numRuns: 2_000 },
		);
	});

	it("accepts the usual head of a skill", () => {
		const head = "name: fix-it\ndescription: Mends things. Use it when tests fail.\nallowed-tools: readFile";
		expect(readPlainHead(head)).toEqual({
			name: "fix-it",
			description: "Mends things. Use it when tests fail.",
			"allowed-tools": "readFile",
		});
	});
});

describe("parseHead", () => {
	it("leaves lists, blocks and quotes to the YAML library", async () => {
		const head = 'name: "a"\ndescription: >\n  two\n  lines\nmetadata:\n  version: "1"';
		expect(await parseHead(head)).toEqual({
			name: "a",
			description: "two lines\n",
			metadata: { version: "1" },
		});
	});

	it("prints nothing of what the YAML library warns of", async () => {
		const warned = vi.spyOn(process, "emitWarning").mockImplementation(() => undefined);
		expect(await parseHead("name: a\ndescription: !unknown 'b'")).toEqual({ name: "a", description: "b" });
		expect(warned).not.toHaveBeenCalled();
		warned.mockRestore();
	});

	it("rejects a head that is no YAML, and one that grows by references", async () => {
		await expect(parseHead("name: [a")).rejects.toThrow();
		await expect(parseHead("a: &a [1]\nb: *a")).rejects.toThrow();
	});
});

describe("splitFrontMatter", () => {
	it.each([
		["---\na: b\n---\nbody\n", "a: b", "body\n"],
		["\ufeff---\r\na: b\r\n---\r\nbody", "a: b", "body"],
		["---\n---\nbody", "", "body"],
		["---\na: b\n---", "a: b", ""],
		["---\na: b\n---\nx\n---\ny", "a: b", "x\n---\ny"],
	])("parts %j", (text, head, body) => {
		const parts = splitFrontMatter(text);
		expect([parts.head?.trimEnd(), parts.body]).toEqual([head, body]);
	});

	it.each(["body", "\n---\na: b\n---\n", "---\na: b\n", "x ---\n---"])("finds no head in %j", (text) => {
		expect(splitFrontMatter(text)).toEqual({ head: undefined, body: text });
	});
});
