// One HTTP request and its whole answer, bounded in bytes, to addresses that were chosen before. Follows nothing, keeps
// no connection, and never looks a name up again where addresses are given.

import type { IncomingMessage, RequestOptions } from "node:http";

/** A numeric address with its family, as `dns.lookup` gives it. */
export interface Address {
	address: string;
	family: number;
}

/** What to send, where to, and how much of the answer to take. */
export interface ExchangeRequest {
	method: "GET" | "POST";
	headers: Record<string, string>;
	body?: string;
	/** Connect only to these; absent: the system's own look-up. */
	addresses?: readonly Address[];
	maxBytes: number;
	signal: AbortSignal;
	/** Says from status and headers whether the body is wanted. */
	wantsBody(status: number, contentType: string): boolean;
}

/** The whole answer, not yet decoded. */
export interface ExchangeReply {
	status: number;
	/** Media type with parameters, as sent. */
	contentType: string;
	/** The `location` header. */
	location?: string;
	/** Empty where it was not wanted. */
	body: Buffer;
}

/** The answer is larger than was allowed. */
export class BodyTooLarge extends Error {}

/** Sends it; rejects with `BodyTooLarge`, the signal's reason or the network's error. */
export async function exchange(url: URL, request: ExchangeRequest): Promise<ExchangeReply> {
	const response = await send(url, request);
	try {
		const status = response.statusCode ?? 0;
		const contentType = response.headers["content-type"] ?? "";
		const location = response.headers.location;
		const body = request.wantsBody(status, contentType)
			? await readBody(response, request.maxBytes, request.signal)
			: Buffer.alloc(0);
		return { status, contentType, body, ...(location !== undefined && { location }) };
	} finally {
		response.destroy();
	}
}

async function send(url: URL, request: ExchangeRequest): Promise<IncomingMessage> {
	const http = await (url.protocol === "https:" ? import("node:https") : import("node:http"));
	const { addresses } = request;
	const lookup: RequestOptions["lookup"] = (_host, options, callback) => {
		if (options.all) callback(null, [...addresses!]);
		else callback(null, addresses![0]!.address, addresses![0]!.family);
	};
	return new Promise((resolve, reject) => {
		const sent = http.request(url, {
			method: request.method,
			headers: { "accept-encoding": "gzip, deflate, br", ...request.headers },
			// A connection of its own: a pooled one might lead to an address that was not checked.
			agent: false,
			signal: request.signal,
			...(addresses !== undefined && { lookup }),
		});
		sent.once("response", resolve).once("error", reject);
		sent.end(request.body);
	});
}

async function readBody(response: IncomingMessage, maxBytes: number, signal: AbortSignal): Promise<Buffer> {
	if (Number(response.headers["content-length"] ?? 0) > maxBytes) throw new BodyTooLarge();
	const { pipeline } = await import("node:stream/promises");
	const chunks: Buffer[] = [];
	const gather = async (source: AsyncIterable<Buffer>) => {
		let length = 0;
		for await (const chunk of source) {
			length += chunk.length;
			if (length > maxBytes) throw new BodyTooLarge();
			chunks.push(chunk);
		}
	};
	const decompress = await decompressor(response.headers["content-encoding"] ?? "identity");
	if (decompress === undefined) await pipeline(response, gather, { signal });
	else await pipeline(response, decompress, gather, { signal });
	return Buffer.concat(chunks);
}

async function decompressor(encoding: string) {
	const zlib = await import("node:zlib");
	switch (encoding.trim().toLowerCase()) {
		case "gzip":
		case "x-gzip":
			return zlib.createGunzip();
		case "deflate":
			return zlib.createInflate();
		case "br":
			return zlib.createBrotliDecompress();
		default:
			return undefined;
	}
}
