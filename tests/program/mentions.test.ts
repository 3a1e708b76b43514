// What a headless run brings along with its prompt: files that the prompt names and a skill that it starts, and nothing
// that stands in what is piped in.

import { describe, expect, it } from "vitest";
import { at, createProject, runAgi, scripted } from "../support/program.ts";

function asked(server: Awaited<ReturnType<typeof scripted>>): string {
	return server.requests.at(-1)?.messages.at(-1)?.content ?? "";
}

describe.concurrent("agi -p with a prompt that names things", () => {
	it("brings a file of the prompt along, and none of what is piped in", async () => {
		const server = await scripted([{ text: "ok" }]);
		const project = createProject({ "a.txt": "alpha", "b.txt": "beta" });
		const ended = await runAgi(project, ["-p", "compare @a.txt", ...at(server)], { stdin: "with @b.txt" });
		expect(ended.code, ended.stderr).toBe(0);
		expect(asked(server)).toContain('<attachment kind="file" source="a.txt">\nalpha\n</attachment>');
		expect(asked(server)).not.toContain("beta");
	});

	it("starts a skill of a trusted folder by its name", async () => {
		const server = await scripted([{ text: "ok" }]);
		const head = "---\nname: cook\ndescription: Cooks.\n---\n";
		const project = createProject({ ".agent/skills/cook/SKILL.md": `${head}Cook $ARGUMENTS.\n` });
		const ended = await runAgi(project, ["--trust", "-p", "/cook soup", ...at(server)]);
		expect(ended.code, ended.stderr).toBe(0);
		expect(asked(server)).toContain("Cook soup.");
	});

	it("ends with 42 and the reason where a file that holds secrets is named, and asks no model", async () => {
		const server = await scripted([{ text: "ok" }]);
		const project = createProject({ ".env": "KEY=1" });
		const ended = await runAgi(project, ["-p", "read @.env", "--output-format", "json", ...at(server)]);
		expect(ended.code).toBe(42);
		expect(ended.stderr).toMatch(/^\.env is not attached: it usually holds secrets/m);
		expect(JSON.parse(ended.stdout)).toMatchObject({ type: "result", is_error: true });
		expect(server.requests).toEqual([]);
	});
});
