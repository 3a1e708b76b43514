// Flags of a headless run that have no test of their own elsewhere: what each changes in the request or the run.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
	ask,
	at,
	commitsOf,
	createProject,
	outcomes,
	runAgi,
	scripted,
	sessionFolders,
} from "../support/program.ts";

function modelOf(body: Buffer | undefined): unknown {
	return JSON.parse(body?.toString("utf8") ?? "{}").model;
}

describe.concurrent("agi -p", () => {
	it("takes a setting from the flag before the environment, and from there before the settings file", async () => {
		const project = createProject();
		const server = await scripted([{ text: "ok" }]);
		mkdirSync(join(project.home, "config"), { recursive: true });
		const settings = { model: "of-file", baseUrl: server.baseUrl };
		writeFileSync(join(project.home, "config", "settings.json"), JSON.stringify(settings));
		const env = { LLM_MODEL: "of-environment" };
		await runAgi(project, ["-p", "hi"]);
		await runAgi(project, ["-p", "hi"], { env });
		await runAgi(project, ["-p", "hi", "-m", "of-flag"], { env });
		expect(server.requests.map(({ body }) => modelOf(body))).toEqual([
			"of-file",
			"of-environment",
			"of-flag",
		]);
	});

	it("sends no key where there is none, and the one of the environment where there is", async () => {
		const project = createProject();
		const server = await scripted([{ text: "ok" }]);
		await runAgi(project, ["-p", "hi", ...at(server)]);
		await runAgi(project, ["-p", "hi", ...at(server)], { env: { LLM_API_KEY: "key-1234" } });
		const sent = server.requests.map(({ headers }) => headers.authorization);
		expect(sent).toEqual([undefined, "Bearer key-1234"]);
	});

	it("adds text to the system prompt with --append-system-prompt", async () => {
		const server = await scripted([{ text: "ok" }]);
		const flags = ["--append-system-prompt", "Answer in rhymes."];
		await ask(createProject(), server, { flags });
		expect(server.requests[0]?.messages[0]).toMatchObject({
			role: "system",
			content: expect.stringMatching(/Answer in rhymes\.$/),
		});
	});

	it("works in a second folder with --add-dir, and only there", async () => {
		const project = createProject();
		for (const name of ["lib", "other"]) {
			mkdirSync(join(project.outer, name));
			writeFileSync(join(project.outer, name, "a.txt"), `of ${name}\n`);
		}
		const calls = ["../lib/a.txt", "../other/a.txt"].map((path) => ({ name: "readFile", args: { path } }));
		const server = await scripted([{ calls }, { text: "ok" }]);
		const { lines } = await ask(project, server, { flags: ["--add-dir", "../lib"] });
		expect(outcomes(lines)).toEqual([
			{ status: "result", text: expect.stringMatching(/^of lib/) },
			{ status: "denied", text: expect.stringMatching(/outside/) },
		]);
	});

	it("goes on with the session that an id, or the beginning of one, names", async () => {
		const project = createProject();
		const server = await scripted([{ text: "one" }, { text: "two" }, { text: "three" }]);
		await runAgi(project, ["-p", "first", ...at(server)]);
		await runAgi(project, ["-p", "second", ...at(server)]);
		const [folder = ""] = sessionFolders(project);
		const begun = commitsOf(folder).flatMap(({ events }) => events);
		const id = folder.split("/").at(-1) ?? "";
		const ended = await runAgi(project, ["-r", id.slice(0, -1), "-p", "third", ...at(server)]);
		expect(ended).toMatchObject({ code: 0, stdout: "three\n" });
		const said = server.requests[2]?.messages.slice(1).map((message) => message.content);
		const firstMessage = begun.find((event) => event.type === "user/message")?.text;
		expect(said).toEqual([firstMessage, firstMessage === "first" ? "one" : "two", "third"]);
	});
});
