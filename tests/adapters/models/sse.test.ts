import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createSseParser, type SseEvent } from "../../../src/adapters/models/sse.ts";
import { cut } from "./cut.ts";

function parse(pieces: Uint8Array[]): SseEvent[] {
	const parser = createSseParser();
	return [...pieces.flatMap((piece) => parser.push(piece)), ...parser.end()];
}

function parseText(text: string): string[] {
	return parse([new TextEncoder().encode(text)]).map(({ data }) => data);
}

describe("createSseParser", () => {
	it("gives the same payloads however the bytes are cut and whatever ends the lines", () => {
		const payload = fc.string({ unit: "grapheme" }).map((text) => text.replace(/[\r\n]/g, " "));
		const block = fc.record({
			lines: fc.array(payload, { minLength: 1, maxLength: 3 }),
			space: fc.boolean(),
			comment: fc.boolean(),
		});
		fc.assert(
			fc.property(
				fc.array(block, { maxLength: 6 }),
				fc.constantFrom("\n", "\r\n", "\r"),
				fc.boolean(),
				fc.array(fc.nat(40), { maxLength: 30 }),
				(blocks, eol, isClosed, cuts) => {
					const written = blocks.map(({ lines, space, comment }) => {
						// Without the optional space a payload that begins with one would lose it.
						const data = lines.map((line) => `data:${space || line.startsWith(" ") ? " " : ""}${line}`);
						return [...(comment ? [": keep-alive"] : []), ...data].join(eol);
					});
					const text = written.join(eol + eol) + (isClosed ? eol + eol : "");
					const pieces = cut(new TextEncoder().encode(text), cuts);
					expect(parse(pieces).map(({ data }) => data)).toEqual(blocks.map(({ lines }) => lines.join("\n")));
				},
			),
		);
	});

	it("skips comments, empty events, unknown fields and a byte order mark", () => {
		expect(parseText("\ufeff: hi\n\nid: 1\nretry: 5\n\ndata:a\n\n:x\ndata: b\n\n\n\n")).toEqual(["a", "b"]);
	});

	it("names the event where it has a name, and forgets the name behind it", () => {
		const bytes = new TextEncoder().encode("event: error\ndata: {}\n\ndata: 1\n\n");
		expect(parse([bytes])).toEqual([{ data: "{}", event: "error" }, { data: "1" }]);
	});

	it("gives out an event as soon as its blank line came", () => {
		const parser = createSseParser();
		expect(parser.push(new TextEncoder().encode("data: a\n"))).toEqual([]);
		expect(parser.push(new TextEncoder().encode("\ndata: b"))).toEqual([{ data: "a" }]);
		expect(parser.end()).toEqual([{ data: "b" }]);
	});
});
