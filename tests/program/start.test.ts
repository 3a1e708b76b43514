// `npm start` without a terminal: which model answers.

import { chmodSync, cpSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { AGI, createProject, type Ended, runShell, scripted } from "../support/program.ts";

/** Runs `start.mjs` in a checkout whose program is the built one, with this `.env`. */
function npmStart(env: string, variables: Record<string, string> = {}): Promise<Ended> {
	const project = createProject({ ".env": env, "package.json": "{}", "scripts/build.mjs": "" });
	cpSync(join(dirname(dirname(AGI)), "scripts", "start.mjs"), project.path("scripts", "start.mjs"));
	mkdirSync(project.path("bin"));
	writeFileSync(project.path("bin", "agi"), '#!/bin/sh\nexec "$AGI" "$@"\n');
	chmodSync(project.path("bin", "agi"), 0o755);
	return runShell(project, 'exec "$NODE" scripts/start.mjs', {
		env: { NODE: process.execPath, ...variables },
	});
}

describe.concurrent("npm start without a terminal", () => {
	it("shows a turn of the model that .env names", async () => {
		const server = await scripted([{ text: "of the server" }]);
		const ended = await npmStart(`LLM_BASE_URL=${server.baseUrl}\nLLM_MODEL=mine\n`);
		expect({ code: ended.code, stdout: ended.stdout }).toEqual({ code: 0, stdout: "of the server\n" });
		expect(server.requests).toHaveLength(1);
	});

	it("shows a turn of the offline model where none is configured", async () => {
		const ended = await npmStart("EXA_API_KEY=\n");
		expect(ended.code).toBe(0);
		expect(ended.stdout).toContain("package.json");
	});

	it("ends as any run does where the settings have a mistake", async () => {
		const ended = await npmStart("", { LLM_BASE_URL: "no address" });
		expect(ended.code).toBe(52);
		expect(ended.stderr).toContain("LLM_BASE_URL");
	});
});
