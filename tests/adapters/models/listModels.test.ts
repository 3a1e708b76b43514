import { afterEach, describe, expect, it } from "vitest";
import { listModels } from "../../../src/adapters/models/listModels.ts";
import { type ChatServer, type Reply, startChatServer } from "./chatServer.ts";

let server: ChatServer | undefined;
afterEach(() => server?.close());

async function list(reply: Reply, options: { apiKey?: string } = {}) {
	server = await startChatServer([reply]);
	return listModels({ baseUrl: `${server.baseUrl}/`, ...options });
}

describe("listModels", () => {
	it.each([
		[{ object: "list", data: [{ id: "b" }, { id: "a" }] }],
		[{ models: [{ name: "a" }, { name: "b" }] }],
		[["b", "a"]],
	])("reads the names out of %j", async (body) => {
		expect(await list({ body: JSON.stringify(body) }, { apiKey: "k-1" })).toEqual({
			ok: true,
			models: ["a", "b"],
		});
		expect(server?.requests[0]).toMatchObject({
			method: "GET",
			url: "/v1/models",
			headers: { authorization: "Bearer k-1" },
		});
	});

	it("sends no key where there is none", async () => {
		await list({ body: '{"data":[]}' });
		expect(server?.requests[0]?.headers.authorization).toBeUndefined();
	});

	it("says why it lists none", async () => {
		expect(await list({ status: 401, body: "{}" })).toMatchObject({ ok: false, failure: { kind: "auth" } });
		await server?.close();
		expect(await list({ body: "<html><title>Hi</title></html>" })).toMatchObject({
			ok: false,
			failure: { kind: "invalid_request" },
		});
	});

	it("says so where the server stays silent", async () => {
		server = await startChatServer([{ frames: ["hang"] }]);
		const result = await listModels({ baseUrl: server.baseUrl, timeoutMs: 50 });
		expect(result).toMatchObject({ ok: false, failure: { kind: "timeout" } });
	});

	it("says that nothing answers where the server is gone", async () => {
		server = await startChatServer([{}]);
		const { baseUrl } = server;
		await server.close();
		const result = await listModels({ baseUrl });
		expect(result).toMatchObject({ ok: false, failure: { kind: "network", code: "ECONNREFUSED" } });
	});
});
