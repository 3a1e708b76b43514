// What a child gets to see of the person's environment.

import { describe, expect, it } from "vitest";
import { childEnvironment } from "../../../src/adapters/processes/childEnvironment.ts";
import { variablesRead } from "../../support/variablesRead.ts";

function kept(name: string, value = "value-of-it"): boolean {
	return childEnvironment({ [name]: value }, [])[name] === value;
}

describe("childEnvironment", () => {
	it.each([
		"GITHUB_TOKEN",
		"CLIENT_SECRET",
		"AGI_API_KEY",
		"APIKEY",
		"PGPASSWORD",
		"MYSQL_PWD",
		"DB_PASS",
		"SSH_PASSPHRASE",
		"AUTHORIZATION",
		"BASIC_AUTH",
		"XAUTHORITY",
		"GOOGLE_APPLICATION_CREDENTIALS",
		"XDG_SESSION_COOKIE",
		"npm_config__authToken",
	])("drops %s, whose name speaks of a secret", (name) => {
		expect(kept(name)).toBe(false);
	});

	it.each([
		"LLM_BASE_URL",
		"OPENAI_BASE_URL",
		"SSH_AUTH_SOCK",
		"NODE_OPTIONS",
		"LD_PRELOAD",
		"LD_LIBRARY_PATH",
		"DYLD_INSERT_LIBRARIES",
		"BASH_ENV",
		"ENV",
		"GIT_DIR",
		"GIT_SSH_COMMAND",
		"FORCE_COLOR",
	])("drops %s, which would act on every command unseen", (name) => {
		expect(kept(name)).toBe(false);
	});

	it("drops every variable that sets something for agi, but for those that other programs share", async () => {
		const shared = /^(XDG_(CONFIG|DATA|CACHE)_HOME|OLLAMA_HOST)$/;
		const own = (await variablesRead()).filter((name) => !shared.test(name));
		expect(own).toEqual(expect.arrayContaining(["AGI_HOME", "LLM_MODEL", "SANDBOX_COMMANDS"]));
		expect(own.filter((name) => kept(name))).toEqual([]);
	});

	it.each([
		"LMNR_BASE_URL",
		"LMNR_LOG_LEVEL",
		"OTEL_EXPORTER_OTLP_HEADERS",
		"OTEL_EXPORTER_OTLP_TRACES_HEADERS",
	])("drops %s, which is for agi's own traces", (name) => {
		expect(kept(name)).toBe(false);
	});

	it.each([
		"AGI_CALL",
		"OLLAMA_HOST",
		"XDG_CONFIG_HOME",
		"PATH",
		"HOME",
		"PWD",
		"OLDPWD",
		"MYAPP_MODE",
		"LANG",
		"CI",
		"KEYBOARD_LAYOUT",
		"HOTKEYS",
		"AUTHOR",
		"TOKENIZERS_PARALLELISM",
		"VIRTUAL_ENV",
		"NODE_ENV",
		"ENVIRONMENT",
		"BYPASS_CACHE",
	])("keeps %s", (name) => {
		expect(kept(name)).toBe(true);
	});

	it("still drops a name in which a harmless word stands beside a secret one", () => {
		expect(kept("KEYBOARD_TOKEN")).toBe(false);
		expect(kept("MONKEY_KEY")).toBe(false);
	});

	it("drops a variable that holds a known secret, whatever its name", () => {
		const env = { ENDPOINT: "http://u:sk-test-AAA@h/", OTHER: "fine", SHORT: "on" };
		const child = childEnvironment(env, ["sk-test-AAA", "on"]);
		expect(child["ENDPOINT"]).toBeUndefined();
		expect(child).toMatchObject({ OTHER: "fine", SHORT: "on" });
	});

	it("neutralises pagers, editors and questions, and names agi", () => {
		expect(childEnvironment({ PAGER: "less", EDITOR: "vim", TERM: "xterm-256color" }, [])).toMatchObject({
			AGENT: "agi",
			PAGER: "cat",
			GIT_PAGER: "cat",
			EDITOR: "true",
			GIT_TERMINAL_PROMPT: "0",
			SSH_ASKPASS_REQUIRE: "never",
			TERM: "dumb",
			NO_COLOR: "1",
		});
	});

	it("leaves PATH as it is and CI unset", () => {
		const child = childEnvironment({ PATH: "/usr/bin:/bin" }, []);
		expect(child["PATH"]).toBe("/usr/bin:/bin");
		expect(child).not.toHaveProperty("CI");
	});
});
