// The public web, with servers of this machine in its place.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, it } from "vitest";
import { createPublicWeb, type WebOptions } from "../../../src/adapters/web/fetchPublic.ts";
import type { WebFailure, WebReply, WebResult } from "../../../src/ports/web.ts";

const servers: Server[] = [];

afterEach(async () => {
	for (const server of servers.splice(0)) {
		server.closeAllConnections();
		await new Promise((resolve) => server.close(resolve));
	}
});

/** A server that counts its hits. */
async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void) {
	const hits: string[] = [];
	const server = createServer((request, response) => {
		hits.push(`${request.method} ${request.url}`);
		answer(request, response);
	});
	servers.push(server);
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const { port } = server.address() as AddressInfo;
	return { hits, port, host: `127.0.0.1:${port}`, url: `http://127.0.0.1:${port}` };
}

function get(
	url: string,
	options: WebOptions = {},
	signal = new AbortController().signal,
): Promise<WebResult> {
	return createPublicWeb(options).fetch(url, { signal });
}

async function failureOf(result: Promise<WebResult>): Promise<WebFailure> {
	const settled = await result;
	expect(settled.ok).toBe(false);
	return settled as WebFailure;
}

async function replyOf(result: Promise<WebResult>): Promise<WebReply> {
	const settled = await result;
	expect(settled).toMatchObject({ ok: true });
	return settled as WebReply;
}

describe("fetch", () => {
	it("gives text, type, status and address of a page", async () => {
		const { url, host, hits } = await serve((_, response) => {
			response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end("<p>héllo");
		});
		expect(await get(`${url}/page?q=1`, { allowedHosts: [host] })).toEqual({
			ok: true,
			url: `${url}/page?q=1`,
			status: 200,
			contentType: "text/html",
			text: "<p>héllo",
		});
		expect(hits).toEqual(["GET /page?q=1"]);
	});

	it("gives an error status as an answer", async () => {
		const { url, host } = await serve((_, response) => response.writeHead(404).end("gone"));
		expect(await replyOf(get(url, { allowedHosts: [host] }))).toMatchObject({ status: 404, text: "gone" });
	});

	it("unpacks a compressed answer", async () => {
		const { url, host } = await serve((_, response) => {
			response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync("packed"));
		});
		expect((await replyOf(get(url, { allowedHosts: [host] }))).text).toBe("packed");
	});

	describe("of what is not public", () => {
		it.each([
			["a loopback address", (port: number) => `http://127.0.0.1:${port}/secret`, "127.0.0.1"],
			["IPv6 loopback", (port: number) => `http://[::1]:${port}/secret`, "::1"],
			["one decimal number", (port: number) => `http://2130706433:${port}/secret`, "127.0.0.1"],
			["hexadecimal and short", (port: number) => `http://0x7f.1:${port}/secret`, "127.0.0.1"],
			["full-width digits", (port: number) => `http://１２７.0.0.1:${port}/secret`, "127.0.0.1"],
			["a mapped address", (port: number) => `http://[::ffff:127.0.0.1]:${port}/secret`, "::ffff:7f00:1"],
			["a NAT64 address", (port: number) => `http://[64:ff9b::7f00:1]:${port}/secret`, "64:ff9b::7f00:1"],
			["the unspecified address", (port: number) => `http://0.0.0.0:${port}/secret`, "0.0.0.0"],
			[
				"a name for this machine",
				(port: number) => `http://localhost:${port}/secret`,
				"localhost (127.0.0.1)",
			],
			["a name below it", (port: number) => `http://a.localhost.:${port}/secret`, "a.localhost."],
			["a metadata service", () => "http://169.254.169.254/latest/", "169.254.169.254"],
		])("refuses %s and names it", async (_, makeUrl, named) => {
			const { port, hits } = await serve((_request, response) => response.end("secret"));
			const url = makeUrl(port);
			const failure = await failureOf(get(url));
			expect(failure.kind).toBe("refused");
			expect(failure.message).toContain(named);
			expect(createPublicWeb().refusal(url)).toBe(failure.message);
			expect(hits).toEqual([]);
		});

		it("refuses a name that leads to this machine, also beside a public address", async () => {
			const { port, hits } = await serve((_, response) => response.end("secret"));
			const lookup = async () => [
				{ address: "93.184.216.34", family: 4 },
				{ address: "127.0.0.1", family: 4 },
			];
			const failure = await failureOf(get(`http://inside.test:${port}/`, { lookup }));
			expect(failure).toMatchObject({ kind: "refused" });
			expect(failure.message).toContain("inside.test (127.0.0.1) is a loopback address");
			expect(hits).toEqual([]);
		});

		it("refuses a redirect there and does not follow it", async () => {
			const inside = await serve((_, response) => response.end("secret"));
			const outside = await serve((_, response) => {
				response.writeHead(302, { location: `${inside.url}/secret` }).end();
			});
			const failure = await failureOf(get(outside.url, { allowedHosts: [outside.host] }));
			expect(failure).toMatchObject({ kind: "refused" });
			expect(failure.message).toContain(`${inside.url}/secret`);
			expect(inside.hits).toEqual([]);
		});

		it("connects to the address that was checked, though the name leads elsewhere by then", async () => {
			const { port, hits } = await serve((_, response) => response.end("first"));
			const answers = ["127.0.0.1", "127.0.0.2"];
			const asked: string[] = [];
			const lookup = async (host: string) => {
				asked.push(host);
				return [{ address: answers.shift()!, family: 4 }];
			};
			const reply = await replyOf(
				get(`http://moving.test:${port}/`, { lookup, allowedHosts: [`moving.test:${port}`] }),
			);
			expect(reply.text).toBe("first");
			expect(asked).toEqual(["moving.test"]);
			expect(hits).toEqual(["GET /"]);
		});

		it.each(["file:///etc/hostname", "ftp://example.com/", "data:text/plain,x", "example.com", "http://"])(
			"refuses %s, which is no web address",
			async (url) => {
				const failure = await failureOf(get(url));
				expect(failure).toMatchObject({ kind: "refused" });
				expect(failure.message).toContain(url);
			},
		);

		it("refuses an address with a password and does not repeat the password", async () => {
			const failure = await failureOf(get("http://me:hunter2@example.com/"));
			expect(failure).toMatchObject({ kind: "refused" });
			expect(failure.message).toContain("example.com");
			expect(failure.message).not.toContain("hunter2");
		});
	});

	describe("through redirects", () => {
		it("follows five and tells the last address", async () => {
			const { url, host, hits } = await serve(({ url: path }, response) => {
				const left = Number(path!.slice(1));
				if (left === 0) response.end("there");
				else response.writeHead(302, { location: `/${left - 1}` }).end();
			});
			expect(await replyOf(get(`${url}/5`, { allowedHosts: [host] }))).toMatchObject({
				text: "there",
				url: `${url}/0`,
			});
			const failure = await failureOf(get(`${url}/6`, { allowedHosts: [host] }));
			expect(failure.message).toContain("more than 5 times");
			expect(hits).toHaveLength(12);
		});

		it("ends in front of an address that may not be followed to, and names it", async () => {
			const { url, host, hits } = await serve((_, response) =>
				response.writeHead(302, { location: "/private" }).end(),
			);
			const mayFollow = (next: string) => !next.endsWith("/private");
			const failure = await failureOf(get(`${url}/a`, { allowedHosts: [host], mayFollow }));
			expect(failure.kind).toBe("refused");
			expect(failure.message).toContain(`${url}/a redirects to ${url}/private, and a rule speaks of that`);
			expect(hits).toEqual(["GET /a"]);
		});

		it("ends where the next address cannot be read", async () => {
			const { url, host } = await serve((_, response) =>
				response.writeHead(301, { location: "http://[" }).end(),
			);
			expect((await failureOf(get(url, { allowedHosts: [host] }))).message).toContain("cannot be read");
		});
	});

	describe("within its bounds", () => {
		it("refuses what is no text without loading it", async () => {
			const { url, host } = await serve((_, response) => {
				response.writeHead(200, { "content-type": "image/png", "content-length": "4000000" }).write("x");
			});
			const failure = await failureOf(get(url, { allowedHosts: [host] }));
			expect(failure).toMatchObject({ kind: "not_text" });
			expect(failure.message).toContain("image/png");
		});

		it.each([
			[
				"by its length",
				(response: ServerResponse) => response.writeHead(200, { "content-length": "5000001" }).write("x"),
			],
			[
				"as it comes",
				(response: ServerResponse) => response.writeHead(200).end(Buffer.alloc(5_000_001, "x")),
			],
			[
				"as it is unpacked",
				(response: ServerResponse) =>
					response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(Buffer.alloc(50_000_000))),
			],
		])("stops at 5 MB, known %s", async (_, answer) => {
			const { url, host } = await serve((_request, response) => answer(response));
			expect(await failureOf(get(url, { allowedHosts: [host] }))).toMatchObject({ kind: "too_large" });
		});

		it("stops at the time limit, before and within the body", async () => {
			const silent = await serve(() => {});
			const slow = await serve((_, response) => response.writeHead(200).write("begun"));
			for (const { url, host } of [silent, slow]) {
				const failure = await failureOf(get(url, { allowedHosts: [host], timeoutMs: 100 }));
				expect(failure).toMatchObject({ kind: "timeout" });
				expect(failure.message).toContain(url);
			}
		});

		it("stops when it is cancelled, also while the name is looked up", async () => {
			const abort = new AbortController();
			const { url, host } = await serve(() => abort.abort());
			expect(await failureOf(get(url, { allowedHosts: [host] }, abort.signal))).toMatchObject({
				kind: "cancelled",
			});
			const looking = new AbortController();
			const lookup = () => {
				looking.abort();
				return new Promise<never>(() => {});
			};
			expect(await failureOf(get("http://slow.test/", { lookup }, looking.signal))).toMatchObject({
				kind: "cancelled",
			});
		});

		it("tells a connection that fails", async () => {
			const { url, host, port } = await serve(() => {});
			const server = servers.pop()!;
			await new Promise((resolve) => server.close(resolve));
			const failure = await failureOf(get(url, { allowedHosts: [host] }));
			expect(failure.message).toBe(
				`${url} could not be fetched: nothing listens there (connection refused).`,
			);
			const lookup = async () => [];
			expect((await failureOf(get(`http://none.test:${port}/`, { lookup }))).message).toContain("none.test");
		});
	});
});

describe("post", () => {
	it("sends the body as JSON with the given headers and gives the answer", async () => {
		let seen = "";
		const { url, hits } = await serve((request, response) => {
			request.on("data", (chunk) => {
				seen += chunk;
			});
			request.on("end", () => response.end(JSON.stringify({ key: request.headers["x-api-key"] })));
		});
		const { signal } = new AbortController();
		const reply = await replyOf(
			createPublicWeb().post(`${url}/search`, { q: "é" }, { headers: { "x-api-key": "k" }, signal }),
		);
		expect(reply.text).toBe('{"key":"k"}');
		expect(seen).toBe('{"q":"é"}');
		expect(hits).toEqual(["POST /search"]);
	});

	it("follows no redirect, so that no key goes elsewhere", async () => {
		const other = await serve((_, response) => response.end());
		const { url } = await serve((_, response) => response.writeHead(307, { location: other.url }).end());
		const { signal } = new AbortController();
		const reply = await replyOf(createPublicWeb().post(url, {}, { headers: { "x-api-key": "k" }, signal }));
		expect(reply.status).toBe(307);
		expect(other.hits).toEqual([]);
	});

	it("fails with a sentence where the address is none", async () => {
		const { signal } = new AbortController();
		const failure = await failureOf(createPublicWeb().post("nonsense/search", {}, { headers: {}, signal }));
		expect(failure.message).toContain("nonsense/search");
	});
});
