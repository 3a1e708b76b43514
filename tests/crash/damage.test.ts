// Every byte at which a log can be cut off, and thousands of flipped bits: what is whole is read, what is torn is dropped
// with its length told, and nothing that was changed is taken for what was written.

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { describe, expect, it } from "vitest";
import type { Commit } from "../../src/session/events.ts";
import { parseLog } from "../../src/session/parseLog.ts";
import { sessionCommits, writeLog } from "../support/recordedLog.ts";
import { live } from "./life.ts";
import { createMortal } from "./mortal.ts";
import { faultsOf } from "./oracle.ts";

const LINE_END = 0x0a;
const FLIPS = 5_000;

/** A log of at least 200 events, and its bytes. */
function makeLog(): { commits: Commit[]; bytes: Buffer } {
	const folder = mkdtempSync(join(tmpdir(), "agi-damage-"));
	try {
		const commits = sessionCommits("s", 3, { prompt: "q", answer: "a", result: "r" });
		writeLog(join(folder, "log.jsonl"), commits);
		return { commits, bytes: readFileSync(join(folder, "log.jsonl")) };
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

/** Numbers that look random and are the same in every run. */
function* numbers(seed: number): Generator<number, never> {
	for (let state = seed; ; ) {
		state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
		yield state;
	}
}

describe("a log of 200 events", () => {
	const { commits, bytes } = makeLog();
	const ends = [...bytes.keys()].filter((at) => bytes[at] === LINE_END).map((at) => at + 1);

	it("has that many events", () => {
		expect(commits.flatMap((commit) => commit.events).length).toBeGreaterThanOrEqual(200);
		expect(ends).toHaveLength(commits.length);
	});

	it("cut off at any byte, is read up to its last whole line, and the rest is told as torn", () => {
		const whole = parseLog(bytes, crc32).commits.map((commit) => JSON.stringify(commit));
		const last = ends.length;
		for (let size = 0, lines = 0; size <= bytes.length; size++) {
			if (ends[lines] === size) lines++;
			// Inside of a line, the whole ones before it are left out but for the first: they are read at each line's end.
			const from = ends[lines - 3] ?? 0;
			if (from > 0 && size !== ends[lines - 1] && lines !== last) {
				const tail = bytes.subarray(ends[lines - 1], size);
				expect(parseLog(Buffer.concat([bytes.subarray(0, ends[0]), tail]), crc32)).toMatchObject({
					tornBytes: tail.length,
				});
				continue;
			}
			const read = parseLog(bytes.subarray(0, size), crc32);
			expect(read.damage).toBeUndefined();
			expect(read.commits.map((commit) => JSON.stringify(commit))).toEqual(whole.slice(0, lines));
			expect(read.tornBytes).toBe(size - (ends[lines - 1] ?? 0));
		}
	});

	it("with any bit flipped, is never read as something that was not written", { timeout: 120_000 }, () => {
		const random = numbers(7);
		const written = new Set(commits.map((commit) => JSON.stringify(commit)));
		for (let flip = 0; flip < FLIPS; flip++) {
			const at = random.next().value % bytes.length;
			const damaged = Buffer.from(bytes);
			damaged[at] = (damaged[at] ?? 0) ^ (1 << (random.next().value % 8));
			const read = parseLog(damaged, crc32);
			const said = read.damage !== undefined || read.tornBytes > 0;
			const invented = read.commits.filter((commit) => !written.has(JSON.stringify(commit)));
			expect({ at, said, invented }).toEqual({ at, said: true, invented: [] });
		}
	});
});

describe("the log of a session that worked", () => {
	it("cut off at any line, and inside of it, is recovered and worked on to its end", async () => {
		const calls = ["manual"];
		const folder = mkdtempSync(join(tmpdir(), "agi-damage-"));
		try {
			await live({ folder: join(folder, "whole"), calls, mortal: createMortal(0) });
			const bytes = readFileSync(join(folder, "whole", "sessions", "s", "log.jsonl"));
			const cuts = [...bytes.keys()]
				.filter((at) => bytes[at] === LINE_END)
				.flatMap((at) => [at - 20, at + 1]);
			for (const cut of cuts) {
				const place = join(folder, String(cut));
				mkdirSync(join(place, "sessions", "s"), { recursive: true });
				writeFileSync(join(place, "sessions", "s", "log.jsonl"), bytes.subarray(0, cut));
				const end = await live({ folder: place, calls, mortal: createMortal(0) });
				// The journal of the first life is not part of this one: only what the log lost may happen again.
				const faults = (await faultsOf(place, [], end.acknowledged)).concat(end.broken);
				expect({ cut, done: end.done, faults }).toEqual({ cut, done: true, faults: [] });
			}
		} finally {
			rmSync(folder, { recursive: true, force: true });
		}
	});
});
