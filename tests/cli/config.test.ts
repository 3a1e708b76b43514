import {
	lstatSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type CommandLine, parseArguments } from "../../src/cli/arguments.ts";
import { configCommand } from "../../src/cli/config.ts";
import { type Desk, openDesk } from "../support/recordedSession.ts";

let desk: Desk;
let file: string;
beforeEach(() => {
	desk = openDesk();
	file = join(desk.home, "config", "settings.json");
});
afterEach(() => desk.remove());

async function run(...words: string[]): Promise<{ code: number; out: string; err: string }> {
	const parsed = parseArguments(["config", ...words]) as CommandLine<"config">;
	const code = await configCommand(parsed, desk.around).catch((error) => {
		desk.around.err(error.message);
		return error.exitCode as number;
	});
	return { code, ...desk.taken() };
}

function writeSettings(text: string): void {
	mkdirSync(join(desk.home, "config"), { recursive: true });
	writeFileSync(file, text);
}

describe("configCommand path", () => {
	it("tells where the user's file is, whether it exists or not", async () => {
		expect(await run("path")).toEqual({ code: 0, out: `${file}\n`, err: "" });
		expect(JSON.parse((await run("path", "--json")).out)).toEqual({ path: file });
	});
});

describe("configCommand set", () => {
	it("makes a private file in a private folder, whole, with nothing beside it", async () => {
		expect(await run("set", "model", "some-model")).toEqual({
			code: 0,
			out: `model = some-model in ${file}\n`,
			err: "",
		});
		expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ model: "some-model" });
		expect(statSync(file).mode & 0o777).toBe(0o600);
		expect(statSync(join(desk.home, "config")).mode & 0o777).toBe(0o700);
		expect(readdirSync(join(desk.home, "config"))).toEqual(["settings.json"]);
	});

	it.each([
		["limits.stepsPerTurn", "7", 7],
		["limits.costPerSession", "0.5", 0.5],
		["sandbox.required", "true", true],
		["model", "4", "4"],
		["permissions.deny", '["webFetch","runCommand(rm *)"]', ["webFetch", "runCommand(rm *)"]],
		["permissions.deny", "webFetch", ["webFetch"]],
	])("reads the value of %s from %s in the kind that the key takes", async (key, written, value) => {
		await run("set", key, written);
		const [section = "", inner] = key.split(".");
		const settings = JSON.parse(readFileSync(file, "utf8"));
		expect(inner === undefined ? settings[section] : settings[section][inner]).toEqual(value);
	});

	it("leaves everything else in the file as it is, its order and indentation too", async () => {
		writeSettings(
			'{\n  "$schema": "s.json",\n  "limits": {\n    "toolSeconds": 5\n  },\n  "theme": "dark"\n}\n',
		);
		await run("set", "limits.stepsPerTurn", "9");
		expect(readFileSync(file, "utf8")).toBe(
			'{\n  "$schema": "s.json",\n  "limits": {\n    "toolSeconds": 5,\n    "stepsPerTurn": 9\n  },\n  "theme": "dark"\n}\n',
		);
	});

	it("writes through a link and leaves it a link", async () => {
		const target = join(desk.project, "dotfile.json");
		writeFileSync(target, "{}");
		mkdirSync(join(desk.home, "config"), { recursive: true });
		symlinkSync(target, file);
		await run("set", "theme", "light");
		expect(lstatSync(file).isSymbolicLink()).toBe(true);
		expect(JSON.parse(readFileSync(target, "utf8"))).toEqual({ theme: "light" });
	});

	it.each([
		["limits.stepPerTurn", "7", "Did you mean limits.stepsPerTurn?"],
		["limits", "7", "Did you mean limits.stepsPerTurn, limits.toolCallsPerTurn"],
		["apiKey", "k", "There is no setting apiKey."],
	])("refuses the key %s with 2 and the right one", async (key, value, way) => {
		const { code, err } = await run("set", key, value);
		expect(code).toBe(2);
		expect(err).toContain(way);
		expect(readdirSync(desk.project)).toEqual([]);
	});

	it("refuses a value that the key cannot have with 2, and changes nothing", async () => {
		writeSettings('{"theme": "dark"}');
		const { code, err } = await run("set", "theme", "purple");
		expect(code).toBe(2);
		expect(err).toBe('"theme" must be one of auto, dark, light, not purple.\n');
		expect(readFileSync(file, "utf8")).toBe('{"theme": "dark"}');
	});

	it("mends a file whose one mistake is the value that is set", async () => {
		writeSettings('{"limits": {"stepsPerTurn": "many"}}');
		expect((await run("set", "limits.stepsPerTurn", "9")).code).toBe(0);
		expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ limits: { stepsPerTurn: 9 } });
	});

	it.each(["{ no json", '{"modle": "x"}', "[1]"])(
		"refuses to touch a file that is wrong: %s",
		async (text) => {
			writeSettings(text);
			const { code, err } = await run("set", "theme", "dark");
			expect(code).toBe(52);
			expect(err).toContain("nothing was changed");
			expect(readFileSync(file, "utf8")).toBe(text);
		},
	);

	it("says where something stronger sets the key too", async () => {
		desk = openDesk({ LLM_MODEL: "other" });
		expect((await run("set", "model", "mine")).err).toBe(
			"LLM_MODEL sets model too, and holds as long as it does.\n",
		);
	});
});

describe("configCommand get", () => {
	it("gives the bare value that holds, and with --json its source", async () => {
		await run("set", "model", "mine");
		expect((await run("get", "model")).out).toBe("mine\n");
		expect(JSON.parse((await run("get", "model", "--json")).out)).toEqual({
			key: "model",
			value: "mine",
			source: file,
		});
	});

	it.each([
		["compaction.threshold", 0.8],
		["memory.extractEveryTurns", 3],
		["limits.toolSeconds", 600],
		["limits.stepsPerTurn", 500],
	])("gives the default of %s where it is not set, and says that it is one", async (key, value) => {
		expect(await run("get", key)).toEqual({
			code: 0,
			out: `${value}\n`,
			err: `${key} is not set; this is the default.\n`,
		});
		const { code, out, err } = await run("get", key, "--json");
		expect({ code, err, line: JSON.parse(out) }).toEqual({
			code: 0,
			err: "",
			line: { key, value, source: "default" },
		});
	});

	it("ends with 1 where the key is not set, and with 2 where there is no such key", async () => {
		expect(await run("get", "theme")).toEqual({ code: 1, out: "", err: "theme is not set.\n" });
		const { code, err } = await run("get", "themes");
		expect({ code, err }).toEqual({ code: 2, err: "There is no setting themes. Did you mean theme?\n" });
	});

	it("ends with 52 and the line where the file is wrong", async () => {
		writeSettings('{\n"modle": "x"\n}');
		const { code, err } = await run("get", "theme");
		expect(code).toBe(52);
		expect(err).toContain("line 2");
	});
});

describe("configCommand list", () => {
	it("shows every key that is set with value and source, a key of a server never", async () => {
		desk = openDesk({ LLM_API_KEY: "k-secret", LLM_MODEL: "mine" });
		await run("set", "limits.stepsPerTurn", "7");
		const listed = JSON.parse((await run("list", "--json")).out);
		expect(listed).toContainEqual({ key: "model", value: "mine", source: "LLM_MODEL" });
		expect(listed).toContainEqual({
			key: "limits.stepsPerTurn",
			value: 7,
			source: join(desk.home, "config", "settings.json"),
		});
		expect(listed).toContainEqual({ key: "apiKey", value: "(set, not shown)", source: "LLM_API_KEY" });
		const { out } = await run("list");
		expect(out).toMatch(/^model = mine +\(LLM_MODEL\)$/m);
		expect(out).toMatch(/^compaction\.threshold = 0\.8 +\(default\)$/m);
		expect(out).not.toContain("k-secret");
	});
});
