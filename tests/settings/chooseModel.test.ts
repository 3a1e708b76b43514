import { describe, expect, it } from "vitest";
import { isBaseUrl, isLocalAddress } from "../../src/settings/baseUrl.ts";
import {
	chooseModel,
	DEFAULT_MODEL,
	type ModelSettings,
	type ProviderProfile,
	selectProfile,
} from "../../src/settings/chooseModel.ts";
import { AgiError } from "../../src/types.ts";

const DASHSCOPE = "https://dashscope.aliyuncs.com/compatible-mode/v1";
const profiles: ProviderProfile[] = [
	{ name: "dashscope", baseUrl: DASHSCOPE, keyVariable: "DASHSCOPE_API_KEY", local: false },
	{ name: "openai", baseUrl: "https://api.openai.com/v1", keyVariable: "OPENAI_API_KEY", local: false },
	{ name: "ollama", baseUrl: "http://127.0.0.1:11434/v1", local: true },
];
const headless = (settings: ModelSettings) => chooseModel(settings, { interactive: false, profiles });
const interactive = (settings: ModelSettings) => chooseModel(settings, { interactive: true, profiles });

function failure(settings: ModelSettings): { exitCode: number; message: string } {
	const choice = headless(settings);
	if (!(choice instanceof AgiError)) throw new Error(`no error but ${JSON.stringify(choice)}`);
	return { exitCode: choice.exitCode, message: choice.message };
}

describe("chooseModel", () => {
	it("takes the default model on DashScope where only a key is set", () => {
		const expected = {
			kind: "model",
			model: DEFAULT_MODEL,
			profile: "dashscope",
			baseUrl: DASHSCOPE,
			apiKey: "k",
		};
		expect(headless({ apiKey: "k", keyVariable: "LLM_API_KEY" })).toEqual(expected);
		expect(headless({ apiKey: "k", profile: "dashscope" })).toEqual(expected);
		expect(headless({ apiKey: "k", baseUrl: `${DASHSCOPE}/` })).toEqual(expected);
	});

	it("takes the default model on DashScope's other regions too", () => {
		const baseUrl = "https://dashscope-intl.aliyuncs.com/compatible-mode/v1";
		expect(headless({ apiKey: "k", baseUrl })).toMatchObject({
			model: DEFAULT_MODEL,
			profile: "custom",
			baseUrl,
		});
	});

	it.each<[string, ModelSettings]>([
		["another address", { apiKey: "k", baseUrl: "https://llm.example.com/v1" }],
		["another profile", { apiKey: "k", profile: "openai" }],
		["OpenAI's own variable", { apiKey: "k", keyVariable: "OPENAI_API_KEY" }],
		["a local server", { baseUrl: "http://localhost:8080/v1" }],
		[
			"a host that only begins like DashScope",
			{ apiKey: "k", baseUrl: "https://dashscope.aliyuncs.com.evil.example/v1" },
		],
	])("ends with 52 and how to set a model where there is a key for %s and no model", (_name, settings) => {
		const { exitCode, message } = failure(settings);
		expect(exitCode).toBe(52);
		expect(message).toContain("-m NAME");
		expect(message).toContain("LLM_MODEL");
	});

	it("ends with 41 where nothing is configured", () => {
		const { exitCode, message } = failure({});
		expect(exitCode).toBe(41);
		expect(message).toContain("No model configured");
		expect(message).toContain("-m offline");
	});

	it("ends with 41 and names the variable where a remote server has no key", () => {
		expect(failure({ model: "gpt-x", profile: "openai" })).toMatchObject({ exitCode: 41 });
		expect(failure({ model: "gpt-x", profile: "openai" }).message).toContain("LLM_API_KEY or OPENAI_API_KEY");
		expect(failure({ model: "m", baseUrl: "https://llm.example.com/v1" }).message).toContain(
			"llm.example.com",
		);
		expect(failure({ model: "m" })).toMatchObject({ exitCode: 41 });
	});

	it("needs no key for a local server", () => {
		expect(headless({ model: "m", baseUrl: "http://192.168.1.4:1234/v1/" })).toEqual({
			kind: "model",
			model: "m",
			profile: "custom",
			baseUrl: "http://192.168.1.4:1234/v1",
		});
		expect(headless({ model: "m", profile: "ollama" })).toMatchObject({ kind: "model", profile: "ollama" });
	});

	it("asks for a key again where a local profile is sent to a remote address", () => {
		expect(failure({ model: "m", profile: "ollama", baseUrl: "https://gpu.example.com/v1" }).exitCode).toBe(
			41,
		);
	});

	it("names the nearest profile for one that is not known, with 52", () => {
		expect(failure({ model: "m", apiKey: "k", profile: "opnai" })).toMatchObject({ exitCode: 52 });
		expect(failure({ model: "m", apiKey: "k", profile: "opnai" }).message).toContain("Did you mean openai?");
		expect(failure({ apiKey: "k", profile: "elsewhere" }).message).toContain("dashscope, openai, ollama");
		expect(failure({ apiKey: "k", profile: "custom" }).message).toContain("--base-url");
	});

	it("takes the offline model where it is asked for, whatever else is set", () => {
		expect(headless({ model: "offline", apiKey: "k", profile: "nowhere" })).toEqual({ kind: "offline" });
	});

	it.each<ModelSettings>([
		{},
		{ model: "m" },
		{ apiKey: "k", profile: "openai" },
		{ profile: "nowhere", apiKey: "k" },
	])("starts offline with the reason on the screen for %j", (settings) => {
		const choice = interactive(settings);
		expect(choice).toMatchObject({ kind: "offline" });
		const { notice = "" } = choice as { notice?: string };
		expect(notice.startsWith(failure(settings).message)).toBe(true);
		expect(notice.match(/agi setup/g)).toHaveLength(1);
		expect(notice).toMatch(/Until then the embedded offline model answers\.$/);
	});
});

describe("selectProfile", () => {
	it("finds a known server by its address and calls any other custom", () => {
		expect(selectProfile({ baseUrl: "https://api.openai.com/v1/" }, profiles)?.name).toBe("openai");
		expect(selectProfile({ baseUrl: "https://api.openai.com/v2" }, profiles)?.name).toBe("custom");
	});

	it("keeps a named profile and takes the address that is set with it", () => {
		expect(selectProfile({ profile: "openai", baseUrl: "https://proxy.example/v1" }, profiles)).toMatchObject(
			{
				name: "openai",
				baseUrl: "https://proxy.example/v1",
			},
		);
	});
});

describe("isLocalAddress", () => {
	it.each([
		"http://127.0.0.1:1/v1",
		"http://localhost/v1",
		"http://api.localhost",
		"http://10.1.2.3/v1",
		"http://172.31.0.1",
		"http://192.168.0.9",
		"http://[::1]:8000/v1",
		"http://[fd00::5]/v1",
		"http://ollama:11434/v1",
		"http://nas.local/v1",
		"http://host.docker.internal:11434/v1",
		"http://0x7f.1/v1",
	])("takes %s for local", (url) => {
		expect(isLocalAddress(url)).toBe(true);
	});

	it.each([
		"https://api.openai.com/v1",
		"http://172.32.0.1/v1",
		"http://11.0.0.1/v1",
		"https://127.0.0.1.example.com/v1",
		"https://localhost.example.com/v1",
		"http://[2001:db8::1]/v1",
		"no address",
	])("takes %s for remote", (url) => {
		expect(isLocalAddress(url)).toBe(false);
	});
});

describe("isBaseUrl", () => {
	it("takes http and https addresses with port and path", () => {
		expect(["http://127.0.0.1:9/v1", "https://api.example.com"].every(isBaseUrl)).toBe(true);
	});

	it.each([
		"api.example.com/v1",
		"ftp://x/v1",
		"https://",
		"https://user:pw@x.example/v1",
		"https://x.example/v1?k=1",
		"",
	])("refuses %j", (text) => {
		expect(isBaseUrl(text)).toBe(false);
	});
});
