// Pipes for the output of commands: real FIFOs, used again only when nobody can write to them any more.

import {
	closeSync,
	existsSync,
	fstatSync,
	mkdtempSync,
	readdirSync,
	readSync,
	rmSync,
	writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { takeOutputPipe } from "../../../src/adapters/processes/outputPipe.ts";

const canReopen = existsSync("/proc/self/fd");

let folder: string;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), "agi-test-"));
	vi.stubEnv("TMPDIR", folder);
});
afterEach(() => {
	vi.unstubAllEnvs();
	rmSync(folder, { recursive: true, force: true });
});

function take() {
	const pipe = takeOutputPipe();
	if (pipe === undefined) throw new Error("this system has no FIFOs");
	return pipe;
}

function readAll(fd: number): string {
	const buffer = Buffer.alloc(100);
	return buffer.toString("utf8", 0, readSync(fd, buffer));
}

describe("takeOutputPipe", () => {
	it("gives what is written to one end out of the other, and leaves nothing in the temp folder", () => {
		const pipe = take();
		writeSync(pipe.write, "hello");
		expect(readAll(pipe.read)).toBe("hello");
		expect(readdirSync(folder)).toEqual([]);
		closeSync(pipe.write);
		expect(readAll(pipe.read)).toBe("");
		closeSync(pipe.read);
		pipe.release(true);
	});

	it.runIf(canReopen)("uses a pipe again that was read to its end", () => {
		const first = take();
		const { ino } = fstatSync(first.read);
		closeSync(first.write);
		closeSync(first.read);
		first.release(true);
		const second = take();
		expect(fstatSync(second.read).ino).toBe(ino);
		closeSync(second.write);
		closeSync(second.read);
		second.release(true);
	});

	it("never uses one again of which somebody may still hold an end, nor gives one to two", () => {
		const first = take();
		const { ino } = fstatSync(first.read);
		closeSync(first.read);
		first.release(false);
		const others = Array.from({ length: 20 }, take);
		const inodes = others.map(({ read }) => fstatSync(read).ino);
		expect(inodes).not.toContain(ino);
		expect(new Set(inodes).size).toBe(others.length);
		for (const { read, write, release } of others) {
			closeSync(read);
			closeSync(write);
			release(false);
		}
		closeSync(first.write);
	});
});
