// A secret that a tool prints reaches no file of agi, no export and no request, in whatever spelling it is printed.

import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { openHostBench } from "../support/hostBench.ts";
import { createTurnBench } from "../support/turnBench.ts";

const CANARY = "canary/Kq7+Zt4w9Xb2?Lm5";
const SPELLINGS = [
	CANARY,
	Buffer.from(CANARY).toString("base64"),
	Buffer.from(CANARY).toString("base64").replace(/=+$/, ""),
	Buffer.from(CANARY).toString("base64url"),
	encodeURIComponent(CANARY),
];

describe("a secret that tools print in clear, base64 and URL-encoded", () => {
	it("stands in no file of agi, in no export and in no request", { timeout: 60_000 }, async () => {
		const box = realpathSync(mkdtempSync(join(tmpdir(), "agi-canary-")));
		onTestFinished(() => rmSync(box, { recursive: true, force: true }));
		const run = (id: string, name: string, args: Record<string, unknown>) => ({
			calls: [{ id, name, args }],
		});
		const filler = "long line of output ".repeat(20);
		const bench = await openHostBench(
			[
				run("c1", "readFile", { path: "values.txt" }),
				run("c2", "runCommand", {
					command: `for i in $(seq 400); do echo "${filler}"; done; cat values.txt; cat values.txt >&2; false`,
				}),
				run("c3", "searchFiles", { pattern: "value", path: "values.txt" }),
				run("c4", "writeFile", { path: "copy.txt", content: SPELLINGS.join("\n") }),
				run("c5", "editFile", { path: "copy.txt", oldString: SPELLINGS[1], newString: "gone" }),
				{ text: `It is ${SPELLINGS.join(" ")}` },
			],
			{ secrets: [CANARY], prepare: () => undefined },
		);
		bench.write("values.txt", SPELLINGS.map((one, at) => `value ${at} = ${one}`).join("\n"));
		await bench.say(`use ${CANARY}`);
		const exported = await Promise.all(
			(["markdown", "json"] as const).map((format) => bench.ok({ do: "exportSession", format })),
		);
		await bench.close();
		// The person's own file keeps it; agi's memory of what happened does not.
		expect(readFileSync(join(bench.root, "copy.txt"), "utf8")).toContain(CANARY);
		const texts = new Map<string, string>([
			...filesBelow(bench.home).filter(([path]) => !path.includes("/snapshots/")),
			...filesBelow(join(bench.root, ".agent")),
			...exported.map((text, at) => [`export ${at}`, text] as const),
			["requests", bench.model.requests.map((request) => JSON.stringify(request)).join("\n")],
		]);
		expect(texts.size).toBeGreaterThan(4);
		const found = [...texts].flatMap(([path, text]) =>
			SPELLINGS.filter((one) => text.includes(one)).map((one) => `${path}: ${one}`),
		);
		expect(found).toEqual([]);
	});
});

describe("a text that holds the mark of a secret", () => {
	it("is not written over the secret; a file that holds the mark itself can be edited", async () => {
		const calls = (name: string, args: Record<string, unknown>) => ({ calls: [{ name, args }] });
		const bench = await createTurnBench({
			files: { ".config": `token = ${CANARY}\nport = 1\n`, "doc.md": "shown as [redacted: secret]\nold\n" },
			mode: "bypassPermissions",
			secrets: [CANARY],
			script: [
				calls("readFile", { path: ".config" }),
				calls("writeFile", { path: ".config", content: "token = [redacted: secret]\nport = 2\n" }),
				calls("editFile", {
					path: ".config",
					oldString: "port = 1",
					newString: "port = 2 # [redacted: API key]",
				}),
				calls("editFile", { path: ".config", oldString: "port = 1", newString: "port = 2" }),
				calls("editFile", { path: "doc.md", oldString: "old", newString: "new" }),
				{ text: "ok" },
			],
		});
		onTestFinished(() => bench.remove());
		await bench.say("go");
		const results = (await bench.events()).flatMap((event) =>
			event.type === "tool/result" ? [event.status] : [],
		);
		expect(results).toEqual(["result", "error", "error", "result", "result"]);
		expect(readFileSync(join(bench.root, ".config"), "utf8")).toBe(`token = ${CANARY}\nport = 2\n`);
	});
});

function filesBelow(folder: string): [path: string, text: string][] {
	return readdirSync(folder, { recursive: true, encoding: "utf8" })
		.map((name) => join(folder, name))
		.filter((path) => statSync(path).isFile())
		.map((path) => [path, readFileSync(path, "latin1")]);
}
