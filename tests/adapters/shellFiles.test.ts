import { existsSync, lstatSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { makeFolder, programOnPath, removeAll } from "../../src/adapters/shellFiles.ts";

let folder: string;
const printed = vi.spyOn(console, "error");

beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), "agi-shell-"));
	printed.mockClear();
});

afterEach(() => {
	rmSync(folder, { recursive: true, force: true });
	expect(printed).not.toHaveBeenCalled();
});

describe("programOnPath", () => {
	const before = process.env["PATH"];
	afterEach(() => {
		process.env["PATH"] = before;
	});

	it("finds the first that can be run, and no folder of that name", async () => {
		const places = ["a", "b", "c", "d"].map((name) => join(folder, name));
		for (const place of places) mkdirSync(place);
		const [first, second, third, fourth] = places.map((place) => join(place, "tool"));
		mkdirSync(first!);
		writeFileSync(second!, "", { mode: 0o644 });
		for (const path of [third!, fourth!]) writeFileSync(path, "", { mode: 0o755 });
		process.env["PATH"] = places.join(":");
		expect(await programOnPath("tool")).toBe(third);
		expect(await programOnPath("no-such-tool")).toBeUndefined();
	});
});

describe("makeFolder", () => {
	it("makes it with those above it, by exactly that name, and leaves one that is there", async () => {
		const path = join(folder, "a*", "{b,c}", "~");
		await makeFolder(path);
		writeFileSync(join(path, "kept"), "");
		await makeFolder(path);
		expect(existsSync(join(path, "kept"))).toBe(true);
	});

	it("rejects with a sentence where a file is in the way", async () => {
		const path = join(folder, "file");
		writeFileSync(path, "");
		await expect(makeFolder(path)).rejects.toThrow(
			/^The folder \S+file could not be made \(.+File exists\)\. /,
		);
		await expect(makeFolder(join(path, "inner"))).rejects.toThrow(/could not be made \(.+Not a directory\)/);
	});
});

describe("removeAll", () => {
	it("removes a folder with all that is in it, and a link but not what it names", async () => {
		mkdirSync(join(folder, "full", "deep"), { recursive: true });
		writeFileSync(join(folder, "full", "deep", "file"), "");
		mkdirSync(join(folder, "kept"));
		symlinkSync(join(folder, "kept"), join(folder, "link"));
		symlinkSync(join(folder, "kept"), join(folder, "full", "link"));
		await removeAll(join(folder, "full"));
		await removeAll(join(folder, "link"));
		expect(existsSync(join(folder, "full"))).toBe(false);
		expect(lstatSync(join(folder, "link"), { throwIfNoEntry: false })).toBeUndefined();
		expect(existsSync(join(folder, "kept"))).toBe(true);
	});

	it("takes a name as it is, and nothing for done", async () => {
		for (const name of ["a*", "ab"]) writeFileSync(join(folder, name), "");
		await removeAll(join(folder, "a*"));
		await removeAll(join(folder, "no-such"));
		expect(existsSync(join(folder, "ab"))).toBe(true);
		expect(existsSync(join(folder, "a*"))).toBe(false);
	});

	it.runIf(process.platform === "linux")("rejects with a sentence where the system refuses", async () => {
		await expect(removeAll("/proc/self/status")).rejects.toThrow(
			/^\/proc\/self\/status could not be removed \(.+\)\. Remove/,
		);
	});
});
