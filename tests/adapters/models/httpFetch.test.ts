import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { afterEach, describe, expect, it } from "vitest";
import { createHttpFetch, type HttpRequest } from "../../../src/adapters/models/httpFetch.ts";

const servers: { close(): unknown; closeAllConnections?(): void }[] = [];

afterEach(() => {
	for (const server of servers.splice(0)) {
		server.close();
		server.closeAllConnections?.();
	}
});

/** A server on the loopback; resolves with its URL. */
async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
	const server = createServer(answer);
	servers.push(server);
	return `http://127.0.0.1:${await portOf(server)}`;
}

async function portOf(server: Pick<Server, "listen" | "once" | "address">): Promise<number> {
	server.listen(0, "127.0.0.1");
	await once(server as Server, "listening");
	return (server.address() as AddressInfo).port;
}

const plain = (more: Partial<HttpRequest> = {}): HttpRequest => ({
	headers: {},
	redirect: "manual",
	signal: new AbortController().signal,
	...more,
});

async function readAll(body: AsyncIterable<Uint8Array> | null): Promise<string> {
	const parts: Uint8Array[] = [];
	for await (const part of body ?? []) parts.push(part);
	return Buffer.concat(parts).toString("utf8");
}

describe("createHttpFetch", () => {
	const send = createHttpFetch({});

	it("posts a body with its length and headers and tells status and headers of the answer", async () => {
		let seen: unknown;
		const url = await serve(async (request, response) => {
			const { method, url: path, headers } = request;
			seen = {
				method,
				path,
				length: headers["content-length"],
				key: headers["x-key"],
				body: await readAll(request),
			};
			response.writeHead(201, { "X-Told": ["a", "b"] }).end("grüß");
		});
		const answer = await send(
			`${url}/v1/x`,
			plain({ method: "POST", headers: { "x-key": "k" }, body: "héllo" }),
		);
		expect(seen).toEqual({ method: "POST", path: "/v1/x", length: "6", key: "k", body: "héllo" });
		expect([answer.ok, answer.status, answer.headers.get("x-TOLD"), answer.headers.get("none")]).toEqual([
			true,
			201,
			"a, b",
			null,
		]);
		expect(await answer.text()).toBe("grüß");
	});

	it("gives each part of a chunked body as it comes", async () => {
		let goOn = () => {};
		const url = await serve(async (_, response) => {
			response.write("one");
			await new Promise<void>((resolve) => {
				goOn = resolve;
			});
			response.end("two");
		});
		const { body } = await send(url, plain());
		const parts = body![Symbol.asyncIterator]();
		expect(Buffer.from((await parts.next()).value).toString()).toBe("one");
		goOn();
		expect(Buffer.from((await parts.next()).value).toString()).toBe("two");
		expect((await parts.next()).done).toBe(true);
	});

	it.each([
		["gzip", gzipSync],
		["deflate", deflateSync],
		["br", brotliCompressSync],
	] as const)("asks for no coding and decodes %s all the same", async (coding, encode) => {
		let asked: unknown;
		const url = await serve((request, response) => {
			asked = request.headers["accept-encoding"];
			response.writeHead(200, { "content-encoding": coding }).end(encode("packed ".repeat(1000)));
		});
		expect(await (await send(url, plain())).text()).toBe("packed ".repeat(1000));
		expect(asked).toBe("identity");
	});

	it("rejects while reading where a compressed body is cut off", async () => {
		const url = await serve((_, response) => {
			const packed = gzipSync(Buffer.from(Array.from({ length: 5000 }, (_, i) => (i * i) % 251)));
			response.writeHead(200, { "content-encoding": "gzip", "content-length": packed.length });
			response.write(packed.subarray(0, 100), () => response.socket?.destroy());
		});
		const { body } = await send(url, plain());
		await expect(readAll(body)).rejects.toThrow();
	});

	it("follows no redirect", async () => {
		let requests = 0;
		const url = await serve((_, response) => {
			requests++;
			response.writeHead(302, { location: "/elsewhere" }).end();
		});
		const answer = await send(url, plain());
		expect([answer.ok, answer.status, answer.headers.get("location")]).toEqual([false, 302, "/elsewhere"]);
		expect(await answer.text()).toBe("");
		expect(requests).toBe(1);
	});

	it("sends requests that follow each other over one connection", async () => {
		const ports = new Set<number | undefined>();
		const url = await serve((request, response) => {
			ports.add(request.socket.remotePort);
			response.end("ok");
		});
		for (let turn = 0; turn < 4; turn++) await (await send(url, plain({ method: "POST", body: "x" }))).text();
		expect(ports.size).toBe(1);
	});

	it("rejects with the signal's reason where it is aborted before, during and after the wait for an answer", async () => {
		const reason = new Error("enough");
		await expect(send("http://127.0.0.1:1/", plain({ signal: AbortSignal.abort(reason) }))).rejects.toBe(
			reason,
		);

		const waiting = new AbortController();
		const silent = await serve(() => waiting.abort(reason));
		await expect(send(silent, plain({ signal: waiting.signal }))).rejects.toBe(reason);

		const reading = new AbortController();
		const endless = await serve((_, response) => void response.write("begun"));
		const { body } = await send(endless, plain({ signal: reading.signal }));
		const parts = body![Symbol.asyncIterator]();
		await parts.next();
		reading.abort(reason);
		await expect(parts.next()).rejects.toBe(reason);
	});

	it("hangs up where a body is left before its end", async () => {
		let hungUp: Promise<unknown> | undefined;
		const url = await serve((_, response) => {
			hungUp = once(response, "close");
			response.write("first");
		});
		const { body } = await send(url, plain());
		for await (const _ of body!) break;
		await hungUp;
		expect(hungUp).toBeDefined();
	});

	it("rejects with ECONNREFUSED where nothing listens, and with ECONNRESET where the connection is reset", async () => {
		const gone = createServer();
		const port = await portOf(gone);
		await new Promise((resolve) => gone.close(resolve));
		await expect(send(`http://127.0.0.1:${port}/`, plain())).rejects.toMatchObject({ code: "ECONNREFUSED" });

		const before = await serve((_, response) => void response.socket?.resetAndDestroy());
		await expect(send(before, plain())).rejects.toMatchObject({ code: "ECONNRESET" });

		const within = await serve((_, response) => {
			response.write("half", () => response.socket?.resetAndDestroy());
		});
		const { body } = await send(within, plain());
		await expect(readAll(body)).rejects.toMatchObject({ code: "ECONNRESET" });
	});

	it("rejects what is no URL and what is no HTTP", async () => {
		await expect(send("no url", plain())).rejects.toThrow("Invalid URL");
		await expect(send("ftp://127.0.0.1/", plain())).rejects.toThrow(/ftp/);
	});

	it("refuses a header that no request can carry", async () => {
		const url = await serve((_, response) => void response.end());
		await expect(send(url, plain({ headers: { authorization: "a\nb" } }))).rejects.toThrow(
			/invalid character/i,
		);
	});

	it("goes through HTTP_PROXY for other machines, unless NO_PROXY names the host", async () => {
		const proxy = await serve((request, response) => void response.end(`for ${request.url}`));
		const through = createHttpFetch({ HTTP_PROXY: proxy, NO_PROXY: "0.0.0.0" });
		expect(await (await through("http://model.invalid/v1/models", plain())).text()).toBe(
			"for http://model.invalid/v1/models",
		);
		// 0.0.0.0 leads to this machine but is none of its usual names.
		const url = (await serve((_, response) => void response.end("direct"))).replace("127.0.0.1", "0.0.0.0");
		expect(await (await through(url, plain())).text()).toBe("direct");
		expect(await (await createHttpFetch({ HTTP_PROXY: proxy })(`${url}/x`, plain())).text()).toBe(
			`for ${url}/x`,
		);
	});

	it("reaches a server on this machine directly, whatever proxy is set", async () => {
		const url = await serve((_, response) => void response.end("direct"));
		const through = createHttpFetch({ http_proxy: "http://proxy.invalid:1" });
		expect(await (await through(url, plain())).text()).toBe("direct");
		expect(await (await through(url.replace("127.0.0.1", "localhost"), plain())).text()).toBe("direct");
	});

	it("opens a tunnel with CONNECT for https through HTTPS_PROXY and tells what stands at its end", async () => {
		const tunnels: (string | undefined)[] = [];
		const proxy = createServer();
		servers.push(proxy);
		proxy.on("connect", (request: IncomingMessage, client: Socket) => {
			tunnels.push(request.url);
			client.on("error", () => undefined);
			client.write("HTTP/1.1 200 Connected\r\n\r\n");
			client.once("data", () => client.end("HTTP/1.1 400 No TLS here\r\n\r\n"));
		});
		const through = createHttpFetch({ https_proxy: `http://127.0.0.1:${await portOf(proxy)}` });
		await expect(through("https://model.invalid/", plain())).rejects.toMatchObject({
			code: expect.stringMatching(/SSL|EPROTO/),
		});
		expect(tunnels).toEqual(["model.invalid:443"]);
	});

	it("fails the request, not the start, where the proxy's address is faulty or the proxy refuses", async () => {
		const faulty = createHttpFetch({ HTTPS_PROXY: "http://[" });
		await expect(faulty("https://model.invalid/", plain())).rejects.toThrow(/proxy/i);

		const proxy = createServer();
		servers.push(proxy);
		proxy.on("connect", (_: IncomingMessage, client: Socket) => {
			client.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n");
		});
		const refused = createHttpFetch({ HTTPS_PROXY: `http://127.0.0.1:${await portOf(proxy)}` });
		await expect(refused("https://model.invalid/", plain())).rejects.toThrow(/407/);
	});
});
