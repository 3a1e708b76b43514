import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { at, createProject, scripted } from "../support/program.ts";
import { KEYS, openScreen } from "../support/screen.ts";

const WRITE = { calls: [{ name: "writeFile", args: { path: "n.txt", content: "hello\n" } }] };

describe("a conversation on the screen", () => {
	it("starts, streams, asks before a write, writes after Enter and leaves with the exit command", async () => {
		const project = createProject();
		const server = await scripted([WRITE, { text: "Written **well**." }]);
		const run = openScreen(project, [...at(server), "--trust"]);
		await run.shows(/Ask for anything/);
		run.type("write it");
		await run.shows(/> write it/);
		await run.shows(/case-model/);
		console.log(run.screen());
		run.type(KEYS.enter);
		await run.shows(/asks to run writeFile/);
		console.log(run.screen());
		expect(existsSync(project.path("n.txt"))).toBe(false);
		const since = performance.now();
		await run.comes("600 ms", () => performance.now() - since > 600);
		run.type(KEYS.enter);
		await run.shows(/Written well\./);
		console.log(run.screen(), run.cursor());
		expect(project.read("n.txt")).toBe("hello\n");
		run.type(`/exit${KEYS.enter}`);
		expect(await run.ended).toBe(0);
		console.log(run.everything(), run.modes());
	});
});
