import { crc32 } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Commit } from "../../src/session/events.ts";
import { encodeLine, parseLine } from "../../src/session/line.ts";
import { commitOf } from "../contracts/sessionLog.ts";

/** A fixed seed, so that every run tests the same. */
const RUNS = { seed: 17 };

const commits = fc.record({
	v: fc.constant(1),
	seq: fc.integer({ min: 1, max: 2 ** 40 }),
	at: fc.string(),
	events: fc.array(
		fc.record({
			type: fc.constant("user/message" as const),
			messageId: fc.string(),
			text: fc.string({ unit: "binary" }),
			origin: fc.constant("person" as const),
		}),
	),
}) satisfies fc.Arbitrary<Commit>;

/** A line without its newline. */
function lineOf(commit: Commit): Uint8Array {
	return encodeLine(commit, crc32).subarray(0, -1);
}

describe("encodeLine", () => {
	it("writes one JSON object whose last member is the CRC32 of the bytes before it", () => {
		const text = Buffer.from(encodeLine(commitOf(17, "é"), crc32)).toString();
		const body = text.slice(0, text.lastIndexOf(',"c":"'));
		const checksum = crc32(Buffer.from(body)).toString(16).padStart(8, "0");
		expect(text).toBe(`${body},"c":"${checksum}"}\n`);
		expect(JSON.parse(text)).toEqual({ ...commitOf(17, "é"), c: checksum });
	});

	it("pads a small checksum to eight digits", () => {
		expect(Buffer.from(encodeLine(commitOf(1), () => 0xab)).toString()).toMatch(/,"c":"000000ab"\}\n$/);
	});

	it("has exactly one newline, at its end, whatever the content", () => {
		fc.assert(
			fc.property(commits, (commit) => {
				const line = encodeLine(commit, crc32);
				expect(line.indexOf(10)).toBe(line.length - 1);
			}),
			RUNS,
		);
	});
});

describe("parseLine", () => {
	it("gives back every commit that was encoded", () => {
		fc.assert(
			fc.property(commits, (commit) => {
				expect(parseLine(lineOf(commit), crc32)).toEqual({ ok: true, commit });
			}),
			RUNS,
		);
	});

	it("takes no line in which bytes were changed", () => {
		const change = fc.tuple(fc.nat(), fc.integer({ min: 1, max: 255 }));
		fc.assert(
			fc.property(commits, change, (commit, [position, mask]) => {
				const line = lineOf(commit);
				const index = position % line.length;
				line[index] = line[index]! ^ mask;
				expect(parseLine(line, crc32).ok).toBe(false);
			}),
			RUNS,
		);
	});

	it("takes no line that was cut anywhere", () => {
		const line = lineOf(commitOf(3));
		for (let length = 0; length < line.length; length++) {
			expect(parseLine(line.subarray(0, length), crc32)).toMatchObject({ ok: false, fault: "incomplete" });
		}
	});

	it("never throws on foreign bytes and takes none of them", () => {
		fc.assert(
			fc.property(fc.uint8Array(), (bytes) => {
				expect(parseLine(bytes, crc32).ok).toBe(false);
			}),
			RUNS,
		);
	});

	it("calls a line whose end is there but whose content differs changed, and one with zeros incomplete", () => {
		const changed = lineOf(commitOf(3));
		changed[20] = changed[20]! ^ 1;
		expect(parseLine(changed, crc32)).toMatchObject({ ok: false, fault: "changed" });
		const zeroed = lineOf(commitOf(3)).fill(0, 20, 40);
		expect(parseLine(zeroed, crc32)).toMatchObject({ ok: false, fault: "incomplete" });
	});

	it("refuses a line with a good checksum that is no commit", () => {
		const bodies = [
			"",
			"[1]",
			'{"v":1,"seq":1',
			'{"v":1,"seq":0,"at":"","events":[]',
			'{"v":1,"seq":1,"at":"","events":[null]',
		];
		for (const body of bodies) {
			const checksum = crc32(Buffer.from(body)).toString(16).padStart(8, "0");
			const line = Buffer.from(`${body},"c":"${checksum}"}`);
			expect(parseLine(line, crc32)).toMatchObject({ ok: false, fault: "changed" });
		}
	});
});
