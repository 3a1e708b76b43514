import { crc32 } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { commitsWithMarks } from "../../../src/adapters/sessionLog/largeTexts.ts";
import type { Commit } from "../../../src/session/events.ts";
import { largeTextDigests } from "../../../src/session/largeText.ts";
import { encodeLine } from "../../../src/session/line.ts";
import { commitOf } from "../../contracts/sessionLog.ts";

const logOf = (commits: readonly Commit[]) =>
	Buffer.concat(commits.map((commit) => encodeLine(commit, crc32)));
const marked = (seq: number, frame: object) => commitOf(seq, frame as unknown as string);

describe("commitsWithMarks", () => {
	it("names the commits with a mark, or with what looks like one", () => {
		const commits = [
			commitOf(1),
			marked(2, { $blob: "a" }),
			commitOf(3, 'a person writes "$blob"'),
			marked(4, { $literal: { $blob: "b" } }),
			marked(5, { $blob: "c", more: { $blob: "d" } }),
		];
		expect(commitsWithMarks(logOf(commits))).toEqual(new Set([2, 4, 5]));
		expect(commitsWithMarks(logOf([commitOf(1)]))).toEqual(new Set());
		expect(commitsWithMarks(Buffer.alloc(0))).toEqual(new Set());
	});

	it("misses no commit that names a blob", () => {
		const value = fc.oneof(
			fc.string({ unit: fc.constantFrom("a", '"', "\\", "$blob", "\n", "🙂") }),
			fc.record({ $blob: fc.string() }),
			fc.record({ inner: fc.array(fc.record({ $blob: fc.string() }), { maxLength: 2 }) }),
		);
		fc.assert(
			fc.property(fc.array(value, { maxLength: 8 }), (values) => {
				const commits = values.map((text, at) => marked(at + 1, text as object));
				const found = commitsWithMarks(logOf(commits));
				const holding = commits.filter(({ events }) => events.flatMap(largeTextDigests).length > 0);
				expect(holding.filter(({ seq }) => found?.has(seq) === false)).toEqual([]);
			}),
		);
	});

	it("cannot tell where a line does not begin as it is written", () => {
		expect(commitsWithMarks(Buffer.from('{"seq":1,"events":[{"$blob":"a"}]}\n'))).toBeUndefined();
	});

	it("takes a mark in a torn last line for one", () => {
		const torn = logOf([commitOf(1), marked(2, { $blob: "a" })]).subarray(0, -20);
		expect(commitsWithMarks(torn)).toEqual(new Set([2]));
	});
});
