// A key that tools print in clear, base64 and URL-encoded, in the built program: it stands in no byte of `.agent`, of
// agi's own folders, of what a session is exported as, of what goes to the screen, or of a request.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ask, createProject, type Project, runAgi, scripted, sessionFolders } from "../support/program.ts";

const KEY = "canary/Kq7+Zt4w9Xb2?Lm5";
const SPELLINGS = [
	KEY,
	Buffer.from(KEY).toString("base64"),
	Buffer.from(KEY).toString("base64").replace(/=+$/, ""),
	Buffer.from(KEY).toString("base64url"),
	encodeURIComponent(KEY),
];

describe("a key that tools print", () => {
	it("is in nothing that agi writes, shows, exports or sends", { timeout: 120_000 }, async () => {
		const values = SPELLINGS.map((one, at) => `value ${at} = ${one}`).join("\n");
		const project = createProject({ "values.txt": values });
		const call = (name: string, args: object) => ({ calls: [{ name, args }] });
		const filler = "a long line of output ".repeat(20);
		const server = await scripted([
			call("readFile", { path: "values.txt" }),
			call("runCommand", { command: "cat values.txt; cat values.txt >&2; exit 3" }),
			call("runCommand", { command: `for i in $(seq 300); do echo "${filler}"; done; cat values.txt` }),
			call("searchFiles", { pattern: "value", path: "." }),
			call("executeCode", { code: "console.log(require('fs').readFileSync('values.txt', 'utf8'))" }),
			{ text: `It is ${SPELLINGS.join(" ")}` },
		]);
		const env = { LLM_API_KEY: KEY };
		const { stdout, stderr } = await ask(project, server, { prompt: `look for ${KEY}`, env });
		const [folder = ""] = sessionFolders(project);
		const id = folder.split("/").at(-1)!;
		const shown = [stdout, stderr];
		for (const words of [
			["list", "--json"],
			["search", "value"],
			["search", "canary"],
			["show", id, "--json"],
			["trace", id],
			["trace", id, "--json"],
			["export", id],
			["export", id, "--format", "json"],
			["export", id, "--format", "html"],
			["to-eval", id],
		]) {
			const ran = await runAgi(project, ["sessions", ...words], { env });
			shown.push(ran.stdout, ran.stderr);
		}
		const texts: Record<string, string> = {
			...written(project),
			shown: shown.join("\n"),
			// The key itself belongs into the header alone.
			sent: server.requests.map(({ body }) => body.toString("latin1")).join("\n"),
		};
		expect(server.requests).toHaveLength(6);
		expect(Object.keys(texts).join()).toMatch(/index\.db,[\s\S]*log\.jsonl,[\s\S]*agent\.jsonl,/);
		expect(texts["shown"]).toMatch(/<html[\s\S]*redacted/);
		for (const [where, text] of Object.entries(texts))
			expect([where, SPELLINGS.filter((one) => text.includes(one))]).toEqual([where, []]);
	});
});

/** Every file of agi's own folders and of `.agent`. What undo keeps of the person's files is theirs, byte for byte. */
function written({ home, path }: Project): Record<string, string> {
	const texts: Record<string, string> = {};
	for (const folder of [home, path(".agent")])
		for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
			const name = join(entry.parentPath, entry.name);
			if (entry.isFile() && !name.includes("/snapshots/")) texts[name] = readFileSync(name, "latin1");
		}
	return texts;
}
