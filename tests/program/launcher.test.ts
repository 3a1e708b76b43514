// bin/agi, started through the links by which people find it.

import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { VERSION } from "../../src/version.ts";
import { AGI } from "../support/program.ts";

const ROOT = dirname(dirname(AGI));
const NO_PROGRAMS = "/nonexistent";

/** A folder with links, by their names; it goes with the test. */
function linked(links: Readonly<Record<string, string>>): string {
	const folder = mkdtempSync(join(tmpdir(), "agi-launcher-"));
	onTestFinished(() => rmSync(folder, { recursive: true }));
	for (const [name, target] of Object.entries(links)) {
		mkdirSync(dirname(join(folder, name)), { recursive: true });
		symlinkSync(target, join(folder, name));
	}
	return folder;
}

const versionOf = (file: string, path: string): string =>
	execFileSync(file, ["--version"], { encoding: "utf8", env: { PATH: path } }).trim();

describe("the launcher", () => {
	it.each([
		["the person", { "bin/agi": "../lib/node_modules/agi/bin/agi", "lib/node_modules/agi": ROOT }, "bin/agi"],
		[
			"a project",
			{ "node_modules/.bin/agi": "../agi/bin/agi", "node_modules/agi": ROOT },
			"node_modules/.bin/agi",
		],
	])("needs no program to find agi where npm linked it for %s", (_, links, name) => {
		expect(versionOf(join(linked(links), name), NO_PROGRAMS)).toBe(VERSION);
	});

	it("follows a chain of other links", () => {
		const folder = linked({ "tools/agi": "../other/link", "other/link": AGI });
		expect(versionOf(join(folder, "tools/agi"), process.env["PATH"] ?? "")).toBe(VERSION);
	});

	it("is not misled by another program of that name where npm would link it", () => {
		const folder = linked({ "bin/agi": AGI, "lib/node_modules/agi/bin/agi": "/bin/false" });
		expect(versionOf(join(folder, "bin/agi"), process.env["PATH"] ?? "")).toBe(VERSION);
	});
});

describe("the files of a build", () => {
	it("hold no letter beyond ASCII, which would double what V8 reads and keeps of them", () => {
		const folder = join(ROOT, "dist");
		const names = readdirSync(folder).filter((name) => name.endsWith(".js"));
		const others = names.filter((name) => /[^\0-\x7f]/.test(readFileSync(join(folder, name), "utf8")));
		expect(names.length).toBeGreaterThan(5);
		expect(others).toEqual([]);
	});
});
