// Memory on the screen: said, shown, edited, deleted, and kept by agi itself.

import { expect, it } from "vitest";
import { at, createProject, scripted } from "../support/program.ts";
import { KEYS, openScreen } from "../support/screen.ts";

const remember = (text: string) => ({
	calls: [{ name: "memory", args: { action: "add", text, category: "fact" } }],
});

it("is added without a question, shown with category and date, edited and deleted", async () => {
	const project = createProject();
	project.write("editor.sh", '#!/bin/sh\necho "- a line of mine" >> "$1"\n');
	const server = await scripted([remember("The port is 8099"), { text: "Noted." }]);
	const run = openScreen(project, [...at(server), "--trust"], {
		columns: 100,
		rows: 30,
		env: { EDITOR: `sh ${project.path("editor.sh")}` },
	});
	await run.shows(/case-model/);
	run.type(`remember it${KEYS.enter}`);
	await run.shows(/Noted\./);
	run.type(`/memory${KEYS.enter}`);
	await run.printed(/MEMORY\.md \(project, 1 line\)\s+1\. \[fact, \d{4}-\d{2}-\d{2}\] The port is 8099/);
	run.type(`/memory edit${KEYS.enter}`);
	await run.printed(/Written: \.agent\/MEMORY\.md\./);
	run.type(`/memory delete 1${KEYS.enter}`);
	await run.printed(/Forgotten in \.agent\/MEMORY\.md: The port is 8099/);
	expect(project.read(".agent/MEMORY.md")).toBe("# Memory\n\n- a line of mine\n");
});

it("is told in a line where agi kept something by itself, after which the next message is answered at once", async () => {
	const project = createProject();
	const server = await scripted([
		{ text: "First answer." },
		{ text: JSON.stringify({ memories: [{ content: "Tests run with make", category: "fact" }] }) },
		{ text: "Second answer." },
	]);
	const run = openScreen(project, [...at(server), "--trust"], {
		columns: 100,
		rows: 30,
		env: { MEMORY_EXTRACT_EVERY_N_TURNS: "1" },
	});
	await run.shows(/case-model/);
	run.type(`tests run with make here${KEYS.enter}`);
	await run.shows(/Remembered: Tests run with make; \/memory to edit/);
	run.type(`thanks${KEYS.enter}`);
	await run.shows(/Second answer\./);
	expect(project.read(".agent/MEMORY.md")).toMatch(/- \[fact, \d{4}-\d{2}-\d{2}\] Tests run with make\n$/);
});
