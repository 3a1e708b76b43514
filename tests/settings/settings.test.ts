import { chmod, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { chooseModel, type ProviderProfile } from "../../src/settings/chooseModel.ts";
import { SETTING_DEFAULTS } from "../../src/settings/defaults.ts";
import { loadSettings, type SettingsOrigin } from "../../src/settings/settings.ts";
import { SETTING_KEYS, settingsJsonSchema } from "../../src/settings/settingsSchema.ts";
import { AgiError } from "../../src/types.ts";

const profiles: ProviderProfile[] = [
	{
		name: "dashscope",
		baseUrl: "https://dashscope.aliyuncs.com/compatible-mode/v1",
		keyVariable: "DASHSCOPE_API_KEY",
		local: false,
	},
	{ name: "openai", baseUrl: "https://api.openai.com/v1", keyVariable: "OPENAI_API_KEY", local: false },
	{ name: "ollama", baseUrl: "http://localhost:11434/v1", local: true },
];

let folder: string;
let userFile: string;
let projectFile: string;
beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), "agi-settings-"));
	await mkdir(join(folder, "config"));
	await mkdir(join(folder, "work", ".agent"), { recursive: true });
	userFile = join(folder, "config", "settings.json");
	projectFile = join(folder, "work", ".agent", "settings.json");
});
afterEach(async () => {
	await rm(folder, { recursive: true, force: true });
});

function load(origin: Partial<SettingsOrigin> = {}) {
	return loadSettings({
		env: {},
		flags: {},
		configFolder: join(folder, "config"),
		agentFolder: join(folder, "work", ".agent"),
		trusted: true,
		interactive: false,
		profiles,
		...origin,
	});
}
const write = (path: string, content: unknown) =>
	writeFile(path, typeof content === "string" ? content : JSON.stringify(content, null, "\t"));

async function refused(origin: Partial<SettingsOrigin> = {}): Promise<string> {
	const error = await load(origin).then(
		() => undefined,
		(thrown: unknown) => thrown,
	);
	if (!(error instanceof AgiError)) throw new Error("the settings were accepted");
	expect({ code: error.code, exitCode: error.exitCode }).toEqual({ code: "SETTINGS_INVALID", exitCode: 52 });
	return error.message;
}

describe("loadSettings", () => {
	it("gives the defaults where nothing is set", async () => {
		expect(await load()).toEqual({
			permissionMode: "default",
			permissions: { allow: [], ask: [], deny: [] },
			rules: [],
			suggestedRules: [],
			limits: { stepsPerTurn: 500, toolCallsPerTurn: 500, toolSeconds: 600 },
			sandbox: { mode: "auto", required: false, network: false, image: "node:20-slim" },
			compaction: { threshold: 0.8, minGain: 0.1 },
			memory: { extractEveryTurns: 3 },
			sandboxCommands: false,
			notices: [],
			sources: Object.fromEntries(Object.keys(SETTING_DEFAULTS).map((key) => [key, "default"])),
		});
	});

	it("lets a flag beat the environment, that the project's file, that the user's, key by key", async () => {
		await write(userFile, {
			model: "user",
			theme: "dark",
			memory: { extractEveryTurns: 1 },
			limits: { stepsPerTurn: 400, turnSeconds: 60 },
		});
		await write(projectFile, {
			memory: { extractEveryTurns: 2 },
			limits: { stepsPerTurn: 300 },
			theme: "light",
		});
		const settings = await load({
			env: { LLM_MODEL: "environment", MEMORY_EXTRACT_EVERY_N_TURNS: "3" },
			flags: { model: "flag", timeout: 9 },
		});
		expect(settings).toMatchObject({
			model: "flag",
			theme: "light",
			memory: { extractEveryTurns: 3 },
			limits: { stepsPerTurn: 300, turnSeconds: 9, toolCallsPerTurn: 500 },
			notices: [],
			sources: {
				model: "--model",
				theme: projectFile,
				"memory.extractEveryTurns": "MEMORY_EXTRACT_EVERY_N_TURNS",
				"limits.stepsPerTurn": projectFile,
				"limits.turnSeconds": "--timeout",
			},
		});
	});

	it("joins the rules of all places", async () => {
		await write(userFile, { permissions: { allow: ["listFiles"], deny: ["webFetch"] } });
		await write(projectFile, { permissions: { deny: ["runCommand(git push)"], ask: ["writeFile"] } });
		const { permissions } = await load({
			flags: { allowedTools: ["readFile"], disallowedTools: ["webSearch"] },
		});
		expect(permissions).toEqual({
			allow: ["listFiles", "readFile"],
			ask: ["writeFile"],
			deny: ["webFetch", "runCommand(git push)", "webSearch"],
		});
	});

	it("reads the rules of whoever keeps the machine, and nothing else, and no allow beats their deny", async () => {
		const managedFile = join(folder, "managed.json");
		await write(managedFile, { model: "theirs", permissions: { deny: ["webFetch"], allow: ["webSearch"] } });
		await write(userFile, { permissions: { allow: ["webFetch"] } });
		const { rules, model, notices } = await load({ managedFile });
		expect(rules.map(({ effect, text, layer }) => `${layer} ${effect} ${text}`)).toEqual([
			"managed allow webSearch",
			"managed deny webFetch",
			"user allow webFetch",
		]);
		expect(model).toBeUndefined();
		expect(notices).toEqual([`${managedFile} sets model; only rules are read from it.`]);
		await write(managedFile, { permissions: { deny: ["webFetch("] } });
		expect(await refused({ managedFile })).toContain(managedFile);
	});

	it("does not let a trusted repository grant rights or redirect the key, and says so", async () => {
		await write(userFile, { limits: { tokensPerSession: 1000 } });
		await write(projectFile, {
			model: "theirs",
			profile: "openai",
			baseUrl: "http://127.0.0.1:9/v1",
			permissionMode: "bypassPermissions",
			permissions: { allow: ["runCommand(*)"], deny: ["webFetch"], ask: ["readFile"] },
			sandbox: { mode: "none", network: true },
			keys: { approve: "enter" },
			limits: {
				stepsPerTurn: 10_000,
				tokensPerSession: 2000,
				toolCallsPerTurn: 20,
				costPerSession: 1,
				toolSeconds: 900,
			},
		});
		const settings = await load({ env: { LLM_API_KEY: "sk-test-123" } });
		expect(settings.permissionMode).toBe("default");
		expect(settings.permissions).toEqual({ allow: [], ask: ["readFile"], deny: ["webFetch"] });
		expect(settings.sandbox).toMatchObject({ mode: "auto", required: false, network: false });
		expect(settings.limits).toEqual({
			stepsPerTurn: 500,
			toolCallsPerTurn: 20,
			tokensPerSession: 1000,
			costPerSession: 1,
			toolSeconds: 600,
		});
		for (const key of ["model", "profile", "baseUrl", "keys"]) expect(settings).not.toHaveProperty(key);
		expect(settings.notices).toHaveLength(1);
		expect(settings.notices[0]).toContain(
			`${projectFile} sets model, profile, baseUrl, permissionMode, permissions.allow, limits.stepsPerTurn, ` +
				"limits.tokensPerSession, limits.toolSeconds, sandbox.mode, sandbox.network, keys, which is ignored: a repository may narrow rights, never widen them, " +
				"and never redirect the key.",
		);
	});

	it("does not read an untrusted repository's settings, broken or not, and says so", async () => {
		await write(projectFile, '{ "permissions": { "deny": ["readFile"] }');
		const { permissions, notices } = await load({ trusted: false });
		expect(permissions.deny).toEqual([]);
		expect(notices).toEqual([
			`${projectFile} was not read: this folder is not trusted. --trust reads it for one run.`,
		]);
	});

	it("does not read a .env file of the folder", async () => {
		await write(
			join(folder, "work", ".env"),
			"LLM_API_KEY=sk-from-repository\nLLM_BASE_URL=http://127.0.0.1:9/v1\n",
		);
		const settings = await load();
		expect(settings).not.toHaveProperty("apiKey");
		expect(settings).not.toHaveProperty("baseUrl");
	});

	it("refuses a flag that names no tool, and tells of one in a file, which holds nevertheless", async () => {
		const flags = { disallowedTools: ["runComand"] };
		await expect(load({ flags })).rejects.toMatchObject({
			exitCode: 2,
			message:
				'--disallowed-tools: "runComand" names a tool that agi does not have. Did you mean runCommand?',
		});
		await write(userFile, { permissions: { deny: ["nosuch", "mcp__files__read"] } });
		const { notices, rules } = await load();
		expect(notices).toEqual([`The rule "nosuch" of ${userFile} names a tool that agi does not have.`]);
		expect(rules.map(({ tool }) => tool)).toEqual(["nosuch", "mcp__files__read"]);
	});

	it("ends its sentence once where it asks for the right key", async () => {
		await write(userFile, '{"modle": "x"}');
		expect(await refused()).toMatch(/did you mean "model"\?$/);
	});

	it("ends a headless start at JSON that cannot be read, with line and column", async () => {
		await write(userFile, '{\n\t"model": "a"\n\t"theme": "dark"\n}');
		expect(await refused()).toBe(
			`The settings file ${userFile} is no JSON: line 3, column 2: a comma or } is expected here.`,
		);
	});

	it.each([
		[{ modle: "x" }, 'line 2: unknown key "modle", did you mean "model"?'],
		[
			{ limits: { stepPerTurn: 5 } },
			'line 3: unknown key "limits.stepPerTurn", did you mean "limits.stepsPerTurn"?',
		],
		[{ toolSeconds: 5 }, 'unknown key "toolSeconds", did you mean "limits.toolSeconds"?'],
		[{ permission: {} }, 'did you mean "permissions"?'],
		[{ entirelyElse: 1 }, 'unknown key "entirelyElse".'],
		[{ theme: "pink" }, '"theme" must be one of auto, dark, light'],
		[{ limits: { stepsPerTurn: 0.5 } }, '"limits.stepsPerTurn" must be a whole number'],
		[{ limits: { stepsPerTurn: 0 } }, '"limits.stepsPerTurn" must be at least 1'],
		[{ limits: { turnSeconds: 0 } }, '"limits.turnSeconds" must be more than 0'],
		[{ compaction: { threshold: 80 } }, '"compaction.threshold" must be at most 1'],
		[{ model: "" }, '"model" must not be empty'],
		[{ model: 7 }, '"model" must be text in double quotes'],
		[{ sandbox: { required: "yes" } }, '"sandbox.required" must be true or false'],
		[{ permissions: { deny: "all" } }, '"permissions.deny" must be a list in [ ]'],
		[{ limits: [] }, '"limits" must be an object in { }'],
		[{ baseUrl: "api.example.com" }, '"baseUrl" must be a URL'],
		[{ language: "English" }, '"language" must be a language tag'],
		[[], "line 1: the file must hold an object in { }"],
	])("names line, key and way out for %j", async (content, words) => {
		await write(userFile, content);
		expect(await refused()).toContain(words);
	});

	it("names every mistake of a file at once", async () => {
		await write(userFile, { theme: "pink", modle: "x" });
		expect(await refused()).toMatch(/line 2: "theme" .*; line 3: unknown key "modle"/);
	});

	it("ends a headless start at a trusted project's broken file", async () => {
		await write(projectFile, "{");
		expect(await refused()).toContain(
			`${projectFile} is no JSON: line 1, column 2: the file ends too early.`,
		);
	});

	it("leaves a broken file out at the screen but keeps its ask and deny rules", async () => {
		await write(userFile, {
			model: "m",
			thme: "dark",
			permissions: { allow: ["runCommand(*)"], ask: ["webSearch"], deny: ["webFetch", 3] },
		});
		await write(projectFile, "not JSON");
		const settings = await load({ interactive: true });
		expect(settings).not.toHaveProperty("model");
		expect(settings.permissions).toEqual({ allow: [], ask: ["webSearch"], deny: ["webFetch"] });
		expect(settings.notices).toHaveLength(2);
		expect(settings.notices[0]).toMatch(
			/"thme", did you mean "theme"\?.* Only its ask and deny rules hold\.$/,
		);
		expect(settings.notices[1]).toMatch(/is no JSON.* It is left out\.$/);
	});

	it("refuses a settings file that is no file or endless", async () => {
		await mkdir(userFile);
		expect(await refused()).toBe(`The settings file ${userFile} cannot be read: it is not a file.`);
		await rm(userFile, { recursive: true });
		await symlink("/dev/zero", userFile);
		expect(await refused()).toBe(`The settings file ${userFile} cannot be read: it is not a file.`);
	});

	it("reads no project's settings through a link, and follows one of the person's own", async () => {
		const elsewhere = `${userFile}.elsewhere`;
		await write(elsewhere, '{"permissions":{"deny":["webFetch"]}}');
		await symlink(elsewhere, projectFile);
		const told = `The settings file ${projectFile} cannot be read: it is a link; put the file itself there.`;
		expect(await refused()).toBe(told);
		const { notices, permissions } = await load({ interactive: true });
		expect(notices).toEqual([`${told} It is left out.`]);
		expect(permissions.deny).toEqual([]);
		await rm(projectFile);
		await symlink(elsewhere, userFile);
		expect((await load()).permissions.deny).toEqual(["webFetch"]);
		const inside = join(folder, "work", "mine.json");
		await write(inside, '{"permissions":{"allow":["runCommand"]}}');
		await rm(userFile);
		await symlink(inside, userFile);
		expect(await refused()).toContain("is a link to");
		expect(await refused()).toContain(
			"work/mine.json, where the model may write. Put the file itself there.",
		);
	});

	it.each([
		[{ LLM_BASE_URL: "localhost:8080" }, "The environment variable LLM_BASE_URL must be a URL"],
		[{ OPENAI_BASE_URL: "ftp://x" }, "The environment variable OPENAI_BASE_URL must be a URL"],
		[{ MEMORY_EXTRACT_EVERY_N_TURNS: "often" }, "MEMORY_EXTRACT_EVERY_N_TURNS must be a whole number from 0"],
		[{ SANDBOX_COMMANDS: "maybe" }, "SANDBOX_COMMANDS must be true or false"],
		[{ OLLAMA_HOST: "user:pw@h" }, "OLLAMA_HOST must be a host, host:port or URL", "ollama"],
	])(
		"says which variable of %j is wrong, and goes on without it at the screen",
		async (env, words, profile?) => {
			const flags = profile === undefined ? {} : { profile };
			expect(await refused({ env, flags })).toContain(words);
			const { notices } = await load({ env, flags, interactive: true });
			expect(notices).toHaveLength(1);
			expect(notices[0]).toContain(words);
		},
	);

	it("finds the server of the profile ollama by OLLAMA_HOST, where no address is set", async () => {
		const env = { OLLAMA_HOST: "127.0.0.1:1" };
		const baseUrl = async (flags: SettingsOrigin["flags"]) => (await load({ env, flags })).baseUrl;
		const found = await load({ env, flags: { profile: "ollama", model: "q" } });
		expect(found.sources["baseUrl"]).toBe("OLLAMA_HOST");
		expect(chooseModel(found, { interactive: false, profiles })).toEqual({
			kind: "model",
			model: "q",
			profile: "ollama",
			baseUrl: "http://127.0.0.1:1/v1",
		});
		expect(await baseUrl({ profile: "ollama", baseUrl: "http://h/v1" })).toBe("http://h/v1");
		expect(await baseUrl({ profile: "openai" })).toBeUndefined();
		expect(await baseUrl({})).toBeUndefined();
	});

	it("tells which variables of folders are ignored because they are relative", async () => {
		const notice = (name: string, value: string) =>
			`The environment variable ${name} is ignored: it must be an absolute path, not ${value}.`;
		const notices = async (env: Record<string, string>) => (await load({ env })).notices;
		expect(await notices({ AGI_HOME: "home", XDG_DATA_HOME: "./d", XDG_CACHE_HOME: "/c" })).toEqual([
			notice("AGI_HOME", "home"),
			notice("XDG_DATA_HOME", "./d"),
		]);
		expect(await notices({ AGI_HOME: "/home", XDG_DATA_HOME: "./d" })).toEqual([]);
	});

	it.each([
		["true", true],
		["1", true],
		["TRUE", true],
		["false", false],
		["0", false],
		["", false],
	])("reads SANDBOX_COMMANDS=%s", async (value, expected) => {
		expect((await load({ env: { SANDBOX_COMMANDS: value } })).sandboxCommands).toBe(expected);
	});

	it("takes an unclear SANDBOX_COMMANDS for yes at the screen", async () => {
		expect((await load({ env: { SANDBOX_COMMANDS: "ture" }, interactive: true })).sandboxCommands).toBe(true);
	});

	it("hands the keys of other services on", async () => {
		expect(
			await load({ env: { EXA_API_KEY: "e", LMNR_PROJECT_API_KEY: "l", LLM_JUDGE_MODEL: "j" } }),
		).toMatchObject({
			exaApiKey: "e",
			laminarKey: "l",
			judgeModel: "j",
		});
	});
});

describe("loadSettings and the key", () => {
	const credentials = () => join(folder, "config", "credentials.json");

	it("looks in LLM_API_KEY, the profile's variable, OPENAI_API_KEY and the credentials file, in this order", async () => {
		await writeFile(credentials(), JSON.stringify({ profiles: { dashscope: { apiKey: "filed" } } }), {
			mode: 0o600,
		});
		const env: Record<string, string> = {
			LLM_API_KEY: "first",
			OPENAI_API_KEY: "third",
			DASHSCOPE_API_KEY: "second",
		};
		const found: (string | undefined)[] = [];
		for (const variable of ["LLM_API_KEY", "DASHSCOPE_API_KEY", "OPENAI_API_KEY", undefined]) {
			const { apiKey, sources } = await load({ env });
			found.push(apiKey);
			expect(sources["apiKey"]).toBe(variable ?? credentials());
			if (variable !== undefined) delete env[variable];
		}
		expect(found).toEqual(["first", "second", "third", "filed"]);
	});

	it("takes only the key of the profile that is asked", async () => {
		await writeFile(credentials(), JSON.stringify({ profiles: { dashscope: { apiKey: "theirs" } } }), {
			mode: 0o600,
		});
		expect(await load({ flags: { profile: "openai" } })).not.toHaveProperty("apiKey");
		expect(await load({ flags: { baseUrl: "https://elsewhere.example/v1" } })).not.toHaveProperty("apiKey");
		expect(await load({ flags: { profile: "toString" } })).not.toHaveProperty("apiKey");
	});

	it("ignores an empty variable and blanks around a key", async () => {
		expect((await load({ env: { LLM_API_KEY: " ", OPENAI_API_KEY: " key\n" } })).apiKey).toBe("key");
	});

	it("warns when others can read the credentials file", async () => {
		await writeFile(credentials(), JSON.stringify({ profiles: { dashscope: { apiKey: "filed" } } }));
		await chmod(credentials(), 0o644);
		const { apiKey, notices } = await load();
		expect(apiKey).toBe("filed");
		expect(notices).toEqual([
			`Others on this machine can read your keys in ${credentials()}. Run: chmod 600 ${credentials()}`,
		]);
	});

	it("says where a credentials file is broken without showing what is in it", async () => {
		await writeFile(credentials(), '{"profiles": {\n"dashscope": {"key": "sk-secret-in-file"}}}', {
			mode: 0o600,
		});
		const message = await refused();
		expect(message).toContain(`${credentials()} has a mistake: it must have the form`);
		expect(message).not.toContain("sk-secret");
		await writeFile(credentials(), '{"profiles": {"a": sk-secret-in-file}}');
		expect(await refused()).toBe(`The file ${credentials()} is no JSON: look at line 1, column 20.`);
		expect((await load({ interactive: true })).notices[0]).toContain("No key was read from it.");
	});

	it("gives the address to the stronger place, so that a stored key does not follow a foreign address", async () => {
		await write(userFile, { profile: "dashscope" });
		await writeFile(credentials(), JSON.stringify({ profiles: { dashscope: { apiKey: "filed" } } }), {
			mode: 0o600,
		});
		const redirected = await load({ env: { LLM_BASE_URL: "https://elsewhere.example/v1" } });
		expect(redirected).not.toHaveProperty("profile");
		expect(redirected).not.toHaveProperty("apiKey");
		const chosen = await load({
			env: { LLM_BASE_URL: "https://elsewhere.example/v1" },
			flags: { profile: "dashscope" },
		});
		expect(chosen).not.toHaveProperty("baseUrl");
		expect(chosen.apiKey).toBe("filed");
	});

	it("gives chooseModel what it needs, from the key alone to a model", async () => {
		const choice = chooseModel(await load({ env: { LLM_API_KEY: "k" } }), { interactive: false, profiles });
		expect(choice).toMatchObject({ kind: "model", profile: "dashscope", apiKey: "k" });
	});
});

describe("settingsJsonSchema", () => {
	it("is what docs/settings.schema.json holds (else run: node scripts/settingsSchema.mjs)", async () => {
		const path = join(import.meta.dirname, "../../docs/settings.schema.json");
		expect(JSON.parse(await readFile(path, "utf8"))).toEqual(
			JSON.parse(JSON.stringify(settingsJsonSchema())),
		);
	});
});

describe("SETTING_KEYS", () => {
	it("names sections key by key", () => {
		expect(SETTING_KEYS).toContain("limits.stepsPerTurn");
		expect(SETTING_KEYS).toContain("keys");
		expect(SETTING_KEYS).not.toContain("limits");
		expect(SETTING_KEYS).not.toContain("$schema");
	});
});
