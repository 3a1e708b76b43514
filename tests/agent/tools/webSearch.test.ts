// The tool webSearch over a server that answers as Exa does.

import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createPublicWeb } from "../../../src/adapters/web/fetchPublic.ts";
import { toolSchema } from "../../../src/agent/tools/schemas.ts";
import { webSearch } from "../../../src/agent/tools/webSearch.ts";
import type { AnyTool } from "../../../src/ports/tool.ts";
import { createToolBench, type ToolBench } from "../../support/toolContext.ts";

const KEY = "exa-test-key-1";

let server: Server;
let bench: ToolBench;
let answer: { status: number; body: string };
let asked: { path: string | undefined; key: unknown; body: unknown }[];

beforeEach(async () => {
	asked = [];
	server = createServer(async (request, response) => {
		const chunks: Buffer[] = [];
		for await (const chunk of request) chunks.push(chunk);
		const body: unknown = JSON.parse(Buffer.concat(chunks).toString());
		asked.push({ path: `${request.method} ${request.url}`, key: request.headers["x-api-key"], body });
		response.writeHead(answer.status, { "content-type": "application/json" }).end(answer.body);
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const exaBaseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
	bench = await createToolBench({
		web: createPublicWeb(),
		config: { exaApiKey: KEY, exaBaseUrl, sandboxCommands: false },
	});
});
afterEach(async () => {
	await bench.remove();
	await new Promise((resolve) => server.close(resolve));
});

describe("webSearch", () => {
	it("costs a request little", () => {
		expect(JSON.stringify(toolSchema(webSearch as unknown as AnyTool)).length).toBeLessThanOrEqual(450);
	});

	it("lists title, date, address and excerpt of each page", async () => {
		const results = [
			{
				title: "One",
				url: "https://one.test/",
				publishedDate: "2026-01-02T03:04:05.000Z",
				text: "first\n\n page",
				score: 1,
			},
			{ title: null, url: "https://two.test/", text: "x".repeat(5000) },
		];
		answer = { status: 200, body: JSON.stringify({ results, requestId: "r" }) };
		const { status, text } = await bench.call(webSearch, { query: "what is new?" });
		expect(status).toBe("result");
		expect(text).toBe(
			`1. One (2026-01-02)\n   https://one.test/\n   first page\n\n2. Untitled\n   https://two.test/\n   ${"x".repeat(800)}`,
		);
		expect(asked).toMatchObject([{ path: "POST /search", key: KEY, body: { query: "what is new?" } }]);
	});

	it("says so where nothing is found", async () => {
		answer = { status: 200, body: '{"results":[]}' };
		expect((await bench.call(webSearch, { query: "zzz" })).text).toBe("No pages were found for: zzz");
	});

	it("says how to set the key where there is none, and asks nobody", async () => {
		bench.context.config = { sandboxCommands: false };
		const { error } = await bench.call(webSearch, { query: "x" });
		expect(error?.message).toContain("EXA_API_KEY");
		expect(asked).toEqual([]);
	});

	it.each([
		[401, `{"error":"bad key ${KEY}"}`, "check EXA_API_KEY"],
		[429, "{}", "again later"],
		[500, `failed for ${KEY}`, "HTTP 500.\nfailed for [redacted]"],
		[200, "not JSON", "could not be read"],
		[200, '{"results":"none"}', "could not be read"],
	])("tells the error of status %i with body %s without the key", async (status, body, said) => {
		answer = { status, body };
		const outcome = await bench.call(webSearch, { query: "x" });
		expect(outcome).toMatchObject({ status: "error", error: { type: "FAILED" } });
		expect(outcome.error?.message).toContain(said);
		expect(outcome.text).not.toContain(KEY);
	});

	it("names the service before it runs and never the key", async () => {
		const prepared = await bench.prepare(webSearch, { query: "x" });
		expect(prepared.resources).toMatchObject([{ kind: "network", access: "read" }]);
		expect(JSON.stringify(prepared)).not.toContain(KEY);
	});

	it("refuses an empty query", async () => {
		expect((await bench.call(webSearch, { query: " " })).error?.type).toBe("INVALID_ARGUMENT");
	});
});
