import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { clipboardProgram } from "../../src/adapters/clipboardProgram.ts";

describe("clipboardProgram", () => {
	const before = process.env["PATH"];
	let folder: string;

	beforeEach(() => {
		folder = mkdtempSync(join(tmpdir(), "agi-clipboard-"));
		process.env["PATH"] = folder;
	});

	afterEach(() => {
		process.env["PATH"] = before;
		rmSync(folder, { recursive: true, force: true });
	});

	function install(name: string): void {
		writeFileSync(join(folder, name), "#!/bin/sh\n");
		chmodSync(join(folder, name), 0o755);
	}

	it("takes the program that is installed, with what it needs to be told", async () => {
		install("xsel");
		expect(await clipboardProgram({ DISPLAY: ":0" }, "linux")).toEqual(["xsel", "--clipboard", "--input"]);
		install("xclip");
		expect(await clipboardProgram({ DISPLAY: ":0" }, "linux")).toEqual(["xclip", "-selection", "clipboard"]);
	});

	it("finds none without a display, or where nothing is installed for it", async () => {
		install("xclip");
		expect(await clipboardProgram({}, "linux")).toBeUndefined();
		expect(await clipboardProgram({ WAYLAND_DISPLAY: "wayland-0" }, "linux")).toBeUndefined();
		expect(await clipboardProgram({}, "darwin")).toBeUndefined();
	});
});
