// Trust belongs to one very folder, and to none that holds anybody's files.

import {
	mkdirSync,
	mkdtempSync,
	realpathSync,
	renameSync,
	rmSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { canBeTrusted, isFolderTrusted, storeTrust } from "../../src/adapters/trustStore.ts";

let outer: string;
let data: string;
let folder: string;
const NOW = "2026-11-29T12:00:00.000Z";

beforeEach(() => {
	outer = realpathSync(mkdtempSync(join(tmpdir(), "agi-trust-")));
	data = join(outer, "data");
	folder = join(outer, "app");
	mkdirSync(folder);
});
afterEach(() => rmSync(outer, { recursive: true, force: true }));

describe("storeTrust", () => {
	it("holds for the folder under any name that leads to it, in a file of the person's own", () => {
		storeTrust(data, folder, NOW);
		symlinkSync(folder, join(outer, "link"));
		expect(isFolderTrusted(data, folder)).toBe(true);
		expect(isFolderTrusted(data, join(outer, "link"))).toBe(true);
		expect(statSync(join(data, "trust.json")).mode & 0o777).toBe(0o600);
	});

	it("does not hold for what lies below or above it", () => {
		mkdirSync(join(folder, "sub"));
		storeTrust(data, folder, NOW);
		expect([join(folder, "sub"), outer].map((path) => isFolderTrusted(data, path))).toEqual([false, false]);
	});

	it("ends when another folder takes the name, and when the folder gets another name", () => {
		storeTrust(data, folder, NOW);
		renameSync(folder, join(outer, "moved"));
		mkdirSync(folder);
		expect([folder, join(outer, "moved")].map((path) => isFolderTrusted(data, path))).toEqual([false, false]);
	});

	it("keeps what was trusted before, once each", () => {
		const other = join(outer, "other");
		mkdirSync(other);
		for (const path of [folder, other, folder]) storeTrust(data, path, NOW);
		expect([folder, other].map((path) => isFolderTrusted(data, path))).toEqual([true, true]);
	});
});

describe("isFolderTrusted", () => {
	it.each(["", "{", "[]", '{"folders":[{"path":1}]}', '{"folders":"x"}'])(
		"trusts nothing by a store that holds %j",
		(text) => {
			mkdirSync(data);
			writeFileSync(join(data, "trust.json"), text);
			expect(isFolderTrusted(data, folder)).toBe(false);
			storeTrust(data, folder, NOW);
			expect(isFolderTrusted(data, folder)).toBe(true);
		},
	);

	it("trusts no folder that is gone", () => {
		expect(isFolderTrusted(data, join(outer, "gone"))).toBe(false);
	});
});

describe("canBeTrusted", () => {
	it("never lets the root, the home or the temp folder itself be trusted", () => {
		symlinkSync(homedir(), join(outer, "home"));
		const all = ["/", "/tmp", tmpdir(), homedir(), join(outer, "home"), folder];
		expect(all.map((path) => canBeTrusted(path, homedir()))).toEqual([
			false,
			false,
			false,
			false,
			false,
			true,
		]);
	});
});
