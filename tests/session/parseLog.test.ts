import { crc32 } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { encodeLine } from "../../src/session/line.ts";
import { type LogReading, parseLog } from "../../src/session/parseLog.ts";
import { commitOf } from "../contracts/sessionLog.ts";

function logOf(...seqs: number[]): Buffer {
	return Buffer.concat(seqs.map((seq) => encodeLine(commitOf(seq), crc32)));
}

function read(bytes: Uint8Array): LogReading {
	return parseLog(bytes, crc32);
}

function seqsOf(reading: LogReading): number[] {
	return reading.commits.map((commit) => commit.seq);
}

describe("parseLog", () => {
	it("reads nothing from an empty log", () => {
		expect(read(Buffer.alloc(0))).toEqual({ commits: [], wholeBytes: 0, tornBytes: 0 });
	});

	it("keeps every whole line and tells the torn bytes, wherever the log is cut", () => {
		const whole = logOf(1, 2, 3);
		const ends = [0, logOf(1).length, logOf(1, 2).length, whole.length];
		for (let length = 0; length <= whole.length; length++) {
			const kept = ends.filter((end) => end > 0 && end <= length).length;
			const wholeBytes = ends[kept] ?? 0;
			expect(read(whole.subarray(0, length))).toEqual({
				commits: [1, 2, 3].slice(0, kept).map((seq) => commitOf(seq)),
				wholeBytes,
				tornBytes: length - wholeBytes,
			});
		}
	});

	it("takes no single flipped bit for what was written", () => {
		const whole = logOf(1, 2, 3, 4);
		const flips = fc.record({ byte: fc.nat(whole.length - 1), bit: fc.nat(7) });
		fc.assert(
			fc.property(flips, ({ byte, bit }) => {
				const bytes = Buffer.from(whole);
				bytes[byte] = bytes[byte]! ^ (1 << bit);
				const reading = read(bytes);
				expect(reading.damage !== undefined || reading.tornBytes > 0).toBe(true);
				for (const commit of reading.commits) expect(commit).toEqual(commitOf(commit.seq));
			}),
			{ numRuns: 5000, seed: 17 },
		);
	});

	it("names a changed line in the middle and keeps the lines around it", () => {
		const bytes = logOf(1, 2, 3);
		const start = logOf(1).length;
		bytes[start + 30] = bytes[start + 30]! ^ 4;
		const reading = read(bytes);
		expect(seqsOf(reading)).toEqual([1, 3]);
		expect(reading.damage).toEqual({ lines: [2], message: "line 2: its checksum does not match" });
		expect(reading.tornBytes).toBe(0);
	});

	it("says of a changed line that names a later version what else may have changed it", () => {
		const bytes = Buffer.from(logOf(1, 2).toString("utf8").replace('{"v":1,"seq":2', '{"v":2,"seq":2'));
		expect(read(bytes).damage?.message).toMatch(
			/^line 2: .*does not match; where a newer agi wrote it .*update agi$/,
		);
	});

	it("calls a changed last line damage, since its end shows that it was written whole", () => {
		const bytes = logOf(1, 2);
		bytes[logOf(1).length + 30] = bytes[logOf(1).length + 30]! ^ 4;
		expect(read(bytes)).toMatchObject({ tornBytes: 0, damage: { lines: [2] } });
	});

	it("calls incomplete lines at the end torn, with or without their newlines", () => {
		const tails = ['{"v":1,"seq"', '{"v":1\n', "\0\0\0\n\0\0", "x\ny\nz"];
		for (const tail of tails) {
			const reading = read(Buffer.concat([logOf(1, 2), Buffer.from(tail)]));
			expect(reading).toEqual({
				commits: [commitOf(1), commitOf(2)],
				wholeBytes: logOf(1, 2).length,
				tornBytes: tail.length,
			});
		}
	});

	it.each([
		["whole lines of text", "hello\nworld\nfoo\n"],
		["lines cut short, with their newlines", '{"v":1,"seq"\n{"v":1\n'],
		["something else", "PK\x03\x04 and more"],
	])("calls a log damaged that holds nothing but %s: nobody knows what it was", (_, text) => {
		const reading = read(Buffer.from(text));
		expect(reading).toMatchObject({ commits: [], wholeBytes: 0, tornBytes: 0 });
		expect(reading.damage?.lines[0]).toBe(1);
	});

	it("calls a beginning of the first line torn, however short", () => {
		const first = logOf(1);
		for (let length = 1; length < first.length; length++)
			expect(read(first.subarray(0, length))).toEqual({ commits: [], wholeBytes: 0, tornBytes: length });
		expect(read(Buffer.alloc(20_000))).toEqual({ commits: [], wholeBytes: 0, tornBytes: 20_000 });
	});

	it("calls an incomplete line damage where a good one follows", () => {
		const reading = read(Buffer.concat([logOf(1), Buffer.from("torn\n"), logOf(3)]));
		expect(seqsOf(reading)).toEqual([1, 3]);
		expect(reading.damage?.lines).toEqual([2]);
	});

	it("reports damage and a torn tail of the same log", () => {
		const reading = read(Buffer.concat([logOf(1), Buffer.from("torn\n"), logOf(3), Buffer.from("{")]));
		expect(reading).toMatchObject({ damage: { lines: [2] }, tornBytes: 1 });
	});

	it("names a sequence number that leaves a gap, and one that comes twice", () => {
		expect(read(logOf(1, 3)).damage).toEqual({
			lines: [2],
			message: "line 2: it has number 3 where 2 belongs",
		});
		const twice = read(logOf(1, 2, 2, 3));
		expect(seqsOf(twice)).toEqual([1, 2, 3]);
		expect(twice.damage).toEqual({ lines: [3], message: "line 3: it has number 2 where 3 belongs" });
	});

	it("names the first five damaged lines and counts the rest", () => {
		const lines = [1, 2, 3, 4, 5, 6, 7].map(() => "x\n").join("");
		const { damage } = read(Buffer.concat([Buffer.from(lines), logOf(8)]));
		expect(damage?.lines).toEqual([1, 2, 3, 4, 5, 6, 7]);
		expect(damage?.message).toMatch(/^line 1: .*line 5: [^;]*; and 2 more$/);
	});
});
