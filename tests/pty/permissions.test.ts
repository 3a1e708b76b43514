// /permissions on the screen: rules are seen, tested, added, taken over and taken out, and hold at once.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { at, createProject, scripted } from "../support/program.ts";
import { dialogAnswers, KEYS, openScreen } from "../support/screen.ts";

describe.concurrent("/permissions", () => {
	it("adds a rule that holds for the next call, tests a command against it, and takes it out", async () => {
		const project = createProject();
		const server = await scripted([
			{ calls: [{ name: "deleteFile", args: { path: "a.txt" } }] },
			{ text: "So be it." },
		]);
		project.write("a.txt", "a\n");
		const run = openScreen(project, at(server), { columns: 110, rows: 30 });
		await run.shows(/case-model/);
		run.type(`/permissions add deny runCommand(rm *)${KEYS.enter}`);
		await run.shows(/holds from now on: deny runCommand\(rm \*\)/);
		run.type(`/permissions test ls; rm x${KEYS.enter}`);
		await run.shows(/allow +ls[\s\S]*deny +rm x[\s\S]*deny +the whole/);
		run.type(`/permissions add deny deleteFile${KEYS.enter}`);
		await run.shows(/from now on: deny deleteFile/);
		run.type(`delete it${KEYS.enter}`);
		await run.shows(/So be it\./);
		expect(existsSync(project.path("a.txt"))).toBe(true);
		run.type(`/permissions remove deleteFile${KEYS.enter}`);
		await run.shows(/Taken out of/);
		run.type(`/permissions${KEYS.enter}`);
		await run.shows(/Rules:\n {2}deny runCommand\(rm \*\)/);
	});

	it("takes over what the project suggests, after a yes", async () => {
		const allow = ["runCommand(npm run check *)"];
		const project = createProject({ ".agent/settings.json": JSON.stringify({ permissions: { allow } }) });
		const server = await scripted([{ text: "ok" }]);
		const run = openScreen(project, at(server), { columns: 110, rows: 30 });
		await run.shows(/case-model/);
		run.type(`/permissions import${KEYS.enter}`);
		await run.shows(/This project suggests:\n {2}allow runCommand\(npm run check \*\)/);
		await run.shows(/❯ 1\. Leave them/);
		await dialogAnswers(run);
		run.type(`${KEYS.down}${KEYS.enter}`);
		await run.shows(/1 rule taken over/);
		const stored = readFileSync(join(project.home, "config", "settings.json"), "utf8");
		expect(JSON.parse(stored).permissions.allow[0].from.project).toBe(project.root);
	});
});
