import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { isLocalAddress, readLocalWindow } from "../../../src/adapters/models/localWindow.ts";

const servers: Server[] = [];
const { signal } = new AbortController();

/** A server that answers these paths with JSON and the rest with 404; also what it was asked. */
async function serve(answers: Record<string, unknown>): Promise<{ baseUrl: string; asked: string[] }> {
	const asked: string[] = [];
	const server = createServer((request, response) => {
		const key = `${request.method} ${request.url}`;
		asked.push(key);
		const found = answers[key];
		response.writeHead(found === undefined ? 404 : 200, { "content-type": "application/json" });
		response.end(typeof found === "string" ? found : JSON.stringify(found ?? { error: "no" }));
	});
	servers.push(server);
	await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
	return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, asked };
}

afterEach(async () => {
	for (const server of servers.splice(0)) {
		server.closeAllConnections();
		await new Promise((closed) => server.close(closed));
	}
});

const listed = (owned_by: string, more: object = {}) => ({ data: [{ id: "m", owned_by, ...more }] });

describe("readLocalWindow", () => {
	it.each([
		["vLLM", { "GET /v1/models": listed("vllm", { max_model_len: 8192 }) }, 8192, true],
		[
			"llama.cpp",
			{
				"GET /v1/models": listed("llamacpp"),
				"GET /props": { default_generation_settings: { n_ctx: 4096 } },
			},
			4096,
			true,
		],
		[
			"LM Studio",
			{
				"GET /v1/models": listed("organization_owner"),
				"GET /api/v0/models/m": { loaded_context_length: 6000, max_context_length: 131072 },
			},
			6000,
			true,
		],
		[
			"LM Studio",
			{
				"GET /v1/models": listed("organization_owner"),
				"GET /api/v0/models/m": { max_context_length: 131072 },
			},
			131072,
			false,
		],
		[
			"Ollama",
			{
				"GET /v1/models": { data: [{ id: "m:latest", owned_by: "library" }] },
				"GET /api/ps": { models: [{ name: "m:latest", context_length: 4096 }] },
			},
			4096,
			true,
		],
		[
			"Ollama",
			{
				"GET /v1/models": listed("library"),
				"GET /api/ps": { models: [] },
				"POST /api/show": {
					parameters: "stop  x\nnum_ctx    16384",
					model_info: { "q.context_length": 40960 },
				},
			},
			16384,
			true,
		],
		[
			"Ollama",
			{
				"GET /v1/models": listed("library"),
				"POST /api/show": { model_info: { "q.context_length": 40960 } },
			},
			40960,
			false,
		],
	])("reads it from %s", async (server, answers, tokens, exact) => {
		const { baseUrl } = await serve(answers);
		expect(await readLocalWindow({ baseUrl, model: "m", signal })).toEqual({ tokens, exact, server });
	});

	it("asks a server that is none of these for its list of models only", async () => {
		const { baseUrl, asked } = await serve({ "GET /v1/models": listed("somebody") });
		expect(await readLocalWindow({ baseUrl, model: "m", signal })).toBeUndefined();
		expect(asked).toEqual(["GET /v1/models"]);
	});

	it.each([
		["is no JSON", "<html>"],
		["is null", "null"],
		["lists nothing", { data: [] }],
		["lists another model's window as text", listed("vllm", { max_model_len: "many" })],
	])("tells none where the answer %s", async (_, answer) => {
		const { baseUrl } = await serve({ "GET /v1/models": answer });
		expect(await readLocalWindow({ baseUrl, model: "m", signal })).toBeUndefined();
	});

	it("tells none where nothing listens, and sends nothing elsewhere", async () => {
		const { baseUrl } = await serve({});
		const [server] = servers.splice(0);
		await new Promise((closed) => server!.close(closed));
		expect(await readLocalWindow({ baseUrl, model: "m", signal })).toBeUndefined();
		const fetch = () => Promise.reject(new Error("asked"));
		expect(
			await readLocalWindow({ baseUrl: "https://models.example/v1", model: "m", signal, fetch }),
		).toBeUndefined();
	});
});

describe("isLocalAddress", () => {
	it.each([
		["http://localhost:11434/v1", true],
		["http://127.0.0.1:8080", true],
		["http://[::1]:8000/v1", true],
		["https://api.openai.com/v1", false],
		["http://localhost.example/v1", false],
		["scripted:", false],
	])("of %s is %s", (address, local) => {
		expect(isLocalAddress(address)).toBe(local);
	});
});
