import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readFirstCommit, readMarks } from "../../../src/adapters/sessionLog/glance.ts";
import { encodeLine } from "../../../src/session/line.ts";
import { commitOf } from "../../contracts/sessionLog.ts";

let folder: string;
let log: string;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), "agi-glance-"));
	mkdirSync(join(folder, "one"));
	log = join(folder, "one", "log.jsonl");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const line = (seq: number, text?: string) => encodeLine(commitOf(seq, text), crc32);

describe("readFirstCommit", () => {
	it("gives a first line that is longer than one read, letters of several bytes whole", () => {
		const text = "日本語🙂".repeat(40_000);
		writeFileSync(log, Buffer.concat([line(1, text), line(2)]));
		expect(readFirstCommit(log)).toEqual(commitOf(1, text));
	});

	it("gives nothing while the first line has no end, or is not what was written", () => {
		writeFileSync(log, line(1).subarray(0, -1));
		expect(readFirstCommit(log)).toBeUndefined();
		writeFileSync(log, Buffer.from(line(1, "changed")).toString().replace("changed", "chanGed"));
		expect(readFirstCommit(log)).toBeUndefined();
	});

	it("says that a log of a newer agi is one", () => {
		writeFileSync(log, encodeLine({ ...commitOf(1), v: 99 }, crc32));
		expect(() => readFirstCommit(log)).toThrow(/newer agi/);
	});
});

describe("readMarks", () => {
	it("gives another mark after a change of the last line that keeps the length", () => {
		writeFileSync(log, line(1, "aaaa"));
		const before = readMarks(folder, "p");
		writeFileSync(log, line(1, "aaab"));
		const after = readMarks(folder, "p");
		const bytes = line(1, "aaaa").length;
		expect(before).toEqual([{ sessionId: "one", projectId: "p", mark: expect.any(String), bytes }]);
		expect(after[0]?.mark).not.toBe(before[0]?.mark);
		appendFileSync(log, "torn");
		expect(readMarks(folder, "p")[0]?.mark).not.toBe(after[0]?.mark);
	});

	it("passes over what is no session, and a folder that is not there", () => {
		mkdirSync(join(folder, "empty"));
		writeFileSync(join(folder, "empty", "log.jsonl"), "");
		mkdirSync(join(folder, "strange", "log.jsonl"), { recursive: true });
		writeFileSync(join(folder, "file"), "");
		expect(readMarks(folder, "p")).toEqual([]);
		expect(readMarks(join(folder, "none"), "p")).toEqual([]);
	});
});
