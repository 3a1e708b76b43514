import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createPartialWriter } from "../../../src/adapters/sessionLog/partial.ts";

let folder: string;
let path: string;

beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), "agi-partial-"));
	path = join(folder, "partial.json");
	vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
});

afterEach(() => {
	vi.useRealTimers();
	rmSync(folder, { recursive: true, force: true });
});

function partial(text: string) {
	return { attemptId: "attempt-1", text, reasoning: "" };
}

describe("createPartialWriter", () => {
	it("writes the newest text once a second has passed, and nothing before", async () => {
		const writer = createPartialWriter(path);
		writer.write(partial("a"));
		writer.write(partial("ab"));
		vi.advanceTimersByTime(999);
		writer.write(partial("abc"));
		expect(existsSync(path)).toBe(false);
		vi.advanceTimersByTime(1);
		await writer.stop();
		expect(JSON.parse(readFileSync(path, "utf8"))).toEqual(partial("abc"));
	});

	it("writes at most once a second however often the text grows", async () => {
		const writer = createPartialWriter(path);
		for (let i = 0; i < 20; i++) {
			writer.write(partial("x".repeat(i)));
			vi.advanceTimersByTime(100);
		}
		expect(vi.getTimerCount()).toBe(0);
		writer.write(partial("new"));
		expect(vi.getTimerCount()).toBe(1);
		await writer.stop();
		expect(JSON.parse(readFileSync(path, "utf8"))).toEqual(partial("x".repeat(19)));
	});

	it("drops what was not written yet when it is stopped", async () => {
		const writer = createPartialWriter(path);
		writer.write(partial("a"));
		await writer.stop();
		vi.advanceTimersByTime(5000);
		await writer.stop();
		expect(existsSync(path)).toBe(false);
	});

	it("disturbs nobody where the folder is gone", async () => {
		const writer = createPartialWriter(join(folder, "gone", "partial.json"));
		writer.write(partial("a"));
		vi.advanceTimersByTime(1000);
		await expect(writer.stop()).resolves.toBeUndefined();
	});
});
