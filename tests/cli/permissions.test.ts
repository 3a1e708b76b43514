// `agi permissions`: the rules with their places, changes in the person's own file, and the verdict on a command.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type CommandLine, parseArguments } from "../../src/cli/arguments.ts";
import { permissionsCommand } from "../../src/cli/permissions.ts";
import { type Desk, openDesk } from "../support/recordedSession.ts";

let desk: Desk;
let file: string;
beforeEach(() => {
	desk = openDesk();
	file = join(desk.home, "config", "settings.json");
	mkdirSync(join(desk.home, "config"), { recursive: true });
});
afterEach(() => desk.remove());

async function run(...words: string[]): Promise<{ code: number; out: string; err: string }> {
	const parsed = parseArguments(["permissions", ...words]) as CommandLine<"permissions">;
	const code = await permissionsCommand(parsed, desk.around).catch((error) => {
		desk.around.err(error.message);
		return error.exitCode as number;
	});
	return { code, ...desk.taken() };
}

const stored = (): unknown => JSON.parse(readFileSync(file, "utf8"));

describe("permissionsCommand add", () => {
	it.each([
		["runCommnd", "names a tool that agi does not have. Did you mean runCommand?"],
		["runCommnd(npm test *)", "names a tool that agi does not have."],
		["updatePlan(x)", "narrows updatePlan, which can only be named as a whole."],
	])("refuses %s, by which nothing would be stopped", async (rule, problem) => {
		const { code, err } = await run("add", "deny", rule);
		expect(code).toBe(2);
		expect(err).toContain(`The rule ${JSON.stringify(rule)} ${problem}`);
		expect(existsSync(file)).toBe(false);
	});

	it("takes a tool of a server that is not there", async () => {
		expect((await run("add", "deny", "mcp__files__write")).code).toBe(0);
		expect(stored()).toEqual({ permissions: { deny: ["mcp__files__write"] } });
	});
});

describe("permissionsCommand list", () => {
	it("lists every rule, the strictest first, with the file it stands in and why", async () => {
		const permissions = {
			allow: ["runCommand(npm test *)"],
			deny: [{ tool: "runCommand", argv: ["git", "push", "*"], why: "CI pushes" }],
		};
		writeFileSync(file, JSON.stringify({ permissions }));
		expect((await run()).out).toBe(
			`deny   runCommand(git push *)  (${file})  CI pushes\nallow  runCommand(npm test *)  (${file})\n`,
		);
		expect(JSON.parse((await run("list", "--json")).out).rules).toEqual([
			{ effect: "deny", rule: "runCommand(git push *)", layer: "user", origin: file, why: "CI pushes" },
			{ effect: "allow", rule: "runCommand(npm test *)", layer: "user", origin: file },
		]);
	});

	it("shows what a trusted project would like to allow, as a suggestion that does not hold", async () => {
		const folder = join(desk.around.folder(), ".agent");
		mkdirSync(folder, { recursive: true });
		writeFileSync(
			join(folder, "settings.json"),
			JSON.stringify({ permissions: { allow: ["runCommand(npm *)"], deny: ["webFetch"] } }),
		);
		// A sandbox would let the command run, whatever the rules say.
		writeFileSync(file, JSON.stringify({ sandbox: { mode: "none" } }));
		const { rules, suggested } = JSON.parse((await run("--trust", "--json")).out);
		expect(rules.map(({ rule, layer }: { rule: string; layer: string }) => [rule, layer])).toEqual([
			["webFetch", "project"],
		]);
		expect(suggested[0].rule).toBe("runCommand(npm *)");
		expect(JSON.parse((await run("test", "npm run x", "--trust", "--json")).out).verdict).toBe("ask");
		expect(JSON.parse((await run("--json")).out)).toEqual({ rules: [], suggested: [] });
	});

	it("names file, line and key of a rule that cannot be read", async () => {
		writeFileSync(
			file,
			'{\n\t"permissions": {\n\t\t"deny": [\n\t\t\t"webSearch",\n\t\t\t"runCommand(git"\n\t\t]\n\t}\n}\n',
		);
		const { code, err } = await run();
		expect(code).toBe(52);
		expect(err).toContain(`${file} has a mistake: line 5: "permissions.deny.1" is no rule`);
	});
});

describe("permissionsCommand add and remove", () => {
	it("changes the person's file and nothing else in it", async () => {
		writeFileSync(file, '{\n  "model": "m",\n  "permissions": { "ask": ["webFetch"] }\n}\n');
		expect((await run("add", "allow", "runCommand(npm run test *)")).code).toBe(0);
		expect((await run("add", "allow", "runCommand(npm  run test *)")).out).toContain("Stands already in");
		expect(stored()).toEqual({
			model: "m",
			permissions: { ask: ["webFetch"], allow: ["runCommand(npm run test *)"] },
		});
		expect(readFileSync(file, "utf8")).toContain('\n  "model"');
		expect((await run("remove", "webFetch")).out).toBe(`Taken out of ${file}: webFetch\n`);
		expect(await run("remove", "webFetch")).toMatchObject({
			code: 1,
			err: expect.stringContaining("There is no rule webFetch"),
		});
		expect(stored()).toEqual({ model: "m", permissions: { ask: [], allow: ["runCommand(npm run test *)"] } });
	});

	it.each([
		[["add", "allow", "runCommand(a * b)"], 2, "has a * before its end"],
		[["add", "deny", "runCommand("], 2, "is no rule"],
	])("refuses %j with exit %d and says why", async (words, code, reason) => {
		expect(await run(...words)).toMatchObject({ code, err: expect.stringContaining(reason) });
	});

	it("touches no file that is wrong already", async () => {
		writeFileSync(file, '{"permissions": 3}');
		expect(await run("add", "deny", "webFetch")).toMatchObject({ code: 52 });
		expect(readFileSync(file, "utf8")).toBe('{"permissions": 3}');
	});

	it("refuses an effect that is none", () => {
		expect(parseArguments(["permissions", "add", "permit", "webFetch"])).toMatchObject({
			command: "usage",
			message: "EFFECT must be one of allow, ask, deny.",
		});
	});
});

describe("permissionsCommand import", () => {
	const suggest = (permissions: object) => {
		const folder = join(desk.around.folder(), ".agent");
		mkdirSync(folder, { recursive: true });
		writeFileSync(join(folder, "settings.json"), JSON.stringify({ permissions }));
	};
	const allowed = async () =>
		JSON.parse((await run("--trust", "--json")).out).rules.map(({ rule }: { rule: string }) => rule);

	it("shows what a trusted project suggests and stores it; it holds until that file changes, which is said", async () => {
		suggest({ allow: ["runCommand(npm test *)"] });
		const taken = await run("import", "--trust");
		expect(taken).toMatchObject({ code: 0 });
		expect(taken.out).toMatch(/^This project suggests:\nallow {2}runCommand\(npm test \*\)/);
		expect(taken.out).toContain(`Taken over into ${file}.`);
		expect(await allowed()).toEqual(["runCommand(npm test *)"]);
		suggest({ allow: ["runCommand(npm test *)", "runCommand(npm run *)"] });
		const { out, err } = await run("--trust");
		expect(err).toContain("no longer counts: the file has changed since");
		expect(out).toContain("You have no rules of your own");
		await run("import", "--trust");
		expect(await allowed()).toEqual(["runCommand(npm test *)", "runCommand(npm run *)"]);
	});

	it("stores nothing where the person says no, or where nothing was read", async () => {
		expect(await run("import")).toMatchObject({ code: 1, err: expect.stringContaining("not trusted") });
		expect(await run("import", "--trust")).toMatchObject({
			code: 1,
			err: expect.stringContaining("no rules"),
		});
		suggest({ allow: ["webFetch"] });
		desk.around.confirm = async () => false;
		expect(await run("import", "--trust")).toMatchObject({
			code: 1,
			err: expect.stringContaining("Nothing was taken over"),
		});
		expect(await allowed()).toEqual([]);
	});

	it("lets no file but the person's own say that a rule was taken over", async () => {
		const from = { project: desk.around.folder(), digest: "x" };
		suggest({ deny: [{ tool: "webFetch", from }] });
		expect(await run("--trust")).toMatchObject({ code: 52, err: expect.stringContaining("has from") });
	});
});

describe("permissionsCommand test", () => {
	it("gives the verdict on each part and the rule that decided, and runs nothing", async () => {
		writeFileSync(
			file,
			JSON.stringify({ permissions: { allow: ["runCommand(git status *)"], deny: ["runCommand(rm *)"] } }),
		);
		const tested = JSON.parse((await run("test", "git status; rm -rf x", "--json")).out);
		expect(tested).toMatchObject({
			verdict: "deny",
			parts: [
				{ command: "git status", verdict: "allow", rule: "user: allow runCommand(git status *)" },
				{ command: "rm -rf x", verdict: "deny", rule: "user: deny runCommand(rm *)" },
			],
		});
		expect((await run("test", "git status; rm -rf x")).out).toMatch(
			/^allow {2}git status\n[\s\S]*^deny {3}rm -rf x\n[\s\S]*^deny {3}the whole\n/m,
		);
	});

	it("says why a command has no parts, and what a yes could be kept as", async () => {
		expect(JSON.parse((await run("test", "ls > x", "--json")).out)).toMatchObject({
			verdict: "ask",
			parts: [],
			opaque: "it redirects its output",
		});
		expect((await run("test", "npm test")).out).toContain(
			"A yes could be kept as: allow runCommand(npm test *)",
		);
		expect(JSON.parse((await run("test", "ls", "--json")).out)).toMatchObject({
			verdict: "allow",
			rule: "read-only",
		});
		expect(JSON.parse((await run("test", "sudo ls", "--json")).out)).toMatchObject({
			rule: "never-remembered",
		});
	});
});

describe("permissionsCommand why", () => {
	it("says that nothing was asked where there is no session", async () => {
		expect(await run("why")).toMatchObject({
			code: 1,
			out: "",
			err: expect.stringContaining("No question was asked"),
		});
	});
});
