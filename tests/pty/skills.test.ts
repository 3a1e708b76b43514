// Skills and what a message brings along, on the screen.

import { describe, expect, it } from "vitest";
import { at, createProject, scripted } from "../support/program.ts";
import { KEYS, openScreen } from "../support/screen.ts";

const COOK = "---\nname: cook\ndescription: Cooks a meal.\n---\nCook $ARGUMENTS well.\n";

describe.concurrent("a skill on the screen", () => {
	it("stands in the palette, is started by its name, and is listed with what was left out", async () => {
		const project = createProject({
			".agent/skills/cook/SKILL.md": COOK,
			".agent/skills/broken/SKILL.md": "no head",
		});
		const server = await scripted([{ text: "Served." }]);
		const run = openScreen(project, [...at(server), "--trust"], { columns: 100, rows: 30 });
		await run.shows(/broken\/SKILL\.md was left out: it does not begin with a head/);
		run.type("/coo");
		await run.shows(/\/cook +Cooks a meal\./);
		run.type(`${KEYS.enter}pea soup${KEYS.enter}`);
		await run.shows(/Served\./);
		await run.printed(/> \/cook pea soup\n +attached: skill cook/);
		expect(server.requests[0]?.messages.at(-1)?.content).toContain("Cook pea soup well.");
		run.type(`/skills${KEYS.enter}`);
		await run.printed(/\/cook \(loaded\)[\s\S]*Left out: \.agent\/skills\/broken\/SKILL\.md/);
	});
});

describe.concurrent("a name that is sent before the session is there", () => {
	it("starts the skill of that name", async () => {
		const project = createProject({ ".agent/skills/cook/SKILL.md": COOK });
		const server = await scripted([{ text: "Served." }]);
		const early = { columns: 100, rows: 30, typedAhead: `/cook pea soup${KEYS.enter}` };
		const run = openScreen(project, [...at(server), "--trust"], early);
		await run.shows(/Served\./);
		expect(server.requests[0]?.messages.at(-1)?.content).toContain("Cook pea soup well.");
	});

	it("comes back with the reason where nothing has that name", async () => {
		const project = createProject();
		const server = await scripted([]);
		const run = openScreen(project, at(server), { typedAhead: `/stattus${KEYS.enter}` });
		await run.shows(/There is no command \/stattus\. Did you mean \/status\?/);
		await run.shows(/> \/stattus/);
		expect(server.requests).toEqual([]);
	});
});

describe.concurrent("a message on the screen", () => {
	it("tells what it brings, and comes back with the reason where that may not be", async () => {
		const project = createProject({ "a.txt": "alpha\n", ".env": "KEY=1" });
		const server = await scripted([{ text: "Seen." }]);
		const run = openScreen(project, [...at(server), "--trust"], { columns: 100, rows: 30 });
		await run.shows(/case-model/);
		run.type(`see @.env ${KEYS.enter}`);
		await run.shows(/\.env is not attached: it usually holds secrets/);
		await run.shows(/see @\.env/);
		run.type(`${KEYS.ctrlC}see @a.txt ${KEYS.enter}`);
		await run.shows(/Seen\./);
		await run.printed(/> see @a\.txt\n +attached: a\.txt/);
		expect(server.requests).toHaveLength(1);
	});
});
