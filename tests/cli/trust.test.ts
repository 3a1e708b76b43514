// The question before the first start in a folder: when it is put, what it names, and what a yes does.

import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { askTrust, isTrusted, trustLines, trustQuestion } from "../../src/cli/trust.ts";
import type { Place } from "../../src/wire/place.ts";

let outer: string;
let place: Place;

beforeEach(() => {
	outer = realpathSync(mkdtempSync(join(tmpdir(), "agi-trust-")));
	const root = join(outer, "app");
	mkdirSync(join(root, "sub"), { recursive: true });
	const folders = { config: join(outer, "c"), data: join(outer, "d"), cache: join(outer, "k") };
	place = { cwd: join(root, "sub"), folders, projectId: "p", agentFolder: join(root, ".agent") };
});
afterEach(() => rmSync(outer, { recursive: true, force: true }));

const write = (path: string, text = "x") => {
	mkdirSync(join(outer, "app", path, ".."), { recursive: true });
	writeFileSync(join(outer, "app", path), text);
};

describe("trustQuestion", () => {
	it("names the folder that the configuration stands in, and everything it brings", () => {
		for (const path of [
			".agent/settings.json",
			".agent/skills/a.md",
			".agent/skills/b.md",
			".mcp.json",
			".env",
		])
			write(path);
		mkdirSync(join(outer, "app/.agent/agents"));
		symlinkSync("/etc/hostname", join(outer, "app/AGENTS.md"));
		expect(trustQuestion(place, false)).toEqual({
			folder: join(outer, "app"),
			brings: [
				"rules and settings (.agent/settings.json)",
				"skills (.agent/skills, 2 entries)",
				"MCP servers (.mcp.json)",
				"instructions (AGENTS.md, a link)",
				"a file of environment variables (.env)",
			],
		});
	});

	it("is put for a folder that brings nothing, and not for one that is trusted or can never be", async () => {
		expect(trustQuestion(place, false)?.brings).toEqual([]);
		expect(trustQuestion(place, true)).toBeUndefined();
		const { agentFolder: _, ...home } = { ...place, cwd: homedir() };
		expect(trustQuestion(home, false)).toBeUndefined();
		await askTrust(place, trustQuestion(place, false)!, async () => "y");
		expect(trustQuestion(place, false)).toBeUndefined();
	});
});

describe("askTrust", () => {
	it.each(["", "n", "yess", "ja", "y x"])("takes %j for a no, and stores nothing", async (answer) => {
		expect(await askTrust(place, trustQuestion(place, false)!, async () => answer)).toEqual({
			trusted: false,
			notices: [],
		});
		expect(isTrusted(place, false)).toBe(false);
	});

	it("says so where a yes cannot be stored, and lets it hold for the run", async () => {
		writeFileSync(place.folders.data, "no folder");
		const { trusted, notices } = await askTrust(place, trustQuestion(place, false)!, async () => " Yes ");
		expect(trusted).toBe(true);
		expect(notices[0]).toMatch(/could not be stored .* holds for this run\.$/);
	});
});

describe("trustLines", () => {
	it("shows no name as anything but plain text", () => {
		const lines = trustLines({ folder: "/w/\u001b[2Kx\u202e", brings: ["hooks (a\nb)"] });
		expect(lines.join("\n")).not.toMatch(/[\u001b\u202e]/);
	});
});
