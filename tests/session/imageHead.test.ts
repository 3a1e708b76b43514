import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readImageHead } from "../../src/session/imageHead.ts";
import { pngOf } from "../support/images.ts";

const bytesOf = (...parts: (string | number[])[]) =>
	Uint8Array.from(
		parts.flatMap((part) => (typeof part === "string" ? [...part].map((l) => l.charCodeAt(0)) : part)),
	);
const padded = (bytes: Uint8Array) => Uint8Array.from([...bytes, ...new Array(40).fill(0)]);

describe("readImageHead", () => {
	it.each([
		["a PNG", pngOf(800, 600), "image/png", 800, 600],
		["a GIF", padded(bytesOf("GIF89a", [0x20, 0x03, 0x58, 0x02])), "image/gif", 800, 600],
		[
			"a JPEG whose frame comes after other segments",
			padded(bytesOf([0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2, 0xff, 0xff, 0xc2, 0, 17, 8, 2, 0x58, 3, 0x20])),
			"image/jpeg",
			800,
			600,
		],
		[
			"a lossy WebP",
			padded(
				bytesOf("RIFF", [0, 0, 0, 0], "WEBPVP8 ", [0, 0, 0, 0, 0, 0, 0, 0x9d, 1, 0x2a, 0x20, 3, 0x58, 2]),
			),
			"image/webp",
			800,
			600,
		],
		[
			"a lossless WebP",
			padded(bytesOf("RIFF", [0, 0, 0, 0], "WEBPVP8L", [0, 0, 0, 0, 0x2f, 0x1f, 0xc3, 0x95, 0])),
			"image/webp",
			800,
			600,
		],
		[
			"an extended WebP",
			padded(bytesOf("RIFF", [0, 0, 0, 0], "WEBPVP8X", [10, 0, 0, 0, 0, 0, 0, 0, 0x1f, 3, 0, 0x57, 2, 0])),
			"image/webp",
			800,
			600,
		],
	])("reads kind and size of %s", (_, bytes, mediaType, width, height) => {
		expect(readImageHead(bytes)).toEqual({ mediaType, width, height });
	});

	it("knows no other bytes and fails on none", () => {
		expect(readImageHead(bytesOf("just some text that is no image"))).toBeUndefined();
		expect(readImageHead(padded(bytesOf([0xff, 0xd8, 0xff, 0xc4, 0, 0])))).toBeUndefined();
		const begins = fc.constantFrom("GIF8", "RIFF", "\xff\xd8\xff", "\x89PNG", "");
		fc.assert(
			fc.property(begins, fc.uint8Array({ maxLength: 60 }), (begin, rest) => {
				readImageHead(bytesOf(begin, [...rest]));
			}),
		);
	});
});
