import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { copyPrompts } from "../../src/evals/promptCopy.ts";
import { runEvals } from "../../src/evals/runEvals.ts";
import { EVALUATORS } from "../../src/evals/suites.ts";
import type { Suite } from "../../src/evals/types.ts";
import { evalOptions, servedModel, singleTurnSuite, temporaryFolder } from "../support/evalRun.ts";
import { type PlayServer, startPlayServer } from "../support/playServer.ts";

const servers: PlayServer[] = [];
afterAll(() => Promise.all(servers.map((server) => server.close())));

function writeAll(folder: string, files: Readonly<Record<string, string>>): void {
	for (const [name, text] of Object.entries(files)) {
		mkdirSync(dirname(join(folder, name)), { recursive: true });
		writeFileSync(join(folder, name), text);
	}
}

/** A repository and a person, each with something to tell a model. */
function place(): { cwd: string; configFolder: string; root: string } {
	const root = temporaryFolder();
	const configFolder = temporaryFolder();
	writeAll(root, {
		".git/HEAD": "ref: refs/heads/main",
		"AGENTS.md": "root-says",
		"app/CLAUDE.md": "app-says",
		"app/.agent/MEMORY.md": "- memory-says\n",
		"app/.agent/settings.json": "{}",
		".agent/skills/release/SKILL.md": "---\nname: release\ndescription: skill-says\n---\nDo it.\n",
	});
	writeAll(configFolder, {
		"AGENTS.md": "person-says",
		"USER.md": "- user-says\n",
		"credentials.json": "{}",
	});
	return { cwd: join(root, "app"), configFolder, root };
}

describe("copyPrompts", () => {
	it("takes what is told to the model of a trusted folder and its person, and nothing else", async () => {
		const scratch = temporaryFolder();
		const { cwd, env } = await copyPrompts({ ...place(), trusted: true }, scratch);
		expect(readFileSync(join(cwd, "CLAUDE.md"), "utf8")).toBe("app-says");
		expect(existsSync(join(cwd, ".agent", "MEMORY.md"))).toBe(true);
		expect(existsSync(join(cwd, "..", ".agent", "skills", "release", "SKILL.md"))).toBe(true);
		expect(existsSync(join(env.AGI_HOME, "config", "USER.md"))).toBe(true);
		expect(existsSync(join(cwd, ".agent", "settings.json"))).toBe(false);
		expect(existsSync(join(env.AGI_HOME, "config", "credentials.json"))).toBe(false);
	});

	it("takes only the documents of a folder that is not trusted", async () => {
		const { cwd } = await copyPrompts({ ...place(), trusted: false }, temporaryFolder());
		expect(existsSync(join(cwd, "CLAUDE.md"))).toBe(true);
		expect(existsSync(join(cwd, ".agent"))).toBe(false);
	});

	it("follows no link out of the repository", async () => {
		const source = place();
		const outside = join(temporaryFolder(), "secret.md");
		writeFileSync(outside, "secret");
		symlinkSync(outside, join(source.cwd, "AGENTS.md"));
		symlinkSync(outside, join(source.root, ".agent", "skills", "release", "more.md"));
		const { cwd } = await copyPrompts({ ...source, trusted: true }, temporaryFolder());
		expect(existsSync(join(cwd, "AGENTS.md"))).toBe(false);
		expect(existsSync(join(cwd, "..", ".agent", "skills", "release", "more.md"))).toBe(false);
		expect(existsSync(join(cwd, "..", ".agent", "skills", "release", "SKILL.md"))).toBe(true);
	});
});

describe("runEvals with prompts", () => {
	const MULTI: Suite = {
		...singleTurnSuite([
			{
				id: "turn",
				purpose: "p",
				data: { prompt: "Hello", mockTools: { loadSkill: { mockReturn: "x" } } },
				target: { category: "task-completion", originalTask: "t", expectedText: ["hi"] },
			},
		]),
		kind: "multi-turn",
		evaluators: EVALUATORS["multi-turn"],
	};
	const SINGLE = singleTurnSuite([
		{
			id: "one",
			purpose: "p",
			data: { prompt: "Hello" },
			target: { category: "negative" },
		},
	]);
	const TOLD = ["root-says", "app-says", "person-says", "user-says", "memory-says", "skill-says"];

	async function bodies(suite: Suite, prompts?: { cwd: string; configFolder: string; trusted: boolean }) {
		const server = await startPlayServer(() => ({ text: "hi" }));
		servers.push(server);
		const more = prompts ? { prompts } : {};
		const { run } = await runEvals([suite], evalOptions(servedModel(server.baseUrl), more));
		expect(run.ok).toBe(true);
		return JSON.stringify(server.requests);
	}

	it.each([
		["single-turn", SINGLE],
		["multi-turn", MULTI],
	])("asks %s cases with the instructions, memory and skills of project and person", async (_, suite) => {
		const asked = await bodies(suite, { ...place(), trusted: true });
		expect(TOLD.filter((word) => !asked.includes(word))).toEqual([]);
		expect(asked).toContain('"loadSkill"');
	});

	it.each([
		["single-turn", SINGLE],
		["multi-turn", MULTI],
	])("asks %s cases without the memory and skills of a folder that is not trusted", async (_, suite) => {
		const asked = await bodies(suite, { ...place(), trusted: false });
		expect(TOLD.filter((word) => !asked.includes(word))).toEqual(["memory-says", "skill-says"]);
	});

	it("asks agi's own cases with agi's own instructions alone", async () => {
		const asked = await bodies(SINGLE);
		expect(TOLD.filter((word) => asked.includes(word))).toEqual([]);
	});
});
