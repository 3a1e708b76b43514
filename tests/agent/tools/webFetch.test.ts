// The tool webFetch over a real server.

import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createPublicWeb } from "../../../src/adapters/web/fetchPublic.ts";
import { toolSchema } from "../../../src/agent/tools/schemas.ts";
import { webFetch } from "../../../src/agent/tools/webFetch.ts";
import type { AnyTool } from "../../../src/ports/tool.ts";
import { createToolBench, type ToolBench } from "../../support/toolContext.ts";

const PAGES: Record<string, [status: number, headers: Record<string, string>, body: string]> = {
	"/page": [
		200,
		{ "content-type": "text/html" },
		`<h1>Hi</h1><script>x()</script><p>See <a href="/next">next</a>`,
	],
	"/data": [200, { "content-type": "application/json" }, '{"a": "<b>"}\n'],
	"/empty": [200, { "content-type": "text/html" }, "<script>x()</script>"],
	"/moved": [301, { location: "/data" }, ""],
	"/inside": [302, { location: "http://127.0.0.1:1/secret" }, ""],
	"/image": [200, { "content-type": "image/png" }, "x"],
};

let server: Server;
let bench: ToolBench;
let base: string;

beforeEach(async () => {
	server = createServer(({ url }, response) => {
		const [status, headers, body] = PAGES[url!] ?? [404, { "content-type": "text/html" }, "<p>Nothing here"];
		response.writeHead(status, headers).end(body);
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
	base = `http://${host}`;
	bench = await createToolBench({ web: createPublicWeb({ allowedHosts: [host] }) });
});
afterEach(async () => {
	await bench.remove();
	await new Promise((resolve) => server.close(resolve));
});

describe("webFetch", () => {
	it("costs a request little", () => {
		expect(JSON.stringify(toolSchema(webFetch as unknown as AnyTool)).length).toBeLessThanOrEqual(450);
	});

	it("gives an HTML page as readable text", async () => {
		expect(await bench.call(webFetch, { url: `${base}/page` })).toEqual({
			status: "result",
			text: `# Hi\n\nSee [next](${base}/next)`,
		});
	});

	it("gives other text as it is", async () => {
		expect((await bench.call(webFetch, { url: `${base}/data` })).text).toBe('{"a": "<b>"}\n');
	});

	it("tells where a redirect led", async () => {
		const { text } = await bench.call(webFetch, { url: `${base}/moved` });
		expect(text).toBe(`[Redirected to ${base}/data]\n{"a": "<b>"}\n`);
	});

	it("says so where a page holds no text", async () => {
		expect((await bench.call(webFetch, { url: `${base}/empty` })).text).toContain("/empty holds no text");
	});

	it("tells an error status with its page", async () => {
		const { status, error } = await bench.call(webFetch, { url: `${base}/none` });
		expect(status).toBe("error");
		expect(error).toMatchObject({ type: "FAILED", message: `${base}/none answered HTTP 404.\nNothing here` });
	});

	it("tells a redirect to a private address as denied, by name", async () => {
		const { error } = await bench.call(webFetch, { url: `${base}/inside` });
		expect(error).toMatchObject({ type: "DENIED" });
		expect(error?.message).toContain("http://127.0.0.1:1/secret");
	});

	it("tells what is no text", async () => {
		expect((await bench.call(webFetch, { url: `${base}/image` })).error?.message).toContain("image/png");
	});

	it("is cancelled by the signal", async () => {
		bench.context.signal = AbortSignal.abort();
		const outcome = await bench.call(webFetch, { url: `${base}/page` });
		expect(outcome).toMatchObject({ status: "cancelled", error: { type: "CANCELLED" } });
	});

	it("names host and address before it runs", async () => {
		const prepared = await bench.prepare(webFetch, { url: `${base}/page` });
		expect(prepared.resources).toEqual([{ kind: "network", key: base.slice(7), access: "read" }]);
		expect(prepared.facts).toEqual({ url: `${base}/page` });
	});

	it.each([
		"http://127.0.0.1:1/",
		"http://169.254.169.254/latest/",
		"file:///etc/hostname",
		"http://u:p@example.com/",
		"page",
	])("refuses %s before anybody is asked", async (url) => {
		expect((await bench.call(webFetch, { url })).error?.type).toBe("INVALID_ARGUMENT");
	});
});
