import {
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	realpathSync,
	rmSync,
	statSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { spawn } from "@lydell/node-pty";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { runSetup } from "../../src/cli/setup.ts";
import { openLogins } from "../../src/wire/logins.ts";
import { type ChatServer, type Reply, startChatServer } from "../adapters/models/chatServer.ts";

const CLI = fileURLToPath(new URL("../../src/cli.ts", import.meta.url));

const MODELS: Reply = { body: JSON.stringify({ data: [{ id: "big" }, { id: "small" }] }) };
const REFUSED: Reply = { status: 401, body: JSON.stringify({ error: { message: "no such key" } }) };
const ANSWER: Reply = { frames: [{ d: { content: "ok" } }, { f: "stop" }, "DONE"] };

async function serve(...replies: Reply[]): Promise<ChatServer> {
	const server = await startChatServer(replies);
	onTestFinished(() => server.close());
	return server;
}

function folder(): string {
	const path = realpathSync(mkdtempSync(join(tmpdir(), "agi-setup-")));
	onTestFinished(() => rmSync(path, { recursive: true, force: true }));
	return path;
}

/** A dialog whose answers are given beforehand; `shown` is what a person sees. */
function dialog(...answers: string[]) {
	const shown: string[] = [];
	const hidden: string[] = [];
	return {
		shown,
		hidden,
		ask: async (question: string, options: { hidden?: boolean } = {}) => {
			shown.push(question);
			if (options.hidden) hidden.push(question);
			const answer = answers.shift();
			if (answer === undefined) throw new Error(`nobody answers ${question}`);
			return answer;
		},
		tell: (line: string) => void shown.push(line),
	};
}

describe("runSetup", () => {
	it("asks for provider, address, key and model, tests them and stores them", async () => {
		const server = await serve(MODELS, ANSWER);
		const home = folder();
		const screen = dialog("custom", "not a url", server.baseUrl, "sk-typed", "2");
		expect(await runSetup(openLogins(join(home, "config"), {}), {}, screen)).toBe(0);
		expect(screen.hidden).toHaveLength(1);
		expect(screen.shown.join("\n")).not.toContain("sk-typed");
		expect(screen.shown.find((line) => line.startsWith("It answered in"))).toMatch(
			/^It answered in \d+ ms\.$/,
		);
		expect(server.requests.map((request) => request.headers.authorization)).toEqual([
			"Bearer sk-typed",
			"Bearer sk-typed",
		]);
		const read = (name: string) => JSON.parse(readFileSync(join(home, "config", name), "utf8"));
		expect(read("settings.json")).toEqual({ profile: "custom", baseUrl: server.baseUrl, model: "small" });
		expect(read("credentials.json")).toEqual({ profiles: { custom: { apiKey: "sk-typed" } } });
		expect(statSync(join(home, "config", "credentials.json")).mode & 0o777).toBe(0o600);
	});

	it("asks for the key again when the server refuses it", async () => {
		const server = await serve(REFUSED, MODELS, ANSWER);
		const screen = dialog("sk-wrong", "sk-right", "big");
		const wishes = { baseUrl: server.baseUrl };
		expect(await runSetup(openLogins(join(folder(), "config"), {}), wishes, screen)).toBe(0);
		expect(server.requests.map((request) => request.headers.authorization)).toEqual([
			"Bearer sk-wrong",
			"Bearer sk-right",
			"Bearer sk-right",
		]);
	});

	it("stores nothing when the test fails and the person says no", async () => {
		const server = await serve(MODELS, { status: 404, body: '{"error":{"message":"no model big"}}' });
		const config = join(folder(), "config");
		const screen = dialog("", "1", "n");
		expect(await runSetup(openLogins(config, {}), { baseUrl: server.baseUrl }, screen)).toBe(1);
		expect(screen.shown.at(-1)).toBe("Nothing was stored.");
		expect(() => readdirSync(config)).toThrow("ENOENT");
	});

	it("lets a name be typed where the server lists no models", async () => {
		const server = await serve({ status: 500, body: "broken" }, ANSWER);
		const home = folder();
		const screen = dialog("", "", "my-model");
		expect(await runSetup(openLogins(home, {}), { baseUrl: server.baseUrl }, screen)).toBe(0);
		expect(JSON.parse(readFileSync(join(home, "settings.json"), "utf8")).model).toBe("my-model");
	});

	it("says which variables are stronger than what it stored", async () => {
		const server = await serve(MODELS, ANSWER);
		const screen = dialog("sk-typed");
		const env = { LLM_MODEL: "other", LLM_API_KEY: "sk-environment" };
		await runSetup(openLogins(folder(), env), { baseUrl: server.baseUrl, model: "big" }, screen);
		expect(
			screen.shown.filter((line) => line.includes("is stronger")).map((line) => line.split(" ")[0]),
		).toEqual(["LLM_MODEL", "LLM_API_KEY"]);
	});

	it("names the nearest provider for one that it does not know", async () => {
		await expect(runSetup(openLogins(folder(), {}), { profile: "opnai" }, dialog())).rejects.toThrow(
			'Unknown profile "opnai". Did you mean openai?',
		);
	});
});

/** `agi setup` in a terminal of its own. */
function startInTerminal(home: string, args: string[]) {
	const cwd = join(home, "app");
	mkdirSync(cwd);
	const { PATH = "" } = process.env;
	const env = { PATH, HOME: home, AGI_HOME: join(home, "agi"), TERM: "xterm-256color" };
	const terminal = spawn(process.execPath, [CLI, "setup", ...args], { cwd, env, cols: 100, rows: 30 });
	let seen = "";
	let code: number | undefined;
	terminal.onData((text) => (seen += text));
	terminal.onExit(({ exitCode }) => (code = exitCode));
	onTestFinished(() => terminal.kill("SIGKILL"));
	const until = (check: () => boolean) =>
		vi.waitFor(
			() => {
				if (!check()) throw new Error(`never came; the screen is:\n${seen}`);
			},
			{ timeout: 15_000, interval: 10 },
		);
	return {
		type: (text: string) => terminal.write(text),
		sees: (text: string) => until(() => seen.includes(text)),
		ends: () => until(() => code !== undefined),
		seen: () => seen,
		code: () => code,
	};
}

describe("setupCommand", () => {
	it("never shows the key that is typed, and stores it", async () => {
		const server = await serve(MODELS, ANSWER);
		const home = folder();
		const terminal = startInTerminal(home, ["--base-url", server.baseUrl]);
		await terminal.sees("Enter alone");
		terminal.type("sk-wrong\x15sk-hiddex\x7fn\x1b[D\r");
		await terminal.sees("Model (number or name)");
		terminal.type("smal\x7fll\r");
		await terminal.ends();
		expect(terminal.code()).toBe(0);
		expect(terminal.seen()).not.toContain("sk-");
		const stored = readFileSync(join(home, "agi", "config", "credentials.json"), "utf8");
		expect(JSON.parse(stored)).toEqual({ profiles: { custom: { apiKey: "sk-hidden" } } });
		expect(readFileSync(join(home, "agi", "config", "settings.json"), "utf8")).toContain('"small"');
	});

	it("writes nothing when the person leaves with Ctrl+C", async () => {
		const server = await serve(MODELS, ANSWER);
		const home = folder();
		const terminal = startInTerminal(home, ["--base-url", server.baseUrl, "-m", "big"]);
		await terminal.sees("Enter alone");
		terminal.type("sk-half\x03");
		await terminal.ends();
		expect(terminal.code()).toBe(130);
		expect(terminal.seen()).toContain("Nothing was stored.");
		expect(existsSync(join(home, "agi", "config"))).toBe(false);
		expect(readdirSync(join(home, "app"))).toEqual([]);
	});
});
