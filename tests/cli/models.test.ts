import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { type CommandLine, parseArguments } from "../../src/cli/arguments.ts";
import { modelsCommand } from "../../src/cli/models.ts";
import { type ChatServer, startChatServer } from "../adapters/models/chatServer.ts";
import { type Desk, openDesk } from "../support/recordedSession.ts";

let desk: Desk | undefined;
let server: ChatServer | undefined;
afterEach(async () => {
	desk?.remove();
	await server?.close();
	server = undefined;
});

async function run(env: Record<string, string>, ...words: string[]) {
	desk = openDesk(env);
	const parsed = parseArguments(["models", ...words]) as CommandLine<"models" | "doctor">;
	const code = await modelsCommand(parsed, desk.around);
	return { code, ...desk.taken() };
}

async function serve(models: string[], status = 200): Promise<string> {
	const body = JSON.stringify(
		status === 200
			? { data: models.map((id) => ({ id })) }
			: { error: { message: "Incorrect API key provided" } },
	);
	server = await startChatServer([{ status, body }]);
	return server.baseUrl;
}

describe("modelsCommand", () => {
	it("names the models of the configured server and the embedded one, the chosen marked", async () => {
		const baseUrl = await serve(["beta", "alpha"]);
		const { code, out, err } = await run({
			LLM_BASE_URL: baseUrl,
			LLM_MODEL: "beta",
			LLM_API_KEY: "k-secret",
		});
		expect({ code, err }).toEqual({ code: 0, err: "" });
		expect(out).toMatch(/^ {2}alpha$/m);
		expect(out).toMatch(/^\* beta$/m);
		expect(out).toMatch(/^ {2}offline .*agi -m offline$/m);
		expect(out).not.toContain("k-secret");
		expect(server?.requests[0]?.headers.authorization).toBe("Bearer k-secret");
	});

	it("asks Ollama where OLLAMA_HOST says that it is, and lists that address", async () => {
		const { host } = new URL(await serve(["qwen"]));
		const { code, out } = await run({ OLLAMA_HOST: host }, "--profile", "ollama", "--json");
		const { profiles, ...answer } = JSON.parse(out);
		expect({ code, ...answer }).toMatchObject({ code: 0, profile: "ollama", baseUrl: `http://${host}/v1` });
		expect(profiles).toContainEqual({ name: "ollama", title: "Ollama", baseUrl: `http://${host}/v1` });
	});

	it("works without a chosen model, which is when the list is needed", async () => {
		const baseUrl = await serve(["alpha"]);
		const { code, out } = await run({ LLM_BASE_URL: baseUrl }, "--json");
		expect(code).toBe(0);
		expect(JSON.parse(out)).toMatchObject({
			profile: "custom",
			baseUrl,
			selected: null,
			models: [
				{ name: "alpha", contextWindow: null, price: null },
				{ name: "offline", contextWindow: null, price: null },
			],
		});
	});

	it("adds the window and the price that the catalog knows for a provider's model", async () => {
		const baseUrl = await serve(["gpt-4o-mini", "of-tomorrow"]);
		const { out } = await run({ LLM_API_KEY: "k" }, "--profile", "openai", "--base-url", baseUrl, "--json");
		expect(JSON.parse(out).models.slice(0, 2)).toEqual([
			{
				name: "gpt-4o-mini",
				contextWindow: 128_000,
				price: { input: 0.15, cachedInput: 0.075, output: 0.6 },
			},
			{ name: "of-tomorrow", contextWindow: null, price: null },
		]);
	});

	it("ends with 41 and still names the embedded model where nothing is configured", async () => {
		const { code, out, err } = await run({});
		expect(code).toBe(41);
		expect(out).toContain("agi -m offline");
		expect(err).toContain("No model configured. Run `agi setup`, or set LLM_API_KEY");
	});

	it("ends with 41 and the server's reason where the key is refused, without showing it", async () => {
		const baseUrl = await serve([], 401);
		const { code, out, err } = await run({ LLM_BASE_URL: baseUrl, LLM_API_KEY: "k-secret" }, "--json");
		expect(code).toBe(41);
		expect(JSON.parse(out)).toMatchObject({ models: [{ name: "offline" }], error: err.trim() });
		expect(out + err).not.toContain("k-secret");
	});

	it("ends with 1 and a sentence where nobody listens", async () => {
		const baseUrl = await serve([]);
		await server?.close();
		const { code, err } = await run({ LLM_BASE_URL: baseUrl });
		expect(code).toBe(1);
		expect(err).toContain(new URL(baseUrl).host);
	});

	it("asks the server that the settings file names", async () => {
		const baseUrl = await serve(["alpha"]);
		desk = openDesk();
		mkdirSync(join(desk.home, "config"), { recursive: true });
		writeFileSync(join(desk.home, "config", "settings.json"), JSON.stringify({ baseUrl, model: "alpha" }));
		const parsed = parseArguments(["models"]) as CommandLine<"models" | "doctor">;
		expect(await modelsCommand(parsed, desk.around)).toBe(0);
		expect(desk.taken().out).toContain("* alpha");
	});
});
