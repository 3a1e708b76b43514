// Which read-only commands are looked through for files of secrets, over a real folder.

import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createWorkspace } from "../../../src/adapters/workspace/nodeWorkspace.ts";
import { lookUpPaths } from "../../../src/agent/tools/namedPaths.ts";
import { judgeParts } from "../../../src/policy/judgeParts.ts";

/** Why a command is not free in a project with these files; undefined where it is. */
async function whyAsked(command: string, files: readonly string[], links: Record<string, string> = {}) {
	const root = realpathSync(mkdtempSync(join(tmpdir(), "agi-named-")));
	onTestFinished(() => rmSync(root, { recursive: true }));
	for (const name of files) {
		mkdirSync(dirname(join(root, name)), { recursive: true });
		writeFileSync(join(root, name), "x");
	}
	for (const [name, target] of Object.entries(links)) symlinkSync(target, join(root, name));
	const workspace = await createWorkspace({ root });
	const named = await lookUpPaths(command, root, { workspace });
	const judged = judgeParts(command, { rules: [], named, isConfined: false });
	if (judged.kind === "opaque") throw new Error("it cannot be read");
	return judged.parts.flatMap((part) =>
		part.allowedBy === "nothing" ? [part.why.replaceAll(root, "")] : [],
	)[0];
}

const FILES = ["src/a.ts", "sub/deep/.env", "docs/b.md"];
const secret = (path: string) => `It reads ${path}, which may hold secrets.`;

describe("a search through folders", () => {
	it.each([
		["grep -rn x .", secret("/sub/deep/.env")],
		["grep -rn x sub", secret("/sub/deep/.env")],
		["rg --hidden x", secret("/sub/deep/.env")],
		["diff -r sub docs", secret("/sub/deep/.env")],
		["grep -rn x s*", secret("/sub/deep/.env")],
		["grep -rn x src docs", undefined],
		["rg x", undefined],
		["ls -R .", undefined],
	])("that shows a file of secrets, however deep, is asked about: %s", async (command, why) => {
		expect(await whyAsked(command, FILES)).toBe(why);
	});

	it("is asked about where rg shows a key that nothing hides", async () => {
		expect(await whyAsked("rg x .", ["a/b/server.key"])).toBe(secret("/a/b/server.key"));
		expect(await whyAsked("rg x .", ["a/.b/server.key"])).toBeUndefined();
	});

	it("is not asked about for keys that others made for their tests", async () => {
		const files = [
			"node_modules/x/test/server.pem",
			"a/node_modules/y/id_rsa",
			".git/a.key",
			".venv/lib/cacert.pem",
		];
		expect(await whyAsked("grep -r x .", files)).toBeUndefined();
	});

	it("does not follow links, as the command does not", async () => {
		expect(await whyAsked("grep -r x a", ["a/b.ts", "other/.env"], { "a/link": "../other" })).toBeUndefined();
	});

	it("is asked about where more lies below than is looked through", async () => {
		const many = Array.from({ length: 10_001 }, (_, at) => `a/f${at}`);
		expect(await whyAsked("grep -r x .", many)).toBe(
			"More lies below . than is looked through for files of secrets.",
		);
	});
});
