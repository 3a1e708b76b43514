import { appendFileSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createMemoryHistory, createPromptHistory } from "../../src/adapters/promptHistory.ts";

function file(): string {
	const path = mkdtempSync(join(tmpdir(), "agi-history-"));
	onTestFinished(() => rmSync(path, { recursive: true, force: true }));
	return join(path, "deep", "history.jsonl");
}

describe("createPromptHistory", () => {
	it("tells texts of several lines, the newest first, each once, across processes", async () => {
		const path = file();
		const first = createPromptHistory(path);
		for (const text of ["a", "b\nc", "a"]) first.append(text);
		await first.close();
		expect(await createPromptHistory(path).read()).toEqual(["a", "b\nc"]);
		expect(statSync(path).mode & 0o777).toBe(0o600);
	});

	it("skips lines that it cannot read", async () => {
		const path = file();
		const history = createPromptHistory(path);
		history.append("kept");
		await history.close();
		appendFileSync(path, '{"text":5}\nnull\n{"te');
		expect(await history.read()).toEqual(["kept"]);
		const next = createPromptHistory(path);
		next.append("after half a line");
		await next.close();
		expect(await next.read()).toEqual(["after half a line", "kept"]);
	});

	it("stays small: the oldest go first", async () => {
		const path = file();
		const history = createPromptHistory(path);
		history.append("first");
		await history.close();
		const line = (n: number) => `${JSON.stringify({ text: `${n} ${"x".repeat(9_000)}` })}\n`;
		writeFileSync(path, Array.from({ length: 250 }, (_, n) => line(n)).join(""));
		history.append("last");
		await history.close();
		expect(statSync(path).size).toBeLessThan(1_100_000);
		const texts = await history.read();
		expect(texts[0]).toBe("last");
		expect(texts[1]?.startsWith("249 ")).toBe(true);
	});

	it("leaves the person alone where the disk refuses", async () => {
		const history = createPromptHistory("/dev/null/history.jsonl");
		history.append("a");
		await history.close();
		expect(await history.read()).toEqual([]);
	});
});

describe("createMemoryHistory", () => {
	it("forgets with the process", async () => {
		const history = createMemoryHistory();
		for (const text of ["a", "b", "a"]) history.append(text);
		expect(await history.read()).toEqual(["a", "b"]);
		expect(await createMemoryHistory().read()).toEqual([]);
	});
});
